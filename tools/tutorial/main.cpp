// The program behind `./tutorial`: its verbs. It works in the repository's root, wherever the
// reader is. Exit status: 0; 1 with what is wrong on stderr; or that of the program that it runs.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// A verb: how many arguments it takes, and what it does with them. It returns the exit status.
struct VerbOf {
  std::size_t least, most;
  int (*act)(const Words&);
};

/// A verb that prints a text.
template <Verb* text>
int print(const Words& arguments) {
  fmt::print("{}", text(arguments));
  return 0;
}

int help(const Words& /*none*/) {
  fmt::print("{}", read_file("tools/tutorial/help.txt"));
  return 0;
}

/// What `run` ends with, of its results or of a folder.
int results_verb(const Words& arguments) {
  const std::string folder = arguments.empty() ? "results" : readers_file(arguments[0]);
  fmt::print("{}", summary({folder}));
  write_page(folder);
  return 0;
}

int script_verb(const Words& /*none*/) {
  fail("test takes --all or --no-install, and install nothing");
}

/// The names of all kernels, or the text of one.
int kernel_verb(const Words& arguments) {
  if (!arguments.empty()) {
    return print<kernel_text>(arguments);
  }
  fmt::print("{}\n", fmt::join(distinct(csv_file("kernels.csv"), "kernel"), "\n"));
  return 0;
}

constexpr std::size_t any = 1000;
const std::map<std::string, VerbOf> verbs = {
    {"asm", {1, any, print<assembly>}},
    {"charts", {0, 2, print<charts>}},
    {"devices", {0, any, [](auto& words) { return step_verb(joined({"devices"}, words)); }}},
    {"diff", {1, 2, print<diff>}},
    {"help", {0, 0, help}},
    {"install", {0, any, script_verb}},
    {"kernel", {0, 1, kernel_verb}},
    {"measure", {1, any, measure_verb}},
    {"new", {1, 1, new_verb}},
    {"puzzle", {0, 2, puzzle_verb}},
    {"readme", {0, any, readme_verb}},
    {"results", {0, 1, results_verb}},
    {"run", {0, any, run_verb}},
    {"site", {0, 1, site_verb}},
    {"step", {1, any, step_verb}},
    {"test", {0, any, script_verb}},
    {"xray", {1, any, xray_verb}},
};

/// The part of the help that is about this verb.
std::string help_of(const std::string& verb) {
  const std::string part = fmt::format("\n((  {}( .*)?\n(   .*\n)*)+)", verb);
  return search(read_file("tools/tutorial/help.txt"), part).at(1);
}

int act(const Words& words) {
  readers_folder();                                       // as it is now
  const std::string root = environment("TUTORIAL_ROOT");  // a copy's, with programs of the original
  std::filesystem::current_path(root.empty() ? SOURCE_FOLDER : root);
  if (words.empty()) {
    fmt::print(stderr, "{}", read_file("tools/tutorial/help.txt"));
    return 1;
  }
  const Words arguments(words.begin() + 1, words.end());
  const auto verb = verbs.find(words[0] == "--help" || words[0] == "-h" ? "help" : words[0]);
  if (verb == verbs.end()) {
    Words names;
    std::ranges::transform(verbs, std::back_inserter(names), [](auto& of) { return of.first; });
    fail(
        "no command '{}'; the nearest is {}; './tutorial help' lists them", words[0],
        nearest(words[0], names));
  }
  const auto& [name, of] = *verb;
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    fmt::print("{}", help_of(name));
    return 0;
  }
  if (arguments.size() < of.least || arguments.size() > of.most) {
    const std::string part = help_of(name);
    fail("'{}' takes other arguments:\n{}", name, part.substr(0, part.find_last_not_of('\n') + 1));
  }
  return of.act(arguments);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  try {
    const Words words = arguments(argc, argv);
    const int status = act(Words(words.begin() + 1, words.end()));
    return std::fflush(stdout) == 0 ? status : throw Error("the output cannot be written");
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fputs(fmt::format("tutorial: {}\n", error.what()).c_str(), stderr);  // which may be full
    return 1;
  }
}
