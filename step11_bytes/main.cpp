// How each kernel is built and launched stands in launch.cpp: read that.
#include "common/lab/work.hpp"
#include "step11_bytes/launch.hpp"
#include "step11_bytes/work.hpp"
#include "step9_autotune/search.hpp"

int main(int argc, char** argv) {
  const tutorial::ProgramInfo info = {
      .title = "Step 11: pixels of one byte",
      .kernels = tutorial::step11::kernels(),
      .keeps_baseline = false,
      .tuned = true,
      .more_ceilings = tutorial::step11::products,
      .flags = tutorial::search_flags("winners-bytes.csv"),
  };
  return tutorial::run_program(argc, argv, info, [](const tutorial::Options& options) {
    return tutorial::run_kernels(
        options, tutorial::step11::byte_room, tutorial::tune,
        tutorial::make_work<tutorial::ByteWork>);
  });
}
