// Steps and kernels, by kernels.csv: their order, their texts, their differences.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

const Csv& kernels() {
  return csv_file("kernels.csv");
}

bool is_number(const std::string& step) {
  return parse_number<unsigned>(step).has_value();
}

/// The folder of a step as kernels.csv names it: N stands for stepN_*, a name for itself.
std::string listed_folder(const std::string& step) {
  if (!is_number(step)) {
    return step;
  }
  for (const auto& entry : fs::directory_iterator(".")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(fmt::format("step{}_", step))) {
      return name;
    }
  }
  fail("kernels.csv: there is no folder step{}_*", step);
}

Words listed_folders(bool own) {
  Words folders;
  for (const std::string& step : distinct(kernels(), "step")) {
    if (is_number(step) != own) {
      folders.push_back(listed_folder(step));
    }
  }
  return folders;
}

/// What kernels.csv has in this column of the kernel's row; empty if it has no such kernel.
std::string listed(const std::string& kernel, const std::string& column) {
  for (std::size_t row = 0; row < kernels().size(); row++) {
    if (kernels().text(row, "kernel") == kernel) {
      return kernels().text(row, column);
    }
  }
  return "";
}

/// The kernels of a step, all if it is empty, that have a text.
Words kernels_of(const std::string& step) {
  Words found;
  for (std::size_t row = 0; row < kernels().size(); row++) {
    const std::string& name = kernels().text(row, "kernel");
    if ((step.empty() || kernels().text(row, "step") == step) &&
        !kernels().text(row, "file").empty() && name.find(':') == std::string::npos) {
      found.push_back(name);
    }
  }
  return found;
}

}  // namespace

// --- Steps -----------------------------------------------------------------------------------------

Words ladder_steps() {
  return listed_folders(false);
}
Words own_steps() {
  return listed_folders(true);
}

std::string step_folder(const std::string& step) {
  if (contains(distinct(kernels(), "step"), step)) {
    return listed_folder(step);
  }
  if (step.find_first_of("./") == std::string::npos && fs::exists(step + "/main.cpp")) {
    return step;
  }
  Words others = own_steps();
  others.insert(others.end(), {"median", "edge_conditions", "roofline", "pipeline"});
  fail("no step '{}': there are 1 to {}, {}", step, ladder_steps().size(), fmt::join(others, ", "));
}

// --- The text of a kernel -------------------------------------------------------------------------

namespace {

std::string without_comments(const std::string& paragraph) {
  std::string code;
  for (const std::string& line : split(paragraph, '\n')) {
    if (!line.empty() && !line.starts_with("//")) {
      code += line + '\n';
    }
  }
  return code;
}

}  // namespace

// A kernel ends with the closing brace in the first column. The comments that tell its story are
// left out: paragraphs of comments before any code, and comments in the paragraph that the kernel
// itself begins. What stands between #if and #endif together with a kernel is that kernel's alone.
// A kernel NAME_... that stands above NAME is one of its helpers: it is launched before it.
KernelText find_kernel(const std::string& path, const std::string& name, bool all) {
  KernelText found;
  std::string earlier;    // the helpers of the kernels so far
  std::string helpers;    // those since the last kernel
  std::string paragraph;  // the lines since the last blank one
  std::string text;       // the kernel so far, and its name
  std::string text_name;
  bool in_kernel = false;
  bool in_condition = false;
  bool kernel_in_condition = false;
  std::string before_condition;  // `earlier` above #if
  for (const std::string& line : split(text_of(path), '\n')) {
    if (!in_kernel && !matched(line, "(__)?kernel\\b.*").empty()) {
      in_kernel = true;
      // An attribute is the kernel's own, a macro is there for the kernels below too.
      const std::string own = without_comments(paragraph);
      const bool has_macro = ("\n" + own).find("\n#") != std::string::npos;
      (has_macro ? helpers : text) += own;
      paragraph.clear();
    }
    if (in_kernel) {
      text += line + '\n';
      const Words declared = matched(line, ".*void +(\\w+) *\\(.*");
      if (text_name.empty() && !declared.empty()) {
        text_name = declared[1];
      }
      if (line.starts_with('}')) {
        found.names.push_back(text_name);
        if (text_name == name) {
          found.text = (all ? earlier : "") + helpers + text + (in_condition ? "\n#endif\n" : "");
        }
        kernel_in_condition = in_condition;
        earlier += helpers;
        helpers = !name.empty() && text_name.starts_with(name + "_") ? helpers + text : "";
        in_kernel = false;
        text.clear();
        text_name.clear();
      }
    } else if (line.starts_with("#endif") && kernel_in_condition) {
      in_condition = kernel_in_condition = false;
      earlier = before_condition;
      helpers.clear();
      paragraph.clear();
    } else if (line.empty()) {
      // A paragraph of comments before any code is left out; others belong to what follows them.
      if (!helpers.empty() || !without_comments(paragraph).empty()) {
        helpers += paragraph + '\n';
      }
      paragraph.clear();
    } else {
      if (line.starts_with("#endif")) {
        in_condition = false;
      } else if (line.starts_with("#if") && !in_condition) {
        in_condition = true;
        before_condition = earlier;
      }
      paragraph += line + '\n';
    }
  }
  return found;
}

