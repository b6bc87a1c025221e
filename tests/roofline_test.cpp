// The floor of a kernel, the CSV that it is compared with, what the table makes of both, and the
// kernels that measure the ceilings.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/floor.hpp"
#include "common/results.hpp"
#include "common/text.hpp"
#include "roofline/ceilings.hpp"
#include "roofline/results_file.hpp"

namespace tutorial {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Ceilings make_ceilings(double multiply_adds_per_s, double copy_bytes_per_s) {
  Ceilings ceilings;
  ceilings.multiply_adds_per_s = multiply_adds_per_s;
  ceilings.copy_bytes_per_s = copy_bytes_per_s;
  ceilings.cached_loads_per_s = copy_bytes_per_s / 4;
  ceilings.cached_bytes_per_s = copy_bytes_per_s;
  ceilings.local_bytes_per_s = copy_bytes_per_s;
  return ceilings;
}

// CH.1, as in roofline/README.md: 160 instructions per clock at 750 MHz, one instruction per tap,
// 7 x 7 taps for each of 1024 x 1024 pixels. The numbers expected are from the README.
TEST(Floor, IsTheSlowerOfTheTwoInTheExampleOfTheDeck) {
  const auto floor_at = [](double instructions_per_s, double bytes_per_s) {
    return floor_of(0x1p20, 49, 8 * 0x1p20, make_ceilings(instructions_per_s, bytes_per_s));
  };
  EXPECT_NEAR(1e3 * floor_at(120e9, infinite).seconds, 0.428, 0.0005);
  EXPECT_NEAR(1e3 * floor_at(5 * 120e9, infinite).seconds, 0.086, 0.0005);

  const Floor below = floor_at(120e9, 19.5e9);
  EXPECT_EQ(below.bound, Bound::memory);
  EXPECT_EQ(below.seconds, below.memory_s);
  EXPECT_NEAR(1e3 * below.compute_s, 0.428, 0.0005);
  const Floor above = floor_at(120e9, 19.7e9);
  EXPECT_EQ(above.bound, Bound::compute);
  EXPECT_EQ(above.seconds, above.compute_s);
  EXPECT_STREQ(to_string(below.bound), "memory");
  EXPECT_STREQ(to_string(above.bound), "compute");
  EXPECT_NEAR(ridge_taps(8, make_ceilings(120e9, 19.6e9)), 48.98, 0.01);
}

TEST(Floor, NeedsBothCeilings) {
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(0, 1)), std::invalid_argument);
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(1, 0)), std::invalid_argument);
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(1, not_a_number)), std::invalid_argument);
}

TEST(Floor, CountsEachInputAndEachOutputOnce) {
  EXPECT_EQ(compulsory_bytes(5, 3, 1), 4 * (5 * 3 + 5 * 3));
  EXPECT_EQ(compulsory_bytes(5, 3, 4), 4 * (8 * 6 + 5 * 3));
  const Ceilings ceilings = make_ceilings(1e9, 1e9);
  EXPECT_DOUBLE_EQ(convolution_floor(5, 3, 4, ceilings).compute_s, 240 / 1e9);
  EXPECT_DOUBLE_EQ(convolution_floor(5, 3, 4, ceilings).memory_s, 252 / 1e9);
  // The largest image: no overflow.
  EXPECT_EQ(compulsory_bytes(16384, 16384, 32), 4 * (16415.0 * 16415.0 + 16384.0 * 16384.0));
  EXPECT_EQ(convolution_floor(16384, 16384, 32, ceilings).compute_s, 0x1p38 / 1e9);
}

