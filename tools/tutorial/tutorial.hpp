// What the verbs of `report` share. The program runs in the repository's root. What has no answer
// throws `Error`.
#pragma once

#include <fmt/ranges.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "common/lab/figures.hpp"
#include "common/text.hpp"

namespace tutorial {

using Words = std::vector<std::string>;

template <typename... Parts>
[[noreturn]] void fail(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw Error(fmt::format(text, std::forward<Parts>(parts)...));
}

/// What a verb of the program (see main.cpp) or a command of a README (see readme.cpp) gives for
/// its arguments.
using Verb = std::string(const Words&);

Verb assembly, charts, diff, kernel_table, kernel_text, page, row_table, summary;

// --- build.cpp, measure.cpp, run.cpp, xray.cpp, asm.cpp: the programs -----------------------

/// Where the reader is, and a file there.
std::string readers_folder();
std::string readers_file(const std::string& path);
/// The path of a program that is built.
std::string program_path(const std::string& name);
/// Builds these targets of CMake. Throws if that fails.
void build(const Words& targets);
/// The folders with a main.cpp: the ladder's steps in their order, then the others; the one of a
/// step's number or of this name; the name of the program in one.
Words step_folders();
std::string step_folder(const std::string& step);
std::string program_in(const std::string& folder);
/// Measures into a folder what is not up to date there, for `run` or with `all` for `run --all`;
/// `own` are arguments of the reader's, for the ladder. Returns what went wrong.
Words measure_all(const std::string& results, bool all, const Words& own);

int readme_verb(const Words& arguments);
int run_verb(const Words& arguments);
int step_verb(const Words& arguments);
int xray_verb(const Words& arguments);

/// What is missing for the simulator; empty if nothing is.
std::string missing_simulator();

// --- html.cpp, page.cpp --------------------------------------------------------------------------

/// Writes index.html in a folder of results, from its figures and charts.
void write_page(const std::string& results);
int site_verb(const Words& arguments);

/// All pages of the repository: the front page, the steps in their order, the others.
Words page_files();

// --- main.cpp: files and text ------------------------------------------------------------------

/// The CSV in a file, or the figures of one or several files of rounds (`Measured`), which are read
/// only once.
const Csv& csv_file(const std::string& path);
/// The rounds that these figures are of; null if they are of none.
const Measured* measured_file(const std::string& path);
/// (column, value), where a value may be a list: a|b|c.
using Values = std::vector<std::pair<std::string, std::string>>;
/// The rows that have all of these values.
std::vector<std::size_t> rows_where(const Csv& csv, const Values& values);
/// Those of a kernel at a filter width.
std::vector<std::size_t> rows_of(
    const Csv& csv, const std::string& kernel, const std::string& width);
/// The different fields of a column in these rows, in their order.
Words distinct(const Csv& csv, const std::string& column, const Values& values = {});
/// What a row of kernels.csv that has such a value in the column `key` says in another column;
/// empty if none says anything.
std::string listed(const std::string& key, const std::string& value, const std::string& column);
/// The kernels of a CSV, those of kernels.csv first, in its order.
Words in_ladders_order(const Csv& csv);
bool contains(const Words& words, const std::string& word);
/// The words, and behind them more.
Words joined(Words words, const Words& more);
/// The device of a CSV, as readers call it.
std::string device_name(const Csv& csv);
/// Text for a terminal: no line has more columns, unless a word has. What follows a break stands
/// below the words of its line, behind blanks and a `[x]`.
std::string wrapped(const std::string& text, std::size_t columns);
/// 3,5:7 as 3 5 6 7. What is no range stays as it is.
Words numbers_of(const std::string& list);

// --- ladder.cpp: steps and kernels, by kernels.csv ---------------------------------------------

/// A kernel with the helpers and macros directly above it, or with all that are above it in the
/// file; empty if the file has no such kernel.
std::string kernel_in(const std::string& path, const std::string& kernel, bool all);
/// Where a kernel of kernels.csv or of a study stands: the program that launches it, the path of
/// its file, and its name there, which is the label without :variant. Throws if there is none.
struct KernelPlace {
  std::string program, file, name;
};
KernelPlace place_of(const std::string& label);
/// What `diff -u` prints for two texts.
std::string unified_diff(
    const std::string& old_name, const std::string& old_text, const std::string& new_name,
    const std::string& new_text);

// --- puzzle.cpp: puzzles for the reader, [N [--hint | --solution]]; gives the exit status --------

int puzzle_verb(const Words& arguments);

// --- own_step.cpp --------------------------------------------------------------------------------

int measure_verb(const Words& arguments);
int new_verb(const Words& arguments);

// --- charts.cpp ----------------------------------------------------------------------------------

/// A row of plots/charts.csv, which explains the fields, or what stands for one.
struct Chart {
  std::string name, draws = {};
  Words files = {};
  std::string gpu = {}, cpu = {}, title = {}, see = {};
  std::string folder = {};  ///< where the CSVs are
};
/// The charts of charts.csv, then those of the other steps of kernels.csv.
std::vector<Chart> all_charts();
/// Draws the charts that a folder of CSVs has data for into another one, and says how many they
/// are; `again`: the front and those that the other folder has. Those whose data are gone go.
std::string draw_charts(const std::string& data, const std::string& out, bool again);

// --- tables.cpp --------------------------------------------------------------------------------

struct Table {
  Words heads;
  std::vector<Words> rows;

  /// As Markdown, or for a terminal. Columns of numbers are aligned to the right.
  std::string markdown() const;
  std::string aligned() const;
  /// As Markdown; throws if a row or a column has no value.
  std::string complete() const;
  bool has_numbers(std::size_t column) const;
};
/// What stands for a figure within a sentence (see readme.cpp).
std::string figure(const Words& words);
/// The fastest kernel of each step at a filter width, behind its rate.
std::map<int, std::pair<double, std::string>> fastest_of_steps(
    const Csv& ladder, const std::string& width);
/// All kernels of a ladder, with rates at one width; and the fastest of each step at that width:
/// its rate, how many times as long as it the naive kernel in its run takes, on a CPU good C++, and
/// of other libraries the best one, and its time over the floor, if asked for beside another
/// ladder's.
Table ladder_table(const Csv& ladder);
std::string rate_width(const Csv& ladder);
Table step_table(const Csv& ladder, const Csv* other = nullptr, const Csv* peers = nullptr);
/// How many times as long as another row one takes (`Measured::ratio`); and as one says it: 1.9,
/// 26, 410.
std::optional<Statistics> ratio(
    const Csv& csv, const std::string& name, const std::string& other, const std::string& width);
std::string two_digits(double value);
/// What the ladder has gained, in a sentence; empty if `Convolve` was not measured.
std::string gain(const Csv& ladder);
/// Whether other programs had the cores in most of its runs: then tables leave out what is not
/// sure.
bool is_mostly_disturbed(const Csv& csv);

/// Throws unless the data say so at each of these widths: FILE A < B at 3,5:7. The interval of the
/// ratio lies below 1, above it (>), or contains it (=: no difference was shown).
void require_comparison(const std::string& text);

}  // namespace tutorial
