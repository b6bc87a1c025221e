// How each kernel is built and launched stands in launch.cpp: read that.
#include "common/ladder.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 11: pixels of one byte",
      .kernels = tutorial::step11::kernels(),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(
        options, tutorial::step11::byte_room, nullptr, tutorial::make_byte_work);
  });
}
