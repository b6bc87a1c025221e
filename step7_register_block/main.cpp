// How each kernel is built and launched stands in launch.cpp: read that.
#include "common/lab/work.hpp"
#include "step7_register_block/launch.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 7: a work-item computes a block of outputs",
      .kernels = tutorial::step7::kernels(),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options);
  });
}
