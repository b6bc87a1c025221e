// What ERRATA.md says of the published listings, proven: by counting where counting will do, else
// on the device. Each test has the number of its row. A device that tolerates a mistake that OpenCL
// forbids proves nothing; the test is skipped there.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/device.hpp"
#include "common/opencl.hpp"
#include "common/work_group.hpp"

namespace {

// --- By counting
// ----------------------------------------------------------------------------------

using Window = std::array<int, 9>;  // 3 x 3, row by row

void sort3(Window& window, std::size_t a, std::size_t b, std::size_t c) {
  std::array<int, 3> values = {window[a], window[b], window[c]};
  std::sort(values.begin(), values.end());
  window[a] = values[0];
  window[b] = values[1];
  window[c] = values[2];
}

/// What is in the centre once rows, columns and then the diagonal a, 4, c are sorted.
int centre_after_sorting(Window window, std::size_t a, std::size_t c) {
  for (const std::size_t row : {0U, 3U, 6U}) {
    sort3(window, row, row + 1, row + 2);
  }
  for (const std::size_t column : {0U, 1U, 2U}) {
    sort3(window, column, column + 3, column + 6);
  }
  sort3(window, a, 4, c);
  return window[4];
}

TEST(Errata, E01TheMainDiagonalGivesTheMedianOf4In7Orders) {
  Window order{};
  std::iota(order.begin(), order.end(), 0);
  int orders = 0;
  int main_diagonal = 0;
  int anti_diagonal = 0;
  do {
    orders++;
    main_diagonal += centre_after_sorting(order, 0, 8) == 4 ? 1 : 0;
    anti_diagonal += centre_after_sorting(order, 2, 6) == 4 ? 1 : 0;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 362880);
  EXPECT_EQ(anti_diagonal, orders);
  EXPECT_EQ(7 * main_diagonal, 4 * orders) << main_diagonal;  // 57.1 %
}

/// Of how many float4 the tile of a 16 x 16 work-group consists.
int quads_in_tile(int filter_width) {
  const int side = 16 + filter_width - 1;
  return tutorial::round_up(side, 4) / 4 * side;
}

TEST(Errata, E06OneFloat4AWorkItemIsEnoughUpToWidth17) {
  for (int width = 1; width <= 32; width++) {
    EXPECT_EQ(quads_in_tile(width) <= 16 * 16, width <= 17) << width;
  }
  EXPECT_EQ(quads_in_tile(17), 256);
  EXPECT_EQ(quads_in_tile(18), 297);
}

TEST(Errata, E19RowsOfWholeFloat4sAreShorterThanTheImage) {
  // The pixel that medianfilter_x4 takes for the first one of row y, in an image `width` wide.
  const auto first_pixel = [](int y, int width) { return y * (width / 4) * 4; };
  EXPECT_EQ(first_pixel(3, 640), 3 * 640);
  EXPECT_EQ(first_pixel(3, 642), 3 * 642 - 6);
}

TEST(Errata, E20AnEvenFilterLosesARowAndAColumn) {
  // Outputs in a row of `image_width` pixels: as chapter 7 counts them, and as many as there are.
  const auto printed = [](int image_width, int width) { return image_width - width / 2 * 2; };
  const auto possible = [](int image_width, int width) { return image_width - width + 1; };
  for (int width = 1; width <= 32; width++) {
    EXPECT_EQ(possible(600, width) - printed(600, width), width % 2 == 0 ? 1 : 0) << width;
  }
}

TEST(Errata, E21AnImageNarrowerThanTheFilterHasAnEmptyNDRange) {
  // Chapter 7's sum in its types: the difference is negative, and becomes unsigned.
  const auto global_width = [](unsigned image_width, unsigned padding) {
    const unsigned value = image_width - padding;
    const unsigned remainder = value % 16U;
    return remainder == 0 ? value : value + (16U - remainder);
  };
  EXPECT_EQ(global_width(600, 6), 608U);
  for (unsigned image_width = 1; image_width <= 6; image_width++) {
    EXPECT_EQ(global_width(image_width, 6), 0U) << image_width;
  }
}

// --- On the device
// --------------------------------------------------------------------------------

class ErrataTest : public testing::Test {
 protected:
  cl::Device device_ = tutorial::select_device("");
  cl::Context context_{device_};
  cl::CommandQueue queue_{context_, device_};  // without CL_QUEUE_PROFILING_ENABLE

