// What the hosts of Part I promise: one shows all of OpenCL, is short enough to be read, needs
// nothing but common/, and each step changes little of it.
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// The hosts of Part I, in the order of the steps.
std::vector<std::string> hosts() {
  std::map<int, std::string> by_step;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository())) {
    if (std::filesystem::exists(entry.path() / "convolution.cl")) {
      const std::string step = entry.path().filename().string().substr(4);
      by_step[std::stoi(step)] = read_text((entry.path() / "main.cpp").string());
    }
  }
  std::vector<std::string> hosts;
  for (const auto& [step, host] : by_step) {
    hosts.push_back(host);
  }
  return hosts;
}

std::string without_comments(const std::string& text) {
  return std::regex_replace(text, std::regex("//.*"), "");
}

/// The names of ours in a host, but for those of images, filters and options.
std::set<std::string> names(const std::string& host) {
  std::string headers;
  for (const char* header : {"image", "filters", "options"}) {
    headers += read_text(in_repository(std::string("common/") + header + ".hpp"));
  }
  headers = without_comments(headers);
  std::set<std::string> names;
  const std::regex name("tutorial::(\\w+)");
  for (auto found = std::sregex_iterator(host.begin(), host.end(), name);
       found != std::sregex_iterator(); found++) {
    const std::string ours = (*found)[1];
    if (!std::regex_search(headers, std::regex("\\b" + ours + "\\b"))) {
      names.insert(ours);
    }
  }
  return names;
}

TEST(Hosts, ShowAllOfOpenCL) {
  for (const std::string& host : hosts()) {
    for (const char* call :
         {"cl::Context ", "cl::CommandQueue ", "cl::Program ", ".build(", "cl::Kernel ",
          "cl::Buffer ", ".setArg(", ".enqueueWriteBuffer(", ".enqueueNDRangeKernel(",
          ".enqueueReadBuffer("}) {
      EXPECT_NE(without_comments(host).find(call), std::string::npos) << call;
    }
    EXPECT_EQ(lines_with("enqueueNDRangeKernel", host).size(), 1U);
  }
}

TEST(Hosts, AreShortAndNameLittleOfOurs) {
  const std::vector<std::string> all = hosts();
  ASSERT_EQ(all.size(), 6U);
  EXPECT_LE(split(all[0], '\n').size() - 1, 110U);
  EXPECT_LE(split(all[5], '\n').size() - 1, 180U);
  EXPECT_LE(names(all[0]).size(), 8U);
  EXPECT_TRUE(names(all[0]).contains("select_device"));
  for (const std::string& host : all) {
    EXPECT_LE(names(host).size(), names(all[0]).size() + 4);
  }
}

TEST(Hosts, ChangeLittleFromStepToStep) {
  const std::vector<std::string> all = hosts();
  for (std::size_t step = 2; step <= all.size(); step++) {
    write_whole("before", all[step - 2]);
    write_whole("after", all[step - 1]);
    const Ran diff = program("diff", "before after");
    const std::size_t changed = lines_with("^[<>]", diff.output).size();
    EXPECT_GT(changed, 0U);
    EXPECT_LE(changed, step <= 4 ? 12U : 45U) << "step " << step;
  }
}

class LongHost : public DeviceTest {};

// The line at its top makes a program of a host, in a copy of its folder and of common/.
TEST_F(LongHost, IsBuiltByItsFirstLine) {
  for (const char* folder : {"step1_naive", "common"}) {
    std::filesystem::copy(in_repository(folder), folder, std::filesystem::copy_options::recursive);
  }
  const std::string host = read_text("step1_naive/main.cpp");
  ASSERT_TRUE(host.starts_with("// g++ "));
  const auto shell = [](const std::string& line) {
    return execute({.arguments = {"sh", "-c", line}, .folder = "step1_naive", .limit_s = 900});
  };
  const Ran build = shell(host.substr(3, host.find('\n') - 3));
  ASSERT_EQ(build.status, 0) << build;
  const Ran ran = shell("./a.out --size 33x21 --time-budget 0");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "^Convolve .* [0-9.]+\\??$")) << ran;  // it knows the floor, too
  EXPECT_FALSE(says(ran.output, "no x floor")) << ran;
}

}  // namespace
}  // namespace tutorial
