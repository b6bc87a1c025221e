// How each kernel is built and launched stands in launch.cpp: read that.
#include "common/lab/work.hpp"
#include "step10_fft/launch.hpp"
#include "step9_autotune/search.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 10: wide filters by Fourier transforms",
      .kernels = tutorial::step10::kernels(),
      .tuned = true,
      .flags = tutorial::search_flags(),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(options, tutorial::step10::tile_room, tutorial::tune);
  });
}
