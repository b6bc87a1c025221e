// What is read off a listing of machine code, against counts by hand.
#include <gtest/gtest.h>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// The rows of the table that is made of a listing in tests/listings/, with single blanks.
Words rows(const std::string& file) {
  const Words source = {"void Some() {", "  for (...)", "    sum += a * b;"};
  const std::string text =
      machine_code("Some", read_file(std::string(ROOT_FOLDER "/tests/listings/") + file), source);
  return split(replaced(replaced(text, "[^]*\n(?=loop +inst)", ""), " +", " "), '\n');
}

// A loop of vectors within another, with its remainder, which was made twice; two loads from the
// stack or stores to it, one of them in no loop.
TEST(Listing, GivesTheRowsOfItsLoops) {
  EXPECT_EQ(
      rows("some.x86"), (Words{
                            "loop instructions 1 lane 8 lanes 16 lanes mul-add loads stores spills",
                            "1 5 - - 1 - 1 1 1",
                            "1.1 5 - 1 - 1 2 - -",
                            "1.2 (2 times) 4 1 - - - 1 - -",
                            "no loop 4 - - - - - - 1",
                            "",
                        }));
  EXPECT_EQ(
      rows("some.ptx"), (Words{
                            "loop instructions 1 lane mul-add loads stores spills",
                            "1 2 - - - - -",
                            "1.1 10 3 2 2 1 1",
                            "1.2 3 1 1 1 - -",
                            "no loop 2 - - - - -",
                            "",
                        }));
  EXPECT_EQ(
      rows("some.sass"), (Words{
                             "loop instructions 1 lane mul-add loads stores spills",
                             "1 8 3 2 2 - 1",
                             "no loop 3 - - 1 1 -",
                             "",
                         }));
}

TEST(Listing, HasTheLinesOfItsKernelAlone) {
  const std::string listing = read_file(ROOT_FOLDER "/tests/listings/some.x86");
  const std::string text = machine_code("Some", listing, {"", "", "sum += a;"});
  EXPECT_TRUE(!search(text, "vmovups \\(%rsi,%rax,4\\),%ymm1 +3  sum \\+= a;").empty()) << text;
  EXPECT_EQ(machine_code("Other", listing, {}), "");
}

}  // namespace
}  // namespace tutorial