TEST(Prediction, IsTheLargestOfThreeColumns) {
  Ceilings ceilings = make_ceilings(1e9, 1e9);
  ceilings.cached_loads_per_s = 1e9;
  ceilings.cached_bytes_per_s = 2e9;
  ceilings.local_bytes_per_s = 0.0;
  EXPECT_THROW(predict(10, 10, 1, {}, ceilings), std::invalid_argument);
  ceilings.local_bytes_per_s = 0.5e9;
  KernelCounts counts;
  counts.multiply_adds = 50;
  Prediction time = predict(10, 10, 1, counts, ceilings);
  EXPECT_STREQ(time.bound, "arithmetic");
  EXPECT_DOUBLE_EQ(time.seconds, 100 * 50 / 1e9);
  EXPECT_EQ(time.loads_s, 0.0);
  EXPECT_DOUBLE_EQ(time.memory_s, 800 / 1e9);

  counts.multiply_adds = 1;
  time = predict(10, 10, 1, counts, ceilings);
  EXPECT_STREQ(time.bound, "memory");
  EXPECT_DOUBLE_EQ(time.seconds, 800 / 1e9);

  counts.loads = 20;
  time = predict(10, 10, 1, counts, ceilings);
  EXPECT_STREQ(time.bound, "loads") << "many narrow ones";
  EXPECT_DOUBLE_EQ(time.seconds, 100 * 20 / 1e9);
  counts.cached_bytes = 64;
  counts.local_bytes = 30;
  time = predict(10, 10, 1, counts, ceilings);
  EXPECT_STREQ(time.bound, "loads") << "wide ones";
  EXPECT_DOUBLE_EQ(time.seconds, 100 * (64 / 2e9 + 30 / 0.5e9));
  EXPECT_EQ(time.seconds, time.loads_s);
}

// --- The CSV -------------------------------------------------------------------------------------

class CsvFile : public testing::Test {
 protected:
  // Tests run side by side, so each has a file of its own.
  std::string path() const {
    return testing::TempDir() + "roofline_" +
           testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  }
  ResultsFile read(const std::string& text) const {
    std::ofstream(path(), std::ios::binary) << text;
    return read_results(path());
  }
  void TearDown() override { std::remove(path().c_str()); }
};

const std::string columns = "kernel,filter_width,width,height,median_ms,x_floor\n";

TEST_F(CsvFile, HasTheCeilingsInItsHead) {
  Ceilings ceilings = make_ceilings(1.25e12, 3.5e9);
  ceilings.multiply_add_type = "float4";
  ceilings.copy_type = "float16 non-temporal";
  ceilings.cached_loads_per_s = 1e9;
  ceilings.cached_bytes_per_s = 3e9;
  ceilings.cached_type = "float16";
  ceilings.local_bytes_per_s = 4e9;
  const Ceilings found =
      ceilings_of(read(ceilings.csv_head() + columns + "Convolve,7,5,3,1,\n").head);
  EXPECT_EQ(found.multiply_adds_per_s, 1.25e12);
  EXPECT_EQ(found.copy_bytes_per_s, 3.5e9);
  EXPECT_EQ(found.copy_type, "float16 non-temporal");
  EXPECT_EQ(found.cached_loads_per_s, 1e9);
  EXPECT_EQ(found.cached_bytes_per_s, 3e9);
  EXPECT_EQ(found.cached_type, "float16");
  EXPECT_EQ(found.local_bytes_per_s, 4e9);
  EXPECT_EQ(found.describe(), "1250.0 G multiply-adds/s (float4), 3.5 GB/s copy");

  EXPECT_EQ(ceilings_of({}).multiply_adds_per_s, 0.0);
  for (const char* bad : {"-1", "0", "nan", "inf", "1e9x", "fast"}) {
    EXPECT_THROW(ceilings_of({{"multiply_adds_per_s", bad}}), Error) << bad;
    EXPECT_THROW(ceilings_of({{"copy_bytes_per_s", bad}}), Error) << bad;
  }
}

