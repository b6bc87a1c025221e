// The floor of a kernel, the CSV that it is compared with, and what the table makes of both. No
// test here asserts a rate or a time.
#include "common/roofline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "common/device.hpp"
#include "common/error.hpp"
#include "common/results.hpp"
#include "common/results_file.hpp"

namespace tutorial {
namespace {

Ceilings make_ceilings(double multiply_adds_per_s, double copy_bytes_per_s) {
  Ceilings ceilings;
  ceilings.multiply_adds_per_s = multiply_adds_per_s;
  ceilings.copy_bytes_per_s = copy_bytes_per_s;
  return ceilings;
}

// CH.1: 10 SIMDs x 16 cores, 750 MHz: T_alu = global size * VLIW instructions / (SIMDs * cores) /
// clock. An instruction is up to five multiply-adds.
constexpr double simds = 10;
constexpr double cores = 16;
constexpr double alus = 5;
constexpr double clock_hz = 750e6;

TEST(Floor, IsTheSpreadsheetOfTheHd4870) {
  const double global_size = 1024.0 * 1024.0;
  const double instructions = 49;
  // A bandwidth without end: the deck's MEM is 0 then, and ALU is what is left.
  const double infinite = std::numeric_limits<double>::infinity();
  const Floor floor = floor_of(
      global_size, instructions, 8 * global_size,
      make_ceilings(simds * cores * clock_hz, infinite));
  EXPECT_DOUBLE_EQ(floor.seconds, global_size * instructions / (simds * cores) / clock_hz);
  // 160 instructions a clock, 120 G a second: by hand, 1048576 * 49 / 120e9 s.
  EXPECT_NEAR(1e3 * floor.seconds, 0.42817, 1e-5);
  EXPECT_EQ(floor.bound, Bound::compute);

  // With all five ALUs of an instruction at work, a fifth of that.
  const Floor packed = floor_of(
      global_size, instructions, 8 * global_size,
      make_ceilings(simds * cores * alus * clock_hz, infinite));
  EXPECT_DOUBLE_EQ(packed.seconds, floor.seconds / 5);
}

TEST(Floor, IsTheSlowerOfTheTwo) {
  // 160 instructions a clock, and 8 bytes a pixel: memory binds below 8 / 49 * 120 = 19.6 GB/s.
  const double rate = simds * cores * clock_hz;
  const Floor below = floor_of(1e6, 49, 8e6, make_ceilings(rate, 19.5e9));
  EXPECT_EQ(below.bound, Bound::memory);
  EXPECT_DOUBLE_EQ(below.seconds, 8e6 / 19.5e9);
  EXPECT_DOUBLE_EQ(below.seconds, below.memory_s);
  EXPECT_DOUBLE_EQ(below.compute_s, 49e6 / rate);
  const Floor above = floor_of(1e6, 49, 8e6, make_ceilings(rate, 19.7e9));
  EXPECT_EQ(above.bound, Bound::compute);
  EXPECT_DOUBLE_EQ(above.seconds, above.compute_s);
  EXPECT_STREQ(to_string(below.bound), "memory");
  EXPECT_STREQ(to_string(above.bound), "compute");
  // The ridge is where both take the same time.
  EXPECT_NEAR(ridge_taps(8, make_ceilings(rate, 19.6e9)), 48.98, 0.01);
}

TEST(Floor, NeedsBothCeilings) {
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(0, 1)), std::invalid_argument);
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(1, 0)), std::invalid_argument);
  EXPECT_THROW(floor_of(1, 1, 1, make_ceilings(1, std::nan(""))), std::invalid_argument);
}

TEST(Floor, CountsEachInputAndEachOutputOnce) {
  EXPECT_EQ(compulsory_bytes(5, 3, 1), 4 * (5 * 3 + 5 * 3));
  EXPECT_EQ(compulsory_bytes(5, 3, 4), 4 * (8 * 6 + 5 * 3));
  // The largest image: no overflow.
  EXPECT_EQ(compulsory_bytes(16384, 16384, 32), 4 * (16415.0 * 16415.0 + 16384.0 * 16384.0));
  const Ceilings ceilings = make_ceilings(1e9, 1e9);
  const Floor floor = convolution_floor(5, 3, 4, ceilings);
  EXPECT_DOUBLE_EQ(floor.compute_s, 15 * 16 / 1e9);
  EXPECT_DOUBLE_EQ(floor.memory_s, 252 / 1e9);
  EXPECT_EQ(
      convolution_floor(16384, 16384, 32, ceilings).compute_s, 16384.0 * 16384.0 * 1024 / 1e9);
}

