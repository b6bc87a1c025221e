// The X-ray: runs a program of the tutorial in the simulator Oclgrind, whose plugin (tools/xray/)
// records what the kernels do; as a table, a CSV and pictures.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// What is loaded: its order or how often, by the number of the word of 4 bytes in its buffer.
using Cells = std::map<std::int64_t, int>;

// --- Pictures ------------------------------------------------------------------------------------

/// How far the rows of an image are from each other, as far as the words of 4 bytes that are loaded
/// tell.
std::int64_t row_pitch(const std::set<std::int64_t>& words) {
  std::int64_t pitch = 0;
  std::map<std::int64_t, int> times;
  for (std::int64_t start = *words.begin(), previous = start; const std::int64_t word : words) {
    if (word > previous + 1) {
      pitch = ++times[word - start] > times[pitch] ? word - start : pitch;
      start = word;
    }
    previous = word;
  }
  return pitch == 0 ? *words.rbegin() + 1 : pitch;
}

/// What one work-item and one work-group load, as SVG: a square for each word, where it lies in the
/// image as far as the addresses tell; the higher its number, the darker. `lines` are the plugin's:
/// work-item, address and bytes of a load.
std::string picture(const std::string& title, const std::string& group, const std::string& lines) {
  Cells of_group, of_item;
  std::map<int, int> loads_of;  // a work-item
  std::map<int, std::vector<std::int64_t>> words_of;
  int loads = 0;
  std::istringstream text(lines);
  int item = 0;
  for (std::int64_t address = 0, bytes = 0; text >> item >> address >> bytes;) {
    address %= std::int64_t{1} << 48;  // what is above numbers the buffer
    loads_of[item]++;
    for (std::int64_t word = address / 4; word <= (address + bytes - 1) / 4; word++) {
      of_group[word]++;
      words_of[item].push_back(word);
      loads++;
    }
  }
  const auto [columns, rows] = halves(group, 'x');
  item = std::stoi(rows) / 2 * std::stoi(columns) + std::stoi(columns) / 2;
  for (const auto& [other, number] : loads_of) {  // the centre, unless others load more
    item = number > loads_of[item] ? other : item;
  }
  for (const std::int64_t word : words_of[item]) {
    of_item.try_emplace(word, of_item.size() + 1);
  }
  std::set<std::int64_t> words, columns_of_image;
  for (const auto& [word, times] : of_group) {
    words.insert(word);
  }
  const std::int64_t pitch = row_pitch(words);
  for (const std::int64_t word : words) {
    columns_of_image.insert(word % pitch);
  }
  const std::int64_t left = *columns_of_image.begin(), right = *columns_of_image.rbegin();
  const std::int64_t top = of_group.begin()->first / pitch;
  const std::int64_t side = std::min<std::int64_t>(900 / (right - left + 1), 20);
  const std::int64_t width = (right - left + 1) * side;
  const std::int64_t height = (of_group.rbegin()->first / pitch - top + 1) * side;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"DejaVu Sans, sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n",
      std::max<std::int64_t>(500, width + 40), 120 + 2 * height, title);
  for (const Cells& cells : {of_item, of_group}) {
    const bool first = svg.find("<g ") == std::string::npos;
    svg += fmt::format(
        "<g transform=\"translate(20,{})\">\n<text y=\"-8\" font-size=\"13\">{}</text>\n"
        "<rect width=\"{}\" height=\"{}\" fill=\"#f2f2f2\" stroke=\"#999999\"/>\n",
        first ? 70 : 110 + height,
        first ? fmt::format("One work-item loads {} inputs, in this order", cells.size())
              : fmt::format(
                    "A work-group of {}: {} loads of {} inputs; how often each of them",
                    replaced(group, "x", " × "), loads, cells.size()),
        width, height);
    const int most = std::ranges::max_element(cells, {}, &Cells::value_type::second)->second;
    for (const auto& [number, value] : cells) {
      const std::int64_t x = (number % pitch - left) * side;
      const std::int64_t y = (number / pitch - top) * side;
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#56b4e9\" "
          "fill-opacity=\"{:.2f}\" stroke=\"#ffffff\"/>\n"
          "<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
          x, y, side, side, 1.0 * value / most, x + 0.5 * side, y + 0.65 * side, 0.45 * side,
          value);
      if (number % 8 == 0) {  // a sector of 32 bytes begins
        svg += fmt::format(
            "<path d=\"M{},{}v{}\" stroke=\"#d55e00\" stroke-width=\"2\"/>\n", x, y, side);
      }
    }
    svg += "</g>\n";
  }
  return svg + "</svg>\n";
}

