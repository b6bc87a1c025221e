// The X-ray: runs a program of the tutorial in the simulator Oclgrind, whose plugin (tools/xray/)
// records what the kernels do; as a table and a CSV.
#include <algorithm>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

// --- A run in the simulator ----------------------------------------------------------------------

/// What a reader asks for: N|KERNEL [--work-group WxH] [--csv FILE] [ARGS of the program]. Files
/// are relative to `reader`.
struct Request {
  std::string program, reader;
  Words arguments = {};  ///< of the program
  std::string group = {}, csv = {};
};

Request request_of(const Words& words, const std::string& reader) {
  Request request{"", reader};
  if (search(words[0], "^([A-Z]|median.)").empty()) {  // no kernel
    request.program = program_in(step_folder(words[0]));
  } else {
    request.program = place_of(words[0]).program;
    request.arguments = {"--kernel", words[0]};
  }
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const Words option = search(*word, "^--(csv|work-group)(=(.*))?$");
    if (option.empty()) {
      request.arguments.push_back(*word);
      continue;
    }
    const bool is_csv = option[1] == "csv", is_joined = !option[2].empty();
    const std::string value = is_joined ? option[3] : word + 1 < words.end() ? *++word : "";
    const char* form = is_csv ? "." : "^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$";
    require(!search(value, form).empty(), "'{}' is no value for --{}", value, option[1]);
    (is_csv ? request.csv : request.group) = value;
  }
  return request;
}

/// The launches of a run, as rows of a CSV. The last four of the plugin's counts are ratios; the
/// others are sums, which are given for an output pixel. A pass before a kernel has its own name.
Csv recorded(const Csv& counts, const std::string& output) {
  std::vector<std::pair<std::string, std::string>> named;  // kernels and filter widths
  for (const std::string& line : split(output, '\n')) {
    // What was right, or wrong; not what is skipped.
    const Words found =
        search(line, "^width +([0-9]+)  ([^ ]+)  |^[^ ]+: ([^ ]+), filter width ([0-9]+): ");
    if (!found.empty() && !found[2].starts_with("OpenMP")) {
      named.emplace_back(found[2] + found[3], found[1] + found[4]);
    }
  }
  const Words size = search(output, "image +[^\n]*, ([0-9]+) x ([0-9]+)[,\n]");
  const Words numbers(counts.columns.begin() + 3, counts.columns.end());
  std::vector<Words> rows;
  auto next = named.begin();
  for (std::size_t row = 0; row < counts.size() && next != named.end(); row++) {
    const std::string& kernel = counts.text(row, "kernel");
    const bool is_pass = kernel != next->first.substr(0, next->first.find_first_of(":#"));
    rows.push_back(
        {is_pass ? kernel : next->first, next->second, size.at(1), size.at(2),
         counts.text(row, "group")});
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const bool is_ratio = i + 4 >= numbers.size();
      const double number = counts.number(row, numbers[i]);
      rows.back().push_back(
          is_ratio && number == 0.0
              ? ""
              : fmt::format(
                    "{:.4g}",
                    is_ratio ? number : number / (std::stod(size[1]) * std::stod(size[2]))));
    }
    next += is_pass ? 0 : 1;
  }
  require(
      rows.size() == counts.size() && next == named.end(), "{} kernels named, {} launches recorded",
      named.size(), counts.size());
  Head head = counts.head;
  head.insert(head.begin() + 2, {"size", size[1] + " x " + size[2]});
  return {
      counts.path, head, joined({"kernel", "filter_width", "width", "height", "group"}, numbers),
      rows};
}

/// Runs the program, and says what is wrong with it. Its counts are left in `folder`, in the file
/// `counts`.
Finished simulate(const Request& request, const std::string& folder) {
  const std::string program = program_path(request.program);
  Words arguments = request.arguments;
  // Only programs whose kernels need to know it have the option.
  if (!request.group.empty() &&
      run({{program, "--help"}}).output.find("--work-group") < std::string::npos) {
    arguments.insert(arguments.end(), {"--work-group", request.group});
  }
  const std::string group = request.group.empty() ? "32x4" : request.group;
  write_whole(
      folder + "/counts",
      fmt::format(
          "# program: {}\n# simulator: {}\n# work_group: {}\n# warp: 32\n# banks: 32\n",
          request.program, search(run({{"oclgrind", "--version"}}).output, "Oclgrind \\S+").at(0),
          group));
  Process process{// The kernels are compiled as drivers do it: with all optimisations.
                  {"oclgrind", "--local-mem-size", "65536", "--build-options", "-O3", "--plugins",
                   program_path("libxray.so"), program, "--verify-only", "--device", "oclgrind",
                   "--size", "128x32"},
                  {{"XRAY_FOLDER", folder}, {"XRAY_GROUP", group}},
                  request.reader};
  process.arguments.insert(process.arguments.end(), arguments.begin(), arguments.end());
  process.output = Process::Output::together;
  if (stderr_is_terminal()) {
    fmt::print(stderr, "Simulating; this may take a minute\n");
  }
  const Finished finished = run(process);
  for (const std::string& line : split(finished.output, '\n')) {
    if (finished.status != 0 && search(line, "^(width|device|image) |^$").empty()) {
      fmt::print(stderr, "{}\n", line);
    }
  }
  return finished;
}