TEST(Ceilings, GoThroughTheHeadOfACsv) {
  Ceilings ceilings = make_ceilings(1.25e12, 3.5e9);
  ceilings.multiply_add_type = "float4";
  ceilings.copy_type = "float16 non-temporal";
  std::map<std::string, std::string> head;
  std::istringstream lines(ceilings.csv_head());
  for (std::string line; std::getline(lines, line);) {
    ASSERT_EQ(line.rfind("# ", 0), 0U) << line;
    const std::size_t colon = line.find(": ");
    ASSERT_NE(colon, std::string::npos) << line;
    head[line.substr(2, colon - 2)] = line.substr(colon + 2);
  }
  const Ceilings read = ceilings_of(head);
  EXPECT_EQ(read.multiply_adds_per_s, 1.25e12);
  EXPECT_EQ(read.copy_bytes_per_s, 3.5e9);
  EXPECT_EQ(read.multiply_add_type, "float4");
  EXPECT_EQ(read.copy_type, "float16 non-temporal");
  EXPECT_EQ(read.describe(), "1.25 T multiply-adds/s (float4), 3.50 GB/s copy");

  EXPECT_EQ(ceilings_of({}).multiply_adds_per_s, 0.0);
  for (const char* bad : {"-1", "0", "nan", "inf", "1e9x", "fast"}) {
    EXPECT_THROW(ceilings_of({{"multiply_adds_per_s", bad}, {"copy_bytes_per_s", "1"}}), Error)
        << bad;
    EXPECT_THROW(ceilings_of({{"multiply_adds_per_s", "1"}, {"copy_bytes_per_s", bad}}), Error)
        << bad;
  }
}

// --- The CSV
// ---------------------------------------------------------------------------------------

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
  /// The message of the `Error` that reading `text` ends in; empty if there is none.
  std::string refusal(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  void TearDown() override { std::remove(path().c_str()); }
};

constexpr const char* columns = "kernel,filter_width,width,height,median_ms,x_floor\n";

TEST_F(CsvFile, IsReadByTheNamesOfItsColumns) {
  const ResultsFile file = read(
      "# device: A: B\n#no key\n# empty:\n\nheight,other,median_ms,kernel,width,filter_width\r\n"
      "3,x,0.25,Convolve,5,7\n4,,1e3,OpenMP,6,32");
  EXPECT_EQ(file.head.at("device"), "A: B");
  EXPECT_EQ(file.head.count("no key"), 0U);
  ASSERT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(file.rows[0].kernel, "Convolve");
  EXPECT_EQ(file.rows[0].filter_width, 7);
  EXPECT_EQ(file.rows[0].width, 5);
  EXPECT_EQ(file.rows[0].height, 3);
  EXPECT_EQ(file.rows[0].median_ms, 0.25);
  EXPECT_EQ(file.rows[0].x_floor, 0.0);
  EXPECT_EQ(file.rows[1].median_ms, 1000.0);
}

TEST_F(CsvFile, MayLackAFloor) {
  const ResultsFile file =
      read(std::string(columns) + "Convolve:tight,7,5,3,0.25,12.5\nOpenMP,7,5,3,2,\n");
  EXPECT_EQ(file.rows.at(0).x_floor, 12.5);
  EXPECT_EQ(file.rows.at(1).x_floor, 0.0);
}

