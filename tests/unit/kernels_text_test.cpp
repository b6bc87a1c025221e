// The texts of kernels, in the styles of readers' files, and their differences.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

const std::string mine = R"(#define WEIGHT 2

// Two of them, where R is known.
#ifdef R

#define SIZE R

// The pass before Mine_Def.
__kernel void Mine_Def_First(__global float* a) {
  a[1] = SIZE;
}

__kernel void Mine_Def(__global float* a) {
#if SIZE > 1
  a[2] = SIZE;
#endif
}

#else

__kernel void Mine_Any(__global float* a) {
  a[3] = WEIGHT;
}

#endif

static float half_of(float x) { return 0.5f * x; }

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
Mine_Gnu (__global float *a)
{
  a[4] = half_of (a[4]);
}
)";

std::string text_of(const std::string& kernel) {
  const TemporaryFolder folder;
  write_whole(folder.path() + "/mine.cl", mine);
  return kernel_in(folder.path() + "/mine.cl", kernel, true);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(KernelText, WithinIf) {
  EXPECT_EQ(
      text_of("Mine_Def"),
      "#define WEIGHT 2\n\n"
      "// Two of them, where R is known.\n#ifdef R\n\n#define SIZE R\n\n"
      "__kernel void Mine_Def_First(__global float* a) {\n  a[1] = SIZE;\n}\n\n"
      "__kernel void Mine_Def(__global float* a) {\n#if SIZE > 1\n  a[2] = SIZE;\n#endif\n}\n\n"
      "#endif\n");
  const std::string any = text_of("Mine_Any");
  EXPECT_TRUE(has(any, "#ifdef R\n") && has(any, "#else\n") && has(any, "a[3] = WEIGHT;")) << any;
  EXPECT_FALSE(has(any, "Mine_Def")) << any;
}

TEST(KernelText, InAnotherStyle) {
  const std::string text = text_of("Mine_Gnu");
  EXPECT_TRUE(has(text, "\nMine_Gnu (") && has(text, "float half_of")) << text;
  EXPECT_FALSE(has(text, "SIZE")) << text;
  EXPECT_EQ(text_of("Mine_Gn"), "");
}

TEST(KernelText, DiffersFromAnother) {
  std::filesystem::current_path(ROOT_FOLDER);
  const std::string text = diff({"Convolve", "Convolve_Def"});
  EXPECT_TRUE(text.starts_with("--- Convolve\n+++ Convolve_Def\n") && has(text, "\n+")) << text;
}

}  // namespace
}  // namespace tutorial
