// What the gnuplot scripts ask about a CSV:
//   head FILE KEY, title CHARTS CHART, kernels FILE [WIDTH], fastest FILE WIDTH, column FILE NAME,
//   devices FILE: any
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
  const Csv& csv = csv_file(arguments[1]);
  const std::string detail = arguments.size() > 2 ? arguments[2] : "";
  Words words;
  if (question == "head") {
    words = {detail == "device" ? device_name(csv) : csv.head(detail)};
  } else if (question == "devices") {
    words = {devices_csv()};
  } else if (question == "title") {
    const auto rows = rows_where(csv, {{"chart", detail}});
    words = {rows.empty() ? detail + ": a step of your own" : csv.text(rows[0], "title")};
  } else if (question == "fastest") {  // of each step
    for (const auto& [step, fastest] : fastest_of_steps(csv, detail)) {
      words.push_back(fastest.second);
    }
  } else if (question == "kernels") {
    words = distinct(csv, "kernel", detail.empty() ? Values{} : Values{{"filter_width", detail}});
  } else if (question == "column") {
    for (const std::size_t row : rows_where(csv, {})) {
      words.push_back(csv.text(row, detail).empty() ? "-" : csv.text(row, detail));
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace tutorial
