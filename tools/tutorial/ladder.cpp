// Steps and kernels, by kernels.csv: their order, their texts, their differences.
#include <algorithm>
#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

const Csv& list() {
  return csv_file("kernels.csv");
}

std::string diff_kernels(const std::string& old_name, const std::string& new_name) {
  const std::string old_text = kernel_text({old_name});
  // Both get the new kernel's name, so that only what the lesson is about shows.
  return unified_diff(
      old_name, replaced(old_text, "\\b" + old_name + "( *\\()", new_name + "$1"), new_name,
      kernel_text({new_name}));
}

/// The folder of the step that this one's host is diffed with: the one that a row of it names.
std::string predecessor(const std::string& step) {
  const std::string follows = listed("step", step, "follows");
  if (follows.empty() && (step == "1" || !parse_number<unsigned>(step))) {
    fail("step {} follows no other: read {}/main.cpp and its kernels", step, step_folder(step));
  }
  return step_folder(follows.empty() ? std::to_string(std::stoi(step) - 1) : follows);
}

}  // namespace

// --- The text of a kernel ------------------------------------------------------------------------

// A kernel ends with the brace in the first column. The comments that tell its story are left out:
// those before any code, and those directly above it. A kernel NAME_... above NAME is one of its
// helpers: it is launched before it. An #if that is open is closed.
std::string kernel_in(const std::string& path, const std::string& kernel, bool all) {
  std::string earlier;      // the helpers of other kernels
  std::string text;         // all since the last kernel
  std::size_t helpers = 0;  // the part of it above the paragraph of the next one
  bool in_kernel = false;
  for (const std::string& line : split(read_text(path), '\n')) {
    const bool is_open = text.find("#if") != std::string::npos;
    text += is_open || search(line, "^#(el|endif)").empty() ? line + '\n' : "";
    in_kernel = in_kernel || !search(line, "^(__)?kernel\\b").empty();
    if (line.empty() && !in_kernel) {
      text = replaced(text, "//.*\n|\n", "").empty() ? "" : text;
      helpers = text.size();
    }
    if (!in_kernel || !line.starts_with('}')) {
      continue;
    }
    const Words named = kernel_names(text.substr(helpers));
    const std::string name = named.empty() ? "" : named[0];
    const std::string code = replaced(text, "(^|\n)(//.*\n)+(?=(\\w+\n)?(__)?kernel\\b)", "$1");
    if (name == kernel) {
      std::string whole = (all ? earlier : "") + code;
      for (std::size_t at = 0; (at = whole.find("#if", at) + 1) != 0;) {
        whole += whole.find("\n#endif", at) == std::string::npos ? "\n#endif\n" : "";
      }
      return whole;
    }
    const bool is_helper = name.starts_with(kernel + "_");
    const std::string above = text.substr(0, helpers);
    earlier += is_helper || above.rfind("#if") + 1 > above.rfind("#endif") + 1 ? "" : above;
    text = is_helper ? code : "";
    helpers = text.size();
    in_kernel = false;
  }
  return "";
}

KernelPlace place_of(const std::string& label) {
  const std::string name = label.substr(0, label.find(':'));  // without :variant
  for (const std::size_t row : rows_where(list(), {{"kernel", label}})) {
    const std::string folder = step_folder(list().text(row, "step"));
    require(!list().text(row, "file").empty(), "{} has no kernel file", label);
    return {program_in(folder), folder + "/" + list().text(row, "file"), name};
  }
  const std::map<std::string, std::string> others = {
      {"median", "median/median.cl"}, {"edge_conditions", "studies/edge_conditions/smooth.cl"}};
  for (const auto& [program, file] : others) {
    if (!kernel_in(file, name, true).empty()) {
      return {program, file, name};
    }
  }
  fail("no kernel '{}'; the nearest is {}", label, nearest(label, distinct(list(), "kernel")));
}

std::string kernel_text(const Words& arguments) {
  const KernelPlace place = place_of(arguments[0]);
  const std::string text = kernel_in(place.file, place.name, true);
  return !text.empty() ? text : throw Error(place.file + " has no kernel " + place.name);
}

// --- Differences ---------------------------------------------------------------------------------

