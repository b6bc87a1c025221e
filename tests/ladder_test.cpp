// The rules of the ladder, which keep its steps short enough to be lessons; and how every source
// file and page looks.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

namespace tutorial {
namespace {

std::ptrdiff_t lines_of(const std::string& path) {
  return std::ranges::count(read_text(in_repository(path)), '\n');
}

/// The lines by which two files of the repository differ; with "<" those of the first alone.
std::size_t difference(const std::string& one, const std::string& other, const char* sign = "<>") {
  const Ran ran = execute({{"diff", in_repository(one), in_repository(other)}});
  EXPECT_LT(ran.status, 2) << ran;
  return lines_with(fmt::format("^[{}]", sign), ran.output).size();
}

bool exists(const std::string& path) {
  return std::filesystem::exists(in_repository(path));
}

TEST(Ladder, StepsAreShort) {
  // Lines of main.cpp that may differ from the step before, of Part I; later no more than 20.
  const std::vector<std::size_t> host_budgets = {0, 6, 6, 20, 45, 45};
  const std::vector<std::string> steps = ladder_steps();
  EXPECT_LE(lines_of(steps[0] + "/main.cpp"), 150);
  EXPECT_LE(lines_of("background/opencl/first.cpp"), 100);
  for (std::size_t i = 0; i < steps.size(); i++) {
    const std::string &step = steps[i], &before = steps[i > 0 ? i - 1 : 0];
    const bool part_1 = exists(step + "/convolution.cl");
    EXPECT_LE(lines_of(step + "/main.cpp"), part_1 ? 180 : 90) << step;
    if (part_1) {  // its file only grows
      EXPECT_EQ(difference(before + "/convolution.cl", step + "/convolution.cl", "<"), 0U) << step;
    }
    if (part_1 || !exists(before + "/convolution.cl")) {
      EXPECT_LE(
          difference(before + "/main.cpp", step + "/main.cpp"), part_1 ? host_budgets.at(i) : 20U)
          << step;
    }
    if (exists(step + "/launch.cpp")) {
      EXPECT_LE(lines_of(step + "/launch.cpp"), 120) << step;
    }
    if (i > 0) {
      const Ran ran = program("tutorial", fmt::format("diff {}", i + 1));
      EXPECT_EQ(ran.status, 0) << ran;
    }
  }
}

TEST(Ladder, KernelsAreShort) {
  for (const KernelFile& file : kernel_files()) {
    if (!file.path.ends_with("/convolution.cl")) {
      EXPECT_LE(std::ranges::count(file.text, '\n'), 200) << file.path;
      for (const std::string& kernel : file.kernels) {
        const Ran ran = program("tutorial", "kernel " + kernel.substr(0, kernel.find(':')));
        EXPECT_EQ(ran.status, 0) << ran;
        // Of code, with its helpers.
        EXPECT_LE(lines_with("^ *[^ /]|^ */[^/]", ran.output).size(), 120U) << kernel;
      }
    }
  }
}

// The last program of each part has its kernels of kernels.csv, in that order. The later one begins
// with two of Part I.
TEST(Ladder, ProgramsHaveTheKernelsOfTheList) {
  std::vector<std::string> part_1, later = {"Convolve", "Convolve_Def"};
  std::string last_of_part_1;
  for (const KernelFile& file : kernel_files()) {
    if (file.program.starts_with("step")) {
      const bool grows = file.path.ends_with("/convolution.cl");
      std::ranges::copy(file.kernels, std::back_inserter(grows ? part_1 : later));
      last_of_part_1 = grows ? file.program : last_of_part_1;
    }
  }
  for (const auto& [step, kernels] :
       {std::pair(last_of_part_1, part_1), std::pair(ladder_steps().back(), later)}) {
    const Ran ran = program(step, "--kernel none");
    const std::string listed = std::regex_replace(
        ran.errors, std::regex(".* one of |, Tuned|, [^ ]*:bytes|, not [^]*"), "");
    EXPECT_EQ(listed, fmt::format("{}", fmt::join(kernels, ", ")));
  }
}

TEST(Ladder, PagesHaveTheSameHeadings) {
  for (const std::string& step : ladder_steps()) {
    std::string found;
    bool in_code = false;  // where '## ' is no heading
    for (const std::string& line : split(read_text(in_repository(step + "/README.md")), '\n')) {
      in_code = in_code != (line.find("```") == line.find_first_not_of(' ') && line != "");
      found += !in_code && line.starts_with("## ") ? line.substr(3) + "; " : "";
    }
    const std::string change = step.starts_with("step1_") ? "The kernel" : "The diff";
    EXPECT_TRUE(says(
        found, "^Goal; Why; " + change +
                   "; Run it; What you should see; When it does not help; (Exercises; )?$"))
        << step;
  }
}

/// The files of the checkout that match, with those that are not added yet.
std::vector<std::string> files(const std::vector<std::string>& patterns) {
  std::vector<std::string> words = {
      "git", "ls-files", "--cached", "--others", "--exclude-standard"};
  words.insert(words.end(), patterns.begin(), patterns.end());
  std::vector<std::string> paths = lines_with(".", execute({words, {}, in_repository()}).output);
  std::erase_if(paths, [](const std::string& path) { return !exists(path); });
  return paths;
}

class Format : public testing::Test {
 protected:
  void SetUp() override {
    if (!exists(".git") || !installed("git")) {
      GTEST_SKIP() << "not a checkout of git";
    }
  }
};

// clang-format does not wrap all comments.
TEST_F(Format, SourcesAreFormatted) {
  std::vector<std::string> paths = files({"*.cpp", "*.hpp", "*.cl"});
  ASSERT_FALSE(paths.empty());
  for (const std::string& path : paths) {
    const std::string text = read_text(in_repository(path));
    for (const std::string& line : lines_with("//", text)) {
      const auto characters =
          std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      EXPECT_LE(characters, 100) << path << ": " << line;
    }
    // Mistake 3 of HISTORY.md: no pointer to floats in local memory is made into one to float4,
    // which needs more alignment.
    EXPECT_FALSE(says(text, "\\(__local +float4 *\\*\\) *[&a-z]")) << path;
  }
  // Versions differ in details, so only version 14 decides.
  const bool decides =
      installed("clang-format") && says(program("clang-format", "--version").output, "version 14");
  if (!decides) {
    GTEST_SKIP() << "clang-format 14 is not installed";
  }
  paths.insert(paths.begin(), {"clang-format", "--dry-run", "-Werror"});
  const Ran ran = execute({paths, {}, in_repository()});
  EXPECT_EQ(ran.status, 0) << ran;
}

// Without marks of a table or a figure.
TEST_F(Format, PagesBeginWithATitle) {
  for (const std::string& page : files({"*.md", ":!.github"})) {
    const std::string text = read_text(in_repository(page));
    EXPECT_TRUE(says(text.substr(0, text.find('\n')), "^# [^<|]+$")) << page;
  }
}

}  // namespace
}  // namespace tutorial
