// Runs programs as a reader does. Each test of these files begins in an empty folder of its own,
// which goes with it: programs run there, and their files are written there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/system.hpp"
#include "common/text.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

using Environment = std::map<std::string, std::string>;

/// The absolute path of a file of the repository, and of one of the build folder.
std::string in_repository(const std::string& path = ".");
std::string in_build(const std::string& path);

/// What `act` returns in the repository's root, where the functions of `tutorial` work.
template <typename Act>
auto in_root(Act act) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(SOURCE_FOLDER);
  auto result = act();
  std::filesystem::current_path(here);
  return result;
}

/// The text of a file of the repository.
std::string source(const std::string& path);
/// The pages of the repository by their paths there.
std::map<std::string, std::string> pages();

/// Whether there is such a program, in PATH or in the build folder.
bool installed(const std::string& name);

/// How a program ended. `EXPECT_EQ(ran.status, 0) << ran` shows its command and what it said.
struct Ran : Finished {
  std::string command;
};
std::ostream& operator<<(std::ostream& out, const Ran& ran);

/// Runs a process: a program of the build folder, else of PATH; at most five minutes unless it says
/// otherwise.
Ran execute(Process process);

/// Runs a program with these arguments: blanks are between them, or double quotes around one.
Ran program(
    const std::string& name, const std::string& arguments = "",
    const Environment& environment = {});

/// The same, on a CPU without the optimiser of its compiler: a kernel is ready at once, whatever is
/// to be unrolled.
Ran unoptimised(
    const std::string& name, const std::string& arguments, const Environment& environment);

/// Without the optimiser too, on the simulator Oclgrind, or if it is not installed, on the device.
/// The simulator says on stderr, in a line that begins with "Invalid", what is read or written
/// beyond a buffer.
Ran simulated(
    const std::string& name, const std::string& arguments, const Environment& environment);

/// On Oclgrind, which has to be installed, while it watches every access; nothing is timed. What it
/// finds is on stderr: bounds, data races, uninitialised values and misuse of the API.
Ran watched(const std::string& name, const std::string& arguments, const Environment& environment);

/// All matches of a regular expression: its first group that has matched.
using Texts = std::set<std::string>;
Texts matches(const std::string& text, const std::string& regex);

/// The lines of a text in which the regular expression is found.
std::vector<std::string> lines_with(const std::string& regex, const std::string& text);

/// Is it found in a line of the text?
testing::AssertionResult says(const std::string& text, const std::string& regex);

/// Expects this exit status. Returns `ran`.
Ran expect(int status, const Ran& ran);

/// Expects status 0 and nothing on stderr.
Ran expect_good(const Ran& ran);

/// The text with `by` ($1: the first group) for the regular expression, wherever it is found within
/// a line; in a kernel alone, if one is named. That nothing has changed fails the test.
std::string edited(
    const std::string& text, const std::string& regex, const std::string& by,
    const std::string& kernel = "");

/// Whether there is an OpenCL device.
bool has_device();

}  // namespace tutorial
