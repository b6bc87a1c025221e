// The twin of system.cpp for Windows. Texts are UTF-8 here and UTF-16 there. On another
// system it is empty.
#ifdef _WIN32
#define UNICODE
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
// After windows.h
#include <shellapi.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "common/error.hpp"
#include "common/system.hpp"

namespace tutorial {
namespace {

std::wstring wide(const std::string& text) {
  std::wstring result(text.size(), L'\0');
  result.resize(MultiByteToWideChar(
      CP_UTF8, 0, text.data(), int(text.size()), result.data(), int(result.size())));
  return result;
}

std::string narrow(const std::wstring& text) {
  std::string result(3 * text.size(), '\0');
  result.resize(WideCharToMultiByte(
      CP_UTF8, 0, text.data(), int(text.size()), result.data(), int(result.size()), nullptr,
      nullptr));
  return result;
}

std::string last_error() {
  return std::system_category().message(int(GetLastError()));
}

/// A handle that is closed at last.
class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }

  HANDLE get() const { return handle_; }
  HANDLE* place() { return &handle_; }
  void close() {
    if (handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE) {
      CloseHandle(handle_);
    }
    handle_ = nullptr;
  }

 private:
  HANDLE handle_ = nullptr;
};

/// A pipe, whose end for writing a child inherits.
struct Pipe {
  Handle reads, writes;

  Pipe() {
    SECURITY_ATTRIBUTES inherited = {sizeof(inherited), nullptr, TRUE};
    const bool made = CreatePipe(reads.place(), writes.place(), &inherited, 0) != 0;
    require(made, "no pipe: {}", last_error());
    SetHandleInformation(reads.get(), HANDLE_FLAG_INHERIT, 0);
  }
};

void read_all(const Handle& pipe, std::string& text) {
  char bytes[65536];
  for (DWORD count = 0; ReadFile(pipe.get(), bytes, sizeof(bytes), &count, nullptr) != 0;) {
    text.append(bytes, count);
  }
}

/// One command line from which a program gets the same words back: its C library takes a backslash
/// for itself unless a quote follows.
std::wstring command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += line.empty() ? "\"" : " \"";
    std::size_t backslashes = 0;
    for (const char c : word) {
      line.append(c == '"' ? backslashes + 1 : 0, '\\');
      backslashes = c == '\\' ? backslashes + 1 : 0;
      line += c;
    }
    line.append(backslashes, '\\');
    line += '"';
  }
  return wide(line);
}

/// Of this program, with changes, as CreateProcess takes it.
std::wstring environment_block(const std::map<std::string, std::string>& changes) {
  std::map<std::string, std::string> all;
  wchar_t* const block = GetEnvironmentStringsW();
  for (const wchar_t* line = block; *line != 0; line += std::wcslen(line) + 1) {
    const std::string text = narrow(line);
    const std::size_t equals = text.find('=', 1);  // a drive's folder is =C:
    all[text.substr(0, equals)] = text.substr(equals + 1);
  }
  FreeEnvironmentStringsW(block);
  std::wstring result;
  for (const auto& [name, value] : changes) {
    all[name] = value;
  }
  for (const auto& [name, value] : all) {
    result += value.empty() ? L"" : wide(name + "=" + value) + L'\0';
  }
  return result + L'\0';
}

std::string crash_line;

LONG WINAPI say_crash_line(EXCEPTION_POINTERS* /*exception*/) {
  std::fputs(crash_line.c_str(), stderr);
  std::fflush(stderr);
  return EXCEPTION_CONTINUE_SEARCH;
}

}  // namespace

