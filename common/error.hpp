// The one exception of the tutorial: what the user can mend, said in one line.
#pragma once

#include <fmt/format.h>

#include <stdexcept>

namespace tutorial {

/// Bad input or an unusable device. `what()` is one clear line without a trailing newline; the
/// program prints it on stderr and ends with exit status 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws `Error` with the text, made as by fmt::format, if `condition` does not hold.
template <typename... Args>
void require(bool condition, fmt::format_string<Args...> text, Args&&... args) {
  if (!condition) {
    throw Error(fmt::format(text, std::forward<Args>(args)...));
  }
}

}  // namespace tutorial