// --- A run in the simulator ----------------------------------------------------------------------

/// What a reader asks for: N|KERNEL [--work-group WxH] [--banks 16|32] [--csv FILE] [--svg DIR]
/// [ARGS of the program].
struct Request {
  std::string program;
  Words arguments = {};  ///< of the program
  std::map<std::string, std::string> given = {
      {"--work-group", ""}, {"--banks", "32"}, {"--csv", ""}, {"--svg", ""}};

  const std::string& operator[](const char* option) const { return given.at(option); }
};

Request request_of(const Words& words) {
  Request request;
  if (parse_number<int>(words[0]) || contains(step_names(), words[0])) {
    request.program = step_program(words[0]);
  } else {
    request.program = place_of(words[0]).program;
    request.arguments = {"--kernel", words[0]};
  }
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const Words parts = search(*word, "^(--[a-z-]+)(=([^]*))?$");
    if (parts.empty() || !request.given.contains(parts[1])) {
      request.arguments.push_back(*word);
    } else if (!parts[2].empty() || word + 1 != words.end()) {
      request.given[parts[1]] = parts[2].empty() ? *++word : parts[3];
    } else {
      fail("{} needs a value", parts[1]);
    }
  }
  if (!request["--work-group"].empty() &&
      search(request["--work-group"], "^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$").empty()) {
    fail("--work-group must be WxH, not '{}'", request["--work-group"]);
  }
  if (request["--banks"] != "16" && request["--banks"] != "32") {
    fail("--banks must be 16 or 32, not '{}'", request["--banks"]);
  }
  return request;
}

/// Runs the program, whose files are relative to `reader`. The plugin leaves in `folder` what it
/// has counted, if a kernel ran, and what work-groups load.
Finished simulate(const Request& request, const std::string& reader, const std::string& folder) {
  const std::string& asked = request["--work-group"];
  std::string group = asked.empty() ? "32x4" : asked;
  for (std::size_t i = 1; i < request.arguments.size(); i++) {
    // The simulator cannot tell groups of one work-item that are asked for from those left to
    // OpenCL.
    const bool is_one =
        request.arguments[i - 1] == "--block-group" && request.arguments[i] == "1x1";
    group = is_one ? "1x1" : group;
  }
  write_whole(
      folder + "/counts",
      fmt::format(
          "# program: {}\n# simulator: {}\n# work_group: {}\n# warp: 32\n# banks: {}\n",
          request.program, search(run({{"oclgrind", "--version"}}).output, "Oclgrind \\S+").at(0),
          group, request["--banks"]));
  Process process{
      // The kernels are compiled as drivers do it: with all optimisations.
      {"oclgrind", "--local-mem-size", "65536", "--build-options", "-O3", "--plugins",
       program_path("libxray.so"), program_path(request.program), "--verify-only", "--device",
       "oclgrind", "--size", "128x32"},
      {{"XRAY_FOLDER", folder}, {"XRAY_GROUP", group}, {"XRAY_BANKS", request["--banks"]}},
      reader};
  process.arguments.insert(
      process.arguments.end(), request.arguments.begin(), request.arguments.end());
  // Only programs whose kernels need to know it have the option.
  if (!asked.empty() &&
      run({{program_path(request.program), "--help"}}).output.find("--work-group") !=
          std::string::npos) {
    process.arguments.insert(process.arguments.end(), {"--work-group", asked});
  }
  process.output = Process::Output::together;
  return run(process);
}

// --- The table and the CSV -----------------------------------------------------------------------

/// What was counted of a launch.
struct Launched {
  std::string label;  ///< of the kernel; a pass before it has its own name
  std::string filter_width;
  std::size_t row;  ///< of the plugin's counts
};

/// The launches as the program named them.
std::vector<Launched> launches_of(const Csv& counts, const std::string& output) {
  std::vector<Launched> named;
  for (const std::string& line : split(output, '\n')) {
    // What was right, or wrong; not what is skipped.
    const Words found =
        search(line, "^width +([0-9]+)  ([^ ]+)  |^[^ ]+: ([^ ]+), filter width ([0-9]+): ");
    if (!found.empty() && found[2] != "OpenMP") {
      named.push_back({found[2] + found[3], found[1] + found[4], 0});
    }
  }
  std::vector<Launched> launches;
  auto next = named.begin();
  for (std::size_t row = 0; row < counts.size() && next != named.end(); row++) {
    const std::string& kernel = counts.text(row, "kernel");
    const bool is_pass = kernel != next->label.substr(0, next->label.find_first_of(":#"));
    launches.push_back({is_pass ? kernel : next->label, next->filter_width, row});
    next += is_pass ? 0 : 1;
  }
  if (launches.size() != counts.size() || next != named.end()) {
    fail("{} kernels named, {} launches recorded", named.size(), counts.size());
  }
  return launches;
}

