// The CPU baseline of the published series: the naive loops in C++, shared out by OpenMP.
#pragma once

#include <optional>

#include "common/filters.hpp"
#include "common/results.hpp"

namespace tutorial {

/// Runs the loops once and checks them. Returns what is to be timed, or nothing if the options
/// leave OpenMP out, one run takes longer than the time budget, or the result is wrong. `input` and
/// `filter` must outlive what is returned.
std::optional<Variant> prepare_openmp(
    const Options& options, const Image& input, const Filter& filter, const Reference& reference,
    Results& results);

}  // namespace tutorial