std::string kernel_text(const std::string& name) {
  Words files = {"median/median.cl", "edge_conditions/smooth.cl"};
  if (contains(kernels_of(""), name)) {
    files = {listed_folder(listed(name, "step")) + "/" + listed(name, "file")};
  }
  for (const std::string& file : files) {
    const std::string text = find_kernel(file, name, true).text;
    if (!text.empty()) {
      return text;
    }
  }
  if (files.size() == 1) {
    fail("there is no kernel {} in {}", name, files[0]);
  }
  fail("no kernel '{}'; the ladder's kernels: {}", name, fmt::join(kernels_of(""), " "));
}

// --- Differences ----------------------------------------------------------------------------------

namespace {

/// What diff -u says of two texts.
std::string unified_diff(
    const std::string& old_name, const std::string& old_text, const std::string& new_name,
    const std::string& new_text) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("report-{}", getpid());
  fs::create_directory(folder);
  write_whole(folder / "old", old_text);
  write_whole(folder / "new", new_text);
  const std::string command = fmt::format(
      "diff -u --label '{}' --label '{}' {}/old {}/new", old_name, new_name, folder.string(),
      folder.string());
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = 0; pipe != nullptr && (c = getc(pipe)) != EOF;) {
    output += static_cast<char>(c);
  }
  // Exit status 1 says only that there is a difference.
  const bool failed = pipe == nullptr || WEXITSTATUS(pclose(pipe)) > 1;
  fs::remove_all(folder);
  if (failed) {
    fail("diff -u failed");
  }
  return output;
}

std::string diff_kernels(const std::string& old_name, const std::string& new_name) {
  const std::string new_text = kernel_text(new_name);
  // Both get the new kernel's name, so that only what the lesson is about shows.
  const std::string old_text =
      replaced(kernel_text(old_name), "\\b" + old_name + "( *\\()", new_name + "$1");
  return unified_diff(old_name, old_text, new_name, new_text);
}

/// The step that this one's host is diffed with.
std::string predecessor(const std::string& step) {
  for (std::size_t row = 0; row < kernels().size(); row++) {
    if (kernels().text(row, "step") == step && !kernels().text(row, "follows").empty()) {
      return kernels().text(row, "follows");
    }
  }
  if (!is_number(step)) {
    fail("kernels.csv does not say which step {} follows", step);
  }
  return fmt::format("{}", std::stoi(step) - 1);
}

std::string diff_step(const std::string& step, const std::string& part) {
  const std::string host = step_folder(step) + "/main.cpp";
  if (step == "1") {
    fail("step 1 is the first: read {0}/main.cpp and {0}/convolution.cl", step_folder(step));
  }
  std::string output;
  if (part != "kernels") {
    const std::string old_host = step_folder(predecessor(step)) + "/main.cpp";
    output = unified_diff(old_host, text_of(old_host), host, text_of(host));
  }
  for (const std::string& kernel : part == "host" ? Words{} : kernels_of(step)) {
    if (listed(kernel, "parent").empty()) {
      fail("kernels.csv does not say which kernel {} grew from", kernel);
    }
    output += diff_kernels(listed(kernel, "parent"), kernel);
  }
  return output;
}

}  // namespace

std::string diff(const Words& arguments) {
  const std::string first = arguments.empty() ? "" : arguments[0];
  const std::string second = arguments.size() < 2 ? "" : arguments[1];
  const bool is_step = is_number(first) || contains(own_steps(), first);
  if (arguments.empty() || arguments.size() > 2 || (!is_step && arguments.size() == 1)) {
    fail("diff takes N [host|kernels], or K1 K2");
  }
  if (!is_step) {
    return diff_kernels(first, second);
  }
  if (arguments.size() == 2 && second != "host" && second != "kernels") {
    fail("'{}': of a step there are the parts host and kernels", second);
  }
  return diff_step(first, second);
}

}  // namespace tutorial
