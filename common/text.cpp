#include "common/text.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/error.hpp"

namespace tutorial {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos;) {
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string lower(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return text;
}

std::vector<std::string> split_quoted(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (quoted && text.substr(i, 2) == "\"\"") {
      parts.back() += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == separator && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error("cannot read " + path + ": " + std::strerror(errno));
  }
  if (fs::is_directory(path) || fs::is_character_file(path)) {
    throw Error("cannot read " + path + ": this is a folder or a device");
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const bool existed = fs::exists(path, ignored);
  // A device may not be replaced by a file, which the superuser could do.
  if (existed && !fs::is_regular_file(path, ignored)) {
    throw Error("cannot write " + path + ": this is not a regular file");
  }
  if (!std::ofstream(path, std::ios::app)) {
    throw Error("cannot write " + path + ": " + std::strerror(errno));
  }
  if (!existed) {
    fs::remove(path, ignored);
  }
}

void write_whole(const std::string& path, const std::string& content) {
  require_writable(path);
  const std::string target = fs::weakly_canonical(path);  // what a link points to, not the link
  const std::string part = target + ".part";
  std::ofstream file(part, std::ios::binary);
  file << content;
  file.close();
  if (!file || std::rename(part.c_str(), target.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(part.c_str());
    throw Error("cannot write " + path + ": " + reason);
  }
}

}  // namespace tutorial
