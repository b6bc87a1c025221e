// The texts of kernels, and their differences, of a step of the reader's own.
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

const std::string mine = R"(// A story.

#define WEIGHT 2

__kernel void Mine(__global float* a) {
  a[0] = WEIGHT;
}

// Two of them, where R is known.
#ifdef R

#define SIZE R

// The pass before Mine_Def.
__kernel void Mine_Def_First(__global float* a) {
  a[1] = SIZE;
}

__kernel void Mine_Def(__global float* a) {
  a[2] = SIZE;
}

#else

__kernel void Mine_Any(__global float* a) {
#if WEIGHT > 1
  a[3] = 1;
#endif
}

#endif

static float half_of(float x) {
  return 0.5f * x;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
Mine_Gnu (__global float *a)
{
  a[4] = half_of (a[4]);
}
)";

class KernelText : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory("mine");
    write_whole("mine/convolution.cl", mine);
    write_whole("mine/main.cpp", "");
    std::string rows = "kernel,step,file,parent,follows\n";
    for (const char* kernel : {"Mine", "Mine_Def", "Mine_Any", "Mine_Gnu", "Mine_Lost"}) {
      rows += std::string(kernel) + ",mine,convolution.cl,Mine,1\n";
    }
    write_whole("kernels.csv", rows);
  }

  static std::string text(const std::string& kernel) {
    const Ran ran = program("tutorial", "kernel " + kernel);
    EXPECT_EQ(ran.status, 0) << ran;
    return ran.output;
  }
};

TEST_F(KernelText, OfOneAmongOthersWithinIf) {
  EXPECT_EQ(
      text("Mine_Def"),
      "#define WEIGHT 2\n\n"
      "// Two of them, where R is known.\n#ifdef R\n\n#define SIZE R\n\n"
      "__kernel void Mine_Def_First(__global float* a) {\n  a[1] = SIZE;\n}\n\n"
      "__kernel void Mine_Def(__global float* a) {\n  a[2] = SIZE;\n}\n\n#endif\n");
}

TEST_F(KernelText, OfOneBehindElse) {
  const std::string any = text("Mine_Any");
  EXPECT_TRUE(says(any, "^#ifdef R$") && says(any, "^#else$") && says(any, "a.3. = 1;"));
  EXPECT_FALSE(says(any, "Mine_Def"));
}

TEST_F(KernelText, InAnotherStyle) {
  const std::string gnu = text("Mine_Gnu");
  EXPECT_TRUE(says(gnu, "^Mine_Gnu ") && says(gnu, "float half_of"));
  EXPECT_FALSE(says(gnu, "R"));
}

TEST_F(KernelText, ThatIsMissingIsSaid) {
  expect_refused(
      program("tutorial", "kernel Mine_Lost"), "mine/convolution.cl has no kernel Mine_Lost");
  expect_refused(
      execute({{"tutorial", "kernel", "Convolve_Blok"}, {}, in_repository()}),
      "no kernel 'Convolve_Blok'; the nearest is Convolve_Block$");
}

TEST_F(KernelText, DiffersByTheLinesOfTheLesson) {
  const Ran ran = program("tutorial", "diff Mine Mine_Gnu", {{"TMPDIR", "."}});
  EXPECT_EQ(
      lines_with("^[-+] +a", ran.output),
      (std::vector<std::string>{"-  a[0] = WEIGHT;", "+  a[4] = half_of (a[4]);"}))
      << ran;
}

TEST_F(KernelText, DiffersInAnyFolder) {
  const std::string folder = std::filesystem::absolute("it's; touch ran;'").string();
  std::filesystem::create_directory(folder);
  const Ran ran = program("tutorial", "diff Mine Mine_Gnu", {{"TMPDIR", folder}});
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(says(ran.output, "^\\+  a.4."));
  EXPECT_FALSE(std::filesystem::exists("ran"));
}

}  // namespace
}  // namespace tutorial
