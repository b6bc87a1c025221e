// How each kernel is built and launched stands in launch.cpp of the steps before; what this step
// adds, in search.cpp: read that.
#include "common/lab/work.hpp"
#include "step8_baked_filter/launch.hpp"
#include "step9_autotune/search.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 9: the host searches for what suits the device",
      .kernels = tutorial::step8::kernels(),
      .tuned = true,
      .flags = tutorial::search_flags(),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    // What suits this device and filter best has to be tried: kernels, blocks and work-groups.
    return tutorial::run_kernels(options, tutorial::block_room, tutorial::tune);
  });
}
