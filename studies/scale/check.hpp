// Is a streamed image right? How long should it take, and how long does it?
#pragma once

#include "scale/carrier.hpp"

namespace tutorial::scale {

/// Computes 16 rows of the output again, the first and the last ones of `carrier`'s bands among
/// them. Returns how many are wrong.
int wrong_rows(const Carrier& carrier, const Bands& bands);

/// Sends three bands through a device while nothing else runs. The first two warm it up.
void probe(Worker& worker, const Bands& bands);

/// How many rows all devices together do in a millisecond, and what decides it.
std::pair<double, std::string> predict(const std::vector<Worker>& workers, int ranks_here);

/// Prints what each device has done, and the times in ms: predicted, with the reason, and measured.
void print(
    const std::vector<Worker>& workers, const Layout& layout, double predicted,
    const std::string& slowest, double measured);

/// The times for --csv, for the whole image. Of one device: each stage alone, all of them one after
/// the other in one carrier (series), and side by side (stream). Of several: the first one and all
/// of them without the files (one-device, devices) and with them (one-stream, stream).
void measure(const Options& options, const std::vector<Carrier*>& carriers, const Layout& layout);

}  // namespace tutorial::scale