TEST_F(CsvFile, BadOnesAreRefusedInOneLine) {
  const auto expect_refusal = [this](const std::string& text, const std::string& word) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find(word), std::string::npos) << "'" << message << "' for: " << text;
    EXPECT_NE(message.find(path()), std::string::npos) << message;
    EXPECT_EQ(message.find_first_of("\n\r\t\x1b"), std::string::npos) << message;
  };
  const std::string head(columns);
  expect_refusal("", "no measurements");
  expect_refusal("# device: x\n", "no measurements");
  expect_refusal(head, "no measurements");
  expect_refusal("a,b\n1,2\n", ":1: no column 'kernel'");
  expect_refusal("kernel,filter_width,width,height\n", "no column 'median_ms'");
  expect_refusal(head + "Convolve,7,5,3,0.25\n", ":2: 5 fields instead of 6");
  expect_refusal(head + "Convolve,7,5,3,0.25,1,\n", "7 fields");
  expect_refusal(
      head + "Convolve,7,5,3,0.25,1\nSmooth_Padded,3,5,3,1,\n", ":3: the kernel 'Smooth");
  for (const char* width : {"0", "33", "-1", "", "7.5", "x", "99999999999"}) {
    expect_refusal(head + "Convolve," + width + ",5,3,0.25,1\n", "filter_width '");
  }
  for (const char* size : {"0", "-5", "", "1e3", "4294967297"}) {
    expect_refusal(head + "Convolve,7," + size + ",3,0.25,1\n", "width '");
    expect_refusal(head + "Convolve,7,5," + size + ",0.25,1\n", "height '");
  }
  for (const char* number : {"0", "-1", "nan", "inf", "1e999", "x", " 1", "\x1b[2J"}) {
    expect_refusal(head + "Convolve,7,5,3," + number + ",1\n", "median_ms '");
    expect_refusal(head + "Convolve,7,5,3,1," + number + "\n", "x_floor '");
  }
  expect_refusal(head + "Convolve,7,5,3,,1\n", "median_ms '");
  expect_refusal(std::string(200000, 'x'), ":1: too long");
  expect_refusal(std::string(1000, '\0'), ":1: no column");
}

TEST_F(CsvFile, AFileThatIsNotThere) {
  EXPECT_THROW(read_results(path() + ".missing"), Error);
  EXPECT_THROW(read_results(testing::TempDir()), Error);
}

// --- The table
// -------------------------------------------------------------------------------------

Measurement make_measurement(const std::string& name, double ms, bool host_clock) {
  Measurement measurement;
  measurement.name = name;
  measurement.time_ms = {7, ms, 0.9 * ms, 1.1 * ms, 0.9 * ms};
  measurement.host_clock = host_clock;
  return measurement;
}

class Table : public CsvFile {
 protected:
  Table() {
    options.program = "program";
    options.kernels = {{"Convolve", "Convolve"}};
    options.time_budget_s = 0.0;
    options.csv = path();
    options.ceilings_file = ROOFLINE_KERNEL_FILE;
  }
  /// What the program prints for these measurements.
  std::string print(const std::vector<Measurement>& measurements) {
    testing::internal::CaptureStdout();
    Results results(options, device, Image(1000, 500));
    results.add(7, measurements);
    results.add(9, measurements);
    results.finish();
    return testing::internal::GetCapturedStdout();
  }
  /// Of all lines but the one with the device, whose name is not ours to shorten.
  static std::size_t longest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      longest = std::max(longest, line.rfind("device ", 0) == 0 ? 0 : line.size());
    }
    return longest;
  }

  Options options;
  cl::Device device = select_device("");
};

TEST_F(Table, MedianIsXFloorTimesTheFloor) {
  const std::string text =
      print({make_measurement("Convolve", 2.5, false), make_measurement("OpenMP", 5.0, true)});
  EXPECT_NE(text.find("\nceilings "), std::string::npos) << text;
  EXPECT_EQ(text.find("\nceilings "), text.rfind("\nceilings ")) << "measured once a run\n" << text;
  EXPECT_NE(text.find(" x floor\n"), std::string::npos) << text;

  const ResultsFile file = read_results(path());
  const Ceilings ceilings = ceilings_of(file.head);
  ASSERT_EQ(file.rows.size(), 4U);
  const bool on_host = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  for (const ResultsRow& row : file.rows) {
    if (row.kernel == "OpenMP" && !on_host) {
      EXPECT_EQ(row.x_floor, 0.0) << "the host does not have the device's ceilings";
      continue;
    }
    const double floor_s =
        convolution_floor(row.width, row.height, row.filter_width, ceilings).seconds;
    EXPECT_NEAR(row.x_floor * floor_s * 1e3, row.median_ms, 1e-4 * row.median_ms);
  }
}

