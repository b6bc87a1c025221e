// What is measured: plots/measurements.csv becomes pieces, these become tables. Both verbs take
// the arguments of plots/measure.sh; RESULTS/pieces/probe.csv is a first CSV of the device.
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
  Words words;     ///< the hash of the program's file, build options, the program, its arguments
  bool is_wanted;  ///< in this run
  bool is_extra;   ///< `run` leaves it out

  std::string command() const { return fmt::format("{}\n", fmt::join(words, "\n")); }
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
    if (recorded != piece.command()) {
      return recorded.starts_with(piece.words[0]) ? "the plan" : piece.words[2];
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
  const std::string& named = plan.text(row, "program");
  const std::string& program = named.empty() ? table : named;
  const bool is_script = program.find('/') != std::string::npos;
  const std::string path = is_script ? program : arguments[0] + "/" + program;
  Words widths = numbers_of(plan.text(row, "widths")), few = numbers_of(plan.text(row, "short"));
  Words words = {hash_of(path), plan.text(row, "build_options"), path};
  std::ranges::copy(split(plan.text(row, "arguments"), ' '), std::back_inserter(words));
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
    Piece piece = {
        .table = table,
        .title = fmt::format("{}: {}", table, program),
        .folder = fmt::format("{}/{:0>2}", folder, once ? "" : width),
        .words = words,
        .is_wanted = fs::exists(path) && (is_short || arguments[2] == "all"),
        .is_extra = !is_short};
    const auto add = [&](const std::string& option, const std::string& value) {
      piece.words.insert(piece.words.end(), {option, value});
    };
    if (!once) {
      piece.title += fmt::format(", {0} x {0}", width);
      add("--filter-width", width);
    }
    if (contains(words, "--search-budget")) {
      add("--winners", piece.folder + ".part/winners.csv");
    }
    add("--csv", piece.folder + ".part/rows.csv");
    pieces.push_back(piece);
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

}  // namespace

// Writes what has to be measured: RESULTS/pieces/todo, lines FOLDER TITLE with a tab between, and
// FOLDER.part/command. Prints why pieces are made anew, and what cannot be measured.
std::string plan(const Words& arguments) {
  std::string todo, text;
  std::map<std::string, std::set<std::string>> tables_by_reason;
  std::set<std::string> absent;
  for (const Piece& piece : pieces_of(arguments)) {
    if (!piece.is_wanted) {
      if (arguments[2] == "all" && absent.insert(piece.table).second) {
        text += fmt::format(
            "Not measured: {}, whose program is not built (see peers/README.md)\n", piece.table);
      }
    } else if (const std::string reason = why(piece); !reason.empty()) {
      const std::string part = piece.folder + ".part";
      fs::remove_all(part);
      fs::create_directories(part);
      write_whole(part + "/command", piece.command());
      todo += fmt::format("{}\t{}\n", piece.folder, piece.title);
      tables_by_reason[reason].insert(piece.table);
    }
  }
  write_whole(arguments[1] + "/pieces/todo", todo);
  tables_by_reason.erase("it is new");
  for (const auto& [reason, tables] : tables_by_reason) {
    text += fmt::format("why: {} changed: {}\n", reason, fmt::join(tables, ", "));
  }
  return text;
}

// Makes the tables in RESULTS of all pieces that are up to date, those of an earlier `run --all`
// too, and removes those that have none. Prints what is wrong or missing.
std::string collect(const Words& arguments) {
  const std::string& results = arguments[1];
  std::map<std::string, Words> tables = {{"search", {}}, {"model", {}}};  // and what is joined
  for (const std::string& table : distinct(csv_file("plots/measurements.csv"), "table")) {
    tables[table];  // of other devices, too
  }
  std::string problems;
  bool has_model = false;
  for (const Piece& piece : pieces_of(arguments)) {
    tables[piece.table];
    if (!why(piece).empty()) {
      problems += piece.is_wanted ? piece.title + ": not measured\n" : "";
      continue;
    }
    tables[piece.table].push_back(piece.folder + "/rows.csv");
    if (const std::string winners = piece.folder + "/winners.csv";
        piece.table == "ladder" && fs::exists(winners)) {
      tables["search"].push_back(winners);
    }
    has_model = has_model || (piece.table == "ladder" && piece.is_extra);
    if (fs::exists(piece.folder + "/wrong")) {
      problems += fmt::format("{}:\n{}", piece.title, read_file(piece.folder + "/wrong"));
    }
  }
  const auto attempt = [&](const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      problems += fmt::format("{}\n", error.what());
    }
  };
  for (auto& [table, files] : tables) {
    const std::string out = fmt::format("{}/{}.csv", results, table);
    fs::remove(out);  // old results are not shown as new
    fs::remove(rounds_file(out));
    if (!files.empty()) {
      files.insert(files.begin(), out);
      attempt([&] { problems += join(files); });
    }
  }
  if (has_model && fs::exists(results + "/ladder.csv")) {
    attempt([&] {
      model({results + "/model.csv", results + "/ladder.csv", "plots/xray/ladder.csv"});
    });
  }
  return problems;
}

}  // namespace tutorial