/// The columns of sums, which are shown for an output pixel, and behind them of ratios.
constexpr std::size_t described = 4, ratios = 6;

std::string brief(double number) {
  return number == 0.0 ? "-" : fmt::format("{:.{}g}", number, number >= 100 ? 4 : 3);
}

/// Columns and rows: WxH.
std::pair<int, int> extent(const std::string& text) {
  const auto [width, height] = halves(text, 'x');
  return {std::stoi(width), std::stoi(height)};
}

/// What the counts of a small image have too much: a sentence for each launch whose work-items
/// compute beyond it, as passes with a halo do, and blocks or work-groups that overhang.
std::string overhang(
    const Csv& counts, const std::vector<Launched>& launches, std::pair<int, int> image) {
  Words lines;
  for (const auto& [label, filter_width, row] : launches) {
    auto [width, height] = extent(counts.text(row, "global"));
    const auto block = extent(counts.text(row, "block"));
    const auto group = extent(counts.text(row, "group"));
    // The options of the program name a block; other kernels are built with them, too.
    const auto covers = [](int items, int pixels, int per_item, int in_group) {
      const int needed = (pixels + per_item - 1) / per_item;
      return needed <= items && items < needed + in_group;
    };
    if (covers(width, image.first, block.first, group.first) &&
        covers(height, image.second, block.second, group.second)) {
      width *= block.first;
      height *= block.second;
    }
    const double more = 1.0 * width * height / (1.0 * image.first * image.second) - 1.0;
    const std::string line =
        fmt::format("  {}: {} x {} pixels, {:.0f} % more\n", label, width, height, 100.0 * more);
    if (more > 0.005 && !contains(lines, line)) {
      lines.push_back(line);
    }
  }
  return lines.empty()
             ? ""
             : fmt::format(
                   "Counted with what work-items compute beyond this small image:\n{}"
                   "With a larger --size that is a multiple of their blocks it is less.\n",
                   fmt::join(lines, ""));
}

/// The table, and what it needs to be understood.
std::string table_of(const Csv& counts, const std::vector<Launched>& launches, const Words& size) {
  const double pixels = std::stod(size[0]) * std::stod(size[1]);
  // The median and edge_conditions have no filter: other columns.
  const bool filters = counts.number(0, "multiply_adds") > 0.0;
  Table table{
      {"width", "kernel", filters ? "mul-add" : "min-max", "loads", filters ? "taps" : "tests",
       "local", "branch", "other", "reuse", "sector", "banks"},
      {}};
  for (const auto& [label, filter_width, row] : launches) {
    table.rows.push_back({filter_width, label});
    const auto add = [&, &row_of_counts = row](const char* column, double share) {
      table.rows.back().push_back(brief(counts.number(row_of_counts, column) / share));
    };
    for (const char* sum :
         {filters ? "multiply_adds" : "min_max", "input_loads",
          filters ? "tap_loads" : "comparisons", "local_loads", "branches", "other_arithmetic"}) {
      add(sum, pixels);
    }
    for (const char* ratio : {"reuse", "sectors", "conflicts"}) {
      add(ratio, 1.0);
    }
  }
  return fmt::format(
      "Per output pixel, {} x {} of them. Work-groups: {}.\n{}"
      "Floor: pixels x ({} + other) / multiply-adds per s (step roofline)\n{}",
      size[0], size[1], fmt::join(distinct(counts, "group"), ", "), table.aligned(), table.heads[2],
      overhang(counts, launches, {std::stoi(size[0]), std::stoi(size[1])}));
}

/// All counts of a run, or of several.
struct AsCsv {
  std::string head;                   ///< of the first run, with the names of the columns
  std::map<std::string, bool> known;  ///< kernels and filter widths
  std::string rows;

