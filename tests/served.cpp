// Preloaded by programs.bash, it makes of a program one that runs anew, in a child, for each line
// of arguments on stdin, and answers with the exit status: loading the simulator's compiler takes
// as long as a small kernel, and is done once.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

int (*program_main)(int, char**, char**);

/// What is printed goes into the files `out` and `err`; a run of a minute ends by a signal.
int run(std::vector<std::string> words, char** environment) {
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  alarm(60);
  const bool redirected = std::freopen("out", "w", stdout) && std::freopen("err", "w", stderr);
  return redirected ? program_main(static_cast<int>(words.size()), arguments.data(), environment)
                    : 1;
}

int serve(int count, char** own, char** environment) {
  for (std::string line; std::getline(std::cin, line);) {
    if (fork() == 0) {
      std::istringstream in(line);
      std::vector<std::string> words(own, own + count);
      for (std::string word; in >> word;) {
        words.push_back(word);
      }
      return run(words, environment);
    }
    int status = 0;
    wait(&status);
    std::cout << (WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)) << std::endl;
  }
  return 0;
}

}  // namespace

extern "C" int __libc_start_main(
    int (*main)(int, char**, char**), int count, char** arguments, void (*begin)(), void (*end)(),
    void (*linker_end)(), void* stack) {
  program_main = main;
  const auto start =
      reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(serve, count, arguments, begin, end, linker_end, stack);
}
