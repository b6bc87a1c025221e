// Every link of the pages leads somewhere, every picture is on a page, and every film shows its
// kernel as it is.
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;
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

// On the site, which has all pages as HTML.
TEST(Links, EachLeadsSomewhereAndEachPictureIsOnAPage) {
  expect_good(program("tutorial", "site site"));
  std::map<std::string, std::string> site;
  std::map<std::string, Texts> anchors;
  for (const auto& file : fs::recursive_directory_iterator("site")) {
    if (const fs::path path = file.path(); path.extension() == ".html") {
      const std::string page = path.lexically_relative("site").string();
      site[page] = read_file(path.string());
      anchors[page] = matches(site[page], " id=\"([^\"]+)\"");
    }
  }
  EXPECT_EQ(site.size(), pages().size());
  Texts linked;
  for (const auto& [path, html] : site) {
    for (const std::string& target : matches(html, "(?:href|src)=\"(?![a-z]+:)([^\"]*)\"")) {
      const std::size_t hash = target.find('#');
      const fs::path beside = fs::path(path).parent_path() / target.substr(0, hash);
      const std::string to = hash == 0 ? path : beside.lexically_normal().string();
      linked.insert(to);
      // A folder, or a page of .github/, is not on the site.
      const std::string there = in_repository(replaced(to, "\\.html$", ".md"));
      EXPECT_TRUE(fs::exists("site/" + to) || fs::exists(there)) << path << ": " << target;
      EXPECT_TRUE(
          hash == target.npos || !anchors.contains(to) ||
          anchors.at(to).contains(target.substr(hash + 1)))
          << path << ": " << target;
    }
  }
  // Labels of links that stand below: none without a link, no link without one.
  for (const auto& [path, text] : pages()) {
    const std::string prose = replaced(prose_of(text), "`[^`\n]*`", "`");
    EXPECT_EQ(
        matches("\n" + prose, "\n\\[([^\\]]+)\\]: \\S+"),
        matches(
            replaced(prose, "(^|\n)\\[[^\\]]+\\]: \\S+", " "),
            "\\]\\[([A-Za-z][^\\]]+)\\]|\\[([A-Za-z][A-Za-z/ -]+)\\](?![\\[(])"))
        << path;
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
    const Words shows = search(film, "<!-- (\\w+) in (\\S+), code (\\S+) -->");
    if (shows.empty()) {
      continue;
    }
    const std::string code = kernel_in(in_repository(shows[2]), shows[1], true);
    EXPECT_EQ(content_hash(replaced(code, "//.*|\\s+", "")), shows[3])
        << path << ": remove it, the kernel has changed";
    films++;
  }
  EXPECT_EQ(films, 5);
}

}  // namespace
}  // namespace tutorial
