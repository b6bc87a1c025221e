// Puzzles: the reader writes the kernel in puzzles/N.cl; the judge, tools/puzzles/judge.cpp,
// verifies it and counts what it does.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// Prints it to the width of any terminal.
void say(const std::string& text) {
  const std::string lines = text.substr(0, text.find_last_not_of('\n') + 1);
  fmt::print("{}\n", wrapped(lines, 80));
  std::fflush(stdout);
}

Words solved() {
  return fs::exists("puzzles/solved") ? split(read_text("puzzles/solved"), '\n') : Words{};
}

struct Puzzle {
  std::string number, name, minutes, page, teaches;
  std::string mine = "puzzles/" + number + ".cl";
  std::string folder = "tools/puzzles/" + number + "/";
};

std::vector<Puzzle> puzzles() {
  const Csv& csv = csv_file("tools/puzzles/puzzles.csv");
  std::vector<Puzzle> all;
  for (std::size_t row = 0; row < csv.size(); row++) {
    const auto text = [&](const char* column) { return csv.text(row, column); };
    all.push_back({text("puzzle"), text("name"), text("minutes"), text("page"), text("teaches")});
  }
  return all;
}

/// One more hint than before.
void hint(const Puzzle& puzzle) {
  const std::string asked = "puzzles/" + puzzle.number + ".hints";  // a line for each time
  std::ofstream(asked, std::ios::app) << '\n';
  Words hints = split(replaced(read_text(puzzle.folder + "hints.md"), "^#.*\n", ""), '\n');
  std::erase(hints, "");
  for (std::size_t i = 0; i < hints.size() && i < fs::file_size(asked); i++) {
    say(replaced(hints[i], "^[0-9]+\\. ", ""));
  }
  say(fmt::format("(there are {}; --solution shows ours)", hints.size()));
}

/// The comment at the head of our solution, and how our kernel differs from the reader's.
void show_solution(const Puzzle& puzzle) {
  const std::string ours = read_text(puzzle.folder + "solution.cl");
  const auto code = [](const std::string& text) { return replaced(text, "^(//.*\n|\n)*", ""); };
  say(replaced(ours.substr(0, ours.find("\n\n")), "(^|\n)// ?", "$1"));
  fmt::print(
      "{}", unified_diff(puzzle.mine, code(read_text(puzzle.mine)), "our solution", code(ours)));
}

/// What the simulator found first, in the reader's words, with the lines of the kernel that it is
/// about; empty if it found nothing.
std::string finding(const std::string& log) {
  const std::pair<const char*, const char*> words[] = {
      {"Write-write data race at global.*",
       "two work-items write the same pixel (a data race). Does one write beyond its row? x and y "
       "may lie beyond the image:"},
      {"Write-write data race.*", "two work-items write the same place (a data race):"},
      {"Read-write data race.*",
       "one work-item writes what another reads, and nothing says which comes first (a data "
       "race):"},
      {"Invalid (read|write) .* (\\w+) memory.*", "it $1s beyond its $2 memory:"},
      {"Work-group divergence.*", "a barrier that only some work-items reach:"}};
  const std::size_t begin = log.find_first_not_of('\n');
  if (begin == std::string::npos) {
    return "";
  }
  std::string found = "  [ ] " + log.substr(begin, log.find("\n\n", begin) - begin);
  for (const auto& [begins, meaning] : words) {
    found = replaced(found, begins, meaning);
  }
  found = replaced(found, "\n\tAt line ([0-9]+)[^\n]*\n\\s+", "\n      line $1: ");
  return replaced(found, "\n\t[^\n]*", "");
}

/// Runs the judge, in the simulator if words in front say so, for at most a minute. Prints its
/// errors.
Finished run_judge(
    const Puzzle& puzzle, Words words = {},
    const std::map<std::string, std::string>& environment = {}) {
  const std::string by = words.empty() ? "judge" : "simulator";
  words = joined(words, {program_path("puzzle"), puzzle.number, puzzle.mine});
  Process process{words, environment};
  process.limit_s = 60.0;
  Finished judge = run(process);
  // Oclgrind counts the warnings of each build.
  const std::string errors =
      replaced(judge.errors, "[0-9]+ [a-z]+ generated\\.\n|[^\n]*: crashed;[^\n]*\n", "");
  std::fputs(errors.c_str(), stderr);
  if (judge.timed_out) {
    judge.output +=
        "  [ ] after a minute it still runs: an endless loop, or a barrier that some miss\n";
    judge.status = 2;
  } else if (
      by == "judge" &&
      !search(judge.errors, puzzle.mine + ": crashed;|an earlier kernel may").empty()) {
    judge.output += "  [ ] it crashed: it reads or writes far from its buffers\n";
    judge.status = 2;
  } else if (judge.status > 3) {
    fail("the {} crashed, status {}, which is no fault of your kernel's", by, judge.status);
  }
  return judge;
}

