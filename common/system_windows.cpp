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
#include <share.h>
#include <sys/stat.h>
#include <windows.h>
// After windows.h
#include <shellapi.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "common/error.hpp"
#include "common/system.hpp"

namespace tutorial {
namespace {

std::wstring wide(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end())).wstring();
}

std::string narrow(const std::wstring& text) {
  const std::u8string result = std::filesystem::path(text).u8string();
  return {result.begin(), result.end()};
}

/// Is closed at last.
using Handle = std::unique_ptr<void, decltype(&CloseHandle)>;

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

std::string crash_line;

LONG WINAPI say_crash_line(EXCEPTION_POINTERS* /*exception*/) {
  std::fputs(crash_line.c_str(), stderr);
  std::fflush(stderr);
  return EXCEPTION_CONTINUE_SEARCH;
}

}  // namespace

Finished run_into(const Process& process, int output, int errors) {
  const auto inherited = [](int file) {
    const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(file));
    SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return handle;
  };
  STARTUPINFOW start = {};
  start.cb = sizeof(start);
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdOutput = inherited(output);
  start.hStdError = inherited(errors);
  // What is in the job ends with this program, too.
  const Handle job(CreateJobObjectW(nullptr, nullptr), CloseHandle);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof(limits));
  std::vector<std::string> words = process.arguments;
  words.at(0) = std::filesystem::path(words[0]).make_preferred().string();
  std::wstring line = command_line(words);
  std::map<std::string, std::string> environment_of_this = process.environment;
  const auto exchange = [&environment_of_this] {
    for (auto& [name, value] : environment_of_this) {
      const std::string before = environment(name);
      set_environment(name, value);
      value = before;
    }
  };
  exchange();
  PROCESS_INFORMATION started = {};
  const bool runs =
      CreateProcessW(
          nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr,
          process.folder.empty() ? nullptr : wide(process.folder).c_str(), &start, &started) != 0;
  const std::string problem = std::system_category().message(int(GetLastError()));
  exchange();
  if (!runs) {
    return {.status = 127, .errors = problem};
  }
  const Handle child(started.hProcess, CloseHandle), thread(started.hThread, CloseHandle);
  AssignProcessToJobObject(job.get(), child.get());
  ResumeThread(thread.get());
  const DWORD limit_ms = process.limit_s > 0.0 ? DWORD(1e3 * process.limit_s) : INFINITE;
  const bool timed_out = WaitForSingleObject(child.get(), limit_ms) == WAIT_TIMEOUT;
  if (timed_out) {
    TerminateJobObject(job.get(), 1);
    WaitForSingleObject(child.get(), INFINITE);
  }
  DWORD status = 0;
  GetExitCodeProcess(child.get(), &status);
  return {.status = int(status), .timed_out = timed_out};
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
  return 0.0;  // nor does it tell which threads wait, which would count then
}

bool lock(const std::string& path) {
  constexpr int how = _O_RDWR | _O_CREAT | _O_NOINHERIT;
  return _wsopen(wide(path).c_str(), how, _SH_DENYRW, _S_IREAD | _S_IWRITE) >= 0;
}

}  // namespace tutorial
#endif
