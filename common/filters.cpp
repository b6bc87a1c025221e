#include "common/filters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

void require_width(int width, const std::string& file = "") {
  if (width < 1 || width > max_filter_width) {
    throw Error(fmt::format(
        "{}filter width {} must be a number from 1 to {}", file.empty() ? "" : file + ": ", width,
        max_filter_width));
  }
}

/// Divides the taps by their sum, so that the filter neither brightens nor darkens an image.
Filter normalized(int width, const std::vector<double>& taps) {
  const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  Filter filter{width, {}};
  for (const double tap : taps) {
    filter.taps.push_back(static_cast<float>(tap / sum));
  }
  return filter;
}

/// A filter whose taps are a function of the place: x to the right and y downwards from the centre.
template <typename Function>
Filter from_function(int width, Function function) {
  const double centre = (width - 1) / 2.0;
  std::vector<double> taps;
  for (int r = 0; r < width; r++) {
    for (int c = 0; c < width; c++) {
      taps.push_back(function(c - centre, r - centre));
    }
  }
  return normalized(width, taps);
}

Filter make_gaussian(int width) {
  const double sigma = width / 6.0;
  return from_function(width, [sigma](double x, double y) {
    return std::exp(-(x * x + y * y) / (2.0 * sigma * sigma));
  });
}

/// The pixel's path is a segment of length width - 1 through the centre, rising at 45 degrees. A
/// tap loses weight linearly with its distance from that path, down to nothing at a distance of one
/// pixel. With width 7 this gives, to their four printed digits, the taps of chapter 7.
Filter make_motion_blur(int width) {
  const double half_length = (width - 1) / 2.0;
  return from_function(width, [half_length](double x, double y) {
    const double along = (x - y) / std::sqrt(2.0);
    const double across = (x + y) / std::sqrt(2.0);
    const double beyond_the_end = std::max(0.0, std::abs(along) - half_length);
    return std::max(0.0, 1.0 - std::hypot(beyond_the_end, across));
  });
}

Filter make_box(int width) {
  return from_function(width, [](double, double) { return 1.0; });
}

Filter make_sharpen(int width) {
  Filter filter = make_box(width);
  for (float& tap : filter.taps) {
    tap = -tap;
  }
  const int centre = (width - 1) / 2;
  filter.taps[centre * width + centre] += 2.0F;
  return filter;
}

/// `count` numbers from -1 to 1.
std::vector<double> random_numbers(int count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::vector<double> numbers;
  for (int i = 0; i < count; i++) {
    // The distributions of <random> may differ from library to library; this does not.
    numbers.push_back(2.0 * (generator() / 4294967296.0) - 1.0);
  }
  return numbers;
}

Filter make_random(int width, std::uint32_t seed) {
  Filter filter{width, {}};
  for (const double number : random_numbers(width * width, seed)) {
    filter.taps.push_back(static_cast<float>(number / width));
  }
  return filter;
}

Filter make_separable(int width, std::uint32_t seed) {
  const std::vector<double> numbers = random_numbers(2 * width, seed);
  Filter filter{width, {}};
  for (int r = 0; r < width; r++) {
    for (int c = 0; c < width; c++) {
      filter.taps.push_back(static_cast<float>(numbers[r] * numbers[width + c] / width));
    }
  }
  return filter;
}

bool is_built_in(const std::string& name) {
  return name == "random" || name == "separable" || name == "gaussian" || name == "box" ||
         name == "sharpen" || name == "motion-blur";
}

std::vector<float> parse_row(std::string line, const std::string& place) {
  line.resize(std::min(line.size(), line.find('#')));
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream words(line);
  std::vector<float> row;
  for (std::string word; words >> word;) {
    row.push_back(parse_number<float>(word.starts_with('+') ? word.substr(1) : word).value_or(NAN));
    if (!std::isfinite(row.back())) {
      // What a binary file holds must not reach the terminal.
      const bool printable =
          std::all_of(word.begin(), word.end(), [](unsigned char c) { return c > 32 && c < 127; });
      throw Error(fmt::format(
          "{}: {} is not a finite number", place,
          printable && word.size() <= 40 ? "'" + word + "'" : "this"));
    }
  }
  return row;
}

Filter read_filter(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) {
    throw Error(fmt::format(
        "filter '{}' is neither a file nor one of random, separable, gaussian, box, sharpen, "
        "motion-blur",
        path));
  }
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path, failure)) {
    throw Error(fmt::format("{}: cannot be read", path));
  }

  Filter filter;
  std::size_t rows = 0;
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    line_number++;
    const std::string place = fmt::format("{}:{}", path, line_number);
    const std::vector<float> row = parse_row(line, place);
    if (row.empty()) {
      continue;
    }
    if (rows == 0) {
      filter.width = static_cast<int>(std::min<std::size_t>(row.size(), 1000));
      require_width(filter.width, path);
    }
    if (row.size() != static_cast<std::size_t>(filter.width)) {
      throw Error(fmt::format(
          "{}: {} numbers in this row, {} in the first", place, row.size(), filter.width));
    }
    filter.taps.insert(filter.taps.end(), row.begin(), row.end());
    rows++;
  }
  if (rows == 0) {
    throw Error(fmt::format("{}: holds no numbers", path));
  }
  if (rows != static_cast<std::size_t>(filter.width)) {
    throw Error(fmt::format(
        "{}: {} rows of {} numbers; a filter must be square", path, rows, filter.width));
  }
  return filter;
}

}  // namespace

Filter make_filter(const std::string& name, int width, std::uint32_t seed) {
  if (!is_built_in(name)) {
    Filter filter = read_filter(name);
    if (width != 0 && width != filter.width) {
      throw Error(fmt::format("{}: the filter is {} wide, not {}", name, filter.width, width));
    }
    return filter;
  }
  require_width(width);
  if (name == "gaussian") {
    return make_gaussian(width);
  }
  if (name == "box") {
    return make_box(width);
  }
  if (name == "sharpen") {
    return make_sharpen(width);
  }
  if (name == "motion-blur") {
    return make_motion_blur(width);
  }
  if (name == "separable") {
    return make_separable(width, seed);
  }
  return make_random(width, seed);
}

bool Filter::is_sparse() const {
  const auto zeros = std::count(taps.begin(), taps.end(), 0.0F);
  return 2 * zeros >= static_cast<std::ptrdiff_t>(taps.size());
}

std::string Filter::baked_source() const {
  std::string source = "__constant float baked_filter[] = {\n";
  for (std::size_t i = 0; i < taps.size(); i++) {
    const bool end_of_row = (i + 1) % width == 0;
    source += fmt::format("{:a}f,{}", taps[i], end_of_row ? "\n" : " ");
  }
  return source + "};\n";
}

int filter_file_width(const std::string& name) {
  return is_built_in(name) ? 0 : read_filter(name).width;
}

}  // namespace tutorial
