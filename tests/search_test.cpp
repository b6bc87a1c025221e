// What step 9 remembers, and the ceilings and floors of the roofline.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

class Search : public DeviceTest {};
class RooflineOf : public DeviceTest {};

// A search that ends as soon as something works marks its winner, in a file. A known winner is
// taken; one that is wrong now never is, and it is named. autotune_test has the rest.
TEST_F(Search, RemembersNoWrongWinner) {
  const auto run = [](int status, const std::string& arguments) {
    const std::string short_one = "--size 70x41 --time-budget 0 --search-budget 0.001";
    return expect(
        status,
        program("step9_autotune", short_one + " --filter-width 3 --kernel Tuned " + arguments));
  };
  run(0, "--csv rows.csv");
  const bool cpu = says(read_file("rows.csv"), "^# device_type: CPU$");
  const std::string winner = cpu ? "Convolve_Block16" : "Convolve_Block";
  const std::string winners = read_file("winners.csv");
  write_whole(
      "winners.csv", edited(
                         winners, ",3,Convolve_.*,([0-9a-f]*),0$",
                         ",3," + winner + (cpu ? ",64,4,1,1" : ",4,4,32,4") + ",$1,1"));
  expect_output(
      run(0, ""),
      "^width  3  known: " + winner + (cpu ? " 64x4, group 1x1$" : " 4x4, group 32x4$"));

  const std::string file = cpu ? "block16.cl" : "block.cl";
  const std::string text = source("step7_register_block/" + file);
  write_whole("broken.cl", edited(text, R"(get_global_id\(0\) \* BLOCK_WIDTH)", "$& + 1", winner));
  const Ran wrong = run(2, "--kernel-file broken.cl");
  expect_errors(
      wrong, "^step9_autotune: " + winner + ":[0-9]+x.*, filter width 3: (wrong at|.*outside)");
  EXPECT_FALSE(says(wrong.output, "(best|known): " + winner + " ")) << wrong;
  expect_output(wrong, "^ +best: Convolve_");
}

// No rate and no time is expected to have any value.
TEST_F(RooflineOf, FloorsFollowFromTheCeilings) {
  const std::string arguments =
      "--size 65x43 --filter-width 1,7,32 --time-budget 0 --csv floors.csv";
  const Ran ran = expect(0, program("roofline", arguments, comma_locale()));
  for (const char* kernel :
       {"MultiplyAdd_float", "MultiplyAdd_float4", "MultiplyAdd_float16", "Copy_float4",
        "Copy_float16", "CachedRead_float", "CachedRead_float4", "CachedRead_float16",
        "LocalRead_float4"}) {
    expect_output(ran, fmt::format("^{} +[0-9.]+ G", kernel));
  }
  expect_output(ran, R"(^ *32x32 +2\.862e\+06 )");
  // 65 x 43 pixels: 49 multiply-adds each; (71 x 49 + 65 x 43) * 4 bytes.
  expect_output(ran, R"(^ *7x7 +1\.37e\+05 +2\.51e\+04 )");
  // The rounds of each ceiling, and the best of them in the head.
  const Csv csv("floors.csv");
  EXPECT_GE(csv.size(), 9U);
  EXPECT_GT(std::stod(csv.head("multiply_adds_per_s")), 0.0);
  EXPECT_EQ(csv.text(0, "kind"), "ceiling");
}

// A kernel that does not do its work must not become a ceiling; what is no convolution is not
// compared with a convolution's floor.
TEST_F(RooflineOf, NothingElseHasAFloor) {
  const std::string text = source("common/lab/roofline.cl");
  write_whole("lazy.cl", edited(text, R"(a3 = MULTIPLY_ADD\(a3, factor, addend\);)", " "));
  const std::string lazy = "--kernel-file lazy.cl --size 33x21 --csv lazy.csv";
  expect_errors(expect(2, program("roofline", lazy)), "MultiplyAdd_float4: wrong");
  EXPECT_FALSE(std::filesystem::exists("lazy.csv"));
  const Ran ran = expect(0, program("edge_conditions", "--size 33x21 --time-budget 0"));
  EXPECT_FALSE(says(ran.output, "floor|ceilings")) << ran;
}

}  // namespace
}  // namespace tutorial
