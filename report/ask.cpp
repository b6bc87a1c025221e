// What the gnuplot scripts ask about a CSV.
#include <iterator>
#include <sstream>

#include "report/report.hpp"

namespace tutorial {
namespace {

std::string with_blanks(const Words& words) { return fmt::format("{}\n", fmt::join(words, " ")); }

/// Some drivers pad the device's name with blanks.
std::string without_padding(const std::string& text) {
  std::istringstream words(text);
  return fmt::format("{}", fmt::join(Words(std::istream_iterator<std::string>(words), {}), " "));
}

/// The kernels, each once; those at a filter width, if it is not empty.
Words kernels(const Csv& csv, const std::string& width) {
  Words names;
  for (std::size_t row = 0; row < csv.size(); row++) {
    const std::string& name = csv.text(row, "kernel");
    if ((width.empty() || csv.text(row, "filter_width") == width) && !contains(names, name)) {
      names.push_back(name);
    }
  }
  return names;
}

/// The values of a column, each a word: - stands for an empty one.
Words column(const Csv& csv, const std::string& name) {
  Words values;
  for (std::size_t row = 0; row < csv.size(); row++) {
    values.push_back(csv.text(row, name).empty() ? "-" : csv.text(row, name));
  }
  return values;
}

/// Whether the device's kernels were timed by the host's clock. The OpenMP loop and OpenCV have no
/// event in any case, and NAME:host is a kernel by both clocks.
bool timed_by_host(const Csv& csv) {
  for (std::size_t row = 0; row < csv.size() && csv.has("clock"); row++) {
    const std::string& kernel = csv.text(row, "kernel");
    if (csv.text(row, "clock") == "host" && !kernel.starts_with("Open") &&
        !kernel.ends_with(":host")) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string ask(const Words& arguments) {
  const std::string& question = arguments[0];
  const Csv& csv = csv_file(arguments[1]);
  const std::string detail = arguments.size() > 2 ? arguments[2] : "";
  if (question == "head") {
    return without_padding(csv.head(detail)) + "\n";
  }
  if (question == "kernels") {
    return with_blanks(kernels(csv, detail));
  }
  if (question == "column") {
    return with_blanks(column(csv, detail));
  }
  if (question == "clock") {
    return timed_by_host(csv) ? "host\n" : "event\n";
  }
  fail("there is no question '{}': head, kernels, column, clock", question);
}

}  // namespace tutorial
