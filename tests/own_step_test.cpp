// A step of the reader's own: what `new` makes can be configured, no name breaks the build, nothing
// is half there; and what `measure` says beside the table. Each test has a copy of the repository.
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

class OwnStep : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& entry : fs::directory_iterator(in_repository())) {
      const std::string name = entry.path().filename().string();
      if (name == "kernels.csv") {
        fs::copy_file(entry.path(), name);
      } else if (!name.starts_with('.') && name != "build" && name != "results") {
        fs::create_symlink(entry.path(), name);
      }
    }
  }

  static Ran run(const std::string& arguments, Environment environment = {}) {
    environment.insert(
        {{"TUTORIAL_ROOT", fs::current_path().string()}, {"TUTORIAL_IS_BUILT", "1"}});
    return program("tutorial", arguments, environment);
  }

  static std::size_t entries() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator("."), {}));
  }
};

TEST_F(OwnStep, BeginsFromAPattern) {
  const Ran ran = run("new my_step");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "^  ./tutorial measure my_step ")) << ran;
  EXPECT_TRUE(says(read_text("kernels.csv"), "^My_Step,my_step,convolution.cl,,6,7,1,7,,$"));
  EXPECT_TRUE(says(read_text("my_step/main.cpp"), "\\{\"My_Step\", \"\""));
  EXPECT_TRUE(says(read_text("my_step/convolution.cl"), "void My_Step\\("));
  EXPECT_EQ(run("new mine --like 2").status, 0);
  EXPECT_TRUE(says(read_text("kernels.csv"), "^Mine,mine,convolution.cl,Convolve,6,7,1,2,,$"));
  EXPECT_EQ(
      edited(read_text("mine/main.cpp"), "\"Mine\"", "\"Convolve_Unroll\""),
      read_text("step2_unroll/main.cpp"));
  EXPECT_EQ(
      lines_with("^__kernel void (Convolve|Mine)\\($", read_text("mine/convolution.cl")).size(),
      2U);
  EXPECT_EQ(run("new other --like stereo").status, 0);
  EXPECT_TRUE(says(read_text("other/main.cpp"), "\"Other\", .shape = pixel"));
  // CMake takes them all.
  const Ran configured = program("cmake", "-S . -B configured -G Ninja");
  EXPECT_EQ(configured.status, 0) << configured;
  EXPECT_EQ(program("cmake", "--build configured --target mine -- -n").status, 0);
}

TEST_F(OwnStep, HasANameOfItsOwn) {
  const std::string list = read_text("kernels.csv");
  const std::size_t before = entries();
  for (const char* name :
       {"puzzle",
        "test",
        "all",
        "help",
        "install",
        "clean",
        "results",
        "unit_tests",
        "common",
        "plots",
        "byte_peers",
        "package",
        "tutorial_common",
        "xray",
        "stereo",
        "convolve",
        "stereo_def",
        "step1",
        "Mine",
        "../a",
        "a-b",
        "mine --liek 1",
        "mine --like",
        "mine --like 77",
        "mine --like 9",
        "mine --like pipeline"}) {
    expect_refused(run(std::string("new ") + name), "new: |no step '77'");
  }
  EXPECT_EQ(entries(), before);
  EXPECT_EQ(read_text("kernels.csv"), list);
}

TEST_F(OwnStep, IsMeasuredBesideItsParent) {
  fs::create_directory("programs");
  write_whole("programs/two_passes", "#!/bin/sh\ncp mine.csv \"$2\"\n");
  fs::permissions("programs/two_passes", fs::perms::owner_all);
  const Environment programs = {{"TUTORIAL_PROGRAMS", "programs"}};
  std::string csv =
      "# device: a device\n# device_type: CPU\n# size: 64 x 48\n# baseline: Convolve\n"
      "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms\n";
  const auto add = [&](const std::string& kernel, const std::string& even, const std::string& odd) {
    csv += "1," + kernel + ",7,0,0,0,event,kernel,";
    for (int round = 0; round < 10; round++) {
      csv += (round == 0 ? "" : " ") + (round % 2 == 0 ? even : odd);
    }
    csv += "\n";
  };
  add("Convolve", "6", "8");
  add("Convolve_Separable", "4", "4");
  add("Convolve_Separable_Block16", "2", "1");
  add("Convolve_Separable_Shared", "3", "5");
  write_whole("mine.csv", csv);
  const Ran ran = run("measure two_passes", programs);
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(
      ran.output,
      "^Convolve_Separable_Block16 at 7 x 7: 3.000 times as fast as Convolve_Separable "
      "\\(2.000 to 4.000\\)$"))
      << ran;
  EXPECT_TRUE(says(
      ran.output,
      "^Convolve_Separable_Shared at 7 x 7: no difference from Convolve_Separable was shown"))
      << ran;
  EXPECT_TRUE(fs::exists("results/two_passes/two_passes.csv"));
  EXPECT_EQ(fs::exists("results/two_passes/two_passes.svg"), installed("gnuplot"));
  expect_refused(run("measure step1_naive", programs), "no step of your own");
}

}  // namespace
}  // namespace tutorial
