// Text from files and the command line: its parts, its numbers; and whole files.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutorial {

/// The parts of `text` between the separators: one more than there are separators, some perhaps
/// empty. If it is `quoted`, double quotes hide separators: they go, and two within stand for one.
std::vector<std::string> split(std::string_view text, char separator, bool quoted = false);

std::string lower(std::string text);

/// The one of `choice` whose letters, in any order, differ least from those of `word`.
std::string nearest(const std::string& word, const std::vector<std::string>& choice);

/// The number that is the whole of `text`, in decimal, without white space or a plus sign; nothing
/// if it is anything else or `Number` cannot hold it. A floating-point number may be NaN or
/// infinite.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return {};
  }
  return value;
}

/// The bytes of a file. Throws `Error` if it is a folder, a device or a pipe (which could be read
/// only once), or cannot be read.
std::string read_file(const std::string& path);

/// The same without a byte order mark, and with a '\n' at the end of each line, whatever the
/// editor.
std::string read_text(const std::string& path);

/// A number that stands for the text, in 16 digits: another text has another (FNV-1a).
std::string content_hash(std::string_view text);

/// Throws `Error` if the file cannot be written to. Leaves what is there as it is.
void require_writable(const std::string& path);

/// Writes a file that appears as `path` when it is complete. Throws `Error` if that fails; nothing
/// is left behind then, and a file that had this name stays as it was.
void write_whole(const std::string& path, const std::string& content);

}  // namespace tutorial
