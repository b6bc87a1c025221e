#include "common/opencl.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace tutorial {
namespace {

struct Failure {
  cl_int code;
  const char* name;
  const char* hint;
};

#define NAMED(code) code, #code

// Those that users of the tutorial's programs meet, and what usually helps.
constexpr Failure failures[] = {
    {NAMED(CL_DEVICE_NOT_AVAILABLE), "another program may hold the device"},
    {NAMED(CL_DEVICE_PARTITION_FAILED), "it cannot be divided like this, or not at all"},
    {NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE), "the device is out of memory; try a smaller image"},
    {NAMED(CL_OUT_OF_RESOURCES),
     "an earlier kernel may have read or written out of bounds (run it under Oclgrind), or a limit "
     "of the device is exceeded"},
    {NAMED(CL_OUT_OF_HOST_MEMORY), "the host is out of memory"},
    {NAMED(CL_INVALID_COMMAND_QUEUE), "an earlier kernel may have crashed on the device"},
    {NAMED(CL_INVALID_KERNEL_NAME), "the kernels' file has none of this name"},
    {NAMED(CL_INVALID_ARG_INDEX), "the kernel has fewer parameters than the host sets"},
    {NAMED(CL_INVALID_ARG_VALUE), "a parameter of the kernel has another type than the host sets"},
    {NAMED(CL_INVALID_ARG_SIZE), "a parameter of the kernel has another type than the host sets"},
    {NAMED(CL_INVALID_KERNEL_ARGS), "an argument of the kernel was not set"},
    {NAMED(CL_INVALID_WORK_GROUP_SIZE),
     "the work-group is too large for the device or kernel, or does not divide the global size"},
    {NAMED(CL_INVALID_WORK_ITEM_SIZE), "the work-group is too large for the device"},
    {NAMED(CL_INVALID_BUFFER_SIZE),
     "the device cannot hold a buffer of this size; try a smaller image"},
};

// What the signal handler prints: it may call next to nothing, so the line stands ready.
char crash_line[256];

extern "C" void say_what_ran(int signal) {
  // A driver's threads may crash together: the first one writes, and then ends the program.
  static std::atomic_flag said;
  while (said.test_and_set()) {
    pause();
  }
  [[maybe_unused]] const auto lost = write(STDERR_FILENO, crash_line, std::strlen(crash_line));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

std::string describe(const cl::Error& error) {
  const auto* const found = std::ranges::find(failures, error.err(), &Failure::code);
  const std::string meaning =
      found == std::end(failures) ? "" : fmt::format(": {}: {}", found->name, found->hint);
  return fmt::format("{} failed with error {}{}", error.what(), error.err(), meaning);
}

void now_running(const std::string& what) {
  std::snprintf(
      crash_line, sizeof(crash_line),
      "%.130s: crashed; out of bounds? `oclgrind PROGRAM --device oclgrind --size 64x48 ...` says "
      "where\n",
      what.c_str());
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT}) {
    struct sigaction handler {};
    sigaction(signal, nullptr, &handler);
    if (handler.sa_handler == SIG_DFL) {  // not a sanitizer's, nor a compiler's, which calls ours
      handler.sa_handler = say_what_ran;
      sigaction(signal, &handler, nullptr);
    }
  }
}

}  // namespace tutorial
