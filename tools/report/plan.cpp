// Measuring as a build: plots/measurements.csv becomes rules for ninja, and what ninja made becomes
// tables. Both verbs take the arguments of plots/measure.sh; RESULTS/pieces/probe.csv is a first
// CSV of the device.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "report/report.hpp"

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

/// The kernels of a step of the ladder and of those before it, but for some.
std::string kernels_without(const Words& others, const std::string& program) {
  const Csv& list = csv_file("kernels.csv");
  Words kernels;
  for (const std::string& step : step_programs(false)) {
    for (const std::size_t row : rows_where(list, {{"step", search(step, "[0-9]+")[0]}})) {
      if (!contains(others, list.text(row, "kernel"))) {
        kernels.push_back(list.text(row, "kernel"));
      }
    }
    if (step == program) {
      break;
    }
  }
  return fmt::format("{}", fmt::join(kernels, ","));
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
    words.insert(words.end(), {"--kernel", kernels_without(split(without, ','), program)});
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

/// Joins these files of the pieces, and their rounds; without any there is no such table. Returns
/// what goes wrong.
std::string put(const std::string& path, const Words& files) {
  std::string problem;
  try {
    if (!files.empty()) {
      Words arguments = {path};
      arguments.insert(arguments.end(), files.begin(), files.end());
      return join(arguments);
    }
  } catch (const Error& error) {
    problem = fmt::format("{}\n", error.what());
  }
  fs::remove(path);  // old results are not shown as new
  fs::remove(replaced(path, "csv$", "rounds.csv"));
  return problem;
}

}  // namespace

// Writes RESULTS/pieces/build.ninja. Prints why pieces are made anew, and what cannot be measured.
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
    if (!reason.empty() && !contains(reasons[reason], piece.table)) {
      reasons[reason].push_back(piece.table);
    }
    std::string words = quoted(piece.folder);
    for (const std::string& word : piece.command) {
      words += ' ' + quoted(word);
    }
    // Ninja runs a piece whose command is another one; this also one whose files have changed.
    rules += fmt::format(
        "build {}/rows.csv: piece{}\n  words = {}\n  title = {}\n",
        replaced(piece.folder, "[$: ]", "$$$&"), reason.empty() ? "" : " | changed", words,
        piece.title);
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
  for (const auto& [table, files] : tables) {
    problems += put(fmt::format("{}/{}.csv", results, table), files);
  }
  if (has_model && fs::exists(results + "/ladder.csv")) {
    try {
      model({results + "/model.csv", results + "/ladder.csv", "plots/xray/ladder.csv"});
    } catch (const Error& error) {
      problems += fmt::format("{}\n", error.what());
    }
  }
  return problems;
}

}  // namespace tutorial