  void add(const Csv& counts, const std::vector<Launched>& launches, const Words& size) {
    const Words numbers(counts.columns().begin() + described, counts.columns().end());
    if (head.empty()) {
      for (const auto& [key, value] : counts.head()) {
        head += fmt::format("# {}: {}\n", key, value);
        head += key == "simulator" ? fmt::format("# size: {} x {}\n", size[0], size[1]) : "";
      }
      head += fmt::format("kernel,filter_width,width,height,group,{}\n", fmt::join(numbers, ","));
    }
    for (const auto& [label, filter_width, row] : launches) {
      if (!known.emplace(label + "," + filter_width, true).second) {
        continue;  // the baseline of another run
      }
      rows += fmt::format(
          "{},{},{},{},{}", label, filter_width, size[0], size[1], counts.text(row, "group"));
      for (std::size_t i = 0; i < numbers.size(); i++) {
        const bool is_ratio = i + ratios >= numbers.size();
        const double number = counts.number(row, numbers[i]);
        rows += is_ratio && number == 0.0
                    ? ","
                    : fmt::format(
                          ",{:.4g}",
                          is_ratio ? number : number / (std::stod(size[0]) * std::stod(size[1])));
      }
      rows += "\n";
    }
  }
};

/// Runs a request and prints its table; adds its counts to `csv`. Returns the exit status.
int count(const Request& request, const std::string& reader, AsCsv& csv) {
  const TemporaryFolder folder;
  if (stderr_is_terminal()) {
    fmt::print(stderr, "Simulating; this may take a minute\n");
  }
  const Finished finished = simulate(request, reader, folder.path());
  for (const std::string& line : split(finished.output, '\n')) {
    // After a failure, what was counted before may tell why.
    if (finished.status != 0 && search(line, "^(width|device|image) |^$").empty()) {
      fmt::print(stderr, "{}\n", line);
    }
  }
  const Csv counts(folder.path() + "/counts");
  if (counts.size() == 0) {
    return finished.status;
  }
  const auto launches = launches_of(counts, finished.output);
  const Words image = search(finished.output, "image +[^\n]*, ([0-9]+) x ([0-9]+)[,\n]");
  const Words size(image.begin() + 1, image.end());
  csv.add(counts, launches, size);
  fmt::print("{}", table_of(counts, launches, size));
  for (const std::string& line : split(finished.output, '\n')) {
    fmt::print("{}", line.find(" skipped: ") != std::string::npos ? line + "\n" : "");
  }
  for (const auto& [label, filter_width, row] : launches) {
    const std::string cells = fmt::format("{}/{}.cells", folder.path(), row + 1);
    const std::filesystem::path pictures = std::filesystem::path(reader) / request["--svg"];
    const std::string name = fmt::format("{}-{}.svg", replaced(label, ":", "_"), filter_width);
    if (!request["--svg"].empty() && std::filesystem::exists(cells)) {
      std::filesystem::create_directories(pictures);
      write_whole(
          (pictures / name).string(), picture(
                                          fmt::format("{0}, {1} × {1}", label, filter_width),
                                          counts.text(row, "group"), read_file(cells)));
      fmt::print("{}\n", (std::filesystem::path(request["--svg"]) / name).string());
    }
  }
  return finished.status;
}

/// Makes all counts of plots/xray/ and their pictures anew, as plots/xray/counts.csv says.
int count_all() {
  const Csv& list = csv_file("plots/xray/counts.csv");
  std::map<std::string, AsCsv> files;
  for (std::size_t row = 0; row < list.size(); row++) {
    fmt::print("tutorial xray {}\n", list.text(row, "arguments"));
    const Request request = request_of(split(list.text(row, "arguments"), ' '));
    build({request.program, "xray"});
    if (count(request, ".", files[list.text(row, "file")]) != 0) {
      return 1;
    }
  }
  files.erase("");
  for (const auto& [file, csv] : files) {
    write_whole("plots/xray/" + file, csv.head + csv.rows);
  }
  return 0;
}

}  // namespace

std::string missing_simulator() {
  return run({{"oclgrind", "--version"}}).status != 0
             ? "the simulator Oclgrind is not installed: the package oclgrind"
         : !std::filesystem::exists(program_path("libxray.so"))
             ? "Oclgrind's headers are not installed: the package liboclgrind-dev"
             : "";
}

int xray_verb(const Words& arguments) {
  const bool all = arguments[0] == "--all";
  const Request request = all ? Request() : request_of(arguments);
  build(all ? Words{"xray"} : Words{request.program, "xray"});
  if (const std::string missing = missing_simulator(); !missing.empty()) {
    fail("{}; see SETUP.md", missing);
  }
  if (all) {
    return count_all();
  }
  AsCsv csv;
  const int status = count(request, readers_folder(), csv);
  if (!request["--csv"].empty() && !csv.rows.empty()) {
    write_whole(readers_file(request["--csv"]), csv.head + csv.rows);
  }
  return status;
}

}  // namespace tutorial
