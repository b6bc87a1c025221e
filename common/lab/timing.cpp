#include "common/lab/timing.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "common/system.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

// A GPU takes a while to raise its clock from idle.
constexpr double warm_up_s = 0.1;
constexpr std::size_t most_rounds = 2000;
// Shorter waits, as of a thread that is woken, did not show in the times.
constexpr double least_wait_ms = 0.1;
// Of one core. A program's own threads wait for each other, too: where nobody else had more than
// this, all waiting was theirs.
constexpr double most_by_others = 0.1;

struct Sample {
  std::optional<double> event_ms;
  double host_ms = 0.0;
  bool on_gpu = false;
  bool disturbed = false;
};

Sample run_once(const Variant& variant, const Clocks& clocks) {
  Sample sample;
  now_running(variant.name);
  const double start_s = clocks.now_s();
  cl::Event event;
  if (variant.run_ms) {
    sample.event_ms = variant.run_ms();
  } else if (event = variant.launch(); event() != nullptr) {
    sample.event_ms = total_ms({event});
  }
  sample.host_ms = 1e3 * (clocks.now_s() - start_s);
  sample.disturbed = clocks.waited_ms() > std::max(least_wait_ms, 0.02 * sample.host_ms);
  if (event() != nullptr) {
    const auto queue = event.getInfo<CL_EVENT_COMMAND_QUEUE>();
    sample.on_gpu = !is_cpu(queue.getInfo<CL_QUEUE_DEVICE>());
  }
  return sample;
}

/// A thread of this program, as Linux accounts for it.
struct Thread {
  std::ifstream state;  // NUMBER (NAME) STATE ...
  std::ifstream times;  // in ns: with a core, and waiting for one; ...
  double waited_ns = 0.0;
};

std::ifstream& again(std::ifstream& file) {
  file.clear();
  file.seekg(0);
  return file;
}

/// The longest time that one of them has waited for a core since the last call. `threads` keeps
/// those that are known.
double most_waited_ms(std::map<fs::path, Thread>& threads) {
  std::error_code none;  // on another system
  const fs::path own = fs::read_symlink("/proc/thread-self", none).filename();
  double most_ns = 0.0;
  for (const auto& folder : fs::directory_iterator("/proc/self/task", none)) {
    const auto [found, is_new] = threads.try_emplace(folder.path());
    Thread& thread = found->second;
    if (is_new) {
      thread.state.open(folder.path() / "stat");
      thread.times.open(folder.path() / "schedstat");
    }
    const auto runs = [&thread] {
      std::string line;
      std::getline(again(thread.state), line);
      return line.find(") R ") != std::string::npos;
    };
    // A thread that comes too late to do its share may still wait; one of OpenMP's may still spin,
    // which would slow down what is timed next. Once all sleep, all is accounted for.
    for (int i = 0; i < 100 && folder.path().filename() != own && runs(); i++) {
      std::this_thread::sleep_for(std::chrono::microseconds(i < 10 ? 0 : 100));
    }
    double ran_ns = 0.0, waited_ns = 0.0;
    again(thread.times) >> ran_ns >> waited_ns;
    most_ns = is_new ? most_ns : std::max(most_ns, waited_ns - thread.waited_ns);
    thread.waited_ns = waited_ns;
  }
  return 1e-6 * most_ns;
}

}  // namespace

Clocks system_clocks() {
  const auto threads = std::make_shared<std::map<fs::path, Thread>>();
  const auto now_s = [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
  };
  return {now_s, [threads] { return most_waited_ms(*threads); }, others_s};
}

void append(std::vector<Variant>& variants, const std::optional<Variant>& variant) {
  if (variant) {
    variants.push_back(*variant);
  }
}

double total_ms(const std::vector<cl::Event>& events) {
  double total = 0.0;
  for (const cl::Event& event : events) {
    event.wait();
    const cl_ulong begin = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    if (end <= begin + 1) {
      return 0.0;
    }
    total += 1e-6 * static_cast<double>(end - begin);
  }
  return total;
}

std::vector<Order> balanced_orders(std::size_t variants, unsigned seed) {
  std::mt19937 random(seed);
  Order names(variants);
  std::iota(names.begin(), names.end(), 0);
  std::ranges::shuffle(names, random);
  // A Williams design: 0, 1, n-1, 2, n-2, ... has each step once, so each variant follows each
  // other one once in the n shifts of it; if n is odd, in those and their mirrors twice.
  std::vector<Order> orders;
  for (std::size_t shift = 0; shift < variants; shift++) {
    Order order;
    for (std::size_t place = 0; place < variants; place++) {
      const std::size_t step = (place + 1) / 2;
      order.push_back(names[(shift + (place % 2 == 0 ? variants - step : step)) % variants]);
    }
    orders.push_back(order);
    if (variants % 2 == 1 && variants > 1) {
      orders.emplace_back(order.rbegin(), order.rend());
    }
  }
  std::ranges::shuffle(orders, random);
  return orders;
}

std::vector<Measurement> measure(
    const std::vector<Variant>& variants, double budget_s, std::size_t least_rounds,
    const Clocks& clocks) {
  if (variants.empty()) {
    return {};
  }
  const double start_s = clocks.now_s();
  const double others_start_s = clocks.others_s();
  do {
    std::ranges::for_each(variants, [&](auto& variant) { run_once(variant, clocks); });
  } while (clocks.now_s() - start_s < warm_up_s);

  std::vector<std::vector<Sample>> samples(variants.size());
  std::vector<Order> orders = balanced_orders(variants.size(), std::random_device{}());
  const std::size_t cycle = orders.size();
  bool events_work = true;
  for (std::size_t round = 0; round < most_rounds; round++) {
    // Only a whole cycle of orders is balanced: one that is nearly complete is completed.
    const std::size_t left = (cycle - round % cycle) % cycle;
    if (round >= least_rounds && clocks.now_s() - start_s >= budget_s &&
        (left == 0 || 3 * left > round)) {
      break;
    }
    if (left == 0 && round > 0) {
      orders = balanced_orders(variants.size(), std::random_device{}());
    }
    for (const std::size_t v : orders[round % cycle]) {
      samples[v].push_back(run_once(variants[v], clocks));
      events_work = events_work && samples[v].back().event_ms.value_or(1.0) > 1e-6;
    }
  }

  const double others = clocks.others_s() - others_start_s;
  const bool busy = others > most_by_others * (clocks.now_s() - start_s);
  std::vector<Measurement> measurements;
  for (const Variant& variant : variants) {
    const auto& runs = samples[measurements.size()];
    const bool by_host = !events_work || !runs.front().event_ms;
    Measurement measured;
    measured.kernel = variant.name;
    measured.local_x = static_cast<int>(variant.local.get()[0]);
    measured.local_y = static_cast<int>(variant.local.get()[1]);
    measured.max_error = variant.max_error;
    measured.clock = by_host ? "host" : "event";
    measured.kind = variant.kind;
    for (const Sample& run : runs) {
      const bool by_gpu = run.on_gpu && !by_host;
      const double ms = by_host ? run.host_ms : *run.event_ms;
      measured.rounds.ms.push_back(std::round(1e6 * ms) / 1e6);
      measured.rounds.disturbed.push_back(busy && run.disturbed && !by_gpu);
    }
    if (variant.verify) {
      now_running(variant.name);
      after_timing = true;
      measured.verdict = variant.verify();
      after_timing = false;
    }
    measurements.push_back(measured);
  }
  return measurements;
}

}  // namespace tutorial
