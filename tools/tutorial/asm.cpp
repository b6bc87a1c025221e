// The machine code of a kernel, and of the passes before it, as the device's own compiler makes it:
// every loop, and what it computes. objdump reads the code of PoCL on x86-64; NVIDIA's driver gives
// PTX.
#include <algorithm>
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

/// How a listing is read, by regular expressions.
struct Language {
  const char* name;
  const char *begins, *ends;         ///< the lines around a kernel's code; {}: its name
  const char* label;                 ///< a place to jump to,
  const char* instruction;           ///< the text of one,
  const char* jump;                  ///< and where it jumps to
  const char* multiply_add;          ///< of floats, or of bytes
  const char* arithmetic;            ///< all other of floats
  const char* packed;                ///< which of both compute several numbers at once
  const char *spill, *store, *load;  ///< the first that is found counts
};

const Language x86 = {
    .name = "x86-64",
    .begins = "<_pocl_kernel_{}_workgroup>:",
    .ends = "^$",
    .label = "^ +([0-9a-f]+):",
    .instruction = "^ +[0-9a-f]+:\\s+(?!data16|cs |nop|xchg +%ax,%ax)(.*)",
    .jump = "^j\\w+ +([0-9a-f]+)",
    .multiply_add = "^(vfn?m(add|sub)|vpmadd|vpdp)",
    .arithmetic = "^v?h?(add|sub|mul|div|min|max|sqrt)[ps][sdh] ",
    .packed = "^(\\w+p[sdh]|vp\\w+) ",
    .spill = "^(?!lea|prefetch).*(\\(%rsp[,)]|-0x[0-9a-f]+\\(%rbp\\))",
    .store = "^v?p?(mov|extr|scatter).*,-?(0x)?[0-9a-f]*\\([^)]*\\)(\\{.*)?$",
    .load = "^(?!lea|prefetch).*\\("};
const Language ptx = {
    .name = "PTX",
    .begins = "\\.entry {}\\(",
    .ends = "^\\}",
    .label = "^(\\$\\w+):",
    .instruction = "^\\s+(@?[!%a-z][^;]*);",
    .jump = "bra\\S* (\\$\\w+)",
    .multiply_add = "\\b(fma|mma|wgmma|dp[24]a)\\.",
    .arithmetic = "\\b(add|sub|mul|div|min|max|sqrt)\\.[a-z.]*f(16|32|64)",
    .packed = "f16x2|mma|dp[24]a",
    .spill = "\\b(ld|st)\\.local",
    .store = "\\bst\\.",
    .load = "\\bld\\.(?!param)"};

struct Instruction {
  std::string text, jumps_to = {};
  std::string lanes = {};  ///< with how many floats it computes; empty: with none
  std::string kind = {};   ///< what its memory is for: loads, stores, spills
  bool multiply_add = false;
};

/// The code between a jump back and where it leads, but for the loops within.
struct Loop {
  std::size_t begin, end;  ///< the first instruction and the jump
  std::string number = {};
  std::vector<Instruction> own = {};
  bool is_inner = true;
};

bool is_in(const std::string& text, const std::string& expression) {
  return !search(text, expression).empty();
}

Instruction instruction_of(const Language& language, const std::string& text) {
  const Words jump = search(text, language.jump);
  Instruction one{text, jump.empty() ? "" : jump[1]};
  one.multiply_add = is_in(text, language.multiply_add);
  if (one.multiply_add || is_in(text, language.arithmetic)) {
    const Words vector = search(text, "%([xyz])mm");
    const int bytes = vector.empty() ? 0 : vector[1] == "z" ? 64 : vector[1] == "y" ? 32 : 16;
    one.lanes = !is_in(text, language.packed) ? "1"
                : bytes == 0                  ? "several"
                             : std::to_string(bytes / (is_in(text, "pd ") ? 8 : 4));
  }
  one.kind = is_in(text, language.spill)   ? "spills"
             : is_in(text, language.store) ? "stores"
             : is_in(text, language.load)  ? "loads"
                                           : "";
  return one;
}

/// All loops of a kernel, those within another behind it, and at last what is in none; nothing if
/// there is no such kernel.
std::vector<Loop> loops_of(
    const Language& language, const std::string& kernel, const std::string& listing) {
  const std::string begins = replaced(language.begins, "\\{\\}", kernel);
  const Words rows = split(listing, '\n');
  std::map<std::string, std::size_t> places;  // of labels
  std::vector<Instruction> instructions;
  auto row = std::ranges::find_if(rows, [&](auto& text) { return is_in(text, begins); });
  for (; row != rows.end() && (instructions.empty() || !is_in(*row, language.ends)); ++row) {
    if (const Words label = search(*row, language.label); !label.empty()) {
      places[label[1]] = instructions.size();
    }
    if (const Words found = search(*row, language.instruction); !found.empty()) {
      const std::string text = replaced(replaced(found[1], "\\s+", " "), " *<.*>$| *#.*$", "");
      instructions.push_back(instruction_of(language, text));
    }
  }
  std::map<std::size_t, std::size_t> ends;  // by where the loops begin
  for (std::size_t i = 0; i < instructions.size(); i++) {
    const auto place = places.find(instructions[i].jumps_to);
    if (place != places.end() && place->second <= i) {
      ends[place->second] = i;
    }
  }
  std::vector<Loop> loops;
  std::map<std::string, int> within;  // how many loops are within this one
  for (const auto& [begin, end] : ends) {
    Loop loop{begin, end};
    for (Loop& outer : loops) {  // at last the one that is directly around it
      if (end <= outer.end) {
        loop.number = outer.number + ".";
        outer.is_inner = false;
      }
    }
    loop.number += std::to_string(++within[loop.number]);
    loops.push_back(loop);
  }
  loops.push_back({0, instructions.size(), "no loop", {}, false});
  for (std::size_t i = 0; i < instructions.size(); i++) {
    const auto is_around = [i](const Loop& loop) { return loop.begin <= i && i <= loop.end; };
    const auto innermost = std::find_if(loops.rbegin() + 1, loops.rend(), is_around);
    (innermost == loops.rend() ? loops.back() : *innermost).own.push_back(instructions[i]);
  }
  return instructions.empty() ? std::vector<Loop>() : loops;
}

}  // namespace

