#include "common/system.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

#include "common/error.hpp"

#ifndef _WIN32  // system_windows.cpp
#include <sys/file.h>
#include <sys/wait.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace tutorial {
namespace {

volatile std::sig_atomic_t running_group = 0;

/// Ends with what it started.
void end_both(int signal) {
  if (running_group > 0) {
    kill(-running_group, SIGTERM);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Returns if it cannot.
void execute(const Process& process) {
  std::vector<char*> arguments;
  for (const std::string& argument : process.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  for (const auto& [name, value] : process.environment) {
    set_environment(name, value);
  }
  if (process.folder.empty() || chdir(process.folder.c_str()) == 0) {
    execvp(arguments[0], arguments.data());
  }
}

// What the signal handler prints: it may call next to nothing, so the line stands ready.
char crash_line[256];

extern "C" void say_crash_line(int signal) {
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

Finished run_into(const Process& process, int output, int errors) {
  const pid_t child = fork();
  require(child >= 0, "no process: {}", std::strerror(errno));
  if (child == 0) {
    setpgid(0, 0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
      std::signal(signal, SIG_DFL);
    }
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    alarm(static_cast<unsigned>(std::ceil(process.limit_s)));
    execute(process);
    _exit(127);
  }
  setpgid(child, child);
  running_group = child;
  std::map<int, void (*)(int)> before;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    before[signal] = std::signal(signal, end_both);
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  running_group = 0;
  for (const auto& [signal, handler] : before) {
    std::signal(signal, handler);
  }
  if (WIFEXITED(state)) {
    return {.status = WEXITSTATUS(state)};
  }
  kill(-child, SIGKILL);  // its children
  return {.status = 128 + WTERMSIG(state), .timed_out = WTERMSIG(state) == SIGALRM};
}

void become(const Process& process) {
  execute(process);
  throw Error(fmt::format("cannot start {}: {}", process.arguments[0], std::strerror(errno)));
}

std::vector<std::string> arguments(int argc, char** argv) {
  return {argv, argv + argc};
}

std::string environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

void set_environment(const std::string& name, const std::string& value) {
  value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
}

void say_at_a_crash(const std::string& line) {
  std::snprintf(crash_line, sizeof(crash_line), "%s\n", line.c_str());
  // A sanitizer says more. A driver's compiler has handlers, too: while the one of a first thread
  // begins, the crash of a second one would end the program without a word.
#ifndef __SANITIZE_ADDRESS__
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT}) {
    std::signal(signal, say_crash_line);
  }
#endif
}

double others_s() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  double user = 0.0, nice = 0.0, system = 0.0, idle = 0.0, io_wait = 0.0, irq = 0.0, soft_irq = 0.0;
  double stolen = 0.0;
  stat >> cpu >> user >> nice >> system >> idle >> io_wait >> irq >> soft_irq >> stolen;
  const double ticks = user + nice + system + irq + soft_irq + stolen;
  const double own_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return ticks > 0.0 ? ticks / static_cast<double>(sysconf(_SC_CLK_TCK)) - own_s : 0.0;
}

bool lock(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace tutorial
#endif

// --- On every system -----------------------------------------------------------------------------

namespace tutorial {

Finished run_into(const Process& process, int output, int errors);  // each in its way

Finished run(const Process& process) {
  std::fflush(stdout);  // in order, where both go to one place
  if (process.output == Process::Output::shown) {
    return run_into(process, STDOUT_FILENO, STDERR_FILENO);
  }
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const File output(std::tmpfile(), std::fclose), errors(std::tmpfile(), std::fclose);
  require(output && errors, "no temporary file: {}", std::strerror(errno));
  const bool together = process.output == Process::Output::together;
  Finished finished =
      run_into(process, fileno(output.get()), fileno((together ? output : errors).get()));
  const auto read = [](const File& file, std::string& text) {
    std::rewind(file.get());
    char bytes[65536];
    while (const std::size_t count = std::fread(bytes, 1, sizeof(bytes), file.get())) {
      text.append(bytes, count);
    }
  };
  read(output, finished.output);
  read(errors, finished.errors);
  return finished;
}

std::shared_ptr<void> silence() {
  constexpr bool windows = std::filesystem::path::preferred_separator == '\\';
  static const int nowhere = open(windows ? "NUL" : "/dev/null", O_WRONLY);
  std::fflush(stdout);
  const int printed = dup(STDOUT_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  return {nullptr, [printed](void*) {
            std::fflush(stdout);
            dup2(printed, STDOUT_FILENO);
            close(printed);
          }};
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

TemporaryFolder::TemporaryFolder() {
  const auto parent = std::filesystem::temp_directory_path();
  path_ = (parent / fmt::format("tutorial-{:08x}", std::random_device()())).string();
  require(std::filesystem::create_directory(path_), "no folder can be made in {}", parent.string());
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

}  // namespace tutorial
