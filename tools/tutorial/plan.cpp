// Measuring as a build: plots/measurements.csv becomes rules for ninja, and what ninja made becomes
// tables. Both verbs take the arguments of plots/measure.sh; RESULTS/pieces/probe.csv is a first
// CSV of the device.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// A row of measurements.csv at one filter width: a folder with rows.csv, what else its program
/// wrote, and what all that was made of: `command`, a word a line, and `inputs`, lines HASH PATH.
struct Piece {
  std::string table, title, folder;
  Words command;   ///< of plots/piece.sh, behind the folder; the first is the program's hash
  bool is_wanted;  ///< in this run
  bool is_extra;   ///< `run` leaves it out
};

/// The hash of a file's content; empty if there is no such file.
const std::string& hash_of(const std::string& path) {
  static std::map<std::string, std::string> hashes;
  const auto [entry, is_new] = hashes.try_emplace(path);
  if (is_new && fs::is_regular_file(path)) {
    entry->second = content_hash(read_text(path));
  }
  return entry->second;
}

/// Why the piece is not up to date; empty if it is. No time of a file counts.
std::string why(const Piece& piece) {
  try {
    const Csv rows(piece.folder + "/rows.csv");
    const std::string recorded = read_file(piece.folder + "/command");
    if (recorded != fmt::format("{}\n", fmt::join(piece.command, "\n"))) {
      return recorded.starts_with(piece.command[0]) ? "the plan" : piece.command[2];
    }
    for (const std::string& line : split(read_file(piece.folder + "/inputs"), '\n')) {
      if (!line.empty() && hash_of(line.substr(17)) != line.substr(0, 16)) {
        return fs::proximate(line.substr(17));
      }
    }
  } catch (const std::exception&) {  // not whole
    return fs::exists(piece.folder) ? piece.folder : "it is new";
  }
  return "";
}

/// The folder for the pieces of this device, driver, build options and arguments of the reader's,
/// whose files count with their content.
std::string folder_of(const Words& arguments, const Csv& probe) {
  const char* options = std::getenv("TUTORIAL_BUILD_OPTIONS");
  std::string key = options == nullptr ? "" : options;
  for (const char* name : {"platform", "device", "driver", "compute_units"}) {
    key += '\n' + probe.head(name);
  }
  for (auto argument = arguments.begin() + 3; argument != arguments.end(); ++argument) {
    key += '\n' + *argument + '\n' + hash_of(*argument);
  }
  const std::string device = replaced(probe.head("device"), "[^A-Za-z0-9]+", "-").substr(0, 40);
  return fmt::format("{}/pieces/{}-{}", arguments[1], device, content_hash(key));
}

/// The pieces of a row of the plan, for a table.
void add_pieces(
    const Words& arguments, const Csv& plan, std::size_t row, const std::string& table,
    const std::string& folder, std::vector<Piece>& pieces) {
  std::string program = plan.text(row, "program");
  program = program.empty() ? table : program;
  const bool is_script = program.find('/') != std::string::npos;
  const std::string path = is_script ? program : arguments[0] + "/" + program;
  Words widths = numbers_of(plan.text(row, "widths")), few = numbers_of(plan.text(row, "short"));
  Words words = split(plan.text(row, "arguments"), ' ');
  if (const std::string& without = plan.text(row, "without"); !without.empty()) {
    // The kernels of its step and of those before it, but for this one.
    const Words steps = numbers_of("1:" + search(program, "[0-9]+")[0]);
    Words kernels = distinct(
        csv_file("kernels.csv"), "kernel", {{"step", fmt::format("{}", fmt::join(steps, "|"))}});
    std::erase(kernels, without);
    words.insert(words.end(), {"--kernel", fmt::format("{}", fmt::join(kernels, ","))});
  }
  if (table == "ladder") {
    words.insert(words.end(), arguments.begin() + 3, arguments.end());
    const auto filter = std::ranges::find(arguments, "--filter");
    if (filter != arguments.end() && fs::is_regular_file(filter[1]) && few[0] != "") {
      const Csv& probe = csv_file(arguments[1] + "/pieces/probe.csv");
      widths = few = {probe.text(0, "filter_width")};  // the filter's own
    }
  }
  for (const std::string& width : widths) {
    const bool is_short = contains(few, width), once = width == "-";
    pieces.push_back(
        {table,
         fmt::format("{}: {}", table, program),
         fmt::format("{}/{:0>2}", folder, once ? "" : width),
         {hash_of(path), plan.text(row, "build_options"), path},
         fs::exists(path) && (is_short || arguments[2] == "all"),
         !is_short});
    Piece& piece = pieces.back();
    Words& command = piece.command;
    command.insert(command.end(), words.begin(), words.end());
    if (!once) {
      piece.title += fmt::format(", {0} x {0}", width);
      command.insert(command.end(), {"--filter-width", width});
    }
    if (contains(words, "--search-budget")) {
      command.insert(command.end(), {"--winners", piece.folder + ".part/winners.csv"});
    }
    command.insert(command.end(), {"--csv", piece.folder + ".part/rows.csv"});
  }
}