std::string machine_code(const std::string& kernel, const std::string& listing) {
  const Language& language = is_in(listing, "(^|\n)\\.version ") ? ptx : x86;
  const std::vector<Loop> loops = loops_of(language, kernel, listing);
  if (loops.empty()) {
    return "";
  }
  std::string text = fmt::format("{}, {}\n\n", kernel, language.name);
  Table table{{"loop", "instructions", "mul-add", "loads", "stores", "spills"}, {}};
  for (const std::string lanes : {"several", "16", "8", "4", "2", "1"}) {
    const auto has = [&](const Loop& loop) {
      return std::ranges::count(loop.own, lanes, &Instruction::lanes) > 0;
    };
    if (std::ranges::any_of(loops, has)) {
      table.heads.insert(table.heads.begin() + 2, lanes + (lanes == "1" ? " lane" : " lanes"));
    }
  }
  for (const Loop& loop : loops) {
    const auto computes = [](const Instruction& one) { return !one.lanes.empty(); };
    if (loop.is_inner && std::ranges::any_of(loop.own, computes)) {
      text += fmt::format("loop {}\n", loop.number);
      for (const Instruction& one : loop.own) {
        text += fmt::format("    {}\n", one.text);
      }
      text += "\n";
    }
    Words row = {loop.number, std::to_string(loop.own.size())};
    for (std::size_t column = 2; column < table.heads.size(); column++) {
      const std::string& head = table.heads[column];
      const auto number = std::ranges::count_if(loop.own, [&](const Instruction& one) {
        return head == one.kind || head.starts_with(one.lanes + " lane") ||
               (head == "mul-add" && one.multiply_add);
      });
      row.push_back(number == 0 ? "-" : std::to_string(number));
    }
    table.rows.push_back(row);
  }
  return text + table.aligned();
}

// --- The verb ------------------------------------------------------------------------------------

namespace {

/// What the compiler has left of a kernel in a folder; empty if nothing.
std::string listing_of(const std::string& kernel, const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.path().filename() == kernel + ".so") {
      const Finished listing = run({{"objdump", "-d", "--no-show-raw-insn", path}});
      return listing.status == 0 ? listing.output
                                 : throw Error("objdump is needed: the package binutils");
    }
    if (entry.path().extension() == ".ptx" &&
        is_in(read_file(path), "\\.entry " + kernel + "\\(")) {
      return read_file(path);
    }
  }
  return "";
}

}  // namespace

// KERNEL [ARGS], which go to its program, such as --device, --filter-width and --kernel-file.
std::string assembly(const Words& arguments) {
  const KernelPlace place = place_of(arguments[0]);
  std::string source = place.file;
  for (std::size_t i = 1; i < arguments.size(); i++) {
    source = arguments[i - 1] == "--kernel-file" ? readers_file(arguments[i]) : source;
  }
  build({place.program});
  const TemporaryFolder made;
  Process process{
      {program_path(place.program), "--verify-only", "--size", "256x256", "--kernel", arguments[0]},
      {{"POCL_CACHE_DIR", made.path()},
       {"TUTORIAL_BINARIES", made.path()},
       {"CUDA_CACHE_DISABLE", "1"}},
      readers_folder()};
  process.arguments.insert(process.arguments.end(), arguments.begin() + 1, arguments.end());
  process.output = Process::Output::together;
  const Finished finished = run(process);
  if (finished.status != 0) {
    throw Error(finished.output);
  }
  Words parts;
  for (const std::string& pass : kernel_names(kernel_in(source, place.name, true))) {
    parts.push_back(machine_code(pass, listing_of(pass, made.path())));
  }
  std::erase(parts, "");
  if (parts.empty()) {
    fail(
        "of {} there is no code of PoCL on x86-64 or of NVIDIA's driver; the program says:\n{}",
        place.name, finished.output);
  }
  return fmt::format(
      "{}\nNot counted in a loop are those within it. Lanes: arithmetic with so many floats at "
      "once;\n"
      "mul-add: how much of it multiplies and adds. Spills: loads from the stack, and stores to "
      "it.\n",
      fmt::join(parts, "\n"));
}

}  // namespace tutorial