TEST_F(CsvFile, IsReadByTheNamesOfItsColumns) {
  const ResultsFile file = read(
      "# device: A: B\n#no key\n# empty:\n\nheight,other,median_ms,kernel,width,filter_width\r\n"
      "3,x,0.25,Convolve,5,7\n4,,1e3,OpenMP,6,32");
  EXPECT_EQ(file.head.at("device"), "A: B");
  EXPECT_EQ(file.head.size(), 1U);
  ASSERT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(file.rows[0].kernel, "Convolve");
  EXPECT_EQ(file.rows[0].filter_width, 7);
  EXPECT_EQ(file.rows[0].width, 5);
  EXPECT_EQ(file.rows[0].height, 3);
  EXPECT_EQ(file.rows[0].median_ms, 0.25);
  EXPECT_EQ(file.rows[0].x_floor, 0.0);
  EXPECT_EQ(file.rows[1].median_ms, 1000.0);
  const ResultsFile other = read(columns + "Convolve:tight,7,5,3,0.25,12.5\nOpenMP,7,5,3,2,\n");
  EXPECT_EQ(other.rows.at(0).x_floor, 12.5);
  EXPECT_EQ(other.rows.at(1).x_floor, 0.0);
}

TEST_F(CsvFile, BadOnesAreRefusedInOneLine) {
  const auto expect_refusal = [this](const std::string& text, const std::string& word) {
    std::string message;
    try {
      read(text);
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(word), std::string::npos) << "'" << message << "' for: " << text;
    EXPECT_NE(message.find(path()), std::string::npos) << message;
    EXPECT_EQ(message.find_first_of("\n\r\t\x1b"), std::string::npos) << message;
  };
  expect_refusal("", "no measurements");
  expect_refusal("# device: x\n", "no measurements");
  expect_refusal(columns, "no measurements");
  expect_refusal("a,b\n1,2\n", ":1: no column 'kernel'");
  expect_refusal("kernel,filter_width,width,height\n", "no column 'median_ms'");
  expect_refusal(std::string(1000, '\0'), ":1: no column");
  expect_refusal(columns + "Convolve,7,5,3,0.25\n", ":2: 5 fields instead of 6");
  expect_refusal(columns + "Convolve,7,5,3,0.25,1,\n", "7 fields");
  expect_refusal(
      columns + "Convolve,7,5,3,0.25,1\nSmooth_Padded,3,5,3,1,\n", ":3: the kernel 'Smooth");
  for (const char* width : {"0", "33", "-1", "", "7.5", "x", "99999999999"}) {
    expect_refusal(columns + "Convolve," + width + ",5,3,0.25,1\n", "filter_width must be");
  }
  for (const char* size : {"0", "-5", "", "1e3", "4294967297"}) {
    expect_refusal(columns + "Convolve,7," + size + ",3,0.25,1\n", "width must be");
    expect_refusal(columns + "Convolve,7,5," + size + ",0.25,1\n", "height must be");
  }
  for (const char* number : {"0", "-1", "nan", "inf", "1e999", "x", " 1", "\x1b[2J"}) {
    expect_refusal(columns + "Convolve,7,5,3," + number + ",1\n", "median_ms must be");
    expect_refusal(columns + "Convolve,7,5,3,1," + number + "\n", "x_floor must be");
  }
  expect_refusal(columns + "Convolve,7,5,3,,1\n", "median_ms must be");
  EXPECT_THROW(read_results(path() + ".missing"), Error);
  EXPECT_THROW(read_results(testing::TempDir()), Error);
}

