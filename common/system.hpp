// Every call that is not standard C++: processes, terminal, environment, the time of other
// programs. A twin of system.cpp for another system is all that such a system needs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tutorial {

/// A program to run, with nothing on stdin. Its name is looked for in PATH unless it has a folder.
/// There is no shell.
struct Process {
  std::vector<std::string> arguments;  ///< the first is the program
  /// Added to this program's environment; an empty text takes a variable away.
  std::map<std::string, std::string> environment = {};
  std::string folder = {};  ///< where it runs; empty: here
  double limit_s = 0.0;     ///< then it is killed with its children; 0: never
  /// Where its stdout and stderr go: into `Finished`, both into `Finished::output` in the order in
  /// which they come, or to this program's own.
  enum class Output { kept, together, shown } output = Output::kept;
};

/// How a program ended.
struct Finished {
  int status = 0;  ///< its exit status; 128 + the signal that killed it; 127: it does not exist
  bool timed_out = false;
  std::string output = {};
  std::string errors = {};
};

/// Runs a program to its end, in a process group of its own: it ends with its children if this
/// program is interrupted, too. Throws `Error` if no process can be made.
Finished run(const Process& process);

/// Becomes that program, whatever else of `Process` it is given than arguments, environment and
/// folder. Throws `Error` if it cannot.
[[noreturn]] void become(const Process& process);

/// What main() was called with, in UTF-8; the first is the program. Called first of all.
std::vector<std::string> arguments(int argc, char** argv);

/// A variable of the environment; empty if there is none.
std::string environment(const std::string& name);
void set_environment(const std::string& name, const std::string& value);

/// Prints the line on stderr if a crash ends this program from now on.
void say_at_a_crash(const std::string& line);

/// Seconds for which the cores have worked for other programs, up to a constant; 0 if the system
/// does not tell.
double others_s();

/// Keeps what is printed on stdout, by a kernel too, from being seen, while what it returns exists.
[[nodiscard]] std::shared_ptr<void> silence();

bool stderr_is_terminal();

/// A new empty folder for temporary files, which is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Holds a file of this name for this program alone until it ends, however it ends. Returns whether
/// no other program has it.
bool lock(const std::string& path);

}  // namespace tutorial