Finished run(const Process& process) {
  using Output = Process::Output;
  Pipe output, errors;
  const bool shown = process.output == Output::shown;
  STARTUPINFOW start = {};
  start.cb = sizeof(start);
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdOutput = shown ? GetStdHandle(STD_OUTPUT_HANDLE) : output.writes.get();
  start.hStdError = shown                                ? GetStdHandle(STD_ERROR_HANDLE)
                    : process.output == Output::together ? output.writes.get()
                                                         : errors.writes.get();
  // What is in the job ends with this program, too.
  const Handle job(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof(limits));
  std::vector<std::string> words = process.arguments;
  words.at(0) = std::filesystem::path(words[0]).make_preferred().string();
  std::wstring line = command_line(words);
  std::wstring block = environment_block(process.environment);
  PROCESS_INFORMATION started = {};
  std::fflush(nullptr);  // in order, where both go to one place
  const bool runs =
      CreateProcessW(
          nullptr, line.data(), nullptr, nullptr, TRUE,
          CREATE_SUSPENDED | CREATE_UNICODE_ENVIRONMENT, block.data(),
          process.folder.empty() ? nullptr : wide(process.folder).c_str(), &start, &started) != 0;
  if (!runs) {
    return {.status = 127, .errors = last_error()};
  }
  const Handle child(started.hProcess), thread(started.hThread);
  AssignProcessToJobObject(job.get(), child.get());
  ResumeThread(thread.get());
  output.writes.close();
  errors.writes.close();

  Finished finished;
  std::thread output_reader([&] { read_all(output.reads, finished.output); });
  std::thread errors_reader([&] { read_all(errors.reads, finished.errors); });
  const DWORD limit_ms = process.limit_s > 0.0 ? DWORD(1e3 * process.limit_s) : INFINITE;
  finished.timed_out = WaitForSingleObject(child.get(), limit_ms) == WAIT_TIMEOUT;
  if (finished.timed_out) {
    TerminateJobObject(job.get(), 1);
  }
  output_reader.join();
  errors_reader.join();
  DWORD status = 0;
  GetExitCodeProcess(child.get(), &status);
  finished.status = int(status);
  return finished;
}

void become(const Process& process) {
  Process shown = process;
  shown.output = Process::Output::shown;
  const Finished finished = run(shown);
  require(finished.status != 127, "cannot start {}: {}", process.arguments[0], finished.errors);
  std::exit(finished.status);
}

std::vector<std::string> arguments(int /*argc*/, char** /*argv*/) {
  int count = 0;
  wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> result;
  for (int i = 0; i < count; i++) {
    result.push_back(narrow(words[i]));
  }
  LocalFree(words);
  // Lines end as they do elsewhere, also where another program reads them.
  SetConsoleOutputCP(CP_UTF8);
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  return result;
}

std::string environment(const std::string& name) {
  const wchar_t* value = _wgetenv(wide(name).c_str());
  return value == nullptr ? "" : narrow(value);
}

void set_environment(const std::string& name, const std::string& value) {
  _wputenv_s(wide(name).c_str(), wide(value).c_str());
}

void say_at_a_crash(const std::string& line) {
  crash_line = line + "\n";
  SetUnhandledExceptionFilter(say_crash_line);
  std::signal(SIGABRT, [](int) {
    say_crash_line(nullptr);
    std::_Exit(3);
  });
}

double others_s() {
  // In units of 100 ns; what the kernel did contains what it idled.
  const auto seconds = [](const FILETIME& time) {
    return 1e-7 * (4294967296.0 * time.dwHighDateTime + time.dwLowDateTime);
  };
  FILETIME idle, kernel, user, began, ended, own_kernel, own_user;
  GetSystemTimes(&idle, &kernel, &user);
  GetProcessTimes(GetCurrentProcess(), &began, &ended, &own_kernel, &own_user);
  return seconds(kernel) - seconds(idle) + seconds(user) - seconds(own_kernel) - seconds(own_user);
}

Silence::Silence() : printed_(_dup(1)) {
  static const int nowhere = _wopen(L"NUL", _O_WRONLY);
  std::fflush(stdout);
  _dup2(nowhere, 1);
}

Silence::~Silence() {
  std::fflush(stdout);
  _dup2(printed_, 1);
  _close(printed_);
}

bool stderr_is_terminal() {
  return _isatty(2) != 0;
}

TemporaryFolder::TemporaryFolder() {
  static int made = 0;
  path_ = (std::filesystem::temp_directory_path() /
           fmt::format("tutorial-{}-{}", GetCurrentProcessId(), made++))
              .string();
  require(
      std::filesystem::create_directory(path_), "no folder can be made in {}",
      std::filesystem::temp_directory_path().string());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

Lock::Lock(const std::string& path)
    : file_(_wopen(wide(path).c_str(), _O_RDWR | _O_CREAT | _O_NOINHERIT, _S_IREAD | _S_IWRITE)) {
  OVERLAPPED whole = {};
  held_ =
      file_ >= 0 && LockFileEx(
                        reinterpret_cast<HANDLE>(_get_osfhandle(file_)),
                        LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &whole) != 0;
}

Lock::~Lock() {
  _close(file_);
}

}  // namespace tutorial
#endif
