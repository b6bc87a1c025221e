// Every link of the pages leads somewhere, every picture is on a page, and every film shows its
// kernel as it is.
#include <filesystem>
#include <regex>
#include <set>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// Of a page: its anchors, and the targets of its links and pictures, but for those on the web.
struct Links {
  std::set<std::string> anchors, targets;
};

/// All matches of an expression: its first group that has matched.
std::set<std::string> matches(const std::string& text, const char* expression) {
  const std::regex regex(expression);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  }
  return found;
}

/// Fails, too, for a label without a link and a link without a label.
Links links_of(const std::string& path, const std::string& text) {
  Links links;
  std::set<std::string> labels;
  std::string prose;
  bool is_code = false;
  for (const std::string& line : split(text, '\n')) {
    const bool is_fence = line.starts_with("```");
    is_code = is_code != is_fence;
    std::smatch parts;
    if (is_code || is_fence || line.starts_with("    ")) {
      continue;
    }
    if (line.starts_with("#")) {  // headings, as GitHub makes them anchors
      std::string anchor;
      for (const char c : std::regex_replace(line, std::regex("^#+ |\\]\\([^)]*\\)"), "")) {
        const bool stays = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
        anchor += c == ' ' ? "-" : stays ? std::string(1, std::tolower(c)) : "";
      }
      std::string another = anchor;
      for (int i = 1; !links.anchors.insert(another).second; i++) {
        another = anchor + "-" + std::to_string(i);
      }
    }
    if (std::regex_match(line, parts, std::regex("\\[([^\\]]+)\\]: (\\S+)"))) {
      labels.insert(parts[1]);
      prose += "](" + parts[2].str() + ") ";
    } else {
      prose += std::regex_replace(line, std::regex("`[^`]*`"), "`") + " ";
    }
  }
  links.anchors.merge(matches(prose, " id=\"([^\"]+)\""));
  links.targets = matches(prose, "\\]\\((?![a-z]+:)([^)\\s]+)\\)");
  EXPECT_EQ(
      labels, matches(prose, "\\]\\[([A-Za-z][^\\]]+)\\]|\\[([A-Za-z][A-Za-z/ -]+)\\](?![\\[(])"))
      << path;
  return links;
}

TEST(Links, EachLeadsSomewhereAndEachPictureIsOnAPage) {
  std::map<std::string, Links> all;
  for (const auto& [path, text] : pages()) {
    all[path] = links_of(path, text);
  }
  EXPECT_GT(all.size(), 20U);
  std::set<std::string> linked;
  for (const auto& [path, links] : all) {
    for (const std::string& target : links.targets) {
      const std::size_t hash = target.find('#');
      const fs::path beside = fs::path(path).parent_path() / target.substr(0, hash);
      const std::string to = hash == 0 ? path : beside.lexically_normal().string();
      linked.insert(to);
      EXPECT_TRUE(fs::exists(in_repository(to))) << path << ": " << target;
      EXPECT_TRUE(
          hash == target.npos || !all.contains(to) ||
          all.at(to).anchors.contains(target.substr(hash + 1)))
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

/// The code of a kernel and of what stands above it in its file, other kernels left out; without
/// comments and layout.
std::string code_of(const std::string& file, const std::string& kernel) {
  std::string text = read_text(file);
  std::size_t begin = 0;
  while ((begin = text.find("\n__kernel", begin)) != std::string::npos) {
    const std::size_t end = text.find("\n}\n", begin) + 3;
    const std::string code = text.substr(begin, end - begin);
    if (code.find(" " + kernel + "(") != std::string::npos) {
      text.erase(end);
      return std::regex_replace(text, std::regex("//.*|\\s+"), "");
    }
    text.erase(begin, code.size());
  }
  return "";
}

// A comment in each names its kernel and the hash of its code: a film whose kernel has changed is a
// wrong picture.
TEST(Films, ShowTheKernelsAsTheyAre) {
  int films = 0;
  for (const auto& file : fs::directory_iterator(in_repository("plots/charts/xray"))) {
    const std::string path = file.path().string(), film = read_text(path);
    std::smatch shows;
    if (std::regex_search(film, shows, std::regex("<!-- (\\w+) in (\\S+), code (\\S+) -->"))) {
      const std::string code = code_of(in_repository(shows[2]), shows[1]);
      EXPECT_EQ(content_hash(code), shows[3]) << path << ": remove it, the kernel has changed";
      films++;
    }
  }
  EXPECT_EQ(films, 5);
}

}  // namespace
}  // namespace tutorial
