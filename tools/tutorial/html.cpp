// Pages as HTML, by the library MD4C: the page of results, and the site.
#if __has_include(<md4c-html.h>)
#include <md4c-html.h>
#endif

#include <filesystem>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// The body of a page. Where HTML within a line is none `of_ours`, it is shown as it stands: what a
/// CSV says is no markup.
#ifdef MD_DIALECT_GITHUB
std::string html_of(const std::string& markdown, bool of_ours) {
  std::string html;
  const auto add = [](const char* text, MD_SIZE size, void* to) {
    static_cast<std::string*>(to)->append(text, size);
  };
  require(
      md_html(
          markdown.data(), static_cast<MD_SIZE>(markdown.size()), add, &html,
          MD_DIALECT_GITHUB | (of_ours ? 0 : MD_FLAG_NOHTMLSPANS), 0) == 0,
      "MD4C cannot read the page");
  return html;
}
#else
std::string html_of(const std::string&, bool) {
  throw Error("this program was built without MD4C, which makes HTML of pages");
}
#endif

/// With an id in each heading, its address on GitHub, so that links find it, and marks on what a
/// diff adds or removes.
std::string finished(const std::string& html) {
  std::string text;
  for (const std::string& line : split(html, '\n')) {
    if (line.starts_with('+') || line.starts_with('-')) {  // elsewhere it would begin a list
      text +=
          fmt::format("<span class=\"{}\">{}</span>\n", line[0] == '+' ? "added" : "removed", line);
      continue;
    }
    const Words heading = search(line, "^(.*<h[1-6])(>(.*)</h[1-6]>.*)$");
    if (heading.empty()) {
      text += line + '\n';
      continue;
    }
    const char* others = "<[^>]*>|&[a-z]+;|[^A-Za-z0-9_ \x80-\xff-]";
    const std::string slug = lower(replaced(replaced(heading[3], others, ""), " ", "-"));
    text += fmt::format("{} id=\"{}\"{}\n", heading[1], slug, heading[2]);
  }
  return text;
}

/// A whole page. `contents` is the list beside it.
std::string page_of(
    const std::string& title, const std::string& contents, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<nav>\n{}</nav>\n<main>\n{}"
      "</main>\n</body>\n</html>\n",
      title, read_file("tools/tutorial/page.css"), contents, body);
}

}  // namespace

void write_page(const std::string& results) {
  const std::string path = results + "/index.html";
  const std::string markdown = page({results});
  const std::string body = finished(html_of(markdown, false));
  std::string contents = "<ul>\n";
  for (const std::string& line : split(body, '\n')) {
    if (const Words found = search(line, "<h2 id=\"([^\"]*)\">(.*)</h2>"); !found.empty()) {
      contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", found[1], found[2]);
    }
  }
  write_whole(path, page_of("OpenCL kernels: your device", contents + "</ul>\n", body));
  fmt::print("{}\n", fs::absolute(path).string());
}

// All pages, each beside a list of them, with the pictures and the sources that they link to.
int site_verb(const Words& arguments) {
  const fs::path out = readers_file(arguments.empty() ? "site" : arguments[0]);
  const auto address = [](const std::string& page) {  // of its HTML
    return replaced(replaced(page, "README\\.md", "index.html"), "\\.md$", ".html");
  };
  std::vector<std::pair<std::string, std::string>> pages;  // path and title
  for (const std::string& path : page_files()) {
    const Words title = search(read_file(path), "# (.+)");
    pages.emplace_back(path, title.empty() ? path : replaced(title[1], "[`*]", ""));
  }
  for (const auto& [path, title] : pages) {
    const std::string up = replaced(replaced(path, "[^/]*$", ""), "[^/]+/", "../");
    std::string contents = "<ul>\n";
    for (const auto& [other, name] : pages) {
      contents += fmt::format(
          "<li><a{} href=\"{}{}\">{}</a></li>\n", other == path ? " aria-current=\"page\"" : "", up,
          address(other), name);
    }
    std::string body = finished(html_of(replaced(read_file(path), "<!--[^]*?-->", ""), true));
    body = replaced(body, "(href=\"[^\":#]*)README\\.md", "$1index.html");
    body = replaced(body, "(href=\"[^\":#]+)\\.md(?=[#\"])", "$1.html");
    const char* form = "(?:href|src)=\"([^\":#]+)";
    std::string rest = body;
    for (Words link = search(rest, form); !link.empty(); link = search(rest, form)) {
      const fs::path target = (fs::path(path).parent_path() / link[1]).lexically_normal();
      if (fs::is_regular_file(target)) {
        fs::create_directories((out / target).parent_path());
        fs::copy_file(target, out / target, fs::copy_options::overwrite_existing);
      }
      rest = rest.substr(rest.find(link[0]) + link[0].size());
    }
    const fs::path file = out / address(path);
    fs::create_directories(file.parent_path());
    write_whole(file.string(), page_of(title, contents + "</ul>\n", body));
  }
  fmt::print("{} pages: {}\n", pages.size(), fs::absolute(out / "index.html").string());
  return 0;
}

}  // namespace tutorial
