// Every figure within a sentence of a page, made anew from the committed rounds by a few lines that
// share nothing with common/figures. Red: a rate doubled, a ratio inverted, another kernel's time.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

struct Row {
  std::string run, kind;
  std::vector<double> ms;
  std::vector<bool> bad;
};

/// The rows KERNEL at WIDTH of the files NAME.csv or NAME.*.csv, in their order; runs are told apart
/// by the file, too. Also the head's size in pixels, and its baseline.
struct File {
  double pixels = 0;
  std::string baseline;
  std::vector<std::pair<std::string, Row>> rows;  // "KERNEL WIDTH"

  explicit File(const std::filesystem::path& path) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path())) {
      const std::string name = entry.path().filename().string();
      if (name == path.filename() ||
          (!exists(path) && name.starts_with(path.stem().string() + "."))) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        double width = 0, height = 0;
        if (std::sscanf(line.c_str(), "# size: %lf x %lf", &width, &height) == 2) {
          pixels = width * height;
        } else if (line.starts_with("# baseline: ")) {
          baseline = line.substr(12);
        } else if (!line.starts_with("#") && !line.starts_with("run,")) {
          const auto field = split(line, ',', true);
          Row row{file.string() + field[0], field[7], {}, {}};
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
    for (const auto& [name, row] : rows) {
      if (name == key && (run.empty() || row.run == run)) {
        return &row;
      }
    }
    return nullptr;
  }
};

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
}

/// The median of a / b in each round, without those that were disturbed, if enough are left.
double ratio(const Row& a, const Row* b) {
  std::vector<double> all, good;
  for (std::size_t i = 0; i < a.ms.size(); i++) {
    all.push_back(a.ms[i] / (b != nullptr ? b->ms.at(i) : 1.0));
    if (!a.bad[i] && (b == nullptr || !b->bad[i])) {
      good.push_back(all.back());
    }
  }
  const bool enough =
      good.size() == all.size() || (good.size() >= 6 && 2 * good.size() >= all.size());
  return median(enough ? good : all);
}

/// Of `times` and `percent`: how many times as long as OTHER KERNEL takes.
double between(
    const File& file, const std::string& kernel, const std::string& other,
    const std::string& width) {
  for (const auto& [name, row] : file.rows) {
    const Row* mate = file.find(other + " " + width, row.run);
    if (name == kernel + " " + width && mate != nullptr) {
      return ratio(row, mate);
    }
  }
  const auto to_own = [&](const std::string& name) {  // two runs: each to its own baseline
    const Row* row = file.find(name + " " + width);
    return ratio(*row, file.find(file.baseline + " " + width, row->run));
  };
  return to_own(kernel) / to_own(other);
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
      "<!-- = ([a-z_]+)(:([0-9]))? (\\S+) ([0-9]+) (\\S+)( (\\S+))? -->([^<]*)<!-- / -->");
  std::map<std::string, int> compared;
  namespace fs = std::filesystem;
  for (auto page = fs::recursive_directory_iterator(in_repository()); page != end(page); ++page) {
    const std::string name = page->path().filename().string();
    if (page->is_directory() && (name == "build" || name == "results" || name.starts_with("."))) {
      page.disable_recursion_pending();
    }
    if (!page->is_regular_file() || page->path().extension() != ".md") {
      continue;
    }
    const std::string text = read_file(page->path().string());
    for (std::sregex_iterator found(text.begin(), text.end(), mark), none; found != none; ++found) {
      const std::smatch& one = *found;
      const std::string what = one[1], kernel = one[6], other = one[8], width = one[5];
      const std::string path = in_repository("plots/data/" + one[4].str());
      if ((std::filesystem::exists(path) &&
           read_file(path).find("rounds_ms") == std::string::npos) ||
          (kernel + other).find('+') != std::string::npos) {
        continue;  // old data without rounds; sums
      }
      static std::map<std::string, File> files;
      const File& file = files.try_emplace(path, path).first->second;
      const Row* row = file.find(kernel + " " + width);
      ASSERT_TRUE(row != nullptr) << *page << ": " << one[0];
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
      if (std::isnan(value)) {
        continue;
      }
      const bool two = what == "times" || what == "percent";
      const std::string expected = printed(value, one[3].matched ? std::stoi(one[3]) : -1, two);
      EXPECT_EQ(one[9].str().substr(0, one[9].str().find('?')), expected)
          << *page << ": " << one[0];
      compared[what]++;
    }
  }
  int all = 0;
  for (const auto& [what, number] : compared) {
    all += number;
    EXPECT_GE(number, 5) << what;
  }
  EXPECT_GE(all, 200);
}

}  // namespace
}  // namespace tutorial
