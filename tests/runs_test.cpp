// Runs tests/runs/*.txt: what a reader types, and what has to come of it. In such a file:
//
//   == Files are not read     begins a test, in an empty folder; lines above the first are for all
//   # words                   are for you
//   only where: uname => x    skips the test unless this program says the regular expression x
//   file two.txt:             is written, of the indented lines that follow
//   edit my.cl from step1_naive/convolution.cl:
//     Convolve: \+= => -=     a text in place of a regular expression, in one kernel or everywhere
//   $ step1_naive --help      is run; it has status 0 and says nothing on stderr, unless there
//                             follows (regular expressions again, for one line)
//   $ step1_naive --size {0x5|12}     is two commands, each with what follows
//   refused: x                status 1, nothing but this line on stderr, and no file has changed
//   wrong: x                  status 2, and such a line on stderr, perhaps with others
//   fails: x                  a status that is neither 0 nor 2, and such a line on stderr
//   errors: x                 status 0, and such a line on stderr
//   says: x                   and then what stands in its output, on stderr (errors:), or in a file
//   out.csv not: x            (out.csv:); in no line (says not:), in two (says 2:)
//   row out.csv: kernel=Convolve filter_width=3     the file has a row with these values
//
// "simulated $", "unoptimised $" and "watched $" run as the functions of these names do. Everywhere
// {root} is the repository, {build} the build folder, {here} the folder of the test.
#include <algorithm>
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

struct Line {
  int number;
  std::string text;
};
using Script = std::vector<Line>;

/// What stands in the regular files below the current folder.
std::map<std::string, std::string> files_here() {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(".")) {
    if (fs::is_regular_file(entry.symlink_status())) {
      files[entry.path().string()] = read_file(entry.path().string());
    }
  }
  return files;
}

/// Runs a command as it is written in a file.
Ran typed(const std::string& mode, std::string command) {
  Environment environment;
  const char* assignment = R"re(^([A-Z_]+)=(?:"([^"]*)"|(\S*)) (.*)$)re";
  for (Words found; !(found = search(command, assignment)).empty(); command = found[4]) {
    environment[found[1]] = found[2] + found[3];
  }
  const std::size_t end = std::min(command.find(' '), command.size());
  const auto run = mode == "simulated"     ? simulated
                   : mode == "unoptimised" ? unoptimised
                   : mode == "watched"     ? watched
                                           : program;
  return run(command.substr(0, end), command.substr(end), environment);
}

/// Each command with {A|B}, and what has to come of it, once for A and once for B.
Script with_choices(const Script& lines) {
  const auto judges = [](const Line& line) {
    return bool(says(line.text, "^(row )?\\S+( not| [0-9]+)?: "));
  };
  Script all;
  for (auto line = lines.begin(); line != lines.end();) {
    const auto end = std::find_if_not(line + 1, lines.end(), judges);
    const Words found = search(line->text, R"re(^(.*\$ .*)\{([^{}]*\|[^{}]*)\}(.*)$)re");
    for (const std::string& one : split(found.empty() ? "" : found[2], '|')) {
      all.push_back({line->number, found.empty() ? line->text : found[1] + one + found[3]});
      all.insert(all.end(), line + 1, end);
    }
    line = end;
  }
  return all;
}

class Transcript : public testing::Test {
 public:
  Transcript(std::string file, const Script& lines)
      : file_(std::move(file)), lines_(with_choices(lines)) {}

  void TestBody() override {
    for (Line& line : lines_) {
      line.text = replaced(line.text, R"(\{root\})", in_repository());
      line.text = replaced(line.text, R"(\{build\})", in_build(""));
      line.text = replaced(line.text, R"(\{here\})", fs::current_path().string());
    }
    while (next_ < lines_.size()) {
      const Line& line = lines_[next_++];
      const testing::ScopedTrace trace(file_.c_str(), line.number, line.text);
      follow(line.text);
    }
  }

