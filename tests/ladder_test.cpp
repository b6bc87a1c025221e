// The rules of the ladder, which keep its steps short enough to be lessons and its hosts whole; and
// how every source file and page looks.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "tests/kernels.hpp"
#include "tests/programs.hpp"

using namespace std::string_literals;

namespace tutorial {
namespace {

/// The programs of the ladder's steps, in their order.
Words ladder_steps() {
  Words steps = in_root(step_folders);
  std::erase_if(steps, [](const std::string& folder) { return !folder.starts_with("step"); });
  return steps;
}

std::ptrdiff_t lines_of(const std::string& path) {
  return std::ranges::count(source(path), '\n');
}

/// The lines by which two files differ, or of these the ones of the first file alone.
std::size_t difference(const std::string& one, const std::string& other, bool of_one = false) {
  const Ran ran = execute({{"diff", in_repository(one), in_repository(other)}});
  return lines_with(of_one ? "^<" : "^[<>]", ran.output).size();
}

bool exists(const std::string& path) {
  return std::filesystem::exists(in_repository(path));
}

std::string without_comments(const std::string& text) {
  return replaced(text, "//[^\n]*", "");
}

/// The names of ours in a host, but for those of images, filters and options.
Texts names_in(const std::string& host) {
  const std::string others = without_comments(
      source("common/image.hpp") + source("common/filters.hpp") + source("common/options.hpp"));
  Texts names = matches(host, "tutorial::(\\w+)");
  std::erase_if(names, [&](auto& name) { return bool(says(others, "\\b" + name + "\\b")); });
  return names;
}

TEST(Ladder, StepsAreShort) {
  EXPECT_LE(lines_of("background/opencl/first.cpp"), 100);
  std::string before;
  std::ptrdiff_t number = 0;
  for (const std::string& step : ladder_steps()) {
    SCOPED_TRACE(step);
    const std::string host = "/main.cpp", grows = "/convolution.cl";
    const bool is_part_1 = exists(step + grows);
    EXPECT_LE(lines_of(step + host), ++number == 1 ? 110 : is_part_1 ? 180 : 90);
    EXPECT_LE(exists(step + "/launch.cpp") ? lines_of(step + "/launch.cpp") : 0, 125);
    if (number > 1) {
      expect(0, program("tutorial", fmt::format("diff {}", number)));
      const std::size_t changed = difference(before + host, step + host);
      const bool begins_part_2 = !is_part_1 && exists(before + grows);
      EXPECT_TRUE(begins_part_2 || changed <= (number <= 4 ? 12U : is_part_1 ? 45U : 20U));
      EXPECT_TRUE(!is_part_1 || changed > 0);
      EXPECT_TRUE(!is_part_1 || difference(before + grows, step + grows, true) == 0);
    }
    before = step;
  }
}

// A host of Part I shows all of OpenCL, and needs little of ours.
TEST(Ladder, HostsShowAllOfOpenCL) {
  const Texts first = names_in(source("step1_naive/main.cpp"));
  EXPECT_LE(first.size(), 8U);
  EXPECT_TRUE(first.contains("select_device"));
  for (const std::string& step : ladder_steps()) {
    const std::string host = source(step + "/main.cpp");
    if (exists(step + "/convolution.cl")) {
      for (const char* call :
           {"cl::Context ", "cl::CommandQueue ", "cl::Program ", "\\.build\\(", "cl::Kernel ",
            "cl::Buffer ", "\\.setArg\\(", "\\.enqueueWriteBuffer\\(", "\\.enqueueNDRangeKernel\\(",
            "\\.enqueueReadBuffer\\("}) {
        EXPECT_TRUE(says(without_comments(host), call)) << step;
      }
      EXPECT_EQ(lines_with("enqueueNDRangeKernel", host).size(), 1U) << step;
      EXPECT_LE(names_in(host).size(), first.size() + 4) << step;
    }
  }
}

TEST(Ladder, KernelsAreShort) {
  for (const KernelFile& file : kernel_files()) {
    const bool grows = file.path.ends_with("/convolution.cl");
    EXPECT_TRUE(grows || std::ranges::count(file.text, '\n') <= 200) << file.path;
    for (const std::string& kernel : grows ? std::vector<std::string>() : file.kernels) {
      const Ran ran = expect(0, program("tutorial", "kernel " + kernel));
      // Of code, with its helpers.
      EXPECT_LE(lines_with("^ *[^ /]|^ */[^/]", ran.output).size(), 130U) << kernel;
    }
  }
}

// The last program of each part has its kernels of kernels.csv, in that order. The later one begins
// with two of Part I.
TEST(Ladder, ProgramsHaveTheKernelsOfTheList) {
  std::string part_1, later = "Convolve, Convolve_Def, ";
  for (const KernelFile& file : kernel_files()) {
    if (file.program.starts_with("step")) {
      std::string& kernels = file.path.ends_with("/convolution.cl") ? part_1 : later;
      kernels += fmt::format("{}, ", fmt::join(file.kernels, ", "));
    }
  }
  for (const auto& [step, kernels] :
       {std::pair("step6_float4"s, part_1), std::pair(ladder_steps().back(), later)}) {
    const std::string known = program(step, "--kernel none").errors;
    const std::string listed = replaced(known, "[^]*\\{([^}]*)\\}[^]*", "$1,");
    const std::string others = "Tuned,|OpenMP\\w*,|[^,]*:bytes,";
    EXPECT_EQ(replaced(replaced(listed, others, ""), ",", ", "), kernels);
  }
}

TEST(Ladder, PagesHaveTheSameHeadings) {
  const std::string end = "; Run it; What you should see; When it does not help; (Exercises; )?$";
  for (const std::string& step : ladder_steps()) {
    if (step.starts_with("step3_")) {
      continue;  // a part of step 2's page
    }
    const Words headings = lines_with("^## ", source(step + "/README.md"));
    const std::string found = replaced(fmt::format("{}; ", fmt::join(headings, "; ")), "## ", "");
    const std::string change = step.starts_with("step1_") ? "The kernel" : "The diff";
    EXPECT_TRUE(says(found, "^Goal; Why; " + change + end)) << step;
  }
}

TEST(Format, SourcesAreFormatted) {
  // Those of the checkout, with those that are not added yet.
  const Ran listed =
      program("git", "-C " + in_repository() + " ls-files -co --exclude-standard *.cpp *.hpp *.cl");
  std::vector<std::string> paths = lines_with(".", listed.output);
  std::erase_if(paths, [](const std::string& path) { return !exists(path); });
  for (const std::string& path : paths) {
    const std::string text = source(path);
    for (const std::string& line : lines_with("//", text)) {  // clang-format does not wrap them all
      const auto size = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      EXPECT_TRUE(size <= 100 || line.starts_with("// g++ ")) << path << ": " << line;
    }
    // Mistake 3 of HISTORY.md: no pointer to floats in local memory is made into one to float4,
    // which needs more alignment.
    EXPECT_FALSE(says(text, "\\(__local +float4 *\\*\\) *[&a-z]")) << path;
  }
  // Versions differ in details, so only version 14 decides.
  const bool decides =
      installed("clang-format") && says(program("clang-format", "--version").output, "version 14");
  if (!decides || paths.empty()) {
    GTEST_SKIP() << "clang-format 14 is not installed, or this is not a checkout of git";
  }
  paths.insert(paths.begin(), {"clang-format", "--dry-run", "-Werror"});
  expect(0, execute({paths, {}, in_repository()}));
}

// Without marks of a table or a figure.
TEST(Format, PagesBeginWithATitle) {
  for (const auto& [page, text] : pages()) {
    EXPECT_TRUE(says(split(text, '\n')[0], "^# [^<|]+$")) << page;
  }
}

}  // namespace
}  // namespace tutorial