/// All pieces that can be on this device; those of a table are side by side.
std::vector<Piece> pieces_of(const Words& arguments) {
  const Csv& plan = csv_file("plots/measurements.csv");
  const Csv& probe = csv_file(arguments[1] + "/pieces/probe.csv");
  const std::string folder = folder_of(arguments, probe);
  // Accelerators are measured as GPUs are.
  const auto rows = rows_where(plan, {{"on", probe.head("device_type") == "CPU" ? "CPU" : "GPU"}});
  Words own = step_programs(true);
  for (const std::size_t row : rows) {
    std::erase(own, plan.text(row, "table"));  // it has a row
  }
  std::vector<Piece> pieces;
  std::map<std::string, int> parts;
  for (const std::size_t row : rows) {
    const std::string& name = plan.text(row, "table");
    for (const std::string& table : name == "own" ? own : Words{name}) {
      const std::string part = fmt::format("{}/{}-{}", folder, table, ++parts[table]);
      add_pieces(arguments, plan, row, table, part, pieces);
    }
  }
  return pieces;
}

/// A word for a shell, within a rule of ninja.
std::string quoted(const std::string& word) {
  if (word.find('\n') != std::string::npos) {
    fail("the argument '{}' contains a line break", word);
  }
  return "'" + replaced(replaced(word, "'", "'\\''"), "\\$", "$$$$") + "'";
}

}  // namespace

// Writes RESULTS/pieces/build.ninja, by which ninja makes what is not up to date. Prints why pieces
// are made anew, and what cannot be measured.
std::string plan(const Words& arguments) {
  const std::vector<Piece> pieces = pieces_of(arguments);
  std::string rules = fmt::format(
      "builddir = {}\nrule piece\n  command = plots/piece.sh $words\n  description = $title\n"
      "build changed: phony\n",
      fs::path(pieces.front().folder).parent_path().parent_path().string());
  std::map<std::string, Words> reasons;
  Words absent;
  for (const Piece& piece : pieces) {
    if (!piece.is_wanted) {
      const bool is_absent = arguments[2] == "all" && !contains(absent, piece.table);
      is_absent ? absent.push_back(piece.table) : void();
      continue;
    }
    const std::string reason = why(piece);
    if (reason.empty()) {
      continue;
    }
    if (!contains(reasons[reason], piece.table)) {
      reasons[reason].push_back(piece.table);
    }
    std::string words = quoted(piece.folder);
    for (const std::string& word : piece.command) {
      words += ' ' + quoted(word);
    }
    rules += fmt::format(
        "build {}/rows.csv: piece | changed\n  words = {}\n  title = {}\n",
        replaced(piece.folder, "[$: ]", "$$$&"), words, piece.title);
  }
  write_whole(arguments[1] + "/pieces/build.ninja", rules);
  std::string text;
  for (const std::string& table : absent) {
    text +=
        fmt::format("Not measured: {}, whose program is not built (see peers/README.md)\n", table);
  }
  reasons.erase("it is new");
  for (const auto& [reason, tables] : reasons) {
    text += fmt::format("why: {} changed: {}\n", reason, fmt::join(tables, ", "));
  }
  return text;
}

