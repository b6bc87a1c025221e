// The times of events, for tests that know them; timing_test.cpp hands them out.
#pragma once

#include <array>
#include <optional>

#include "common/opencl.hpp"

namespace tutorial {

/// While this has a value, every event has these times: QUEUED, SUBMIT, START and END, in ns.
inline std::optional<std::array<cl_ulong, 4>> event_times;

}  // namespace tutorial
