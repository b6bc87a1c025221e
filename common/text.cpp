#include "common/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/error.hpp"

namespace tutorial {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char separator, bool quoted) {
  std::vector<std::string> parts(1);
  bool within = false;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (within && text.substr(i, 2) == "\"\"") {
      parts.back() += text[++i];
    } else if (quoted && text[i] == '"') {
      within = !within;
    } else if (text[i] == separator && !within) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string nearest(const std::string& word, const std::vector<std::string>& choice) {
  const auto sorted = [](const std::string& text) {
    std::string letters = lower(text);
    std::ranges::sort(letters);
    return letters;
  };
  return *std::ranges::min_element(choice, {}, [&](const std::string& other) {
    std::string differing;
    std::ranges::set_symmetric_difference(
        sorted(word), sorted(other), std::back_inserter(differing));
    return differing.size();
  });
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status) || fs::is_other(status)) {
    throw Error("cannot read " + path + ": this is a folder, a device or a pipe");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error("cannot read " + path + ": " + std::strerror(errno));
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string read_text(const std::string& path) {
  std::string text = read_file(path);
  for (std::size_t end = 0; (end = text.find('\r', end)) != std::string::npos;) {
    text.replace(end, text.compare(end, 2, "\r\n") == 0 ? 2 : 1, "\n");
  }
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

std::string content_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : text) {
    hash = (hash ^ byte) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
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