// Makes the tables in RESULTS of all pieces that are up to date, those of an earlier `run --all`
// too, and removes those that have none. Prints what is wrong or missing.
std::string collect(const Words& arguments) {
  const std::vector<Piece> pieces = pieces_of(arguments);
  const std::string& results = arguments[1];
  std::map<std::string, Words> tables = {{"search", {}}, {"model", {}}};  // and their files
  for (const std::string& table : distinct(csv_file("plots/measurements.csv"), "table")) {
    tables[table];  // of other devices, too
  }
  std::string problems;
  bool has_model = false;
  for (const Piece& piece : pieces) {
    tables[piece.table];
    if (!why(piece).empty()) {
      problems += piece.is_wanted ? piece.title + ": not measured\n" : "";
      continue;
    }
    const auto add = [&](const std::string& table, const char* name) {
      if (fs::exists(piece.folder + name)) {
        tables[table].push_back(piece.folder + name);
      }
    };
    add(piece.table, "/rows.csv");
    if (piece.table == "ladder") {
      add("search", "/winners.csv");
      has_model = has_model || piece.is_extra;
    }
    if (fs::exists(piece.folder + "/wrong")) {
      problems += fmt::format("{}:\n{}", piece.title, read_file(piece.folder + "/wrong"));
    }
  }
  const auto attempt = [&](std::string (*make)(const Words&), const Words& words) {
    try {
      make(words);
    } catch (const Error& error) {
      problems += fmt::format("{}\n", error.what());
    }
  };
  for (auto& [table, files] : tables) {
    const std::string path = fmt::format("{}/{}.csv", results, table);
    fs::remove(path);  // old results are not shown as new
    fs::remove(rounds_file(path));
    if (!files.empty()) {
      files.insert(files.begin(), path);
      attempt(join, files);
    }
  }
  if (has_model && fs::exists(results + "/ladder.csv")) {
    attempt(model, {results + "/model.csv", results + "/ladder.csv", "plots/xray/ladder.csv"});
  }
  return problems;
}

// --- Joining the pieces of a measurement into one CSV --------------------------------------------

namespace {

/// The head of the first piece. Of each ceiling, NAME_per_s, it has the median among the pieces,
/// with that piece's NAME_type. The rows say which widths.
std::string common_head(const std::vector<Csv>& pieces) {
  std::string text;
  const Csv* middle = nullptr;
  for (auto [key, value] : pieces.at(0).head()) {
    if (key.ends_with("_per_s")) {
      std::multimap<double, const Csv*> rates;
      for (const Csv& piece : pieces) {
        if (const auto rate = parse_number<double>(piece.head(key))) {
          rates.emplace(*rate, &piece);
        }
      }
      middle = rates.empty() ? nullptr : std::next(rates.begin(), std::ssize(rates) / 2)->second;
    }
    if (middle != nullptr && (key.ends_with("_per_s") || key.ends_with("_type"))) {
      value = middle->head(key);
    }
    const std::string common = replaced(value, "(^| )--(csv|winners|filter-width) \\S+", "");
    text += fmt::format("# {}: {}\n", key, key == "options" ? common : value);
  }
  return text;
}

/// The baseline that a row was measured with, which takes 100 % of its own time in each round.
std::optional<std::size_t> baseline_of(const Csv& piece, std::size_t row) {
  if (!piece.has("relative_low")) {
    return {};
  }
  const std::string& width = piece.text(row, "filter_width");
  for (const std::size_t other : rows_where(
           piece, {{"filter_width", width}, {"relative_low", "100"}, {"relative_high", "100"}})) {
    if (paired(piece, piece.text(row, "kernel"), piece.text(other, "kernel"), width)) {
      return other;
    }
  }
  return {};
}

/// The median of each run, ms, by filter width and kernel: of each baseline, and of the floor.
using Paces = std::map<Words, std::vector<double>>;

Paces paces_of(const std::vector<Csv>& pieces) {
  Paces paces;
  for (const Csv& piece : pieces) {
    for (std::size_t row = 0; row < piece.size(); row++) {
      if (baseline_of(piece, row) == row) {
        const std::string& width = piece.text(row, "filter_width");
        for (const std::string& kernel : {piece.text(row, "kernel"), std::string("floor")}) {
          for (const auto& [run, rounds] : rounds_of(piece, kernel, width)) {
            paces[{width, kernel}].push_back(summarize(rounds).median);
          }
        }
      }
    }
  }
  return paces;
}

/// Numbers, each perhaps with a `?`, times a factor, with the digits that measurements have.
std::string scaled(const std::string& numbers, double factor) {
  Words products;
  for (const std::string& number : split(numbers, ' ')) {
    const auto value = parse_number<double>(number.substr(0, number.find('?')));
    products.push_back(
        value ? fmt::format("{:.5g}{}", *value * factor, number.ends_with('?') ? "?" : "")
              : number);
  }
  return fmt::format("{}", fmt::join(products, " "));
}

/// A row at the pace of all pieces.
Words paced(const Csv& piece, std::size_t row, const Paces& paces) {
  Words fields = piece.row(row);
  const auto baseline = baseline_of(piece, row);
  if (!baseline) {
    return fields;
  }
  const std::string& kernel = piece.text(row, "kernel");
  const std::string& width = piece.text(row, "filter_width");
  const std::string& other = piece.text(*baseline, "kernel");
  const Statistics relative = *paired(piece, kernel, other, width);
  const double ms = relative.median * summarize(paces.at({width, other})).median;
  const double slower = ms / piece.number(row, "median_ms");
  std::map<std::string, double> known = {
      {"relative_percent", 100.0 * relative.median},
      {"relative_low", 100.0 * relative.low},
      {"relative_high", 100.0 * relative.high}};
  if (const auto floor = paired(piece, kernel, "floor", width)) {
    const double x_floor = ms / std::ranges::min(paces.at({width, "floor"}));
    known["x_floor"] = x_floor;
    known["x_floor_low"] = x_floor * floor->low / floor->median;
    known["x_floor_high"] = x_floor * floor->high / floor->median;
  }
  for (std::size_t i = 0; i < fields.size(); i++) {
    const std::string& column = piece.columns()[i];
    if (known.contains(column)) {
      fields[i] = fmt::format("{:.5g}", known.at(column));
    } else if (column.ends_with("_ms")) {
      fields[i] = scaled(fields[i], slower);
    } else if (column == "gpixels_per_s") {
      fields[i] = scaled(fields[i], 1.0 / slower);
    }
  }
  return fields;
}

}  // namespace

