// Which fault turns this test red alone: what `run` ends with, the screen and the page, says
// another rate, ratio or share of the floor than the rounds; a table that the pages show, and a
// sentence that is held to one, does; what a CSV says becomes markup; what is read off a listing.
#include <gtest/gtest.h>

#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// Files of rounds as programs write them: an image of a million pixels, so that a rate in Gpixel/s
/// is one over the time in ms. In the second file the machine is half as fast.
const char* const head =
    "# platform: P\n# device: D\n# device_type: GPU\n# size: 1000 x 1000\n# filter: random\n"
    "# image: test <b>card</b>\n# baseline: Convolve\n"
    "run,kernel,filter_width,local_x,local_y,max_error,clock,kind,rounds_ms\n";

class PageTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(ROOT_FOLDER);
    results = folder_.path() + "/results";
    fs::create_directories(results);
  }
  void TearDown() override { fs::current_path(before_); }

  /// With a mark behind each round.
  void write(const std::string& mark = "") const {
    const auto part = [&](const std::string& name, const std::string& rows) {
      write_whole(results + name, head + replaced(rows, "(\\d)(?=[ \n])", "$1" + mark));
    };
    part(
        "/ladder.1-6.csv",
        "1,Convolve,7,0,0,0,event,kernel,8 8 8\n1,Convolve_Unroll,7,0,0,0,event,kernel,4 4 4\n"
        "1,Convolve_Def,7,0,0,0,event,kernel,5 5 5\n1,<script>,7,0,0,0,event,kernel,5 5 5\n"
        "1,OpenMP,7,0,0,0,host,host,9 9 9\n1,Mine,7,0,0,0,event,kernel,7.2 8 8.8\n"
        "1,floor,7,0,0,0,event,floor,0.5 0.5 0.5\n");
    part(
        "/ladder.7-10.csv",
        "1,Convolve,7,0,0,0,event,kernel,16 16 16\n1,Yours,7,0,0,0,event,kernel,12.8 14.4 16\n"
        "1,Convolve_Block,7,0,0,0,event,kernel,2 2 2\n1,floor,7,0,0,0,event,floor,1 1 1\n");
  }

  /// What is wrong with a page of this text.
  std::string problems(const std::string& text) const {
    write_whole(results + "/page.md", text);
    try {
      return readme({"--check", results + "/page.md"});
    } catch (const Error& error) {
      return error.what();
    }
  }

  std::string results;

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

TEST_F(PageTest, TheScreenSaysWhatTheRoundsSay) {
  write();
  EXPECT_EQ(
      summary({results}),
      "On this device the ladder makes a filter of 7 x 7 taps 8.0 times as fast: from\n"
      "0.125 Gpixel/s with Convolve, the first kernel, to 0.500 with Convolve_Block.\n"
      "That is 50 % of what the device can do with one multiply-add per tap.\n\n"
      "The fastest kernel of each step at 7 x 7; x naive: times as fast as Convolve\n"
      "in the same run (there are two, each with its Convolve)\n"
      "step kernel          Gpixel/s x naive x floor\n"
      "   1 Convolve           0.125     1.0      16\n"
      "   2 Convolve_Unroll     0.25     2.0     8.0\n"
      "   4 Convolve_Def         0.2     1.6      10\n"
      "     Convolve, again   0.0625     1.0      16\n"
      "   7 Convolve_Block       0.5     8.0     2.0\n");
  const Csv view = Measured(results + "/ladder.csv").view("");
  EXPECT_EQ(view.text(4, "kernel") + view.text(4, "x_floor"), "OpenMP") << "the floor is the GPU's";
}

TEST_F(PageTest, OnABusyMachineNoFigureStands) {
  write("?");
  const std::string screen = summary({results});
  EXPECT_TRUE(screen.starts_with(
      "Other programs had the cores in most runs; - stands for what these cannot bear.\n"
      "Run it again when nothing else runs.\n\nThe fastest"))
      << screen;
  EXPECT_TRUE(screen.ends_with("\n   7 Convolve_Block         -       -       -\n")) << screen;
}

