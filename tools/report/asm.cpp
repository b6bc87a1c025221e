// The machine code of a kernel's inner loop: which loop that is, and what it consists of. asm.sh
// gives what objdump says of x86-64, PTX, or what nvdisasm says of NVIDIA's machine code.
#include <algorithm>
#include <set>

#include "report/report.hpp"

namespace tutorial {
namespace {

/// How a listing is read, by regular expressions; {} is the kernel's name.
struct Language {
  std::string name, begins, ends;  // the lines around the instructions
  std::string label, instruction;  // a place to jump to, and an instruction's text
  std::string jump;                // and where it leads
  std::string registers;
  std::vector<std::pair<std::string, std::string>> kinds;  // the first that matches counts
};

const Words kinds = {"multiply-adds", "other float arithmetic",    "loads", "stores", "spills",
                     "branches",      "integers, addresses, moves"};

const Language x86 = {
    "x86-64",
    "<_pocl_kernel_{}_workgroup>:",
    "^$",
    "^ +([0-9a-f]+):",
    "^ +[0-9a-f]+:\\s+(.*)",
    "^j\\w+ +([0-9a-f]+)",
    "^%[xyz]mm([0-9]+)",
    {{"multiply-adds", "^(vfn?m(add|sub)|vpmadd|vpdp)"},
     {"branches", "^(j|call|ret)"},
     {"spills", "^v?mov.*\\(%r[sb]p\\)"},
     {"stores", "^v?p?(mov|extr|scatter).*,-?(0x)?[0-9a-f]*\\([^)]*\\)(\\{.*)?$"},
     {"other float arithmetic", "^v?(add|sub|mul|div|min|max|sqrt)[ps][sd] "},
     {kinds.back(), "^lea"},
     {"loads", "\\("}}};

const Language ptx = {
    "PTX",
    "\\.entry {}\\(",
    "^\\}",
    "^(\\$\\w+):",
    "^\\s+(@?[!%a-z][^;]*);",
    "bra\\S* (\\$\\w+)",
    "",
    {{"multiply-adds", "\\b(fma|mma|wgmma|dp[24]a)\\."},
     {"branches", "\\b(bra|ret|call)\\b"},
     {"spills", "\\b(ld|st)\\.local"},
     {"stores", "\\bst\\."},
     {"loads", "\\bld\\.(?!param)"},
     {"other float arithmetic", "\\b(add|sub|mul|div|min|max|neg|abs)\\.[a-z.]*f(16|32|64)"}}};

const Language sass = {
    "NVIDIA's machine code",
    "^\\.text\\.{}:",
    "^//---",
    "^\\.(L_\\w+):",
    "/\\*[0-9a-f]+\\*/\\s+([^;]*[^; ]) *;",
    "BRA.*\\.(L_\\w+)",
    "^R([0-9]+)$",
    {{"multiply-adds", "\\b(FFMA|HFMA2|DFMA|[HIQ]G?MMA|IDP)\\b"},
     {"branches", "\\b(BRA|EXIT|RET|CALL|BRX|BSSY|BSYNC)\\b"},
     {"spills", "\\b(LDL|STL)\\b"},
     {"stores", "\\bST[GS]?\\b"},
     {"loads", "\\b(LD[GSC]?|LDSM|ULDC)\\b"},
     {"other float arithmetic", "\\b[FHD](ADD2?|MUL2?|MNMX)\\b"}}};

struct Instruction {
  std::string text, kind, jumps_to;
  int line;  // of the source; 0: not known
};

std::vector<Instruction> instructions_of(
    const Language& language, const std::string& kernel, const std::string& listing,
    std::map<std::string, std::size_t>& places) {
  std::vector<Instruction> instructions;
  const std::string begins = replaced(language.begins, "\\{\\}", kernel);
  int line = 0;
  const Words rows = split(listing, '\n');
  const auto is_begin = [&](const std::string& row) { return !search(row, begins).empty(); };
  for (auto row = std::ranges::find_if(rows, is_begin); row != rows.end(); ++row) {
    if (!instructions.empty() && !search(*row, language.ends).empty()) {
      break;
    }
    const Words label = search(*row, language.label);
    const Words of_source = search(*row, "\\.cl:([0-9]+)");
    const Words found = search(*row, language.instruction);
    if (!label.empty()) {
      places[label[1]] = instructions.size();
    }
    line = of_source.empty() ? line : parse_number<int>(of_source[1]).value();
    if (found.empty() || !search(found[1], "nop|NOP|^data16|^cs ").empty()) {
      continue;
    }
    const std::string text = replaced(replaced(found[1], "\\s+", " "), " *<.*>$|#.*$", "");
    const auto kind = std::ranges::find_if(
        language.kinds, [&](auto& one) { return !search(text, one.second).empty(); });
    const Words jump = search(text, language.jump);
    instructions.push_back(
        {text, kind == language.kinds.end() ? kinds.back() : kind->first,
         jump.empty() ? "" : jump[1], line});
  }
  return instructions;
}

/// A loop's instructions, or all, which they are, and what they consist of.
struct Part {
  std::vector<Instruction> code;
  std::string which;
  std::vector<Words> rows;  // name and number
};

Part inner_loop(const std::string& kernel, const std::string& listing, const Language& language) {
  const bool is_x86 = language.name == x86.name;
  std::map<std::string, std::size_t> places;
  const auto all = instructions_of(language, kernel, listing, places);
  if (all.empty()) {
    fail("no {} of {} was found", language.name, kernel);
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
      "{}, {}: {} of {} instructions", language.name, part.which, part.code.size(), all.size());

  std::map<std::string, int> number;
  std::set<std::string> registers, widths;
  for (const auto& [text, kind, jumps_to, line] : part.code) {
    number[kind]++;
    // One instruction may load and compute.
    const bool computes = kind == kinds[0] || kind == kinds[1];
    number["loads"] += is_x86 && computes && text.find('(') != std::string::npos;
    for (const std::string& word : split(replaced(text, "[^%\\w]+", " "), ' ')) {
      if (const Words found = search(word, language.registers); found.size() > 1) {
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
      {"vector registers in use",
       language.registers.empty() ? "-" : std::to_string(registers.size())});
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
  Part part = inner_loop(kernel, listing, is_ptx ? ptx : is_sass ? sass : x86);
  Language with_lines = x86;
  with_lines.begins = "<_pocl_kernel_{}>:";
  if (listing.find(fmt::format("<_pocl_kernel_{}>:", kernel)) != std::string::npos) {
    // PoCL up to version 6 calls a copy of the function that has the lines.
    const Part lines = inner_loop(kernel, listing, with_lines);
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
