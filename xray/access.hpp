// What many loads mean together: for a work-group, and for neighbours that load at the same time.
#pragma once

#include <cstddef>
#include <vector>

namespace xray {

/// A load of one work-item.
struct Access {
  std::size_t group = 0;     ///< number of the work-group
  unsigned item = 0;         ///< local linear id: row by row within the group
  unsigned instruction = 0;  ///< which load of the kernel it is
  unsigned pass = 0;         ///< how often the work-item had executed that load before
  std::size_t address = 0;   ///< bytes
  std::size_t size = 0;      ///< bytes
};

/// Loads from global memory. A warp is `warp` neighbours of a work-group; they load together what
/// they load by the same instruction in the same pass, whether all of them do or only some.
struct Traffic {
  std::size_t distinct_bytes = 0;  ///< that each work-group loads, summed over the groups
  std::size_t loads = 0;           ///< of whole warps
  std::size_t sectors = 0;         ///< of 32 bytes, touched by these loads
  std::size_t least_sectors = 0;   ///< that would hold the distinct bytes of these loads
};
Traffic global_traffic(std::vector<Access> loads, unsigned warp);

/// Loads from local memory, which has 32 banks of 4 bytes side by side. A bank delivers one word at
/// a time, to any number of work-items. Wide loads go in several parts of at most 32 words.
struct Conflicts {
  double mean = 0.0;  ///< different words in the busiest bank, per load; 1: no conflict, 0: no load
  std::size_t worst = 0;  ///< likewise, of the worst load
};
Conflicts bank_conflicts(std::vector<Access> loads, unsigned warp);

}  // namespace xray
