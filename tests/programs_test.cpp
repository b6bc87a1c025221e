#include "tests/programs.hpp"

namespace tutorial {
namespace {

TEST(Programs, ShowWhatTheySay) {
  const Ran ran = program("sh", "-c \"echo out; echo err >&2; exit 3\"");
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(says(ran.output, "^out$"));
  EXPECT_FALSE(says(ran.errors, "out"));
  EXPECT_EQ(program("sh", "-c \"test -z $(ls)\"").status, 0) << "not an empty folder";
}

TEST(Programs, AreEdited) {
  EXPECT_EQ(
      edited("a1\n__kernel void K(\n  a2;\n}\na3", "a(.)", "b$1", "K"),
      "a1\n__kernel void K(\n  b2;\n}\na3");
}

}  // namespace
}  // namespace tutorial