/// Lets the simulator watch and count. Returns the judge's status.
int simulate(const Puzzle& puzzle) {
  const TemporaryFolder work;
  const std::string log = work.path() + "/log";
  const Finished judge = run_judge(
      puzzle,
      {"oclgrind", "--data-races", "--log", log, "--max-errors", "10", "--local-mem-size", "65536",
       "--build-options", "-O3 -fno-unroll-loops", "--plugins", program_path("libxray.so")},
      {{"XRAY_FOLDER", work.path()},
       {"XRAY_GROUP", "32x4"},
       {"XRAY_PRODUCTS", "1"},
       {"TUTORIAL_DEVICE", "oclgrind"}});
  const std::string right = "[x] the right result";
  const std::string found = fs::exists(log) ? finding(read_text(log)) : "";
  if (!found.empty()) {
    say(found);
  } else if (judge.output.find(right) != std::string::npos) {
    say("  [x] in the simulator: no access beyond a buffer, no data race");
  } else if (
      judge.status == 2 && !judge.timed_out &&
      run_judge(puzzle).output.find(right) != std::string::npos) {
    say("  [ ] Your device computes the right result, so the simulator has a fault. It is known to "
        "have one with a switch whose cases fall through: write an if, or a break after each "
        "case.");
  }
  say(judge.output);
  return found.empty() ? judge.status : 2;
}

/// Returns the exit status: 0 if it is solved, else 2; 1 if something failed.
int judge(const Puzzle& puzzle) {
  say(fmt::format("Puzzle {}: {} ({})", puzzle.number, puzzle.name, puzzle.mine));
  const std::string missing = missing_simulator();
  int status = missing.empty() ? simulate(puzzle) : 0;
  if (status == 0) {
    const Finished judge = run_judge(puzzle);
    status = judge.status == 3 && missing.empty() ? 0 : judge.status;
    say(judge.output);
  }
  if (!missing.empty()) {
    say("Nothing was counted, the result and the time decide: " + missing + ".");
  }
  if (status == 0) {
    if (!contains(solved(), puzzle.number)) {
      std::ofstream("puzzles/solved", std::ios::app) << puzzle.number << '\n';
    }
    say("Solved. --solution shows ours; after this puzzle read: " + puzzle.page + ".");
  } else if (status > 1) {
    say((status == 3 ? "Not yet: ours is more than 1.25 times as fast. './tutorial puzzle "
                     : "Not yet. './tutorial puzzle ") +
        puzzle.number + " --hint' has a hint.");
  }
  return std::min(status, 2);
}

}  // namespace

int puzzle_verb(const Words& arguments) {
  const std::vector<Puzzle> all = puzzles();
  if (arguments.empty()) {
    fmt::print("        puzzle                   time then read  teaches\n");
    for (const Puzzle& puzzle : all) {
      fmt::print(
          "[{}] {:>2}  {:22} {:>2} min {:10} {}\n", contains(solved(), puzzle.number) ? 'x' : ' ',
          puzzle.number, puzzle.name, puzzle.minutes, puzzle.page, puzzle.teaches);
    }
    fmt::print("\n'./tutorial puzzle 1' begins. A page may show the answer, so try first.\n");
    return 0;
  }
  const auto puzzle = std::ranges::find(all, arguments[0], &Puzzle::number);
  require(
      puzzle != all.end(), "there is no puzzle '{}'; './tutorial puzzle' lists them", arguments[0]);
  const std::string option = arguments.size() > 1 ? arguments[1] : "";
  require(
      option.empty() || option == "--hint" || option == "--solution",
      "'{}' is neither --hint, which shows one more each time, nor --solution", option);
  const bool begins = !fs::exists(puzzle->mine);
  if (begins) {
    fs::create_directories("puzzles");
    write_whole(puzzle->mine, read_file(puzzle->folder + "start.cl"));
  }
  if (option == "--hint") {
    hint(*puzzle);
  } else if (option == "--solution") {
    show_solution(*puzzle);
  } else if (begins) {
    say(puzzle->mine + " is yours now: read it, change it, and call this again.");
  } else {
    build({"puzzle", "xray"});
    return judge(*puzzle);
  }
  return 0;
}

}  // namespace tutorial