// Windows has no program for it. The texts are short, so a table of all pairs of lines will do.
std::string unified_diff(
    const std::string& old_name, const std::string& old_text, const std::string& new_name,
    const std::string& new_text) {
  const auto lines_of = [](const std::string& text) {
    Words lines = split(text, '\n');
    lines.pop_back();  // behind the last line's end
    return lines;
  };
  const Words from = lines_of(old_text), to = lines_of(new_text);
  // How many lines the first i and the first j have in common.
  std::vector<std::vector<int>> common(from.size() + 1, std::vector<int>(to.size() + 1));
  for (std::size_t i = 1; i <= from.size(); i++) {
    for (std::size_t j = 1; j <= to.size(); j++) {
      common[i][j] = from[i - 1] == to[j - 1] ? common[i - 1][j - 1] + 1
                                              : std::max(common[i - 1][j], common[i][j - 1]);
    }
  }
  Words script;  // from the last line to the first
  for (std::size_t i = from.size(), j = to.size(); i > 0 || j > 0;) {
    const bool both = i > 0 && j > 0;
    if (both && from[i - 1] == to[j - 1]) {
      script.push_back(" " + from[--i]);
      j--;
    } else if (i == 0 || (both && common[i][j - 1] >= common[i - 1][j])) {
      script.push_back("+" + to[--j]);
    } else {
      script.push_back("-" + from[--i]);
    }
  }
  std::ranges::reverse(script);
  // What could stand later too does: a new function begins with its first line.
  for (std::size_t begin = 0, end = 0; begin < script.size(); begin = std::max(end, begin + 1)) {
    const char sign = script[begin][0];
    for (end = begin; end < script.size() && script[end][0] == sign; end++) {
    }
    for (; sign != ' ' && end < script.size() && script[end] == " " + script[begin].substr(1);
         begin++, end++) {
      std::swap(script[begin][0], script[end][0]);
    }
  }
  constexpr std::size_t context = 3;
  const auto is_shown = [&](std::size_t k) {  // it is near a change
    const auto end = script.begin() + std::min(k + 1 + context, script.size());
    return std::any_of(script.begin() + k - std::min(k, context), end, [](const std::string& line) {
      return line[0] != ' ';
    });
  };
  const auto range = [](std::size_t first, std::size_t end) {
    return end - first == 1 ? std::to_string(first)
                            : fmt::format("{},{}", end > first ? first : first - 1, end - first);
  };
  std::string output;
  for (std::size_t k = 0, old_line = 1, new_line = 1; k < script.size();) {
    const std::size_t old_first = old_line, new_first = new_line;
    const bool shown = is_shown(k);
    std::string hunk;
    for (; k < script.size() && is_shown(k) == shown; k++) {
      old_line += script[k][0] != '+';
      new_line += script[k][0] != '-';
      hunk += script[k] + "\n";
    }
    if (shown) {
      output += fmt::format(
          "@@ -{} +{} @@\n{}", range(old_first, old_line), range(new_first, new_line), hunk);
    }
  }
  return output.empty() ? "" : fmt::format("--- {}\n+++ {}\n{}", old_name, new_name, output);
}

std::string diff(const Words& arguments) {
  const std::string& first = arguments[0];
  const std::string part = arguments.size() > 1 ? arguments[1] : "";
  if (!part.empty() && part != "host" && part != "kernels") {
    return diff_kernels(first, part);
  }
  const std::string folder = step_folder(first);
  const std::string before = part == "kernels" ? "" : predecessor(first);
  std::string output;
  // The host. What the step before has not got, or has in another way, is shown as it is.
  for (const std::string& file : {folder + "/main.cpp", folder + "/launch.cpp"}) {
    const std::string cl = "/convolution.cl";
    const std::string old = before + file.substr(folder.size());
    const bool has_old = fs::exists(old) && fs::exists(before + cl) == fs::exists(folder + cl);
    if (!before.empty() && fs::exists(file)) {
      output += unified_diff(
          has_old ? old : "/dev/null", has_old ? read_file(old) : "", file, read_file(file));
    }
  }
  for (const std::size_t row : rows_where(list(), {{"step", first}})) {
    const std::string& kernel = list().text(row, "kernel");
    const std::string& parent = list().text(row, "parent");
    const bool has_text =
        !list().text(row, "file").empty() && kernel.find(':') == std::string::npos;
    if (part != "host" && has_text) {
      output += parent.empty() ? unified_diff("/dev/null", "", kernel, kernel_text({kernel}))
                               : diff_kernels(parent, kernel);
    }
  }
  return output;
}

}  // namespace tutorial
