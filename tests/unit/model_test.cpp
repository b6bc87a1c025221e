// The times that the roofline's model predicts, against those by hand.
#include <gtest/gtest.h>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

Csv csv_of(const std::string& text) {
  const TemporaryFolder folder;
  write_whole(folder.path() + "/csv", text);
  return Csv(folder.path() + "/csv");
}

TEST(Model, AddsLoadsAndTheirBytes) {
  // A million pixels with one tap move 8e6 bytes.
  const Csv times = csv_of(
      "# multiply_adds_per_s: 1e+09\n# copy_bytes_per_s: 1e+09\n# cached_loads_per_s: 1e+09\n"
      "# cached_bytes_per_s: 4e+09\n# local_bytes_per_s: 2e+09\n"
      "kernel,filter_width,width,height\nConvolve,1,1000,1000\n");
  const Csv counts = csv_of(
      "kernel,multiply_adds,input_loads,input_bytes,tap_loads,tap_bytes,local_loads,local_bytes\n"
      "Convolve,20,1,4,1,4,0,0\nConvolve_Local,1,3,12,4,16,5,20\n");
  const Model many = predicted(times, 0, counts, 0);
  EXPECT_DOUBLE_EQ(many.arithmetic, 20.0);
  EXPECT_DOUBLE_EQ(many.loads, 2.0);
  EXPECT_DOUBLE_EQ(many.memory, 8.0);
  // 12 loads take 12 ms, their bytes 28 / 4 + 20 / 2.
  EXPECT_DOUBLE_EQ(predicted(times, 0, counts, 1).loads, 17.0);
  EXPECT_THROW(predicted(csv_of("filter_width,width,height\n1,9,9\n"), 0, counts, 0), Error);
}

}  // namespace
}  // namespace tutorial