 private:
  void follow(const std::string& line) {
    Words found;
    const auto is = [&](const std::string& form) {
      return !(found = search(line, "^" + form + "$")).empty();
    };
    if (line.empty() || line.front() == '#') {
      return;
    }
    if (is("only where: (.*) => (.*)")) {
      const Ran ran = typed("", found[1]);
      if (!says(ran.output + ran.errors, found[2])) {
        next_ = lines_.size();
        GTEST_SKIP() << line;
      }
    } else if (is("file (.*):")) {
      if (const fs::path folder = fs::path(found[1]).parent_path(); !folder.empty()) {
        fs::create_directories(folder);
      }
      std::string text;
      for (const std::string& each : indented()) {
        text += each + "\n";
      }
      write_whole(found[1], text);
    } else if (is("edit (.*) from (.*):")) {
      std::string text = fs::exists(found[2]) ? read_file(found[2]) : source(found[2]);
      for (const std::string& each : indented()) {
        const Words parts = search(each, "^(?:(\\w+): )?(.*) => ?(.*)$");
        ASSERT_FALSE(parts.empty()) << each;
        text = edited(text, parts[2], parts[3], parts[1]);
      }
      write_whole(found[1], text);
    } else if (is("(?:(simulated|unoptimised|watched) )?\\$ (.*)")) {
      files_ = files_here();
      ran_ = typed(found[1], found[2]);
      const std::string next = next_ < lines_.size() ? lines_[next_].text : "";
      if (next.starts_with("errors")) {
        expect(0, ran_);
      } else if (!says(next, "^(refused|wrong|fails)\\b")) {
        expect_good(ran_);
      }
    } else if (is("row (.*?): (.*)")) {
      expect_row(found[1], found[2]);
    } else if (is("(\\S+)(?: (not|[0-9]+))?: (.*)")) {
      judge(found[1], found[2], found[3]);
    } else {
      FAIL() << "this line means nothing";
    }
  }

  /// The lines from the next one on that are indented, without that.
  std::vector<std::string> indented() {
    std::vector<std::string> texts;
    for (; next_ < lines_.size() && lines_[next_].text.starts_with("  "); next_++) {
      texts.push_back(lines_[next_].text.substr(2));
    }
    return texts;
  }

  void judge(const std::string& where, const std::string& times, const std::string& regex) const {
    const bool refused = where == "refused", wrong = where == "wrong", fails = where == "fails";
    const bool on_stderr = refused || wrong || fails || where == "errors";
    EXPECT_TRUE(!refused || ran_.status == 1) << ran_;
    EXPECT_TRUE(!wrong || ran_.status == 2) << ran_;
    EXPECT_TRUE(!fails || (ran_.status != 0 && ran_.status != 2)) << ran_;
    if (refused) {
      EXPECT_EQ(ran_.errors.find('\n') + 1, ran_.errors.size()) << "not one line\n" << ran_;
      EXPECT_FALSE(says(ran_.errors, "[\\x01-\\x1f\\x7f]|Sanitizer|runtime error|terminate called"))
          << ran_;
      EXPECT_TRUE(files_here() == files_) << "it has changed a file\n" << ran_;
    }
    ASSERT_TRUE(where == "says" || on_stderr || fs::exists(where)) << "no file " << where << ran_;
    const std::string text = on_stderr         ? ran_.errors
                             : where == "says" ? ran_.output
                                               : read_file(where);
    const std::size_t lines = lines_with(regex, text).size();
    const bool as_said =
        times.empty() ? lines > 0 : lines == (times == "not" ? 0 : std::stoul(times));
    EXPECT_TRUE(as_said) << "found in " << lines << " lines of\n"
                         << text.substr(0, 4000) << "\n"
                         << ran_;
  }

  /// A row of a CSV has these values: COLUMN=VALUE, with blanks between.
  void expect_row(const std::string& path, const std::string& values) const {
    Values pairs;
    for (const std::string& pair : split(values, ' ')) {
      const Words halves = search(pair, "^(.*?)=(.*)$");
      pairs.emplace_back(halves.at(1), halves.at(2));
    }
    EXPECT_FALSE(rows_where(read_csv(path), pairs).empty()) << read_file(path) << ran_;
  }

  std::string file_;
  Script lines_;
  std::size_t next_ = 0;                      ///< the line that comes next
  Ran ran_;                                   ///< the last command
  std::map<std::string, std::string> files_;  ///< before it
};

/// Each test of a file: FILE.Its_title.
void add_tests_of(const fs::path& path) {
  Script first;
  std::vector<std::pair<std::string, Script>> tests;
  int number = 0;
  for (const std::string& text : split(read_text(path.string()), '\n')) {
    number++;
    if (text.starts_with("== ")) {
      tests.emplace_back(replaced(text.substr(3), "[^A-Za-z0-9]+", "_"), first);
    }
    (tests.empty() ? first : tests.back().second)
        .push_back({number, text.starts_with("== ") ? "" : text});
  }
  for (const auto& [title, lines] : tests) {
    testing::RegisterTest(
        path.stem().string().c_str(), title.c_str(), nullptr, nullptr, path.string().c_str(),
        lines.back().number,
        [=, lines = lines]() -> testing::Test* { return new Transcript(path.string(), lines); });
  }
}

const bool added = [] {
  const std::string other = environment("TUTORIAL_RUNS");  // runs/judged.txt
  const std::string folder = other.empty() ? "tests/runs" : other;
  for (const auto& entry : fs::directory_iterator(in_repository(folder))) {
    add_tests_of(entry.path());
  }
  return true;
}();

}  // namespace
}  // namespace tutorial