TEST_F(PageTest, ThePageHasItsPartsAndWhatACsvSaysIsNoMarkup) {
  write();
  fs::create_directories(results + "/charts");
  for (const char* chart : {"front", "step2"}) {
    write_whole(fmt::format("{}/charts/{}.svg", results, chart), "<svg></svg>");
  }
  testing::internal::CaptureStdout();
  write_page(results);
  testing::internal::GetCapturedStdout();
  const std::string html = read_file(results + "/index.html");
  EXPECT_NE(html.find("<td>&lt;script&gt;</td>"), std::string::npos);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_EQ(html.find("<b>card"), std::string::npos);
  // The table of steps; beside which device; each chart is its own.
  for (const char* part : {"<td align=\"right\">8.0</td>", "H200", "front.svg", "step2.svg"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
}

// That fresh tables and true sentences are taken, all pages show (readme_fresh).
TEST_F(PageTest, AStalePartIsFound) {
  write();
  const std::string page = fmt::format(
      "<!-- begin: table x_floor:1 7 {}/ladder.csv -- Convolve -->\n"
      "| x floor at width | 7 |\n|---|---:|\n| `Convolve` | 16.0 |\n<!-- end -->\n",
      results);
  EXPECT_EQ(problems(page), "");
  for (const auto& [text, by] : std::vector<std::pair<std::string, std::string>>{
           {"16.0", "8.0"},
           {"<!-- end -->\n", ""},
           {"-- Convolve -->", "-- Nobody -->"},
           {"table x_floor", "table nothing"},
           {"begin: table", "begin: tables"}}) {
    EXPECT_NE(problems(replaced(page, text, by)), "") << text;
  }
  EXPECT_NE(
      problems("<!-- begin: lines step1_naive/convolution.cl Convolve sum Convolve_Two -->\n"
               "<!-- end -->\n"),
      "");
  EXPECT_NE(problems("<!-- = median_ms:1 h200/ladder.csv 7 Convolve -->0.9<!-- / --> ms.\n"), "");
}

TEST_F(PageTest, ASentenceIsHeldToItsTable) {
  write();
  const std::string file = results + "/ladder.csv";
  const std::string table = fmt::format(
      "<!-- begin: table median_ms:1 7 {} -- Convolve -->\n| ms at width | 7 |\n|---|---:|\n"
      "| `Convolve` | 8.0 |\n<!-- end -->\n",
      file);
  for (const auto& [claim, problem] : std::vector<std::pair<std::string, std::string>>{
           {"Convolve_Unroll < Convolve at 7", ""},
           {"Convolve_Unroll > Convolve at 7", "does not hold at 7: Convolve_Unroll is 0.500"},
           {"Convolve_Unroll = Convolve at 7", "does not hold at 7"},
           {"Convolve_Block < Convolve_Unroll at 7", ""},  // 1/8 < 1/2, in two runs
           {"Convolve_Block > Convolve_Unroll at 7", "does not hold at 7: Convolve_Block is 0.250"},
           {"Convolve_Unroll < Convolve at 7,9",
            "has no rounds of Convolve_Unroll and Convolve at 9"},
           {"Mine = Yours at 7", ""}}) {  // 0.9..1.1 and 0.8..1.0
    const std::string sentence = fmt::format("<!-- holds: {} {} -->\n", file, claim);
    const std::string found = problems(table + sentence);
    EXPECT_EQ(found.empty(), problem.empty()) << claim << ": " << found;
    EXPECT_NE(found.find(problem), std::string::npos) << claim << ": " << found;
    EXPECT_NE(problems(sentence), "") << "there is no table of it";
  }
}

// Against counts by hand. Of x86-64's machine code asm_test looks at that of real kernels.
TEST(Listing, GivesTheRowsOfItsLoops) {
  const std::string listing = read_file(ROOT_FOLDER "/tests/listings/some.ptx");
  EXPECT_EQ(
      replaced(replaced(machine_code("Some", listing), "[^]*\nloop .*\n", ""), " +", " "),
      "1 2 - - - - -\n1.1 10 3 2 2 1 1\n1.2 3 1 1 1 - -\nno loop 2 - - - - -\n");
}

}  // namespace
}  // namespace tutorial
