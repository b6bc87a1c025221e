// Every link of the pages leads somewhere, and every picture is on a page.
#include <filesystem>
#include <regex>
#include <set>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

struct Page {
  std::set<std::string> anchors;     ///< ids, and headings as GitHub makes them anchors
  std::vector<std::string> targets;  ///< of links and pictures, but for those on the web
  std::set<std::string> used;        ///< [label]
  std::set<std::string> defined;     ///< [label]: target
};

/// All matches of the expression's first group.
std::vector<std::string> matches(const std::string& text, const std::regex& expression) {
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
       ++match) {
    found.push_back((*match)[1]);
  }
  return found;
}

std::string anchor_of(const std::string& heading) {
  static const std::regex target("\\]\\([^)]*\\)");
  std::string anchor;
  for (const char letter : std::regex_replace(heading, target, "")) {
    if (letter == ' ') {
      anchor += '-';
    } else if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '-') {
      anchor += static_cast<char>(std::tolower(letter));
    }
  }
  return anchor;
}

Page page_of(const std::string& text) {
  static const std::regex id(" id=\"([^\"]+)\""), code("`[^`]*`"), web("^[a-z]+:"),
      link("\\]\\(([^)\\s]+)\\)"), definition("^\\[([^\\]]+)\\]: (\\S+)$"),
      label("\\]\\[([A-Za-z][^\\]]+)\\]|\\[([A-Za-z][A-Za-z/ -]+)\\](?![\\[(])");
  Page page;
  bool is_code = false;
  std::string prose;
  const auto add_target = [&](const std::string& target) {
    if (!std::regex_search(target, web)) {
      page.targets.push_back(target);
    }
  };
  for (const std::string& line : split(text, '\n')) {
    const bool is_fence = line.starts_with("```");
    is_code = is_code != is_fence;
    if (is_code || is_fence || line.starts_with("    ")) {
      continue;
    }
    if (line.starts_with("#")) {
      const std::string anchor = anchor_of(line.substr(line.find_first_not_of('#') + 1));
      std::string another = anchor;
      for (int i = 1; !page.anchors.insert(another).second; i++) {
        another = anchor + "-" + std::to_string(i);
      }
    }
    std::smatch defined;
    if (std::regex_match(line, defined, definition)) {
      page.defined.insert(defined[1]);
      add_target(defined[2]);
    } else {
      prose += (line.find('`') == line.npos ? line : std::regex_replace(line, code, "`")) + " ";
    }
  }
  for (const std::string& anchor : matches(prose, id)) {
    page.anchors.insert(anchor);
  }
  std::ranges::for_each(matches(prose, link), add_target);
  for (std::sregex_iterator match(prose.begin(), prose.end(), label), end; match != end; ++match) {
    page.used.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  }
  return page;
}

/// The pages by their paths in the repository; not what is built, or the text of another page.
std::map<std::string, Page> pages() {
  std::map<std::string, Page> found;
  for (auto file = fs::recursive_directory_iterator(in_repository()); file != end(file); ++file) {
    const std::string path = file->path().lexically_relative(in_repository()).string();
    if (file->is_directory() && (path == "build" || path == "results" || path.front() == '.')) {
      file.disable_recursion_pending();
    } else if (path.ends_with(".md") && path != "tools/tutorial/page.md") {
      found[path] = page_of(read_text(in_repository(path)));
    }
  }
  return found;
}

/// The path in the repository to which a link of a page leads.
std::string path_of(const std::string& page, const std::string& target) {
  const std::string file = target.substr(0, target.find('#'));
  return file.empty() ? page : (fs::path(page).parent_path() / file).lexically_normal().string();
}

/// The links of a page that lead nowhere, labels without a link, and links without a label.
std::vector<std::string> broken(const std::string& path, const std::map<std::string, Page>& all) {
  std::vector<std::string> found;
  const Page& page = all.at(path);
  for (const std::string& target : page.targets) {
    const auto to = all.find(path_of(path, target));
    const std::size_t hash = target.find('#');
    const bool is_there = to != all.end() || fs::exists(in_repository(path_of(path, target)));
    if (!is_there || (hash != target.npos && to != all.end() &&
                      !to->second.anchors.contains(target.substr(hash + 1)))) {
      found.push_back(target);
    }
  }
  std::ranges::set_symmetric_difference(page.used, page.defined, std::back_inserter(found));
  return found;
}

TEST(Links, WhatIsBrokenIsFound) {
  const std::map<std::string, Page> all = {
      {"a/README.md",
       page_of("# Two words: `Convolve_Two`\n## Twice\n## Twice\n<a id=\"here\"></a>[good](#here) "
               "[good](#two-words-convolve_two)\n`[code](c.md)` [good](#twice-1) [bad](#twice-2)\n"
               "    [code](code.md)\n```\n[code](code.md)\n# Code\n```\n[good](../b.md) "
               "[bad](../b.md#code)\n![bad](none.svg) [good][label] [good][no label] [label]: "
               "[none here]\n\n[label]: ../b.md#b\n[litter]: ../b.md\n")},
      {"b.md", page_of("# B\n")}};
  const std::vector<std::string> expected = {"#twice-2", "../b.md#code", "none.svg",
                                             "litter",   "no label",     "none here"};
  EXPECT_EQ(broken("a/README.md", all), expected);
}

TEST(Links, EachLeadsSomewhere) {
  const auto all = pages();
  EXPECT_GT(all.size(), 20U);
  for (const auto& [path, page] : all) {
    EXPECT_EQ(broken(path, all), std::vector<std::string>{}) << path;
  }
}

TEST(Links, EachPictureIsOnAPage) {
  std::set<std::string> shown;
  for (const auto& [path, page] : pages()) {
    for (const std::string& target : page.targets) {
      shown.insert(path_of(path, target));
    }
  }
  for (const char* folder : {"plots/charts", "plots/drawings"}) {
    for (const auto& file : fs::recursive_directory_iterator(in_repository(folder))) {
      const std::string path = file.path().lexically_relative(in_repository()).string();
      EXPECT_TRUE(file.is_directory() || shown.contains(path)) << path;
    }
  }
}

}  // namespace
}  // namespace tutorial