TEST_F(CsvFile, OfTheXrayHasCountsByKernelAndWidth) {
  const auto read_xray = [this](const std::string& text) {
    std::ofstream(path(), std::ios::binary) << text;
    return read_counts(path());
  };
  const std::string head =
      "tap_loads,tap_bytes,kernel,other,filter_width,multiply_adds,input_loads,input_bytes,"
      "local_loads,local_bytes\n";
  const auto counts = read_xray(head + "7,28,A,x,3,9,1,16,0.5,2\n8,32,A,,5,25,0,0,0,0\n");
  ASSERT_EQ(counts.size(), 2U);
  const KernelCounts& row = counts.at({"A", 3});
  EXPECT_EQ(row.multiply_adds, 9);
  EXPECT_EQ(row.loads, 8.5);
  EXPECT_EQ(row.cached_bytes, 44);
  EXPECT_EQ(row.local_bytes, 2);
  EXPECT_THROW(read_xray(columns + "Convolve,7,5,3,1,\n"), Error);
  EXPECT_THROW(read_xray(head), Error);
  EXPECT_THROW(read_xray(head + "7,28,A,,3,nan,1,16,0,0\n"), Error);
  EXPECT_THROW(read_xray(head + "7,28,A,,3,-9,1,16,0,0\n"), Error);
  EXPECT_THROW(read_xray(head + "7,28,A,,33,9,1,16,0,0\n"), Error);
  EXPECT_THROW(read_xray(head + "7,28,A,,3,9,1,16,0,0\n7,28,A,,3,9,1,16,0,0\n"), Error);
}

// --- The table -----------------------------------------------------------------------------------

Measurement make_measurement(const std::string& name, double ms, bool host_clock) {
  Measurement measurement;
  measurement.name = name;
  measurement.time_ms = {7, ms, 0.9 * ms, 1.1 * ms, 0.9 * ms};
  measurement.host_clock = host_clock;
  return measurement;
}

class Table : public CsvFile {
 protected:
  /// What the program prints for these measurements at two filter widths. The ceilings may improve.
  std::string print(
      const std::optional<Ceilings>& ceilings_before, const std::optional<Ceilings>& ceilings,
      const std::vector<Measurement>& measurements) {
    Options options;
    options.program = "program";
    options.kernels = {{"Convolve"}};
    options.csv = path();
    testing::internal::CaptureStdout();
    Results results(options, device, Image(1000, 500));
    results.add(7, {measurements, ceilings_before});
    results.add(9, {measurements, ceilings});
    results.finish();
    return testing::internal::GetCapturedStdout();
  }

  cl::Device device = select_device("");
};

TEST_F(Table, MedianIsXFloorTimesTheFloor) {
  const Ceilings ceilings = make_ceilings(1e11, 1e10);
  const std::string text = print(
      make_ceilings(1e11, 9e9), ceilings,
      {make_measurement("Convolve", 2.5, false), make_measurement("OpenMP", 5.0, true)});
  EXPECT_NE(text.find(" x floor\n"), std::string::npos) << text;

  const ResultsFile file = read_results(path());
  EXPECT_EQ(ceilings_of(file.head).copy_bytes_per_s, 1e10);
  ASSERT_EQ(file.rows.size(), 4U);
  for (const ResultsRow& row : file.rows) {
    if (row.kernel == "OpenMP" && !is_cpu(device)) {
      EXPECT_EQ(row.x_floor, 0.0) << "the host does not have the device's ceilings";
      continue;
    }
    const double floor_s =
        convolution_floor(row.width, row.height, row.filter_width, ceilings).seconds;
    EXPECT_NEAR(row.x_floor * floor_s * 1e3, row.median_ms, 1e-4 * row.median_ms);
  }
}

TEST_F(Table, FitsATerminalAtAnyTime) {
  std::vector<Measurement> measurements = {make_measurement("Convolve", 123.0, false)};
  for (const double ms : {0.001, 0.012345, 0.99996, 9.99996, 99.996, 999.96, 12345.0, 909090.0}) {
    measurements.push_back(make_measurement("Convolve_Local_Read4_UnrollAll", ms, true));
  }
  const std::string text =
      print(make_ceilings(1e11, 1e10), make_ceilings(1e11, 1e10), measurements);
  for (const std::string& line : split(text, '\n')) {
    // How long a device's name is, is not for the table to say.
    EXPECT_TRUE(line.size() <= 80 || line.starts_with("device ")) << line;
  }
  EXPECT_NE(text.find(" 12345* "), std::string::npos) << text;
  EXPECT_NE(text.find(" 0.0010* "), std::string::npos) << text;
}

