// The whole tutorial as one document: the READMEs in their order, with the reader's charts.
#include <filesystem>
#include <map>

#include "common/text.hpp"
#include "report/report.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The anchor of a chapter: step1_naive of step1_naive/README.md, step1_naive-exercises of its
/// EXERCISES.md, readme of README.md.
std::string chapter_id(const std::string& path) {
  return anchor(replaced(replaced(path, "(/README)?\\.md$", ""), "/", "-"));
}

/// Makes a chapter of a file.
class Chapter {
 public:
  Chapter(const std::string& path, const Words& chapters, const std::string& results)
      : path_(path), chapters_(chapters), results_(results) {}

  std::string text() {
    std::string text, charts;
    bool in_code = false;
    for (const std::string& line : split(text_of(path_), '\n')) {
      const bool fence = !search(line, "^ *```").empty();
      const Words heading = search(line, "^(#+) (.*)");
      if (in_code || fence || line.starts_with("    ")) {
        text += line + '\n';
      } else if (!heading.empty()) {
        text += titled(heading[1], heading[2]);
      } else {
        text += linked(line) + '\n';
        charts += chart_of_reader(line);
      }
      in_code = in_code != fence;
      if (line.empty() && !in_code) {  // behind the paragraph with a chart stands the reader's
        text += charts;
        charts.clear();
      }
    }
    return text + charts + '\n';
  }

 private:
  /// A heading with its anchor. Exercises are a part of their step.
  std::string titled(const std::string& level, const std::string& title) {
    const std::string name = anchor(replaced(title, "\\]\\([^)]*\\)", ""));
    const int count = headings_[name]++;
    const std::string below = "--" + name + (count > 0 ? fmt::format("-{}", count) : "");
    return fmt::format(
        "{}{} {} {{#{}{}}}\n", level, path_.ends_with("/EXERCISES.md") ? "#" : "", title,
        chapter_id(path_), level == "#" ? "" : below);
  }

  /// A line in which links lead to chapters, and pictures to their files.
  std::string linked(const std::string& line) {
    std::string text = replaced(line, "<a id=\"", "<a id=\"" + chapter_id(path_) + "--");
    std::string done;
    for (Words link;
         !(link = search(text, R"(^([^]*?)(\]\(|^\[[^\]]+\]: )([^)\s]+)(\)?))")).empty();) {
      const bool is_label = link[2] != "](";
      text = text.substr(link[0].size());
      done += link[1] + (is_label ? link[2] : "]") + leading_to(link[3], is_label);
    }
    return done + text;
  }

  /// What follows the text of a link. Of files that are not in the book the names remain.
  std::string leading_to(const std::string& target, bool is_label) {
    std::string address = target;
    if (search(target, "^[a-z]+:").empty()) {
      const Words parts = split(target, '#');
      const std::string file = parts[0].empty() ? path_ : beside(parts[0]);
      const bool is_picture = file.ends_with(".svg") || file.ends_with(".png");
      if (!is_picture && !contains(chapters_, file)) {
        return "{.file}";
      }
      const std::string below = parts.size() > 1 ? "--" + parts[1] : "";
      address = is_picture ? file : "#" + chapter_id(file) + below;
    }
    return is_label ? address : "(" + address + ")";
  }

  std::string beside(const std::string& file) const {
    return (fs::path(path_).parent_path() / file).lexically_normal().string();
  }

  /// If the line shows a chart of which the reader has one too, the reader's; once a chapter.
  std::string chart_of_reader(const std::string& line) {
    const Words chart = search(line, "\\]\\([^)]*plots/charts/[^/]+(/[^/]+\\.svg)\\)");
    const std::string mine = chart.empty() ? "" : results_ + "/charts" + chart[1];
    if (mine.empty() || !fs::exists(mine) || contains(shown_, mine)) {
      return "";
    }
    shown_.push_back(mine);
    return fmt::format(
        "Your device, {0}:\n\n![The same chart of {0}]({1})\n\n",
        escaped(csv_file(results_ + "/ladder.csv").head("device")), mine);
  }

  std::string path_;
  const Words& chapters_;
  std::string results_;
  std::map<std::string, int> headings_;  ///< how often there was one with this anchor
  Words shown_;                          ///< the reader's charts so far
};

}  // namespace

std::string book(const std::string& results) {
  Words folders = {"opencl", "devices"};
  for (const Words& more :
       {steps(false), steps(true), Words{"median", "edge_conditions", "roofline"},
        Words{"xray", "pipeline", "peers"}}) {
    folders.insert(folders.end(), more.begin(), more.end());
  }
  Words chapters = {"README.md"};
  for (const std::string& folder : folders) {
    chapters.insert(chapters.end(), {folder + "/README.md", folder + "/EXERCISES.md"});
  }
  chapters.insert(chapters.end(), {"CLAIMS.md", "EXERCISES.md", "ERRATA.md"});
  std::erase_if(chapters, [](const std::string& path) { return !fs::exists(path); });
  std::string text;
  for (const std::string& path : chapters) {
    text += Chapter(path, chapters, results).text();
    if (path == "CLAIMS.md" && fs::exists(results + "/claims.csv")) {
      text += "## On your device {#claims--yours}\n\n" + ledger(results);
    }
  }
  return text;
}

}  // namespace tutorial
