// Steps of the reader's own: a folder and rows of kernels.csv, from a pattern; and their times.
#include <cctype>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// Whether a step cannot have this name: a folder or a kernel has it, or a target of CMake's,
/// perhaps of one with other packages.
bool is_taken(const std::string& name, const std::string& kernel) {
  const Words others = {"all",     "build",   "clean",   "codegen", "edit_cache",
                        "help",    "install", "package", "puzzles", "rebuild_cache",
                        "results", "site",    "test"};
  const std::string targets = read_text("CMakeLists.txt") + read_text("tests/CMakeLists.txt");
  const std::string word = "(^|[^A-Za-z0-9_])" + name + "([^A-Za-z0-9_]|$)";
  return contains(others, name) || fs::exists(name) || fs::exists("studies/" + name) ||
         fs::exists("background/" + name) ||
         contains(distinct(csv_file("kernels.csv"), "kernel"), kernel) ||
         !search(replaced(targets, "#[^\n]*", ""), word).empty();
}

/// How many times as fast as its parent in kernels.csv each kernel of a step is, by a measurement
/// that has both.
std::string gains(const std::string& step, const std::string& file) {
  std::string text;
  const Csv& list = csv_file("kernels.csv");
  for (const std::size_t row : rows_where(list, {{"step", step}})) {
    const std::string &kernel = list.text(row, "kernel"), &parent = list.text(row, "parent");
    for (const std::string& width : distinct(csv_file(file), "filter_width")) {
      const auto times = measured_file(file)->ratio(parent, kernel, *parse_number<int>(width));
      if (times) {
        text += fmt::format(
            "{} at {} x {}: {} ({:.3f} to {:.3f}{})\n", kernel, width, width,
            no_difference(*times)
                ? "no difference from " + parent + " was shown"
                : fmt::format("{:.3f} times as fast as {}", times->median, parent),
            times->low, times->high, times->sure ? "" : "; other programs disturbed it");
      }
    }
  }
  return text;
}

}  // namespace

int new_verb(const Words& arguments) {
  const std::string& name = arguments[0];
  require(
      !search(name, "^[a-z][a-z0-9_]*$").empty() && search(name, "^step[0-9]").empty(),
      "new: a name has small letters, digits and _, and is not like those of the ladder's steps");
  std::string kernel = name;  // My_Step of my_step
  for (std::size_t i = 0; i < name.size(); i++) {
    const bool begins = i == 0 || name[i - 1] == '_';
    kernel[i] = static_cast<char>(begins ? std::toupper(name[i]) : name[i]);
  }
  require(
      !is_taken(name, kernel),
      "new: the name '{}' is taken, as a folder, a kernel or a target of CMake's", name);
  const std::string list =
      read_text("kernels.csv") + fmt::format("{},{},convolution.cl,,6,7,1,7,\n", kernel, name);
  fs::create_directory(name);
  for (const char* file : {"/main.cpp", "/convolution.cl"}) {
    const std::string text = read_file(std::string("studies/two_passes/new") + file);
    write_whole(name + file, replaced(text, "My_Kernel", kernel));
  }
  write_whole("kernels.csv", list);
  fmt::print(
      R"({0}/ is yours, with a row in kernels.csv. So far it copies the image.
Write the kernel in {0}/convolution.cl, and what is right in {0}/main.cpp.

  ./tutorial step {0} --verify-only     compares every pixel
  ./tutorial measure {0}                times it, and draws its chart

studies/two_passes/HOWTO.md goes on from here.
)",
      name);
  return 0;
}

int measure_verb(const Words& arguments) {
  const std::string name = program_in(step_folder(arguments[0]));
  const bool is_own = !rows_where(csv_file("kernels.csv"), {{"step", name}}).empty();
  require(is_own, "measure: {} is no step of your own", name);
  build({name});
  const std::string folder = "results/" + name;
  const std::string file = folder + "/" + name + ".csv";
  fs::create_directories(folder);
  // Of a flag that is given twice the last one counts.
  const Words usual = {
      program_path(name), "--csv", fs::absolute(file).string(), "--filter-width", "3,5,7,9,15"};
  Process process{joined(usual, {arguments.begin() + 1, arguments.end()}), {}, readers_folder()};
  process.output = Process::Output::shown;
  if (const int status = run(process).status; status != 0) {
    return status;
  }

  fmt::print("\n{}", gains(name, file));
  fmt::print("{}", draw_charts(folder, folder, false));
  return 0;
}

}  // namespace tutorial
