#include "edge_conditions/reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace edge_conditions {
namespace {

/// Sums up to five pixels and makes a mean of them.
class Mean {
 public:
  void add(float pixel) {
    sum_ += static_cast<double>(pixel);
    magnitude_ += std::abs(static_cast<double>(pixel));
    count_++;
  }

  double value() const { return sum_ / count_; }

  /// How far a float kernel may be off, adding in any order. Each of the count - 1 additions rounds
  /// by half an epsilon of at most the sum of magnitudes; OpenCL permits the division 2.5 units in
  /// the last place, each at most an epsilon; half an epsilon is for the products of these. A
  /// device may flush numbers below FLT_MIN to zero, once in every operation.
  double tolerance() const {
    constexpr double epsilon = std::numeric_limits<float>::epsilon();
    constexpr double least_normal = std::numeric_limits<float>::min();
    return (0.5 * count_ + 2.5) * epsilon * magnitude_ / count_ + (count_ + 1) * least_normal;
  }

 private:
  double sum_ = 0.0;
  double magnitude_ = 0.0;
  int count_ = 0;
};

bool inside(const tutorial::Image& image, int x, int y) {
  return x >= 0 && x < image.width && y >= 0 && y < image.height;
}

bool inside(const Rectangle& rectangle, int x, int y) {
  return x >= rectangle.x && x < rectangle.x + rectangle.width && y >= rectangle.y &&
         y < rectangle.y + rectangle.height;
}

/// The Reference that has mean_at(x, y) at every pixel.
template <typename MeanAt>
tutorial::Reference reference_of(const tutorial::Image& image, const MeanAt& mean_at) {
  tutorial::Reference reference{image.width, image.height, {}, {}};
  reference.values.reserve(image.size());
  reference.tolerances.reserve(image.size());
  for (int y = 0; y < image.height; y++) {
    for (int x = 0; x < image.width; x++) {
      const Mean mean = mean_at(x, y);
      reference.values.push_back(mean.value());
      reference.tolerances.push_back(mean.tolerance());
    }
  }
  return reference;
}

struct Offset {
  int x;
  int y;
};
constexpr Offset star[] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

}  // namespace

tutorial::Reference leave_out(const tutorial::Image& image) {
  return reference_of(image, [&image](int x, int y) {
    Mean mean;
    for (const Offset& offset : star) {
      if (inside(image, x + offset.x, y + offset.y)) {
        mean.add(image.at(x + offset.x, y + offset.y));
      }
    }
    return mean;
  });
}

tutorial::Reference with_repeated_border(const tutorial::Image& image) {
  return reference_of(image, [&image](int x, int y) {
    Mean mean;
    for (const Offset& offset : star) {
      mean.add(image.at(
          std::clamp(x + offset.x, 0, image.width - 1),
          std::clamp(y + offset.y, 0, image.height - 1)));
    }
    return mean;
  });
}

tutorial::Reference clamp_centre(const tutorial::Image& image) {
  if (image.width < 3 || image.height < 3) {
    throw std::invalid_argument("clamp_centre: the image is less than 3 wide or high");
  }
  return reference_of(image, [&image](int x, int y) {
    const int centre_x = std::clamp(x, 1, image.width - 2);
    const int centre_y = std::clamp(y, 1, image.height - 2);
    Mean mean;
    for (const Offset& offset : star) {
      mean.add(image.at(centre_x + offset.x, centre_y + offset.y));
    }
    return mean;
  });
}

std::int64_t edge_pixels(int width, int height) {
  const std::int64_t inner_width = std::max(width - 2, 0);
  const std::int64_t inner_height = std::max(height - 2, 0);
  return std::int64_t{width} * height - inner_width * inner_height;
}

tutorial::Verdict check_rectangle(
    tutorial::Reference reference, const Rectangle& written, const tutorial::Image& before,
    tutorial::Image after, const std::string& damage) {
  if (before.width != after.width || before.height != after.height) {
    throw std::invalid_argument("check_rectangle: the images differ in size");
  }
  // The common checker knows no pixel that must not be written. So such pixels are looked at here,
  // and are then made to pass there: both their value and what is expected of them become 0.
  std::size_t touched = 0;
  int touched_x = -1;  // the first of them, in reading order
  int touched_y = -1;
  float touched_got = 0.0F;
  for (int y = 0; y < after.height; y++) {
    for (int x = 0; x < after.width; x++) {
      if (inside(written, x, y)) {
        continue;
      }
      const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(after.width) +
                     static_cast<std::size_t>(x);
      // A NaN equals nothing, not even itself; its bits do.
      if (std::bit_cast<std::uint32_t>(after.pixels[i]) !=
          std::bit_cast<std::uint32_t>(before.pixels[i])) {
        if (touched == 0) {
          touched_x = x;
          touched_y = y;
          touched_got = after.pixels[i];
        }
        touched++;
      }
      reference.values.at(i) = 0.0;
      after.pixels[i] = 0.0F;
    }
  }

  tutorial::Verdict verdict = tutorial::check(reference, after, damage);
  if (touched > 0) {
    verdict.passed = false;
    if (verdict.bad_count == 0 || touched_y < verdict.bad_y ||
        (touched_y == verdict.bad_y && touched_x < verdict.bad_x)) {
      verdict.bad_x = touched_x;
      verdict.bad_y = touched_y;
      verdict.expected = std::numeric_limits<double>::quiet_NaN();
      verdict.got = touched_got;
    }
    verdict.bad_count += touched;
  }
  return verdict;
}

}  // namespace edge_conditions
