// Which fault turns this test red alone: what a kernel does beside its work, or only when it is
// timed, that passes for right; a time that is not that of all passes; a device or a limit that is
// taken for another one.
#include "common/lab/work.hpp"

#include <gtest/gtest.h>

#include <map>

#include "common/system.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// Two passes; `mistake` is what one of them does beside its work. The filter is one tap, which the
/// second one applies. With 4 and 5 it leaves alone what looks right already: a pixel, or a group
/// whose first is right.
const char* const passes = R"(
__kernel void First(
    __global float* input, __global float* between, const int pitch, const int width,
    const int mistake) {
  const int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  if (mistake != 1 || i != 5) between[i] = input[y * pitch + x];
  if (mistake == 2 && i == 0) between[-1] = 0;
  if (mistake == 3 && i == 0) input[3] += 1;
}
__kernel void Second(
    const __global float* between, __global float* taps, __global float* output, const int width,
    const int mistake) {
  const int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
  const bool is_right = mistake == 4 ? fabs(output[i]) < 1e30f
                        : mistake == 5 && output[y * width] == taps[0] * between[y * width];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (!is_right) output[i] = taps[0] * between[i];
  if (mistake == 6 && i == 0) taps[0] = -taps[0];
  if (mistake == 7 && i == 0) output[-1] = 0;
}
)";

