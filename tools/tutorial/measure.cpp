// Measuring: each row of plots/measurements.csv is one run of a program, whose rounds become a file
// of the results. What is there and up to date is not measured again.
#include <chrono>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// A row for this device.
struct Task {
  std::string table, program, build_options;
  Words arguments;                ///< with the filter widths of this run
  std::string options = {};       ///< as the head of the file has them
  std::string more_options = {};  ///< those of run --all, which will do, too
  double budget_s = 0.0;          ///< about what it takes
};

/// What stands behind an option; empty if it is not there.
std::string value_of(const Words& arguments, const std::string& option) {
  const auto found = std::ranges::find(arguments, option);
  return found == arguments.end() ? "" : found[1];
}

/// Why a file is not up to date; empty if it is.
std::string why(const Task& task, const std::string& file, const Csv& probe) {
  if (!fs::exists(file)) {
    return "new";
  }
  try {
    const Csv csv = read_csv(file);
    const std::string options = csv.head.of("options");
    std::map<std::string, std::string> expected = {
        {"options", options == task.more_options ? options : task.options},
        {"build_options", task.build_options},
        {"contents", task.table.starts_with("ladder") ? probe.head.of("contents") : ""}};
    for (const char* key : {"platform", "device", "driver", "compute_units"}) {
      expected[key] = probe.head.of(key);
    }
    for (const auto& [key, value] : expected) {
      if (csv.head.of(key) != value) {
        return key;
      }
    }
    Words files = split(csv.head.of("kernel_files"), ' ');
    files.push_back(program_path(task.program));
    std::erase(files, "");
    for (const std::string& made_of : files) {
      if (!fs::exists(made_of) || fs::last_write_time(made_of) > fs::last_write_time(file)) {
        return fs::path(made_of).filename().string();
      }
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

double seconds_of(const Words& arguments, const char* option) {
  return parse_number<double>(value_of(arguments, option)).value_or(0.0);
}

/// The tasks of the plan for this device, or with `all` those of run --all; `own` are the reader's
/// arguments, for the ladder.
std::vector<Task> tasks_of(bool all, const Words& own, const Csv& probe) {
  const Csv plan = read_csv("plots/measurements.csv");
  // Accelerators are measured as GPUs are.
  const auto rows =
      rows_where(plan, {{"on", probe.head.of("device_type") == "CPU" ? "CPU" : "GPU"}});
  std::vector<Task> tasks;
  for (const std::size_t row : rows) {
    const std::string& table = plan.text(row, "table");
    std::string widths = plan.text(row, "widths"), few = plan.text(row, "short");
    if (!all && few.empty()) {
      continue;
    }
    Task task{
        table, plan.text(row, "program"), plan.text(row, "build_options"),
        split(plan.text(row, "arguments"), ' ')};
    if (table.starts_with("ladder")) {
      task.arguments = joined(task.arguments, own);
      if (fs::is_regular_file(value_of(own, "--filter"))) {
        widths = few = probe.text(0, "filter_width");  // the filter's own
      }
    }
    const auto with = [&](const std::string& list) {
      return list == "-" ? task.arguments : joined(task.arguments, {"--filter-width", list});
    };
    task.more_options = fmt::format("{}", fmt::join(with(widths), " "));
    const std::string& list = all ? widths : few;
    task.arguments = with(list);
    task.options = fmt::format("{}", fmt::join(task.arguments, " "));
    const double budget_s = 1.0 + seconds_of(task.arguments, "--time-budget") +
                            seconds_of(task.arguments, "--search-budget");
    task.budget_s = budget_s * static_cast<double>(numbers_of(list).size());
    tasks.push_back(task);
  }
  return tasks;
}

/// The last line that is not empty.
std::string last_line(const std::string& text) {
  const Words lines = split(text.substr(0, text.find_last_not_of('\n') + 1), '\n');
  return lines.back().empty() ? "it said nothing" : lines.back();
}

/// Runs a task; what is wrong is added to the problems.
void measure_one(const Task& task, const std::string& file, Words& problems) {
  Process process{joined(joined({program_path(task.program)}, task.arguments), {"--csv", file})};
  if (seconds_of(task.arguments, "--search-budget") > 0.0) {
    const std::string table = split(task.table, '.')[0];
    const std::string winners = fmt::format(
        "{}/{}.csv", fs::path(file).parent_path().string(),
        table == "ladder" ? "search" : "search-" + table);
    fs::remove(winners);  // the search begins anew
    process.arguments = joined(process.arguments, {"--winners", winners});
  }
  if (!task.build_options.empty()) {
    process.environment["TUTORIAL_BUILD_OPTIONS"] = task.build_options;
  }
  const Finished finished = run(process);
  if (finished.status == 0) {
    fmt::print("      {}\n", last_line(finished.output));
    return;
  }
  problems.push_back(fmt::format("{}: {}", task.table, last_line(finished.errors)));
  if (finished.status == 2 && fs::exists(file)) {
    // The rows of the kernels that are right count, but it is to be measured again.
    fs::last_write_time(file, fs::file_time_type::min());
  } else {
    fs::remove(file);  // old results are not shown as new
  }
}

}  // namespace

Words measure_all(const std::string& results, bool all, const Words& own) {
  // Is there a device at all, and the one that was asked for? The program says what is wrong.
  const std::string probe_file = results + "/.probe.csv";
  Process process{
      {program_path("step1_naive"), "--size", "16x16", "--time-budget", "0.01", "--kernel",
       "Convolve", "--csv", probe_file}};
  process.arguments = joined(process.arguments, own);
  const Finished finished = run(process);
  require(finished.status == 0, "{}", replaced(finished.errors, "\n+$", ""));
  fmt::print("\n== Measure: all kernels are verified in double precision, and timed\n");
  const Csv probe = read_csv(probe_file);
  for (const auto& entry : fs::directory_iterator(results)) {
    const std::string file = entry.path().string();
    const bool is_csv = file.ends_with(".csv") && file != probe_file;
    if (file.ends_with(".part") || (is_csv && !file.ends_with("search.csv") &&
                                    read_csv(file).head.of("device") != probe.head.of("device"))) {
      fs::remove(entry.path());  // of a run that was killed, or of another device
    }
  }

  std::vector<Task> to_do;
  Words problems;
  double left_s = 0.0;
  for (const Task& task : tasks_of(all, own, probe)) {
    const std::string file = fmt::format("{}/{}.csv", results, task.table);
    if (!fs::exists(program_path(task.program))) {
      fmt::print(
          "Not measured: {}, as {} is not built (peers/README.md)\n", task.table, task.program);
    } else if (const std::string reason = why(task, file, probe); !reason.empty()) {
      reason == "new" ? void()
                      : fmt::print("{} is measured again: {} changed\n", task.table, reason);
      to_do.push_back(task);
      left_s += task.budget_s;
    }
  }
  const auto start = std::chrono::steady_clock::now();
  double done_s = 0.0;
  for (std::size_t i = 0; i < to_do.size(); i++) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const double pace = done_s > 0.0 ? took.count() / done_s : 1.5;
    fmt::print(
        "[{}/{}] {}, about {:.0f} s left\n", i + 1, to_do.size(), to_do[i].table, pace * left_s);
    measure_one(to_do[i], fmt::format("{}/{}.csv", results, to_do[i].table), problems);
    done_s += to_do[i].budget_s;
    left_s -= to_do[i].budget_s;
  }
  return problems;
}

}  // namespace tutorial
