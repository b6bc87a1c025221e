// The machine code of a kernel's inner loop: which loop that is, and what it consists of. asm.sh
// gives what objdump says of x86-64, PTX, or what nvdisasm says of NVIDIA's machine code.
#include <algorithm>
#include <set>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

const Words kinds = {"multiply-adds", "other float arithmetic",    "loads", "stores", "spills",
                     "branches",      "integers, addresses, moves"};

struct Instruction {
  std::string text, kind, jumps_to;
  int line;  // of the source; 0: not known
};

/// How asm.csv reads a language: what it looks for, and the regular expressions.
Values patterns_of(const std::string& language, const std::string& kernel) {
  const Csv& csv = csv_file("tools/tutorial/asm.csv");
  Values patterns;
  for (const std::size_t row : rows_where(csv, {{"language", language}})) {
    patterns.emplace_back(
        csv.text(row, "what"), replaced(csv.text(row, "pattern"), "\\{\\}", kernel));
  }
  return patterns;
}

/// The match of that pattern and its groups; empty if there is none.
Words find(const Values& patterns, const std::string& what, const std::string& text) {
  const auto one = std::ranges::find(patterns, what, &Values::value_type::first);
  return one == patterns.end() ? Words() : search(text, one->second);
}

std::vector<Instruction> instructions_of(
    const Values& patterns, const std::string& listing,
    std::map<std::string, std::size_t>& places) {
  std::vector<Instruction> instructions;
  int line = 0;
  const Words rows = split(listing, '\n');
  const auto is_begin = [&](auto& row) { return !find(patterns, "begins", row).empty(); };
  for (auto row = std::ranges::find_if(rows, is_begin); row != rows.end(); ++row) {
    if (!instructions.empty() && !find(patterns, "ends", *row).empty()) {
      break;
    }
    const Words label = find(patterns, "label", *row);
    const Words of_source = search(*row, "\\.cl:([0-9]+)");
    const Words found = find(patterns, "instruction", *row);
    if (!label.empty()) {
      places[label[1]] = instructions.size();
    }
    line = of_source.empty() ? line : parse_number<int>(of_source[1]).value();
    if (found.empty() || !search(found[1], "nop|NOP|^data16|^cs ").empty()) {
      continue;
    }
    const std::string text = replaced(replaced(found[1], "\\s+", " "), " *<.*>$|#.*$", "");
    const auto kind = std::ranges::find_if(patterns, [&](auto& one) {
      return contains(kinds, one.first) && !search(text, one.second).empty();
    });
    const Words jump = find(patterns, "jump", text);
    instructions.push_back(
        {text, kind == patterns.end() ? kinds.back() : kind->first, jump.empty() ? "" : jump[1],
         line});
  }
  return instructions;
}

/// A loop's instructions, or all, which they are, and what they consist of.
struct Part {
  std::vector<Instruction> code;
  std::string which;
  std::vector<Words> rows;  // name and number
};

Part inner_loop(
    const std::string& language, const std::string& kernel, const std::string& listing) {
  const bool is_x86 = language == "x86-64";
  const Values patterns = patterns_of(language, kernel);
  std::map<std::string, std::size_t> places;
  const auto all = instructions_of(patterns, listing, places);
  if (all.empty()) {
    fail("no {} of {} was found", language, kernel);
  }
  Part part{all, "the whole kernel: no inner loop multiplies and adds", {}};
  std::ptrdiff_t most = 0, last_begin = -1;  // of the loops so far
  for (std::size_t i = 0; i < all.size(); i++) {
    const auto place = places.find(all[i].jumps_to);
    if (place == places.end() || place->second > i) {
      continue;
    }
    // A backward jump closes a loop. Inner: no other is within.
    const auto begin = static_cast<std::ptrdiff_t>(place->second);
    const std::vector code(all.begin() + begin, all.begin() + i + 1);
    const auto multiply_adds = std::ranges::count(code, kinds[0], &Instruction::kind);
    if (begin > last_begin && multiply_adds > most) {
      most = multiply_adds;
      part.code = code;
      part.which = "the inner loop with most multiply-adds";
    }
    last_begin = std::max(last_begin, begin);
  }
  part.which = fmt::format(
      "{}, {}: {} of {} instructions", language, part.which, part.code.size(), all.size());

  std::map<std::string, int> number;
  std::set<std::string> registers, widths;
  for (const auto& [text, kind, jumps_to, line] : part.code) {
    number[kind]++;
    // One instruction may load and compute.
    const bool computes = kind == kinds[0] || kind == kinds[1];
    number["loads"] += is_x86 && computes && text.find('(') != std::string::npos;
    for (const std::string& word : split(replaced(text, "[^%\\w]+", " "), ' ')) {
      if (const Words found = find(patterns, "register", word); !found.empty()) {
        registers.insert(found[1]);
      }
    }
    if (kind == kinds[0] && is_x86) {
      const bool scalar = !search(text, "^vf\\w+s[sd] ").empty();
      const Words vector = search(text, "[yz]mm");
      widths.insert(scalar ? "1" : vector.empty() ? "4" : vector[0] == "zmm" ? "16" : "8");
    }
  }
  for (const std::string& kind : kinds) {
    part.rows.push_back({kind, std::to_string(number[kind])});
  }
  part.rows.push_back(
      {"vector registers in use", language == "PTX" ? "-" : std::to_string(registers.size())});
  part.rows.push_back(
      {"floats in a multiply-add",
       widths.empty() ? "-" : fmt::format("{}", fmt::join(widths, ", "))});
  return part;
}

}  // namespace

std::string assembly(const Words& arguments) {
  const std::string& kernel = arguments[0];
  const std::string listing = read_file(arguments[1]);
  const bool is_ptx = !search(listing, "(^|\n)\\.version ").empty();
  const bool is_sass = !search(listing, "\n\\.text\\.").empty();
  const char* language = is_ptx ? "PTX" : is_sass ? "NVIDIA's machine code" : "x86-64";
  Part part = inner_loop(language, is_ptx || is_sass ? kernel : kernel + "_workgroup", listing);
  if (listing.find(fmt::format("<_pocl_kernel_{}>:", kernel)) != std::string::npos) {
    // PoCL up to version 6 calls a copy of the function that has the lines.
    const Part lines = inner_loop(language, kernel, listing);
    if (std::ranges::equal(lines.code, part.code, {}, &Instruction::kind, &Instruction::kind)) {
      part.code = lines.code;
    }
  }
  const Words source = split(read_file(arguments[2]), '\n');
  std::string text = part.which + "\n";
  int line = 0;
  for (const Instruction& instruction : part.code) {
    std::string of_source;
    if (instruction.line != line) {
      line = instruction.line;
      of_source = fmt::format("{:4}  {}", line, replaced(source.at(line - 1), "^ +", ""));
    }
    text += replaced(fmt::format("    {:<54} {}", instruction.text, of_source), " +$", "") + "\n";
  }
  return text + "\n" + Table{{"", kernel}, part.rows}.aligned();
}

}  // namespace tutorial