TEST_F(Table, HasNoSuchColumnWithoutCeilings) {
  const std::string text = print({}, {}, {make_measurement("Convolve", 2.5, false)});
  EXPECT_EQ(text.find("floor"), std::string::npos) << text;
  const ResultsFile file = read_results(path());
  EXPECT_EQ(file.head.count("multiply_adds_per_s"), 0U);
  EXPECT_EQ(file.rows.at(0).x_floor, 0.0);
}

// --- The kernels ---------------------------------------------------------------------------------

class CeilingKernels : public testing::Test {
 protected:
  /// Writes the kernel file with `from` replaced by `to` everywhere; returns its path.
  std::string edited(const std::string& from, const std::string& to) {
    std::string text = read_file(ROOFLINE_KERNEL_FILE).value();
    EXPECT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
    path_ = testing::TempDir() + "roofline_edited_" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + ".cl";
    std::ofstream(path_) << text;
    return path_;
  }
  void TearDown() override { std::remove(path_.c_str()); }

  /// How many kernels of the file give a wrong result.
  int wrong_ones(const std::string& kernel_file) const {
    int wrong = 0;
    for (const CeilingVerdict& verdict : verify_ceilings(queue, kernel_file)) {
      wrong += verdict.problem.empty() ? 0 : 1;
    }
    return wrong;
  }

  cl::Device device = select_device("");
  cl::CommandQueue queue = cl::CommandQueue(cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE);
  std::string path_;
};

TEST_F(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(wrong_ones(ROOFLINE_KERNEL_FILE), 0);
}

TEST_F(CeilingKernels, ThatDoLessAreFound) {
  const std::pair<const char*, const char*> edits[] = {
      // Half of the links, a chain that is not summed, one whose links are not computed.
      {"EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS EIGHT_CHAINS", "EIGHT_CHAINS EIGHT_CHAINS"},
      {"((a4 + a5) + (a6 + a7))", "((a4 + a5) + a6)"},
      {"a3 = MULTIPLY_ADD(a3, factor, addend);", ""},
      {"turn < turns", "turn < turns - 1"},
      // Copies that are not: of another place, of nothing.
      {"= input[i];", "= input[0];"},
      {"output[i] = input[i];", ""},
      // Local memory that is read once, or in part.
      {"(position & 255)", "item"},
      {"s5 += quads[5];", ""},
      {"output[get_global_id(0)] = SUM_OF_4(sum);", ""},
      // A cache that is read once, or in part.
      {"(position & mask)", "item"},
      {"s5 += next[5];", ""},
  };
  for (const auto& [from, to] : edits) {
    const std::string file = edited(from, to);
    EXPECT_GT(wrong_ones(file), 0) << from << " -> " << to;
    EXPECT_THROW(measure_ceilings(queue, file, 1000, 0.0), Error) << from;
  }
}

TEST_F(CeilingKernels, AreMissedWhereTheyAreMissing) {
  EXPECT_THROW(verify_ceilings(queue, edited("Copy_float16", "Copy_other")), Error);
  // Non-temporal stores are something that a compiler may lack.
  EXPECT_EQ(wrong_ones(edited("__has_builtin(", "!__has_builtin(")), 0);
}

// --- Together with a program's kernels ----------------------------------------------------------

class Meter : public CeilingKernels {
 protected:
  Meter() {
    options.time_budget_s = 0.0;
    options.filter = "random";
    options.kernels = {
        {"Convolve"},
        {"Convolve_Fast", Shape::pairs},
        {.label = "Convolve:my", .original = "Convolve"}};
  }

  /// A kernel that reports `ms` and counts in `runs` how often it ran.
  static Variant pretend(const std::string& name, double ms, int* runs) {
    return {name, cl::NullRange, 0.0, nullptr, [ms, runs] {
              ++*runs;
              return ms;
            }};
  }