Launch launch_passes(const Work& work, const KernelEntry& entry) {
  const cl::Program program = build_program(work.context, work.device, entry.file, "");
  const int mistake = std::stoi(entry.label.substr(7));
  const GuardedBuffer between(
      work.context, work.device, std::size_t(work.width) * std::size_t(work.height));
  const cl::NDRange global(work.width, work.height);
  cl::Kernel first(program, "First"), second(program, "Second");
  first.setArg(0, work.input);
  first.setArg(1, between.buffer());
  first.setArg(2, work.padded.width);
  first.setArg(3, work.width);
  first.setArg(4, mistake);
  second.setArg(0, between.buffer());
  second.setArg(1, work.taps);
  second.setArg(2, work.output.buffer());
  second.setArg(3, work.width);
  second.setArg(4, mistake);
  Launch launch = {second, global, cl::NDRange(work.width, 1)};
  launch.before = {{first, global, cl::NullRange}};
  launch.between = {between};
  return launch;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

class WorkTest : public testing::Test {
 protected:
  WorkTest() { write_whole(file, passes); }

  KernelEntry entry(int mistake) const {
    return {"Second:" + std::to_string(mistake), file, launch_passes};
  }

  TemporaryFolder folder;
  const std::string file = folder.path() + "/passes.cl";
  const cl::Device device = select_device("");
  const cl::CommandQueue queue{cl::Context(device), device, CL_QUEUE_PROFILING_ENABLE};
  const Image image = make_test_card(37, 23);
  Work work{queue, image, Filter{1, {0.75F}}};
};

TEST_F(WorkTest, VerifyFindsWhatAKernelDoesBesideItsWork) {
  const std::string outside = "wrote outside of the output buffer", input = "changed its input";
  const std::map<int, std::string> damages = {{0, ""}, {2, outside}, {3, input},  {4, ""},
                                              {5, ""}, {6, input},   {7, outside}};
  for (const auto& [mistake, damage] : damages) {
    const Verdict verdict = work.verify(work.launch(entry(mistake)));
    EXPECT_EQ(verdict.damage, damage) << mistake;
    EXPECT_EQ(verdict.passed, damage.empty()) << mistake;
    EXPECT_TRUE(verdict.bad_count == 0 || mistake == 6) << mistake;
  }
  const Verdict forgets = work.verify(work.launch(entry(1)));
  EXPECT_EQ(forgets.bad_count, 1U);
  EXPECT_EQ(forgets.bad_x, 5);
}

TEST_F(WorkTest, WhatIsPreparedIsVerifiedBeforeAndAfterItIsTimed) {
  Options options;
  options.kernels = {entry(0)};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Results results(options, device, image);
  EXPECT_FALSE(work.prepare(entry(1), results)) << "wrong";
  KernelEntry sparse = entry(0);
  sparse.sparse = true;
  EXPECT_FALSE(work.prepare(sparse, results)) << "does not suit the filter";
  const std::vector<Measurement> times = measure(
      {*work.prepare(entry(0), results), *work.prepare(entry(4), results),
       *work.prepare(entry(5), results)},
      0.0);
  EXPECT_TRUE(
      says(testing::internal::GetCapturedStdout(), "Second:0 skipped: for filters with at"));
  EXPECT_TRUE(
      says(testing::internal::GetCapturedStderr(), "Second:1, filter width 1: wrong at (5, 0)"));
  EXPECT_TRUE(times[0].verdict.value().passed);
  EXPECT_GT(times[1].verdict->bad_count, 20U) << "it works where there is poison alone";
  EXPECT_GT(times[2].verdict->bad_count, 20U);
  EXPECT_EQ(times[0].max_error, work.verify(work.launch(entry(0))).max_error);
}

TEST_F(WorkTest, ATimeIsThatOfAllPassesFromStartToEnd) {
  Options options;
  testing::internal::CaptureStdout();
  Results results(options, device, image);
  EXPECT_GT(work.prepare(entry(0), results)->run_ms(), 0.0);
  testing::internal::GetCapturedStdout();
  const std::vector<cl::Event> events = work.launch(entry(0))(queue);
  EXPECT_EQ(events.size(), 2U);
  double expected_ms = 0.0;
  for (const cl::Event& event : events) {
    event.wait();
    expected_ms += 1e-6 * double(
                              event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                              event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
  }
  EXPECT_DOUBLE_EQ(total_ms(events), expected_ms);
}

// --- Limits, as the device and the compiled kernel have them -------------------------------------

TEST_F(WorkTest, AKernelThatDoesNotFitSaysWhy) {
  write_whole(
      file,
      "__kernel void Any(__global float* output, __local float* tile) {\n"
      "  tile[get_local_id(0)] = 1; output[get_global_id(0)] = tile[0];\n}\n"
      "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void Fixed(__global float* output) "
      "{\n"
      "  output[get_global_id(0)] = 1;\n}\n");
  const cl::Program program = build_program(work.context, device, file, "");
  const cl::Kernel kernel(program, "Any");
  const auto most = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  const auto local_bytes = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  const auto why = [&](const KernelEntry& entry, const cl::NDRange& local, std::size_t bytes) {
    return why_not(device, entry, kernel, local, bytes).value_or("");
  };
  EXPECT_EQ(why({"Any"}, {most, 1}, 64), "");
  EXPECT_TRUE(says(why({"Any"}, {most, 2}, 64), "this kernel allows"));
  EXPECT_EQ(why({"Any"}, {8, 1}, local_bytes - 64), "");
  EXPECT_TRUE(says(why({"Any"}, {8, 1}, local_bytes + 1), "local memory, the device has"));
  const KernelEntry fours = {.label = "Any", .tile = true, .group_multiple = 4};
  EXPECT_EQ(why(fours, {8, 3}, 64), "");
  EXPECT_TRUE(says(why(fours, {6, 4}, 64), "multiple of 4"));
  EXPECT_FALSE(why_not(device, {"Fixed"}, cl::Kernel(program, "Fixed"), {8, 4}));
}

TEST_F(WorkTest, APrologueStandsInFrontAndTheReadersOptionsCount) {
  write_whole(file, "__kernel void Line(__global int* output) { output[0] = __LINE__ + MORE; }\n");
  const auto built = [&](const std::string& options, const std::string& prologue) {
    cl::Kernel kernel(build_program(work.context, device, file, options, prologue), "Line");
    int line = 0;
    const cl::Buffer output(work.context, CL_MEM_READ_WRITE, sizeof(line));
    kernel.setArg(0, output);
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1));
    queue.enqueueReadBuffer(output, CL_TRUE, 0, sizeof(line), &line);
    return line;
  };
  EXPECT_EQ(built("-DMORE=10", ""), 11);
  EXPECT_EQ(built("", "#define MORE 20\n\n"), 21);
  set_environment("TUTORIAL_BUILD_OPTIONS", "-DMORE=40");
  testing::internal::CaptureStderr();
  EXPECT_EQ(built("", ""), 41);
  EXPECT_TRUE(says(testing::internal::GetCapturedStderr(), "-DMORE=40"));
  set_environment("TUTORIAL_BUILD_OPTIONS", "");
}

TEST(Devices, AreFoundByNumberNameAndPlatform) {
  const std::string usual = environment("TUTORIAL_DEVICE");
  const std::vector<NumberedDevice> devices = list_devices();
  for (const auto& [platform, number, device] : devices) {
    const std::string numbers = fmt::format("{}:{}", platform, number);
    EXPECT_EQ(select_device(numbers)(), device()) << numbers;
    EXPECT_EQ(device_name(select_device(lower(device_name(device)))), device_name(device));
    EXPECT_EQ(platform_name(select_device(lower(platform_name(device)))), platform_name(device));
    set_environment("TUTORIAL_DEVICE", numbers);
    EXPECT_EQ(select_device("")(), device()) << numbers;
    EXPECT_EQ(select_device("0:0")(), devices.front().device()) << "what is asked for, first";
    EXPECT_EQ(is_cpu(device), device_type(device) == "CPU");
  }
  set_environment("TUTORIAL_DEVICE", usual);
  EXPECT_THROW(select_device("no such device"), Error);
  EXPECT_THROW(select_device("9:0"), Error);
}

}  // namespace
}  // namespace tutorial
