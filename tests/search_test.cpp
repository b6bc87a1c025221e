// What step 9 finds, and the ceilings and floors of the roofline.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Search : public DeviceTest {
 protected:
  static Ran run(int status, const std::string& arguments) {
    Ran ran = program(
        "step9_autotune",
        "--size 70x41 --time-budget 0 --search-budget 0.001 --filter-width 3 --kernel Tuned " +
            arguments);
    EXPECT_EQ(ran.status, status) << ran;
    return ran;
  }
};

// A search that ends as soon as something works marks its winner, in a file. A known winner is
// taken; one that is wrong now never is, and it is named. autotune_test has the rest.
TEST_F(Search, RemembersNoWrongWinner) {
  run(0, "--csv rows.csv");
  const bool cpu = says(read_file("rows.csv"), "^# device_type: CPU$");
  const std::string winner = cpu ? "Convolve_Block16" : "Convolve_Block";
  const std::string file = cpu ? "block16.cl" : "block.cl";
  write_whole(
      "winners.csv", edited(
                         read_file("winners.csv"), ",3,Convolve_.*,([0-9a-f]*),0$",
                         ",3," + winner + (cpu ? ",64,4,1,1" : ",4,4,32,4") + ",$1,1"));
  const Ran known = run(0, "");
  const std::string line =
      "width  3  known: " + winner + (cpu ? " 64x4, group 1x1" : " 4x4, group 32x4");
  EXPECT_TRUE(says(known.output, "^" + line + "$")) << known;

  write_whole(
      "broken.cl", edited(
                       read_text(in_repository("step7_register_block/" + file)),
                       R"(get_global_id\(0\) \* BLOCK_WIDTH)", "$& + 1", winner));
  const Ran wrong = run(2, "--kernel-file broken.cl");
  EXPECT_TRUE(says(
      wrong.errors,
      "^step9_autotune: " + winner + ":[0-9]+x.*, filter width 3: (wrong at|.*outside)"));
  EXPECT_FALSE(says(wrong.output, "(best|known): " + winner + " ")) << wrong;
  EXPECT_TRUE(says(wrong.output, "^ +best: Convolve_")) << wrong;
}

class RooflineOf : public DeviceTest {};

// No rate and no time is expected to have any value.
TEST_F(RooflineOf, FloorsFollowFromTheCeilings) {
  const Ran ran = program(
      "roofline", "--size 65x43 --filter-width 1,7,32 --time-budget 0 --csv floors.csv",
      comma_locale());
  EXPECT_EQ(ran.status, 0) << ran;
  for (const char* kernel :
       {"MultiplyAdd_float", "MultiplyAdd_float4", "MultiplyAdd_float16", "Copy_float4",
        "Copy_float16", "CachedRead_float", "CachedRead_float4", "CachedRead_float16",
        "LocalRead_float4"}) {
    EXPECT_TRUE(says(ran.output, fmt::format("^{} +[0-9.]+ G", kernel)));
  }
  EXPECT_TRUE(says(ran.output, R"(^ *32x32 +2\.862e\+06 )")) << ran;
  // 65 x 43 pixels: 49 multiply-adds each; (71 x 49 + 65 x 43) * 4 bytes.
  EXPECT_TRUE(says(read_file("floors.csv"), "^7,65,43,136955,25096,"));
  // Each time is work over rate: the floor is the longer one.
  const Csv csv("floors.csv");
  ASSERT_EQ(csv.size(), 3U);
  for (std::size_t row = 0; row < csv.size(); row++) {
    const auto of = [&](std::size_t column) { return csv.number(row, csv.columns().at(column)); };
    EXPECT_NEAR(of(5) * of(10) * 1e6 / of(3), 1.0, 1e-3);
    EXPECT_NEAR(of(6) * of(12) * 1e6 / of(4), 1.0, 1e-3);
    EXPECT_EQ(of(7), std::max(of(5), of(6)));
    EXPECT_EQ(csv.row(row).at(8), of(5) > of(6) ? "compute" : "memory");
  }
}

// A kernel that does not do its work must not become a ceiling.
TEST_F(RooflineOf, LazyCeilingIsRefused) {
  write_whole(
      "lazy.cl", edited(
                     read_text(in_repository("background/roofline/roofline.cl")),
                     R"(a3 = MULTIPLY_ADD\(a3, factor, addend\);)", " "));
  const Ran ran = program("roofline", "--kernel-file lazy.cl --size 33x21 --csv lazy.csv");
  EXPECT_EQ(ran.status, 2) << ran;
  EXPECT_TRUE(says(ran.errors, "MultiplyAdd_float4: wrong")) << ran;
  EXPECT_FALSE(std::filesystem::exists("lazy.csv"));
}

// Per second: 1e9 multiply-adds and bytes copied, 1e9 loads and 4e9 bytes from the cache, 2e9 from
// local memory. A million pixels with one tap move 8e6 bytes. Of Convolve_Local 12 loads take 12 ms,
// their bytes 28 / 4 + 20 / 2. It reads 20 bytes of local memory and stores 36.
TEST(Model, PredictsAsByHand) {
  const Ran ran = program(
      "tutorial",
      "model model.csv " + in_repository("tests/model/times.csv ") +
          in_repository("tests/model/counts.csv"),
      comma_locale());
  EXPECT_EQ(ran.status, 0) << ran;
  std::string rows;
  for (const std::string& line : lines_with("^[^#]", read_file("model.csv"))) {
    rows += line + "\n";
  }
  EXPECT_EQ(rows, read_file(in_repository("tests/model/expected.csv")));
  EXPECT_TRUE(says(ran.output, R"(^ *1 Convolve_Narrow +1 +40 +8 +loads +50\.5 +1\.26$)")) << ran;
}

// What is no convolution is not compared with a convolution's floor.
TEST_F(RooflineOf, SmoothingHasNoFloor) {
  const Ran ran = program("edge_conditions", "--size 33x21 --time-budget 0");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_FALSE(says(ran.output, "floor|ceilings")) << ran;
}

}  // namespace
}  // namespace tutorial
