#include "common/filters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <ranges>
#include <set>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

/// A filter whose taps are a function of the place, x to the right and y downwards from the centre,
/// divided by their sum, so that it neither brightens nor darkens an image.
template <typename Function>
Filter from_function(int width, Function function) {
  const double centre = (width - 1) / 2.0;
  std::vector<double> taps;
  double sum = 0.0;
  for (int i = 0; i < width * width; i++) {
    taps.push_back(function(i % width - centre, i / width - centre));
    sum += taps.back();
  }
  Filter filter{width, {}};
  for (const double tap : taps) {
    filter.taps.push_back(static_cast<float>(tap / sum));
  }
  return filter;
}

Filter make_gaussian(int width, std::uint32_t) {
  const double sigma = width / 6.0;
  return from_function(width, [sigma](double x, double y) {
    return std::exp(-(x * x + y * y) / (2.0 * sigma * sigma));
  });
}

/// The pixel's path is a segment of length width - 1 through the centre, rising at 45 degrees. A
/// tap loses weight linearly with its distance from that path, down to nothing at a distance of one
/// pixel. With width 7 this gives, to their four printed digits, the taps of chapter 7.
Filter make_motion_blur(int width, std::uint32_t) {
  const double half_length = (width - 1) / 2.0;
  return from_function(width, [half_length](double x, double y) {
    const double along = (x - y) / std::sqrt(2.0);
    const double across = (x + y) / std::sqrt(2.0);
    const double beyond_the_end = std::max(0.0, std::abs(along) - half_length);
    return std::max(0.0, 1.0 - std::hypot(beyond_the_end, across));
  });
}

Filter make_box(int width, std::uint32_t) {
  return from_function(width, [](double, double) { return 1.0; });
}

Filter make_sharpen(int width, std::uint32_t seed) {
  Filter filter = make_box(width, seed);
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
  for (int i = 0; i < width * width; i++) {
    const double product = numbers[i / width] * numbers[width + i % width];
    filter.taps.push_back(static_cast<float>(product / width));
  }
  return filter;
}

using Maker = Filter (*)(int width, std::uint32_t seed);
const std::map<std::string, Maker> built_in = {
    {"random", make_random}, {"separable", make_separable}, {"gaussian", make_gaussian},
    {"box", make_box},       {"sharpen", make_sharpen},     {"motion-blur", make_motion_blur},
};

Filter read_filter(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    throw Error(fmt::format(
        "filter '{}' is neither a file nor one of {}", path,
        fmt::join(std::views::keys(built_in), ", ")));
  }
  Filter filter;
  std::set<std::size_t> lengths;  // of the rows
  for (std::string line : split(read_text(path), '\n')) {
    const std::size_t before = filter.taps.size();
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      const auto number = parse_number<double>(word.substr(word[0] == '+' ? 1 : 0));
      filter.taps.push_back(float(number.value_or(NAN)));
      if (!std::isfinite(filter.taps.back())) {  // which may be anything, also bytes of a photo
        throw Error(
            fmt::format("{}: its number {} is not a finite number", path, filter.taps.size()));
      }
    }
    if (filter.taps.size() > before) {
      lengths.insert(filter.taps.size() - before);
    }
  }
  const std::size_t count = filter.taps.size();
  const std::size_t width = std::lround(std::sqrt(count));
  const bool ragged = lengths != std::set{width} && lengths != std::set{count};  // or all in a line
  if (count == 0 || width * width != count || width > max_filter_width || ragged) {
    throw Error(fmt::format(
        "{0}: {1} numbers; a filter must be square, from 1 x 1 to {2} x {2}, a row on each line",
        path, count, max_filter_width));
  }
  filter.width = int(width);
  return filter;
}

}  // namespace

Filter make_filter(const std::string& name, int width, std::uint32_t seed) {
  if (const auto maker = built_in.find(name); maker != built_in.end()) {
    return maker->second(width, seed);
  }
  Filter filter = read_filter(name);
  if (width != 0 && width != filter.width) {
    throw Error(fmt::format("{}: the filter is {} wide, not {}", name, filter.width, width));
  }
  return filter;
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
  return built_in.contains(name) ? 0 : read_filter(name).width;
}

}  // namespace tutorial
