// The result for people: a photo in colour.
#pragma once

#include "common/options.hpp"

namespace tutorial::step11 {

/// If the input is in colour and the output a PNG, writes that anew: each of the photo's three
/// channels, filtered by the fastest of options.kernels on bytes, with the last filter width. Says
/// so on stdout. Throws `Error` if a channel is wrong, or the file cannot be written.
void write_in_colour(const Options& options);

}  // namespace tutorial::step11
