// Every link of the pages leads somewhere, every picture is on a page, and every film shows its
// kernel as it is.
#include <filesystem>
#include <regex>
#include <set>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
using Texts = std::set<std::string>;

/// All matches of an expression: its first group that has matched.
Texts matches(const std::string& text, const char* expression) {
  const std::regex regex(expression);
  Texts found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  }
  return found;
}

/// A page without its code.
std::string prose_of(const std::string& text) {
  std::string prose;
  bool is_code = false;
  for (const std::string& line : split(text, '\n')) {
    const bool is_fence = line.starts_with("```");
    is_code = is_code != is_fence;
    if (!is_code && !is_fence && !line.starts_with("    ")) {
      prose += line + "\n";
    }
  }
  return prose;
}

/// What leads into a page: its headings, as GitHub makes them anchors, and its ids.
Texts anchors_in(const std::string& prose) {
  Texts anchors = matches(prose, " id=\"([^\"]+)\"");
  for (const std::string& line : lines_with("^#", prose)) {
    std::string anchor = lower(replaced(line, "^#+ |\\]\\([^)]*\\)|[^A-Za-z0-9_ -]", ""));
    std::ranges::replace(anchor, ' ', '-');
    std::string another = anchor;
    for (int i = 1; !anchors.insert(another).second; i++) {
      another = anchor + "-" + std::to_string(i);
    }
  }
  return anchors;
}

TEST(Links, EachLeadsSomewhereAndEachPictureIsOnAPage) {
  std::map<std::string, Texts> anchors;
  for (const auto& [path, text] : pages()) {
    anchors[path] = anchors_in(prose_of(text));
  }
  EXPECT_GT(anchors.size(), 20U);
  Texts linked;
  for (const auto& [path, text] : pages()) {
    const std::string prose = replaced(prose_of(text), "`[^`\n]*`", "`");
    const std::string in_one_line = replaced(prose, "\n", " ");
    // Labels of links that stand below: none without a link, no link without one.
    EXPECT_EQ(
        matches("\n" + prose, "\n\\[([^\\]]+)\\]: \\S+"),
        matches(
            replaced(prose, "(^|\n)\\[[^\\]]+\\]: \\S+", " "),
            "\\]\\[([A-Za-z][^\\]]+)\\]|\\[([A-Za-z][A-Za-z/ -]+)\\](?![\\[(])"))
        << path;
    Texts targets = matches(in_one_line, "\\]\\((?![a-z]+:)([^)\\s]+)\\)");
    targets.merge(matches("\n" + prose, "\n\\[[^\\]]+\\]: (?![a-z]+:)(\\S+)"));
    for (const std::string& target : targets) {
      const std::size_t hash = target.find('#');
      const fs::path beside = fs::path(path).parent_path() / target.substr(0, hash);
      const std::string to = hash == 0 ? path : beside.lexically_normal().string();
      linked.insert(to);
      EXPECT_TRUE(fs::exists(in_repository(to))) << path << ": " << target;
      EXPECT_TRUE(
          hash == target.npos || !anchors.contains(to) ||
          anchors.at(to).contains(target.substr(hash + 1)))
          << path << ": " << target;
    }
  }
  for (const char* folder : {"plots/charts", "plots/drawings"}) {
    for (const auto& file : fs::recursive_directory_iterator(in_repository(folder))) {
      const std::string path = file.path().lexically_relative(in_repository()).string();
      EXPECT_TRUE(file.is_directory() || linked.contains(path)) << path;
    }
  }
}

// A comment in each names its kernel and the hash of its code, comments and layout left out, with
// what stands above it in its file, but for other kernels: a film whose kernel has changed is a
// wrong picture.
TEST(Films, ShowTheKernelsAsTheyAre) {
  int films = 0;
  for (const auto& file : fs::directory_iterator(in_repository("plots/charts/xray"))) {
    const std::string path = file.path().string(), film = read_text(path);
    std::smatch shows;
    if (!std::regex_search(film, shows, std::regex("<!-- (\\w+) in (\\S+), code (\\S+) -->"))) {
      continue;
    }
    std::string code = source(shows[2]);
    std::size_t begin = 0;
    while ((begin = code.find("\n__kernel", begin)) != std::string::npos) {
      const std::size_t end = code.find("\n}\n", begin) + 3;
      if (code.substr(begin, end - begin).find(" " + shows[1].str() + "(") != std::string::npos) {
        code.erase(end);
        begin = end;
      } else {
        code.erase(begin, end - begin);
      }
    }
    EXPECT_EQ(content_hash(replaced(code, "//.*|\\s+", "")), shows[3])
        << path << ": remove it, the kernel has changed";
    films++;
  }
  EXPECT_EQ(films, 5);
}

}  // namespace
}  // namespace tutorial