TEST_F(Table, FitsATerminalAtAnyTime) {
  std::vector<Measurement> measurements = {make_measurement("Convolve", 1.0, false)};
  for (const double ms : {0.001, 0.012345, 0.99996, 9.99996, 99.996, 999.96, 12345.0, 1234567.0}) {
    measurements.push_back(make_measurement("Convolve_Def_Local_UnrollAll", ms, true));
  }
  const std::string text = print(measurements);
  EXPECT_LE(longest_line(text), 80U) << text;
  EXPECT_NE(text.find(" 12345* "), std::string::npos) << text;
  EXPECT_NE(text.find(" 0.0010* "), std::string::npos) << text;
}

TEST_F(Table, GoesOnWithoutCeilings) {
  options.ceilings_file = "no_such_file.cl";
  const std::string text = print({make_measurement("Convolve", 2.5, false)});
  EXPECT_NE(text.find("no x floor: "), std::string::npos) << text;
  EXPECT_NE(text.find("no_such_file.cl"), std::string::npos) << text;
  EXPECT_EQ(text.find("no x floor: "), text.rfind("no x floor: ")) << "said once\n" << text;
  EXPECT_NE(text.find("Convolve "), std::string::npos) << text;
  const ResultsFile file = read_results(path());
  EXPECT_EQ(file.head.count("multiply_adds_per_s"), 0U);
  EXPECT_EQ(file.rows.at(0).x_floor, 0.0);
}

TEST_F(Table, IsWithoutTheColumnWhereNothingIsConvolved) {
  options.filtered = false;
  const std::string text = print(
      {make_measurement("Convolve", 2.5, false),
       make_measurement("Convolve:something_that_is_long", 2.5, true)});
  EXPECT_EQ(text.find("floor"), std::string::npos) << text;
  EXPECT_EQ(text.find("ceilings"), std::string::npos) << text;
  EXPECT_EQ(read_results(path()).rows.at(0).x_floor, 0.0);
}

// --- The kernels
// -----------------------------------------------------------------------------------

/// The kernel file with `from` replaced by `to` everywhere.
std::string edited_kernels(const std::string& from, const std::string& to) {
  std::ifstream file(ROOFLINE_KERNEL_FILE);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
    count++;
  }
  EXPECT_GT(count, 0U) << from;
  const std::string path = testing::TempDir() + "roofline_edited_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".cl";
  std::ofstream(path) << text;
  return path;
}

int wrong_ones(const std::string& kernel_file) {
  int wrong = 0;
  for (const CeilingVerdict& verdict : verify_ceilings(select_device(""), kernel_file)) {
    wrong += verdict.problem.empty() ? 0 : 1;
  }
  return wrong;
}

TEST(CeilingKernels, DoWhatTheyAreTimedFor) {
  EXPECT_EQ(wrong_ones(ROOFLINE_KERNEL_FILE), 0);
}

TEST(CeilingKernels, ThatDoLessAreFound) {
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
  };
  for (const auto& [from, to] : edits) {
    const std::string path = edited_kernels(from, to);
    EXPECT_GT(wrong_ones(path), 0) << from << " -> " << to;
    EXPECT_THROW(measure_ceilings(select_device(""), path, 1000, 0.0), Error) << from;
    std::remove(path.c_str());
  }
}

TEST(CeilingKernels, AreMissedWhereTheyAreMissing) {
  const std::string path = edited_kernels("Copy_float16", "Copy_other");
  EXPECT_THROW(verify_ceilings(select_device(""), path), Error);
  std::remove(path.c_str());
  // Non-temporal stores are something that a compiler may lack.
  const std::string without = edited_kernels("__has_builtin(", "!__has_builtin(");
  const std::vector<CeilingVerdict> verdicts = verify_ceilings(select_device(""), without);
  std::remove(without.c_str());
  for (const CeilingVerdict& verdict : verdicts) {
    EXPECT_EQ(verdict.problem, "") << verdict.kernel;
  }
}

}  // namespace
}  // namespace tutorial
