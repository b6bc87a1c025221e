// Which fault turns this red alone: a way that is wrong at a size that breaks such code, and a fault
// of Intel's listings that the program does not notice (HISTORY.md has the worst).
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class EdgeConditions : public DeviceTest {
 protected:
  /// At this size so many results are verified, and these lines are printed. PoCL compiles all
  /// kernels anew for each size, so small images are for Oclgrind, which compiles at once.
  void at(const std::string& size, int results, const std::vector<std::string>& lines) const {
    const bool large = size.size() > 5;
    const Ran ran =
        (large ? program : simulated)("edge_conditions", "--verify-only --size " + size, {});
    EXPECT_EQ(ran.status, 0) << ran;
    EXPECT_FALSE(says(ran.errors, "^Invalid|warning")) << ran;
    // A device without images or non-uniform groups has fewer results, and says so.
    const auto fewer = lines_with("^width.*skipped: (the device|no images)", ran.output).size();
    EXPECT_TRUE(
        says(ran.output, "all " + std::to_string(results - int(fewer)) + " results verified"));
    for (const std::string& line : lines) {
      EXPECT_NE(ran.output.find(line), std::string::npos) << "no line " << line << "\n" << ran;
    }
  }

  const std::string text_ = read_text(in_repository("studies/edge_conditions/smooth.cl"));

  /// A file with these kernels is wrong, as the program says.
  void wrong(
      const std::string& kernel, const std::string& text,
      const std::string& regex = "wrong at") const {
    write_whole("broken.cl", text);
    const Ran ran = simulated(
        "edge_conditions", "--verify-only --size 37x23 --kernel-file broken.cl --kernel " + kernel);
    EXPECT_TRUE(says(ran.errors, kernel + ", filter width 3: .*" + regex)) << ran;
  }
};

TEST_F(EdgeConditions, AreRightAtOddSizes) {
  const std::string none = " skipped: no pixel has all four neighbours";
  const std::string few =
      "Smooth_Interior:multiple_of_8 skipped: fewer than 8 columns have all their neighbours";
  const std::string interior = "Smooth_Interior writes ";
  const std::string multiple = "Smooth_Interior:multiple_of_8 writes ";
  at("1x1", 4, {"edge    1 of 1 pixels lack a neighbour, 100.00 %", "Smooth_Clamp" + none});
  at("9x1", 4, {"Smooth_Interior" + none});
  at("2x2", 4, {"Smooth_Clamp" + none});
  at("40x2", 4, {});
  at("3x3", 7, {interior + "1 x 1 pixels at (1, 1), leaves 8", few});
  at("9x3", 7, {few});
  at("10x3", 8, {multiple + "8 x 1 pixels at (1, 1), leaves 22"});
  at("1921x1081", 8, {});
  // E13, and the two sizes of Intel's text: 1912 columns leave six of the interior's uncomputed.
  at("1920x1080", 8,
     {"edge    5996 of 2073600 pixels lack a neighbour, 0.29 %",
      interior + "1918 x 1078 pixels at (1, 1), leaves 5996",
      multiple + "1912 x 1078 pixels at (1, 1), leaves 12464"});
}

TEST_F(EdgeConditions, FaultsOfTheListingsAreNoticed) {
  const std::string branches = "Smooth_Branches", clamp = "Smooth_Clamp";
  wrong(
      branches, edited(text_, "x < width - 1", "x + 1 < width - 1", branches),
      R"(wrong at \(35, 0\))");
  wrong(clamp, edited(text_, R"(height - 2\))", "(int)get_global_size(0) - 2)", clamp));
  wrong(
      clamp,
      edited(text_, R"(input\[centre - 1\])", "input[centre_y * width + max(x - 1, 0)]", clamp));
  const std::string neighbours = "Smooth_Clamp_Neighbours", padded = "Smooth_Padded";
  wrong(neighbours, edited(text_, R"(min\(x \+ 1, width - 1\))", "x + 1", neighbours));
  wrong(padded, edited(text_, R"(width \+ 2;)", "get_global_size(0);", padded));
  wrong(
      clamp, edited(text_, R"(output\[y \* width \+ x\])", "output[centre]", clamp),
      R"(wrong at \(0, 0\): expected .*, got .*; 116 of)");
  const Ran image = simulated("edge_conditions", "--verify-only --size 8x8 --kernel Smooth_Image");
  if (says(image.output, "Smooth_Image  *ok")) {
    wrong("Smooth_Image", edited(text_, "CLAMP_TO_EDGE", "CLAMP"), "116 of 851 pixels are wrong");
  }
}

// The interior is written and nothing else: a right value in a wrong place is an error too, or one
// before the output.
TEST_F(EdgeConditions, WritesElsewhereAreNoticed) {
  const auto also = [&](const std::string& write, const std::string& kernel) {
    return edited(text_, R"(^  output\[)", "  " + write + "\n  output[", kernel);
  };
  wrong(
      "Smooth_Interior", also("if (x == 1) output[y * width] = 0.5f;", "Smooth_Interior"),
      R"(wrong at \(0, 1\): expected nan, got 0.5; 21 of)");
  wrong("Smooth_Interior:multiple_of_8", also("output[centre + 8] = 0.5f;", "Smooth_Interior"));
  wrong("Smooth_Branches", also("output[centre - width] = 0.5f;", "Smooth_Branches"), "outside");
}

}  // namespace
}  // namespace tutorial
