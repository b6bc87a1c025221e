// What the verbs of `report` share. The program runs in the repository's root.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/csv.hpp"
#include "common/error.hpp"

namespace tutorial {

using Words = std::vector<std::string>;

/// Throws `Error` with this text.
template <typename... Parts>
[[noreturn]] void fail(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw Error(fmt::format(text, std::forward<Parts>(parts)...));
}

/// The text of a file. Throws `Error` if it cannot be read.
std::string text_of(const std::string& path);
/// Writes a file beside its place and renames it, so that it is there whole or not at all. Throws
/// `Error` if it cannot be written.
void write_whole(const std::string& path, const std::string& text);
/// The CSV in a file, which is read only once. Throws `Error` as `Csv` does.
const Csv& csv_file(const std::string& path);
/// The different values of a column, in the order of the rows.
Words distinct(const Csv& csv, const std::string& column);
/// The parts of a text that the groups of a regular expression match, after the whole; empty if it
/// does not match all of the text.
Words matched(const std::string& text, const std::string& expression);
/// The text with every match replaced; $1 in `by` is the first group.
std::string replaced(const std::string& text, const std::string& expression, const std::string& by);
/// What stands before or after the first separator. Throws `Error` if there is none.
std::string before(const std::string& text, char separator);
std::string after(const std::string& text, char separator);
/// Whether the words contain this one.
bool contains(const Words& words, const std::string& word);
/// The anchor that GitHub makes of a heading.
std::string anchor(const std::string& heading);

// --- ladder.cpp: steps and kernels, by kernels.csv ------------------------------------------------

/// The folders of the ladder's steps in their order, or those of your own steps.
Words ladder_steps();
Words own_steps();
/// The folder of a step: its number, its name, or the name of another folder with a program. Throws
/// `Error` if there is none.
std::string step_folder(const std::string& step);

/// What is known of the kernels in an OpenCL file.
struct KernelText {
  Words names;       ///< of all kernels, in the file's order
  std::string text;  ///< of the one that was asked for; empty if there is none of this name
};
/// Finds the kernel `name` with the helpers and macros directly above it; with `all`, with all that
/// stand above it in the file.
KernelText find_kernel(const std::string& path, const std::string& name, bool all);
/// A kernel of the ladder or of a study, with all helpers above it. Throws `Error` if there is none.
std::string kernel_text(const std::string& name);

/// What `./tutorial diff` prints: N [host|kernels], or K1 K2. Throws `Error` if it has no answer.
std::string diff(const Words& arguments);

// --- tables.cpp: Markdown tables -------------------------------------------------------------------

/// A table. Columns of numbers are aligned to the right.
struct Table {
  Words heads;
  std::vector<Words> rows;

  std::string markdown() const;
};
/// The table of a README's command: table, compare, widths or rows (readme.cpp explains them).
/// Throws `Error` if a row or a column has no value.
std::string readme_table(const Words& command);

// --- The other files -------------------------------------------------------------------------------

/// Writes each exercise of a file into a folder DIR/N. Returns what is missing, a line each.
std::string write_exercises(const std::string& path, const std::string& folder);
/// A table of the exercises in these folders.
std::string exercise_table(const Words& folders);

/// Refreshes the generated parts of Markdown files and says which; with --check it only looks. Throws
/// `Error` if something is stale or broken, after a line for each on stderr.
std::string refresh_readmes(const Words& arguments);

/// The verdicts on the published claims, side by side: LABEL=FOLDER[,FOLDER]...
std::string claims_table(const Words& devices);
/// The verdicts on one results folder, as text of at most 80 columns; `csv`: as CSV.
std::string claims_text(const std::string& results, bool csv);

/// The ladder's table on a terminal, at most 80 columns wide.
std::string ladder_text(const std::string& results);
/// A sentence if the machine was not quiet while it measured; else empty.
std::string noise(const std::string& results);
/// The page of results, and the whole tutorial with the reader's charts, in Markdown.
std::string page(const std::string& results);
std::string book(const std::string& results);

/// The table of what xray/ recorded in a folder: its `counts`, the program's `output` and `*.cells`.
/// Writes there the file `csv` and a picture KERNEL-WIDTH.svg of each kernel's loads.
std::string xray(const Words& arguments);

/// Joins pieces of a measurement into one CSV: OUT PIECE... Prints nothing.
std::string join(const Words& arguments);

}  // namespace tutorial
