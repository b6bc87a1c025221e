#include "common/text.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tutorial {

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

std::optional<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    return {};
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace tutorial
