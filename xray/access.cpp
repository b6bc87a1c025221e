#include "xray/access.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace xray {
namespace {

using Iterator = std::vector<Access>::const_iterator;

/// Calls `use(begin, end)` for each run of loads that have the same key.
template <typename Key, typename Use>
void for_each_run(std::vector<Access>& loads, Key key, Use use) {
  std::stable_sort(loads.begin(), loads.end(), [&](const Access& a, const Access& b) {
    return key(a) < key(b);
  });
  for (Iterator begin = loads.begin(), end; begin != loads.end(); begin = end) {
    end = std::find_if(
        begin, loads.cend(), [&](const Access& load) { return key(load) != key(*begin); });
    use(begin, end);
  }
}

/// The different units of `unit_bytes` that these loads touch.
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

/// What goes together: `items` neighbours, one instruction, one pass.
auto together(unsigned items) {
  return [items](const Access& load) {
    return std::tuple(load.group, load.item / items, load.instruction, load.pass);
  };
}

}  // namespace

Traffic global_traffic(std::vector<Access> loads, unsigned warp) {
  constexpr std::size_t sector_bytes = 32;
  Traffic traffic;
  for_each_run(loads, together(warp), [&](Iterator begin, Iterator end) {
    ++traffic.loads;
    traffic.sectors += touched(begin, end, sector_bytes).size();
    traffic.least_sectors += (touched(begin, end, 1).size() + sector_bytes - 1) / sector_bytes;
  });
  for_each_run(
      loads, [](const Access& load) { return load.group; },
      [&](Iterator begin, Iterator end) {
        traffic.distinct_bytes += touched(begin, end, 1).size();
      });
  return traffic;
}

Conflicts bank_conflicts(std::vector<Access> loads, unsigned warp) {
  constexpr std::size_t banks = 32;
  constexpr std::size_t bank_bytes = 4;
  std::size_t parts = 0;
  std::size_t sum = 0;
  Conflicts conflicts;
  for_each_run(loads, together(warp), [&](Iterator begin, Iterator end) {
    const std::size_t words = (begin->size + bank_bytes - 1) / bank_bytes;  // of each work-item
    const auto items_in_part = static_cast<unsigned>(std::max<std::size_t>(banks / words, 1));
    std::vector<Access> load(begin, end);
    for_each_run(load, together(items_in_part), [&](Iterator part_begin, Iterator part_end) {
      std::array<std::size_t, banks> words_in_bank{};
      for (const std::size_t word : touched(part_begin, part_end, bank_bytes)) {
        ++words_in_bank[word % banks];
      }
      const std::size_t most = *std::max_element(words_in_bank.begin(), words_in_bank.end());
      ++parts;
      sum += most;
      conflicts.worst = std::max(conflicts.worst, most);
    });
  });
  if (parts != 0) {
    conflicts.mean = static_cast<double>(sum) / static_cast<double>(parts);
  }
  return conflicts;
}

}  // namespace xray
