// Text from files and the command line: its parts, its numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutorial {

/// The parts of `text` between the separators: one more than there are separators, some perhaps
/// empty.
std::vector<std::string> split(std::string_view text, char separator);

/// The text in lower case.
std::string lower(std::string text);

/// The same, where double quotes hide separators: the quotes go, and two within stand for one.
std::vector<std::string> split_quoted(std::string_view text, char separator);

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

/// The bytes of a file; nothing if it is a folder or cannot be read.
std::optional<std::string> read_file(const std::string& path);

}  // namespace tutorial