// --- The table and the CSV -----------------------------------------------------------------------

std::string table_of(const Csv& launches, const Csv& counts) {
  // The median and edge_conditions have no filter: other columns.
  const bool filters = launches.number(0, "multiply_adds") > 0.0;
  const std::vector<std::pair<const char*, const char*>> columns = {
      {"width", "filter_width"},
      {"kernel", "kernel"},
      {"items", "items"},
      filters ? std::pair{"mul-add", "multiply_adds"} : std::pair{"min-max", "min_max"},
      {"loads", "input_loads"},
      filters ? std::pair{"taps", "tap_loads"} : std::pair{"tests", "comparisons"},
      {"local", "local_loads"},
      {"branch", "branches"},
      {"other", "other_arithmetic"},
      {"reuse", "reuse"},
      {"sector", "sectors"},
      {"banks", "conflicts"}};
  Table table{{}, std::vector<Words>(launches.size())};
  for (const auto& [head, column] : columns) {
    table.heads.emplace_back(head);
    for (std::size_t row = 0; row < launches.size(); row++) {
      const std::string& text = (launches.has(column) ? launches : counts).text(row, column);
      table.rows[row].push_back(text.empty() || text == "0" ? "-" : text);
    }
  }
  return fmt::format(
      "Per output pixel, {} x {} of them. Work-groups: {}.\n{}"
      "Floor: pixels x ({} + other) / multiply-adds per s (step roofline)\n",
      launches.text(0, "width"), launches.text(0, "height"),
      fmt::join(distinct(launches, "group"), ", "), table.aligned(), columns[3].first);
}

/// Adds the launches to a CSV; first its head, if it is empty. The baseline of another run is not
/// added again.
void add_to(std::string& csv, const Csv& launches) {
  if (csv.empty()) {
    for (const auto& [key, value] : launches.head) {
      csv += fmt::format("# {}: {}\n", key, value);
    }
    csv += fmt::format("{}\n", fmt::join(launches.columns, ","));
  }
  for (std::size_t row = 0; row < launches.size(); row++) {
    const Words& fields = launches.rows[row];
    if (csv.find(fmt::format("\n{},{},", fields[0], fields[1])) == std::string::npos) {
      csv += fmt::format("{}\n", fmt::join(fields, ","));
    }
  }
}

/// Prints the table of what is asked for, adds to the CSV. Returns the exit status.
int count(const Request& request, std::string& csv) {
  const TemporaryFolder folder;
  const Finished finished = simulate(request, folder.path());
  const Csv counts = read_csv(folder.path() + "/counts");
  if (counts.size() == 0) {
    return finished.status;  // no kernel ran
  }
  const Csv launches = recorded(counts, finished.output);
  fmt::print("{}", table_of(launches, counts));
  for (const std::string& line : split(finished.output, '\n')) {
    fmt::print("{}", line.find(" skipped: ") < std::string::npos ? line + "\n" : "");
  }
  add_to(csv, launches);
  return finished.status;
}

}  // namespace

std::string missing_simulator() {
  return run({{"oclgrind", "--version"}}).status != 0
             ? "the simulator Oclgrind is not installed: the package oclgrind"
         : !fs::exists(program_path("libxray.so"))
             ? "Oclgrind's headers are not installed: the package liboclgrind-dev"
             : "";
}

// N|KERNEL [OPTIONS and ARGS], or --all: what plots/xray/counts.csv lists, into that folder.
int xray_verb(const Words& arguments) {
  build({"xray"});
  const std::string missing = missing_simulator();
  require(missing.empty(), "{}; see SETUP.md", missing);
  std::map<std::string, std::string> csvs;  // by their paths
  int status = 0;
  const auto add = [&](const Request& request, const std::string& path) {
    build({request.program});
    status = std::max(status, count(request, csvs[path]));
  };
  if (arguments[0] == "--all") {
    const Csv& list = csv_file("plots/xray/counts.csv");
    for (std::size_t row = 0; row < list.size(); row++) {
      const std::string& file = list.text(row, "file");
      add(request_of(split(list.text(row, "arguments"), ' '), "."),
          file.empty() ? "" : "plots/xray/" + file);
    }
  } else {
    const Request request = request_of(arguments, readers_folder());
    add(request, request.csv.empty() ? "" : readers_file(request.csv));
  }
  for (const auto& [path, csv] : csvs) {
    path.empty() || csv.empty() ? void() : write_whole(path, csv);
  }
  return status;
}

}  // namespace tutorial