  /// The error that building `source` gives, or CL_SUCCESS.
  cl_int build_error(const std::string& source, const std::string& options = "") const {
    try {
      cl::Program(context_, source).build(device_, options.c_str());
    } catch (const cl::Error& error) {
      return error.err();
    }
    return CL_SUCCESS;
  }
};

TEST_F(ErrataTest, E03TheConstantIsADouble) {
  const std::string source =
      "__kernel void Size(__global int* size) { *size = sizeof(0.3f * 1 + 0.59 * 1); }";
  const bool doubles = device_.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  if (build_error(source) != CL_SUCCESS) {
    EXPECT_FALSE(doubles) << "such a constant must build where there are doubles";
    return;
  }
  const cl::Buffer size(context_, CL_MEM_WRITE_ONLY, sizeof(cl_int));
  cl::Kernel kernel(cl::Program(context_, source, true), "Size");
  kernel.setArg(0, size);
  queue_.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1));
  cl_int bytes = 0;
  queue_.enqueueReadBuffer(size, CL_TRUE, 0, sizeof(bytes), &bytes);
  EXPECT_EQ(bytes, doubles ? 8 : 4);
}

TEST_F(ErrataTest, E05ARegionWiderThanTheHostsRowsIsRefused) {
  // 600 floats a row on the host, 608 on the device, and a region of 608.
  constexpr std::size_t host_pitch = 600 * sizeof(float);
  constexpr std::size_t device_pitch = 608 * sizeof(float);
  constexpr std::size_t rows = 4;
  const cl::Buffer buffer(context_, CL_MEM_READ_ONLY, device_pitch * rows);
  const std::vector<float> image(608 * rows);  // what is read past a row is still ours
  const auto write = [&](std::size_t width_bytes) {
    queue_.enqueueWriteBufferRect(
        buffer, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {width_bytes, rows, 1}, device_pitch, 0, host_pitch,
        0, image.data());
  };
  EXPECT_NO_THROW(write(host_pitch));
  try {
    write(device_pitch);
    GTEST_SKIP() << "this driver accepts it";
  } catch (const cl::Error& error) {
    EXPECT_EQ(error.err(), CL_INVALID_VALUE);
  }
}

TEST_F(ErrataTest, E07AQueueMadeWithoutProfilingHasNoTimes) {
  const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, 64);
  cl::Event event;
  queue_.enqueueFillBuffer(buffer, 0.0F, 0, 64, nullptr, &event);
  event.wait();
  try {
    event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    GTEST_SKIP() << "this driver gives times all the same";
  } catch (const cl::Error& error) {
    EXPECT_EQ(error.err(), CL_PROFILING_INFO_NOT_AVAILABLE);
  }
}

TEST_F(ErrataTest, E09WithoutTheOptionThereIsNoFilterWidth) {
  const std::string source = "__kernel void Width(__global int* width) { *width = FILTER_WIDTH; }";
  EXPECT_EQ(build_error(source), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build_error(source, "-DFILTER_WIDTH=5"), CL_SUCCESS);
}

// The listing's calls in C. At the launch, which comes next, some drivers crash.
TEST_F(ErrataTest, E25AFailedBuildStopsNoneOfTheNextCalls) {
  const char* source = "__kernel void Fill(__global int* x) { *x = not_declared; }";
  const cl::Program program(clCreateProgramWithSource(context_(), 1, &source, nullptr, nullptr));
  const cl_int build_status = clBuildProgram(program(), 1, &device_(), nullptr, nullptr, nullptr);
  cl_kernel kernel = clCreateKernel(program(), "Fill", nullptr);
  const cl_int argument = clSetKernelArg(kernel, 0, sizeof(cl_int), &build_status);
  EXPECT_EQ(build_status, CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(kernel, nullptr);
  EXPECT_EQ(argument, CL_INVALID_KERNEL);
}

TEST_F(ErrataTest, E22ADashIsNoMinus) {
  const auto source = [](const char* minus) {
    return "__kernel void Left(__global int* x, int width) { *x = width " + std::string(minus) +
           " 1; }";
  };
  EXPECT_EQ(build_error(source("-")), CL_SUCCESS);
  EXPECT_EQ(build_error(source("\u2013")), CL_BUILD_PROGRAM_FAILURE);
}

}  // namespace