  /// Measures `variants` at filter width 7; what is printed stays in `printed`.
  Comparison measure(
      const std::vector<Variant>& variants, const std::string& kernel_file = ROOFLINE_KERNEL_FILE) {
    CeilingMeter meter(queue, options, Image(65, 43), kernel_file);
    testing::internal::CaptureStdout();
    const Comparison result = meter.measure(7, variants);
    printed = testing::internal::GetCapturedStdout();
    return result;
  }

  Options options;
  std::string printed;
  int runs = 0;
  int others = 0;
};

TEST_F(Meter, GivesTheTimesOfTheVariantsAlone) {
  const Comparison result =
      measure({pretend("Convolve", 1e6, &runs), pretend("other", 2e6, &others)});
  ASSERT_EQ(result.measurements.size(), 2U);
  EXPECT_EQ(result.measurements[1].name, "other");
  EXPECT_EQ(result.measurements[1].time_ms.median, 2e6);
  ASSERT_TRUE(result.ceilings);
  EXPECT_GT(result.ceilings->multiply_adds_per_s, 0.0);
  EXPECT_GT(result.ceilings->copy_bytes_per_s, 0.0);
  EXPECT_GT(result.ceilings->cached_loads_per_s, 0.0);
  EXPECT_GT(result.ceilings->local_bytes_per_s, 0.0);
  EXPECT_EQ(printed, "");
  EXPECT_EQ(runs, others) << "no contradiction, so nothing is measured again";
}

// 2e-6 ms for a kernel is beyond any device.
TEST_F(Meter, MeasuresAgainAndReportsAKernelBelowItsFloor) {
  const Comparison result =
      measure({pretend("Convolve_Def", 1e6, &others), pretend("Convolve", 2e-6, &runs)});
  EXPECT_GT(runs, others);
  EXPECT_EQ(printed.rfind("width  7  Convolve: x floor ", 0), 0U) << printed;
  EXPECT_EQ(printed.find('\n'), printed.size() - 1) << printed;
  EXPECT_LE(printed.size(), 81U) << printed;
  EXPECT_EQ(result.measurements[1].time_ms.median, 2e-6);
}

TEST_F(Meter, JudgesOnlyKernelsWithAMultiplyAddPerTap) {
  measure({pretend("Convolve_Fast", 2e-6, &runs), pretend("cuDNN", 2e-6, &runs)});
  EXPECT_EQ(printed, "");
  measure({pretend("Convolve:my", 2e-6, &runs)});
  EXPECT_EQ(printed, "");
  options.filter = "motion-blur";
  measure({pretend("Convolve", 2e-6, &runs)});
  EXPECT_EQ(printed, "");
}

TEST_F(Meter, KeepsTheBestOfAllWidths) {
  CeilingMeter meter(queue, options, Image(65, 43));
  const std::vector<Variant> variants = {pretend("Convolve", 1e6, &runs)};
  Ceilings before = meter.measure(7, variants).ceilings.value();
  for (const int filter_width : {8, 9}) {
    const Ceilings after = meter.measure(filter_width, variants).ceilings.value();
    EXPECT_GE(after.multiply_adds_per_s, before.multiply_adds_per_s);
    EXPECT_GE(after.copy_bytes_per_s, before.copy_bytes_per_s);
    EXPECT_GE(after.cached_bytes_per_s, before.cached_bytes_per_s);
    EXPECT_GE(after.local_bytes_per_s, before.local_bytes_per_s);
    before = after;
  }
}

TEST_F(Meter, SaysWhyThereAreNoCeilings) {
  const Comparison result = measure({pretend("Convolve", 1e6, &runs)}, "no_such_file.cl");
  EXPECT_FALSE(result.ceilings);
  EXPECT_EQ(result.measurements.size(), 1U);
  EXPECT_EQ(printed.rfind("no x floor: ", 0), 0U) << printed;
  EXPECT_NE(printed.find("no_such_file.cl"), std::string::npos) << printed;
  EXPECT_EQ(printed.find('\n'), printed.size() - 1) << printed;
}

}  // namespace
}  // namespace tutorial
