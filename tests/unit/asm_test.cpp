// Which fault turns this test red alone: what is read off a listing of PTX, which this machine's
// compiler may not make. Of x86-64's machine code runs/asm.txt looks at that of real kernels.
#include <gtest/gtest.h>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

// Against counts by hand.
TEST(Listing, GivesTheRowsOfItsLoops) {
  const std::string listing = read_file(ROOT_FOLDER "/tests/listings/some.ptx");
  EXPECT_EQ(
      replaced(replaced(machine_code("Some", listing), "[^]*\nloop .*\n", ""), " +", " "),
      "1 2 - - - - -\n1.1 10 3 2 2 1 1\n1.2 3 1 1 1 - -\nno loop 2 - - - - -\n");
}

}  // namespace
}  // namespace tutorial
