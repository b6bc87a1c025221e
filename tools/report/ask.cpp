// What the gnuplot scripts ask about a CSV:
//   head FILE KEY, title CHARTS CHART, kernels FILE [WIDTH], fastest FILE WIDTH, column FILE NAME,
//   devices FILE: any
#include <ranges>

#include "report/report.hpp"

namespace tutorial {

std::string device_name(const Csv& csv) {
  // Some drivers pad it with blanks; PoCL puts a word and LLVM's name of the processor before it.
  const std::string name =
      replaced(csv.head("device"), "^ +| +$| +(?= )|\\((R|TM)\\)| Processor", "");
  return replaced(name, "^(pthread|cpu)-[^A-Z]*-([A-Z].*)$", "$2 (PoCL)");
}

std::string ask(const Words& arguments) {
  const std::string& question = arguments[0];
  const Csv csv = csv_file(arguments[1]);
  const std::string detail = arguments.size() > 2 ? arguments[2] : "";
  if (question == "head") {
    return detail == "device" ? device_name(csv) : csv.head(detail);
  } else if (question == "title") {
    const auto rows = rows_where(csv, {{"chart", detail}});
    return rows.empty() ? detail + ": a step of your own" : csv.text(rows[0], "title");
  }
  if (question == "fastest") {  // of each step
    const auto of_steps = fastest_of_steps(csv, detail);
    return fmt::format("{}", fmt::join(of_steps | std::views::values, " "));
  }
  if (question == "devices") {
    return devices_csv();
  }
  Words kernels, column;  // - for an empty field
  for (std::size_t row = 0; row < csv.size(); row++) {
    const std::string& kernel = csv.text(row, "kernel");
    if (question == "kernels") {  // those at a filter width, if it is not empty
      const bool chosen = detail.empty() || csv.text(row, "filter_width") == detail;
      !chosen || contains(kernels, kernel) ? void() : kernels.push_back(kernel);
    } else if (question == "column") {
      column.push_back(csv.text(row, detail).empty() ? "-" : csv.text(row, detail));
    }
  }
  return fmt::format("{}", fmt::join(question == "kernels" ? kernels : column, " "));
}

}  // namespace tutorial
