// Is a streamed image right, and how long do its parts take?
#pragma once

#include "scale/lane.hpp"

namespace tutorial::scale {

/// Computes 16 of the rows from `first` to `last` - 1 again, the first and the last ones of
/// `lane`'s bands among them. Returns how many are wrong in the output.
int wrong_rows(
    const ImageFile& input, const ImageFile& output, const Lane& lane, std::int64_t first,
    std::int64_t last);

/// The times for --csv, for the whole image: of each stage alone, of all of them one after the
/// other in one lane (series), and side by side (stream).
void measure(const Options& options, const std::vector<Lane*>& lanes, const Layout& layout);

}  // namespace tutorial::scale
