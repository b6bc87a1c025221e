// A step of your own: its kernels, how they are launched (launch.cpp), and the table.
#include "studies/two_passes/launch.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "A separable filter in two passes",
      .kernel_file = KERNEL_FILE,
      .kernels = tutorial::two_passes::kernels(),
      .filter = "separable",
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options, tutorial::two_passes::block_room);
  });
}
