// How each kernel is built and launched stands in launch.cpp: read that.
#include "common/lab/work.hpp"
#include "step8_baked_filter/launch.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 8: the filter becomes a part of the program",
      .kernels = tutorial::step8::kernels(),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options);
  });
}