// A busy machine changes its pace, within a run and from run to run. So what a kernel takes is said
// by its rounds, as a ratio to the baseline in the same round. Its time in ms is that ratio times
// that of the baseline, at the pace of the middle run; its x floor is that time over the floor of
// the fastest run, since what a device can do depends on no program. So readers who divide two
// times get what the rounds say.
// A row that an earlier piece has too is dropped: the two programs of the ladder have common
// kernels. Of their rounds none is, since those of one run can be paired.
std::string join(const Words& arguments) {
  const std::vector<Csv> pieces(arguments.begin() + 1, arguments.end());
  const Paces paces = paces_of(pieces);
  std::string rows = csv_line(pieces.at(0).columns()), rounds;
  std::map<std::pair<const Csv*, int>, int> runs;
  std::map<Words, const Csv*> first;  // that has the row
  for (const Csv& piece : pieces) {
    if (piece.columns() != pieces[0].columns()) {
      fail("{}: other columns than in {}", piece.path(), pieces[0].path());
    }
    for (std::size_t row = 0; row < piece.size(); row++) {
      Words key;
      for (const char* column :
           {"kernel", "filter_width", "local_x", "local_y", "work_group", "items", "block"}) {
        key.push_back(piece.has(column) ? piece.text(row, column) : "");
      }
      if (first.try_emplace(key, &piece).first->second == &piece) {
        rows += csv_line(paced(piece, row, paces));
      }
    }
    if (!fs::exists(rounds_file(piece.path()))) {
      continue;
    }
    const Csv& of_piece = csv_file(rounds_file(piece.path()));
    for (std::size_t row = 0; row < of_piece.size(); row++) {
      const std::string& kernel = of_piece.text(row, "kernel");
      const std::string& width = of_piece.text(row, "filter_width");
      const int of_run = of_piece.has("run") ? static_cast<int>(of_piece.number(row, "run")) : 0;
      const int run = runs.try_emplace({&piece, of_run}, std::ssize(runs) + 1).first->second;
      const auto pace = kernel == "floor" ? paces.find({width, kernel}) : paces.end();
      const double faster = pace == paces.end()
                                ? 1.0
                                : std::ranges::min(pace->second) /
                                      summarize(rounds_of(piece, kernel, width).at(of_run)).median;
      rounds += csv_line(
          {std::to_string(run), kernel, width, scaled(of_piece.text(row, "rounds_ms"), faster)});
    }
  }
  if (rounds.empty()) {
    fs::remove(rounds_file(arguments[0]));
  } else {
    write_whole(rounds_file(arguments[0]), "run,kernel,filter_width,rounds_ms\n" + rounds);
  }
  write_whole(arguments[0], common_head(pieces) + rows);
  return "";
}

}  // namespace tutorial
