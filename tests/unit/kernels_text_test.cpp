// The texts of kernels, in the styles of readers' files, and their differences.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

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

std::string text_of(const std::string& kernel) {
  const TemporaryFolder folder;
  write_whole(folder.path() + "/mine.cl", mine);
  return kernel_in(folder.path() + "/mine.cl", kernel, true);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(KernelText, OfOneAmongOthersWithinIf) {
  EXPECT_EQ(
      text_of("Mine_Def"),
      "#define WEIGHT 2\n\n"
      "// Two of them, where R is known.\n#ifdef R\n\n#define SIZE R\n\n"
      "__kernel void Mine_Def_First(__global float* a) {\n  a[1] = SIZE;\n}\n\n"
      "__kernel void Mine_Def(__global float* a) {\n  a[2] = SIZE;\n}\n\n#endif\n");
}

TEST(KernelText, OfOneBehindElse) {
  const std::string text = text_of("Mine_Any");
  EXPECT_TRUE(has(text, "#ifdef R\n") && has(text, "#else\n") && has(text, "a[3] = 1;")) << text;
  EXPECT_FALSE(has(text, "Mine_Def")) << text;
}

TEST(KernelText, InAnotherStyle) {
  const std::string text = text_of("Mine_Gnu");
  EXPECT_TRUE(has(text, "\nMine_Gnu (") && has(text, "float half_of")) << text;
  EXPECT_FALSE(has(text, "SIZE")) << text;
}

TEST(KernelText, ThatIsMissingIsEmpty) {
  EXPECT_EQ(text_of("Mine_Gn"), "");
  EXPECT_EQ(
      kernel_names(mine), (Words{"Mine", "Mine_Def_First", "Mine_Def", "Mine_Any", "Mine_Gnu"}));
}

TEST(KernelText, DiffersInAnyFolder) {
  const TemporaryFolder folder;
  const std::string odd = folder.path() + "/it's; touch ran;'";
  std::filesystem::create_directory(odd);
  const std::string before = environment("TMPDIR");
  set_environment("TMPDIR", odd);
  std::filesystem::current_path(ROOT_FOLDER);
  const std::string text = diff({"Convolve", "Convolve_Def"});
  set_environment("TMPDIR", before);
  EXPECT_TRUE(has(text, "\n--- Convolve\n") || text.starts_with("--- Convolve\n+++ Convolve_Def\n"))
      << text;
  EXPECT_TRUE(has(text, "\n+") && std::filesystem::is_empty(odd)) << text;
}

}  // namespace
}  // namespace tutorial
