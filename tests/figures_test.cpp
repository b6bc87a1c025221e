// Every figure within a sentence of a page, made anew from the committed rounds by a few lines that
// share nothing with common/lab. Red: a rate doubled, a ratio inverted, another kernel's time.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string run;
  std::vector<double> ms;
  std::vector<bool> bad;
};

/// The rows KERNEL at WIDTH of the files NAME.csv or NAME.*.csv, in their order; runs are told
/// apart by the file, too. Also the head's size in pixels, and its baseline.
struct File {
  double pixels = 0;
  std::string baseline;
  std::vector<std::pair<std::string, Row>> rows;  // "KERNEL WIDTH"

  explicit File(const fs::path& path) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(path.parent_path())) {
      const std::string name = entry.path().filename().string();
      const bool is_part = !exists(path) && name.starts_with(path.stem().string() + ".");
      if (name == path.filename() || is_part) {
        files.push_back(entry.path().string());
      }
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) {
      for (const std::string& line : split(read_file(file), '\n')) {
        double width = 0, height = 0;
        const auto field = split(line, ',', true);
        if (std::sscanf(line.c_str(), "# size: %lf x %lf", &width, &height) == 2) {
          pixels = width * height;
        } else if (line.starts_with("# baseline: ")) {
          baseline = line.substr(12);
        } else if (!line.starts_with("#") && !line.starts_with("run,") && field.size() == 9) {
          Row row{file + field[0], {}, {}};
          std::istringstream rounds(field[8]);
          for (std::string round; rounds >> round;) {
            row.bad.push_back(round.back() == '?');
            row.ms.push_back(std::stod(round));
          }
          rows.emplace_back(field[1] + " " + field[2], row);
        }
      }
    }
  }

  const Row* find(const std::string& key, const std::string& run = "") const {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) {
      return one.first == key && (run.empty() || one.second.run == run);
    });
    return row != rows.end() ? &row->second : nullptr;
  }
};

/// The median of a / b in each round, or of a, without those that were disturbed, if enough are
/// left.
double ratio(const Row& a, const Row* b) {
  std::vector<double> all, good;
  for (std::size_t i = 0; i < a.ms.size(); i++) {
    all.push_back(a.ms[i] / (b != nullptr ? b->ms.at(i) : 1.0));
    if (!a.bad[i] && (b == nullptr || !b->bad[i])) {
      good.push_back(all.back());
    }
  }
  std::vector<double>& used = good.size() >= 6 && 2 * good.size() >= all.size() ? good : all;
  std::sort(used.begin(), used.end());
  return (used[(used.size() - 1) / 2] + used[used.size() / 2]) / 2;
}

/// How many times as long as OTHER a kernel takes: in the first run with both, or in two runs, each
/// to its own baseline.
double between(
    const File& file, const std::string& kernel, const std::string& other,
    const std::string& width) {
  for (const auto& [name, row] : file.rows) {
    const Row* mate = file.find(other + " " + width, row.run);
    if (name == kernel + " " + width && mate != nullptr) {
      return ratio(row, mate);
    }
  }
  return between(file, kernel, file.baseline, width) / between(file, other, file.baseline, width);
}

