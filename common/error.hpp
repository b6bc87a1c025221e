// The one exception of the tutorial: what the user can mend, said in one line.
#pragma once

#include <stdexcept>

namespace tutorial {

/// Bad input or an unusable device. `what()` is one clear line without a trailing newline; the
/// program prints it on stderr and ends with exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tutorial
