// What many loads mean together: for a work-group, and for neighbours that load at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
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

/// Calls `use(begin, end)` for each run of loads that have the same key.
template <typename Key, typename Use>
void for_each_run(std::vector<Access>& loads, Key key, Use use) {
  std::stable_sort(loads.begin(), loads.end(), [&](const Access& a, const Access& b) {
    return key(a) < key(b);
  });
  for (auto begin = loads.begin(), end = begin; begin != loads.end(); begin = end) {
    end = std::find_if(
        begin, loads.end(), [&](const Access& load) { return key(load) != key(*begin); });
    use(begin, end);
  }
}

/// The different units of `unit_bytes` that these loads touch.
template <typename Iterator>
std::set<std::size_t> touched(Iterator begin, Iterator end, std::size_t unit_bytes) {
  std::set<std::size_t> units;
  for (; begin != end; ++begin) {
    const std::size_t last = (begin->address + begin->size - 1) / unit_bytes;
    for (std::size_t unit = begin->address / unit_bytes; unit <= last; ++unit) {
      units.insert(unit);
    }
  }
  return units;
}

/// What goes together: `items` neighbours of a work-group, one instruction, one pass, whether all
/// of them load or only some.
inline auto together(unsigned items) {
  return [items](const Access& load) {
    return std::tuple(load.group, load.item / items, load.instruction, load.pass);
  };
}

/// Loads from global memory, in warps of neighbours that load together.
struct Traffic {
  std::size_t distinct_bytes = 0;  ///< that each work-group loads, summed over the groups
  std::size_t loads = 0;           ///< of whole warps
  std::size_t sectors = 0;         ///< of 32 bytes, touched by these loads
  std::size_t least_sectors = 0;   ///< that would hold the distinct bytes of these loads
};

inline Traffic global_traffic(std::vector<Access> loads, unsigned warp) {
  constexpr std::size_t sector_bytes = 32;
  Traffic traffic;
  for_each_run(loads, together(warp), [&](auto begin, auto end) {
    ++traffic.loads;
    traffic.sectors += touched(begin, end, sector_bytes).size();
    traffic.least_sectors += (touched(begin, end, 1).size() + sector_bytes - 1) / sector_bytes;
  });
  const auto group = [](const Access& load) { return load.group; };
  for_each_run(loads, group, [&](auto begin, auto end) {
    traffic.distinct_bytes += touched(begin, end, 1).size();
  });
  return traffic;
}

/// Loads from local memory, which has 32 banks of 4 bytes side by side. A bank delivers one word at
/// a time, to any number of work-items. Wide loads go in several parts of at most 32 words.
struct Conflicts {
  double mean = 0.0;  ///< different words in the busiest bank, per load; 1: no conflict, 0: no load
  std::size_t worst = 0;  ///< different words in the busiest bank, of the worst load
};

inline Conflicts bank_conflicts(std::vector<Access> loads, unsigned warp) {
  constexpr std::size_t banks = 32;
  std::size_t parts = 0;
  std::size_t sum = 0;
  Conflicts conflicts;
  for_each_run(loads, together(warp), [&](auto begin, auto end) {
    const std::size_t words = (begin->size + 3) / 4;  // of each work-item
    std::vector<Access> load(begin, end);
    const auto items = static_cast<unsigned>(std::max<std::size_t>(banks / words, 1));
    for_each_run(load, together(items), [&](auto part_begin, auto part_end) {
      std::map<std::size_t, std::size_t> words_in_bank;
      std::size_t most = 0;
      for (const std::size_t word : touched(part_begin, part_end, 4)) {
        most = std::max(most, ++words_in_bank[word % banks]);
      }
      ++parts;
      sum += most;
      conflicts.worst = std::max(conflicts.worst, most);
    });
  });
  conflicts.mean = parts == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(parts);
  return conflicts;
}

}  // namespace xray
