// A whole OpenCL program: it blurs an image on a device, checks every pixel, and prints the time.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <vector>

// What the device does for one pixel. The driver compiles this text while the program runs.
const char kernel_text[] = R"(
__kernel void Convolve(
    const __global float* input, __constant float* filter, __global float* output,
    const int input_width, const int filter_width) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);

  float sum = 0.0f;
  for (int r = 0; r < filter_width; r++) {
    for (int c = 0; c < filter_width; c++) {
      sum += filter[r * filter_width + c] * input[(y + r) * input_width + x + c];
    }
  }
  output[y * get_global_size(0) + x] = sum;
}
)";
using Floats = std::vector<float>;
const int size = 2048, filter_width = 7, taps = filter_width * filter_width;
const int border = filter_width / 2, input_width = size + 2 * border;

void save(const char* name, const Floats& pixels, int width) {
  std::ofstream file(name, std::ios::binary);
  file << "P5 " << width << ' ' << pixels.size() / width << " 255\n";
  for (const float pixel : pixels)
    file.put(static_cast<char>(std::lround(255 * pixel)));
}

int main() {
  cl::Context context;
  try {
    context = cl::Context(CL_DEVICE_TYPE_GPU);
  } catch (const cl::Error&) {  // no driver has a GPU
    context = cl::Context(CL_DEVICE_TYPE_ALL);
  }
  const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>()[0];
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  cl::Program program(context, kernel_text);
  try {
    program.build(device);
  } catch (const cl::BuildError& error) {
    std::cerr << error.getBuildLog()[0].second;
    return 1;
  }
  // Rings, with copies of the image's edge around them; and a filter that takes the mean.
  Floats input(input_width * input_width), output(size * size), filter(taps, 1.0f / taps);
  for (int i = 0; i < input_width * input_width; i++) {
    const int x = std::clamp(i % input_width - border, 0, size - 1);
    const int y = std::clamp(i / input_width - border, 0, size - 1);
    input[i] = 0.5f + 0.5f * std::cos(0.00044f * (x * x + 0.5f * y * y));
  }
  const cl::Buffer input_buffer(context, CL_MEM_READ_ONLY, sizeof(float) * input.size());
  const cl::Buffer filter_buffer(context, CL_MEM_READ_ONLY, sizeof(float) * filter.size());
  const cl::Buffer output_buffer(context, CL_MEM_WRITE_ONLY, sizeof(float) * output.size());
  queue.enqueueWriteBuffer(input_buffer, CL_TRUE, 0, sizeof(float) * input.size(), input.data());
  queue.enqueueWriteBuffer(filter_buffer, CL_TRUE, 0, sizeof(float) * taps, filter.data());

  cl::Kernel kernel(program, "Convolve");
  kernel.setArg(0, input_buffer);
  kernel.setArg(1, filter_buffer);
  kernel.setArg(2, output_buffer);
  kernel.setArg(3, input_width);
  kernel.setArg(4, filter_width);
  const cl::NDRange global(size, size);  // one work-item for each pixel of the output
  cl::Event event;
  double ms = 1e9;
  for (int run = 0; run < 10; run++) {  // the shortest counts: a disturbance makes a run longer
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, global, cl::NullRange, nullptr, &event);
    event.wait();
    const auto start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    ms = std::min(ms, 1e-6 * (end - start));
  }
  queue.enqueueReadBuffer(output_buffer, CL_TRUE, 0, sizeof(float) * size * size, output.data());
  int correct = 0;
  for (int i = 0; i < size * size; i++) {
    double sum = 0;
    for (int t = 0; t < taps; t++) {
      const int row = i / size + t / filter_width, column = i % size + t % filter_width;
      sum += filter[t] * input[row * input_width + column];
    }
    correct += std::abs(output[i] - sum) < 1e-5;
  }
  save("before.pgm", input, input_width);
  save("after.pgm", output, size);
  std::cout << device.getInfo<CL_DEVICE_NAME>() << '\n'
            << correct << " of " << size * size << " pixels are correct\n"
            << ms << " ms, " << 1e-6 * size * size / ms << " Gpixel/s\n";
}
