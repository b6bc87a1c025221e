// A step of your own, for any result of one image. What is yours: the reference here, the kernel in
// convolution.cl, and the table below with a row for each kernel that you add.
#include "common/lab/work.hpp"

namespace {

// What is right, in double precision: so far each pixel as it is. `padded` is the image with its
// border repeated, (filter.width - 1) / 2 pixels on the left and above. The filter is yours to use
// or not, and its width may mean anything. A tolerance of 0: the result is exact.
tutorial::Reference reference(
    const tutorial::Image& padded, const tutorial::Filter& filter, const tutorial::Image& image) {
  const std::vector<double> zeros(image.size());
  tutorial::Reference right{image.width, image.height, zeros, zeros};
  const int border = (filter.width - 1) / 2;
  for (int y = 0; y < image.height; y++) {
    for (int x = 0; x < image.width; x++) {
      right.values[image.index(x, y)] = padded.at(x + border, y + border);  // write yours here
    }
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "A step of your own",
      .kernel_file = KERNEL_FILE,
      .kernels =
          {
              // The first is the baseline. How each is launched: one work-item for each pixel.
              {"My_Kernel", "", tutorial::per_pixel},
          },
      .openmp = false,  // the loop in C++ for all convolutions
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options, reference);
  });
}
