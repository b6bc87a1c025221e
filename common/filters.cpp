#include "common/filters.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "common/error.hpp"
#include "common/text.hpp"

namespace tutorial {
namespace {

using Taps = std::vector<double>;

/// `function` of each tap's place, x to the right and y downwards from the centre, divided by the
/// sum, so that the filter neither brightens nor darkens an image.
template <typename Function>
Taps with_sum_one(int width, Function function) {
  const double centre = (width - 1) / 2.0;
  Taps taps;
  for (int i = 0; i < width * width; i++) {
    taps.push_back(function(i % width - centre, i / width - centre));
  }
  const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  std::ranges::for_each(taps, [sum](double& tap) { tap /= sum; });
  return taps;
}

Taps make_gaussian(int width, std::uint32_t) {
  const double sigma = width / 6.0;
  return with_sum_one(width, [sigma](double x, double y) {
    return std::exp(-(x * x + y * y) / (2.0 * sigma * sigma));
  });
}

/// The pixel's path is a segment of length width - 1 through the centre, rising at 45 degrees. A
/// tap loses weight linearly with its distance from that path, down to nothing at a distance of one
/// pixel. With width 7 this gives, to their four printed digits, the taps of chapter 7.
Taps make_motion_blur(int width, std::uint32_t) {
  return with_sum_one(width, [width](double x, double y) {
    const double along = std::abs(x - y) / std::sqrt(2.0);
    const double across = (x + y) / std::sqrt(2.0);
    return std::max(0.0, 1.0 - std::hypot(std::max(0.0, along - (width - 1) / 2.0), across));
  });
}

Taps make_box(int width, std::uint32_t) {
  return with_sum_one(width, [](double, double) { return 1.0; });
}

Taps make_sharpen(int width, std::uint32_t) {
  Taps taps(width * width, -1.0 / (width * width));
  taps[(width - 1) / 2 * (width + 1)] += 2.0;
  return taps;
}

/// `count` numbers from -1 to 1.
Taps random_numbers(int count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Taps numbers(count);
  // The distributions of <random> may differ from library to library; this does not.
  std::ranges::generate(numbers, [&] { return 2.0 * (generator() / 4294967296.0) - 1.0; });
  return numbers;
}

/// Divided by `divisor`, and with the sign that makes their sum positive: with a negative one
/// nearly every result is below 0, and black as a byte, whatever a kernel has done wrong.
Taps scaled(Taps taps, double divisor) {
  const double sign = std::accumulate(taps.begin(), taps.end(), 0.0) < 0.0 ? -1.0 : 1.0;
  std::ranges::for_each(taps, [=](double& tap) { tap *= sign / divisor; });
  return taps;
}

Taps make_random(int width, std::uint32_t seed) {
  return scaled(random_numbers(width * width, seed), width);
}

Taps make_separable(int width, std::uint32_t seed) {
  const Taps numbers = random_numbers(2 * width, seed);
  Taps taps;
  for (int i = 0; i < width * width; i++) {
    taps.push_back(numbers[i / width] * numbers[width + i % width]);
  }
  return scaled(taps, width);
}

using Maker = Taps (*)(int width, std::uint32_t seed);
const std::map<std::string, Maker> built_in = {
    {"random", make_random}, {"separable", make_separable}, {"gaussian", make_gaussian},
    {"box", make_box},       {"sharpen", make_sharpen},     {"motion-blur", make_motion_blur},
};

Filter read_filter(const std::string& path) {
  std::vector<std::string> names;
  std::ranges::transform(built_in, std::back_inserter(names), [](auto& one) { return one.first; });
  require(
      std::filesystem::exists(path), "filter '{}' is neither a file nor one of {}", path,
      fmt::join(names, ", "));
  Filter filter;
  for (std::string line : split(read_text(path), '\n')) {
    std::ranges::replace(line, ',', ' ');
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      const bool plus = word[0] == '+' && word[1] != '-';
      const auto number = parse_number<double>(word.substr(plus ? 1 : 0));
      filter.taps.push_back(float(number.value_or(NAN)));
      require(  // it may be anything, also bytes of a photo
          std::isfinite(filter.taps.back()), "{}: its number {} is not a finite number", path,
          filter.taps.size());
    }
  }
  const std::size_t count = filter.taps.size();
  const std::size_t width = std::lround(std::sqrt(count));
  require(
      count != 0 && width * width == count && width <= max_filter_width,
      "{0}: {1} numbers; a filter must be square, from 1 x 1 to {2} x {2}", path, count,
      max_filter_width);
  filter.width = int(width);
  return filter;
}

}  // namespace

Filter make_filter(const std::string& name, int width, std::uint32_t seed) {
  if (const auto maker = built_in.find(name); maker != built_in.end()) {
    const Taps taps = width == 0 ? Taps() : maker->second(width, seed);
    return {width, {taps.begin(), taps.end()}};
  }
  Filter filter = read_filter(name);
  require(
      width == 0 || width == filter.width, "{}: the filter is {} wide, not {}", name, filter.width,
      width);
  return filter;
}

bool Filter::is_sparse() const {
  return 2 * std::ranges::count(taps, 0.0F) >= std::ssize(taps);
}

std::string Filter::baked_source() const {
  return fmt::format("__constant float baked_filter[] = {{{:a}f}};\n", fmt::join(taps, "f, "));
}

}  // namespace tutorial
