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
  const Ceilings found =
      ceilings_of(read(ceilings.csv_head() + columns + "Convolve,7,5,3,1,\n").head);
  EXPECT_EQ(found.multiply_adds_per_s, 1.25e12);
  EXPECT_EQ(found.copy_bytes_per_s, 3.5e9);
  EXPECT_EQ(found.copy_type, "float16 non-temporal");
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
  /// What the program prints for these measurements.
  std::string print(
      const std::optional<Ceilings>& ceilings, const std::vector<Measurement>& measurements) {
    Options options;
    options.program = "program";
    options.kernels = {{"Convolve"}};
    options.csv = path();
    testing::internal::CaptureStdout();
    Results results(options, device, Image(1000, 500));
    results.compare_with(ceilings);
    results.add(7, measurements);
    results.add(9, measurements);
    results.finish();
    return testing::internal::GetCapturedStdout();
  }

  cl::Device device = select_device("");
};

TEST_F(Table, MedianIsXFloorTimesTheFloor) {
  const Ceilings ceilings = make_ceilings(1e11, 1e10);
  const std::string text = print(
      ceilings, {make_measurement("Convolve", 2.5, false), make_measurement("OpenMP", 5.0, true)});
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
    measurements.push_back(make_measurement("Convolve_Def_Local_UnrollAll", ms, true));
  }
  const std::string text = print(make_ceilings(1e11, 1e10), measurements);
  for (const std::string& line : split(text, '\n')) {
    // How long a device's name is, is not for the table to say.
    EXPECT_TRUE(line.size() <= 80 || line.starts_with("device ")) << line;
  }
  EXPECT_NE(text.find(" 12345* "), std::string::npos) << text;
  EXPECT_NE(text.find(" 0.0010* "), std::string::npos) << text;
}

TEST_F(Table, HasNoSuchColumnWithoutCeilings) {
  const std::string text = print({}, {make_measurement("Convolve", 2.5, false)});
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
    for (const CeilingVerdict& verdict : verify_ceilings(device, kernel_file)) {
      wrong += verdict.problem.empty() ? 0 : 1;
    }
    return wrong;
  }

  cl::Device device = select_device("");
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
  };
  for (const auto& [from, to] : edits) {
    const std::string file = edited(from, to);
    EXPECT_GT(wrong_ones(file), 0) << from << " -> " << to;
    EXPECT_THROW(measure_ceilings(device, file, 1000, 0.0), Error) << from;
  }
}

TEST_F(CeilingKernels, AreMissedWhereTheyAreMissing) {
  EXPECT_THROW(verify_ceilings(device, edited("Copy_float16", "Copy_other")), Error);
  // Non-temporal stores are something that a compiler may lack.
  EXPECT_EQ(wrong_ones(edited("__has_builtin(", "!__has_builtin(")), 0);
}

TEST_F(CeilingKernels, AreMeasuredUnlessOnlyVerified) {
  const auto find = [this](bool verify_only, const std::string& kernel_file, std::string& printed) {
    Options options;
    options.time_budget_s = 0.0;
    options.verify_only = verify_only;
    testing::internal::CaptureStdout();
    const std::optional<Ceilings> ceilings =
        find_ceilings(device, options, Image(65, 43), kernel_file);
    printed = testing::internal::GetCapturedStdout();
    return ceilings;
  };
  std::string printed;
  const std::optional<Ceilings> ceilings = find(false, ROOFLINE_KERNEL_FILE, printed);
  ASSERT_TRUE(ceilings);
  EXPECT_GT(ceilings->multiply_adds_per_s, 0.0);
  EXPECT_EQ(printed, "ceilings " + ceilings->describe() + "\n");

  EXPECT_FALSE(find(true, ROOFLINE_KERNEL_FILE, printed));
  EXPECT_EQ(printed, "");

  EXPECT_FALSE(find(false, "no_such_file.cl", printed));
  EXPECT_EQ(printed.rfind("no x floor: ", 0), 0U) << printed;
  EXPECT_NE(printed.find("no_such_file.cl"), std::string::npos) << printed;
  EXPECT_EQ(printed.find('\n'), printed.size() - 1) << printed;
}

}  // namespace
}  // namespace tutorial
