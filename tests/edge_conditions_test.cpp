// Which fault turns this red alone: a way that is wrong at a size that breaks such code, and a
// fault of Intel's listings that the program does not notice (HISTORY.md has the worst).
#include "tests/programs.hpp"

namespace tutorial {
namespace {

class EdgeConditions : public DeviceTest {
 protected:
  /// At this size so many results are verified, and these texts are printed. PoCL compiles all
  /// kernels anew for each size, so small images are for Oclgrind, which compiles at once.
  static void at(
      const std::string& size, std::size_t results, const std::vector<std::string>& texts) {
    const bool large = size.size() > 5;
    const std::string arguments = "--verify-only --size " + size;
    const Ran ran = expect(0, (large ? program : simulated)("edge_conditions", arguments, {}));
    EXPECT_FALSE(says(ran.errors, "^Invalid|warning")) << ran;
    // A device without images has fewer results, and says so.
    results -= lines_with("^width.*skipped: (the device|no images)", ran.output).size();
    expect_output(ran, "all " + std::to_string(results) + " results verified");
    for (const std::string& text : texts) {
      EXPECT_NE(ran.output.find(text), std::string::npos) << text << "\n" << ran;
    }
  }

  const std::string text = source("studies/edge_conditions/smooth.cl");

  /// With this change the kernel is wrong, as the program says.
  void wrong(
      const std::string& kernel, const std::string& regex, const std::string& by,
      const std::string& verdict = "wrong at") const {
    const std::string name = kernel.substr(0, kernel.find(':'));
    write_whole("broken.cl", edited(text, regex, by, name == "Smooth_Image" ? "" : name));
    const std::string arguments = "--verify-only --size 37x23 --kernel-file broken.cl --kernel ";
    expect_errors(
        simulated("edge_conditions", arguments + kernel),
        kernel + ", filter width 3: .*" + verdict);
  }
};

TEST_F(EdgeConditions, AreRightAtOddSizes) {
  const std::string none = " skipped: no pixel has all four neighbours";
  const std::string few = " skipped: fewer than 8 columns have all their neighbours";
  const std::string interior = "Smooth_Interior", multiple = "Smooth_Interior:multiple_of_8";
  at("1x1", 4, {"edge    1 of 1 pixels lack a neighbour, 100.00 %", "Smooth_Clamp" + none});
  at("9x1", 4, {interior + none});
  at("2x2", 4, {"Smooth_Clamp" + none});
  at("40x2", 4, {});
  at("3x3", 6, {interior + " writes 1 x 1 pixels at (1, 1), leaves 8", multiple + few});
  at("9x3", 6, {multiple + few});
  at("10x3", 7, {multiple + " writes 8 x 1 pixels at (1, 1), leaves 22"});
  at("1921x1081", 7, {});
  // The two sizes of Intel's text: 1912 columns leave six of the interior's uncomputed.
  at("1920x1080", 7,
     {"edge    5996 of 2073600 pixels lack a neighbour, 0.29 %",
      interior + " writes 1918 x 1078 pixels at (1, 1), leaves 5996",
      multiple + " writes 1912 x 1078 pixels at (1, 1), leaves 12464"});
}

TEST_F(EdgeConditions, FaultsOfTheListingsAreNoticed) {
  wrong("Smooth_Branches", "x < width - 1", "x + 1 < width - 1", R"(wrong at \(35, 0\))");
  wrong("Smooth_Clamp", R"(height - 2\))", "(int)get_global_size(0) - 2)");
  wrong("Smooth_Clamp", R"(input\[centre - 1\])", "input[centre_y * width + max(x - 1, 0)]");
  wrong("Smooth_Clamp_Neighbours", R"(min\(x \+ 1, width - 1\))", "x + 1");
  wrong("Smooth_Padded", R"(width \+ 2;)", "get_global_size(0);");
  wrong(
      "Smooth_Clamp", R"(output\[y \* width \+ x\])", "output[centre]",
      R"(wrong at \(0, 0\): expected .*, got .*; 116 of)");
  const std::string arguments = "--verify-only --size 8x8 --kernel Smooth_Image";
  if (says(simulated("edge_conditions", arguments).output, "Smooth_Image  *ok")) {
    wrong("Smooth_Image", "CLAMP_TO_EDGE", "CLAMP", "116 of 851 pixels are wrong");
  }
}

// The interior is written and nothing else: a right value in a wrong place is an error too, or one
// before the output.
TEST_F(EdgeConditions, WritesElsewhereAreNoticed) {
  const std::string write = R"(^  output\[)";
  wrong(
      "Smooth_Interior", write, "  if (x == 1) output[y * width] = 0.5f;\n  output[",
      R"(wrong at \(0, 1\): expected nan, got 0.5; 21 of)");
  wrong("Smooth_Interior:multiple_of_8", write, "  output[centre + 8] = 0.5f;\n  output[");
  wrong("Smooth_Branches", write, "  output[centre - width] = 0.5f;\n  output[", "outside");
}

}  // namespace
}  // namespace tutorial