/// With so many decimals; or if that is negative, with three digits, or two.
std::string printed(double value, int decimals, bool two) {
  char text[64];
  if (decimals < 0 && two) {
    std::snprintf(text, sizeof(text), "%.2g", value);
    decimals = value < 9.95 ? 1 : 0;
    value = std::stod(text);
  }
  for (int places = 0; decimals < 0; places++) {
    decimals = std::abs(value) * std::pow(10.0, places) >= 100.0 ? places : -1;
  }
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

TEST(FiguresOfPages, AreThoseOfTheRounds) {
  const std::regex mark(
      "<!-- = ([a-z_]+)(:([0-9]))? (\\S+) ([0-9]+) (\\S+)( (\\S+))? -->([^<?]*)[^<]*<!-- / -->");
  std::map<std::string, int> compared;
  std::map<std::string, File> files;
  for (const auto& [page, text] : pages()) {
    for (std::sregex_iterator found(text.begin(), text.end(), mark), none; found != none; ++found) {
      const std::smatch& one = *found;
      const std::string what = one[1], kernel = one[6], other = one[8], width = one[5];
      const std::string path = in_repository("plots/data/" + one[4].str());
      if ((fs::exists(path) && read_file(path).find("rounds_ms") == std::string::npos) ||
          (kernel + other).find('+') != std::string::npos) {
        continue;  // old data without rounds; sums
      }
      const File& file = files.try_emplace(path, path).first->second;
      const Row* row = file.find(kernel + " " + width);
      ASSERT_TRUE(row != nullptr) << page << ": " << one[0];
      const auto to = [&](const std::string& name) {
        return ratio(*row, file.find(name + " " + width, row->run));
      };
      const double value = what == "median_ms"          ? ratio(*row, nullptr)
                           : what == "gpixels_per_s"    ? file.pixels / ratio(*row, nullptr) / 1e6
                           : what == "relative_percent" ? 100 * to(file.baseline)
                           : what == "x_floor"          ? to("floor")
                           : what == "times"            ? between(file, kernel, other, width)
                           : what == "percent"          ? 100 * between(file, kernel, other, width)
                                                        : NAN;
      if (!std::isnan(value)) {
        const bool two = what == "times" || what == "percent";
        EXPECT_EQ(one[9], printed(value, one[3].matched ? std::stoi(one[3]) : -1, two))
            << page << ": " << one[0];
        compared[what]++;
      }
    }
  }
  EXPECT_EQ(compared.size(), 6U);
  for (const auto& [what, number] : compared) {
    EXPECT_GE(number, 5) << what;
  }
}

// The table of old advice: its figures; a "yes" or "no" only where all of the row's lie on that side
// of its limit; and how many there are. Red: with and without swapped, a limit of 1, a wrong sum.
TEST(AdviceOfHistory, FollowsFromTheRounds) {
  const Csv list(in_repository("plots/published/advice.csv"));
  const std::string page = read_file(in_repository("HISTORY.md"));
  std::map<std::string, std::vector<std::string>> table;  // its cells by the advice
  for (const std::string& line : split(page, '\n')) {
    const std::string cells = std::regex_replace(line, std::regex(" [|] "), "\t");
    table[split(cells, '\t')[0]] = split(cells, '\t', true);
  }
  int compared = 0;
  std::map<std::string, int> sides;  // "GPU yes": in how many rows
  for (std::size_t row = 0; row < list.size(); row++) {
    const bool is_first = row == 0 || list.text(row, "advice") != list.text(row - 1, "advice");
    for (const std::string& device : split(list.text(row, "on"), ' ')) {
      const bool is_gpu = device == "GPU";
      const auto cells = table["| " + list.text(row, "advice")];
      ASSERT_GE(cells.size(), 4U) << list.text(row, "advice");
      const std::string& cell = cells[is_gpu ? 2 : 3];
      const std::string side = cell.starts_with("**") ? cell.substr(2, cell.find("**:") - 2) : "";
      sides[device + " " + side] += is_first;
      const std::string path = in_repository(
          (is_gpu ? "plots/data/h200/" : "plots/data/pocl-epyc/") + list.text(row, "file"));
      if (fs::exists(path) && read_file(path).find("rounds_ms") == std::string::npos) {
        continue;  // old data without rounds
      }
      const double gain = between(
          File(path), list.text(row, "without"), list.text(row, "with"), list.text(row, "width"));
      const std::string figure =
          printed(gain, gain < 2 ? 2 : -1, true) +
          (list.text(row, "label").empty() ? "" : " " + list.text(row, "label"));
      EXPECT_NE((", " + cell).find(" " + figure), std::string::npos) << cell << ": " << figure;
      const double then = list.number(row, "printed") > 0 ? list.number(row, "printed") : 1.1;
      EXPECT_TRUE(side != "yes" || gain >= (1 + then) / 2) << cell << ": " << figure;
      EXPECT_TRUE(side != "no" || gain < (1 + then) / 2) << cell << ": " << figure;
      compared++;
    }
  }
  EXPECT_GT(compared, 30);
  for (const std::string device : {"GPU", "CPU"}) {
    const std::string sum = "**" + std::to_string(sides[device + " yes"]) + " yes**, " +
                            std::to_string(sides[device + " partly"]) + " partly, " +
                            std::to_string(sides[device + " no"]) + " no, " +
                            std::to_string(sides[device + " unclear"]) + " unclear";
    EXPECT_NE(page.find("| " + sum + " |"), std::string::npos) << device << ": " << sum;
  }
}

}  // namespace
}  // namespace tutorial
