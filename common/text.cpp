#include "common/text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>  // takes seconds to compile, so it is in this file alone

#include "common/error.hpp"

namespace tutorial {

namespace fs = std::filesystem;

namespace {

/// GCC 12 takes text for Latin-1 on Windows unless it is marked as UTF-8.
fs::path file_path(const std::string& path) {
  return std::u8string(path.begin(), path.end());
}

}  // namespace

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

std::vector<std::string> search(const std::string& text, const std::string& expression) {
  static std::map<std::string, std::regex> expressions;
  std::smatch match;
  std::regex_search(text, match, expressions.try_emplace(expression, expression).first->second);
  return {match.begin(), match.end()};
}

std::string replaced(
    const std::string& text, const std::string& expression, const std::string& by) {
  return std::regex_replace(text, std::regex(expression), by);
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
  const fs::file_status status = fs::status(file_path(path), ignored);
  require(
      !fs::is_directory(status) && !fs::is_other(status),
      "cannot read {}: this is a folder, a device or a pipe", path);
  std::ifstream file(file_path(path), std::ios::binary);
  require(file.good(), "cannot read {}: {}", path, std::strerror(errno));
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

std::vector<std::string> kernel_names(const std::string& source) {
  // At the beginning of a line: not in a comment, as a rule.
  static const std::regex definition(R"((?:^|\n)\s*(?:__)?kernel\b[^;{]*?\bvoid\s+(\w+)\s*\()");
  const std::sregex_token_iterator names(source.begin(), source.end(), definition, 1);
  return {names, std::sregex_token_iterator()};
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const fs::path file = file_path(path);
  const bool existed = fs::exists(file, ignored);
  // A device may not be replaced by a file, which the superuser could do.
  require(
      !existed || fs::is_regular_file(file, ignored), "cannot write {}: this is not a regular file",
      path);
  const bool opens = std::ofstream(file, std::ios::app).good();
  require(opens, "cannot write {}: {}", path, std::strerror(errno));
  if (!existed) {
    fs::remove(file, ignored);
  }
}

void write_whole(const std::string& path, const std::string& content) {
  require_writable(path);
  const fs::path target =
      fs::weakly_canonical(file_path(path));  // what a link points to, not the link
  const fs::path part = fs::path(target) += ".part";
  std::ofstream file(part, std::ios::binary);
  file << content;
  file.close();
  std::error_code problem(file ? 0 : errno, std::generic_category());
  if (file) {
    fs::rename(part, target, problem);
  }
  if (!file || problem) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw Error("cannot write " + path + ": " + problem.message());
  }
}

std::string Head::of(std::string_view key) const {
  const auto found = std::ranges::find(*this, key, &value_type::first);
  return found == end() ? "" : found->second;
}

Csv read_csv(const std::string& path) {
  Csv csv{path, {}, {}, {}};
  std::size_t line_number = 0;
  for (const std::string& line : split(read_text(path), '\n')) {
    line_number++;
    const std::size_t colon = line.find(": ");
    if (line.starts_with("# ") && colon != std::string::npos) {
      csv.head.emplace_back(line.substr(2, colon - 2), line.substr(colon + 2));
    } else if (!line.empty() && !line.starts_with('#')) {
      auto& fields = csv.columns.empty() ? csv.columns : csv.rows.emplace_back();
      fields = split(line, ',', true);
      require(
          fields.size() == csv.columns.size(), "{}:{}: {} fields, but {} columns", path,
          line_number, fields.size(), csv.columns.size());
    }
  }
  require(!csv.columns.empty(), "{}: no row with the names of the columns", path);
  return csv;
}

const std::string& Csv::text(std::size_t row, const std::string& column) const {
  const auto place = std::ranges::find(columns, column) - columns.begin();
  require(place != std::ssize(columns), "{}: no column '{}'", path, column);
  return rows.at(row)[place];
}

double Csv::number(std::size_t row, const std::string& column) const {
  const std::string& field = text(row, column);
  const double value = field.empty() ? 0.0 : parse_number<double>(field).value_or(NAN);
  require(std::isfinite(value), "{}: {} '{}' is not a number", path, column, field);
  return value;
}

}  // namespace tutorial
