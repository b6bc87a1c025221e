#ifndef _WIN32  // system_windows.cpp
#include "common/system.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "common/error.hpp"

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

/// Two ends of a pipe; what is still open is closed at last.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};

  Pipe() { require(pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe: {}", std::strerror(errno)); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  void close(int end) {
    if (ends[end] >= 0) {
      ::close(ends[end]);
      ends[end] = -1;
    }
  }
};

/// Adds what can be read now. Returns whether there may be more.
bool read_some(int file, std::string& text) {
  std::array<char, 65536> bytes{};
  const ssize_t count = read(file, bytes.data(), bytes.size());
  text.append(bytes.data(), count > 0 ? count : 0);
  return count > 0 || (count < 0 && errno == EINTR);
}

}  // namespace

Finished run(const Process& process) {
  using Output = Process::Output;
  Pipe output, errors;
  const pid_t child = fork();
  require(child >= 0, "no process: {}", std::strerror(errno));
  if (child == 0) {
    setpgid(0, 0);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      std::signal(signal, SIG_DFL);
    }
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    if (process.output != Output::shown) {
      dup2(output.ends[1], STDOUT_FILENO);
      dup2(process.output == Output::together ? output.ends[1] : errors.ends[1], STDERR_FILENO);
    }
    execute(process);
    _exit(127);
  }
  setpgid(child, child);
  running_group = child;
  std::map<int, void (*)(int)> before;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    before[signal] = std::signal(signal, end_both);
  }
  output.close(1);
  errors.close(1);

  Finished finished;
  const auto start = std::chrono::steady_clock::now();
  while (output.ends[0] >= 0 || errors.ends[0] >= 0) {
    std::array<pollfd, 2> files = {{{output.ends[0], POLLIN, 0}, {errors.ends[0], POLLIN, 0}}};
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    const double left_s = process.limit_s - passed.count();
    if (process.limit_s > 0.0 && left_s <= 0.0 && !finished.timed_out) {
      finished.timed_out = true;
      kill(-child, SIGKILL);
    }
    const bool waits = process.limit_s > 0.0 && !finished.timed_out;
    poll(files.data(), files.size(), waits ? static_cast<int>(1e3 * left_s) + 1 : -1);
    if (files[0].revents != 0 && !read_some(output.ends[0], finished.output)) {
      output.close(0);
    }
    if (files[1].revents != 0 && !read_some(errors.ends[0], finished.errors)) {
      errors.close(0);
    }
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  running_group = 0;
  for (const auto& [signal, handler] : before) {
    std::signal(signal, handler);
  }
  finished.status = WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
  return finished;
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

Silence::Silence() : printed_(dup(STDOUT_FILENO)) {
  static const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  std::fflush(stdout);
  dup2(nowhere, STDOUT_FILENO);
}

Silence::~Silence() {
  std::fflush(stdout);
  dup2(printed_, STDOUT_FILENO);
  close(printed_);
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

TemporaryFolder::TemporaryFolder() {
  path_ = (std::filesystem::temp_directory_path() / "tutorial-XXXXXX").string();
  require(
      mkdtemp(path_.data()) != nullptr, "no folder can be made in {}: {}",
      std::filesystem::temp_directory_path().string(), std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

Lock::Lock(const std::string& path)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)),
      held_(file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0) {}

Lock::~Lock() {
  close(file_);
}

}  // namespace tutorial
#endif
