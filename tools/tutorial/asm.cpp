// The machine code of a kernel, and of the passes before it, as the device's own compiler makes it:
// every loop, and what it computes. objdump reads the code of PoCL on x86-64; NVIDIA's driver gives
// PTX, of which ptxas and nvdisasm make the machine code, where they are found.
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
    .instruction = "^ +[0-9a-f]+:\\s+(.*)",
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
const Language sass = {
    .name = "NVIDIA's machine code",
    .begins = "^\\.text\\.{}:",
    .ends = "^//---",
    .label = "^\\.(L_\\w+):",
    .instruction = "/\\*[0-9a-f]+\\*/\\s+([^;]*[^; ]) *;",
    .jump = "BRA.*\\.(L_\\w+)",
    .multiply_add = "\\b(FFMA|HFMA2|DFMA|[HIQ]G?MMA|IDP)\\b",
    .arithmetic = "\\b[FHD](ADD2?|MUL2?|MNMX)\\b",
    .packed = "\\b(H[A-Z]+2|[HIQ]G?MMA|IDP)\\b",
    .spill = "\\b(LDL|STL)\\b",
    .store = "\\bST[GS]?\\b",
    .load = "\\b(LD[GSC]?|LDSM|ULDC)\\b"};

constexpr int several = -1;

struct Instruction {
  std::string text, jumps_to = {};
  int line = 0;   ///< of the source; 0: not known
  int lanes = 0;  ///< with how many floats it computes; `several`; 0: with none
  bool multiply_add = false;
  char memory = ' ';  ///< it loads (l), stores (s), or spills to the stack (x)
};

/// The code between a jump back and where it leads, but for the loops within.
struct Loop {
  std::size_t begin, end;  ///< the first instruction and the jump
  std::string number = {};
  std::vector<Instruction> own = {};
  bool is_inner = true;
  int copies = 1;  ///< the compiler may repeat it
};

bool is_in(const std::string& text, const std::string& expression) {
  return !search(text, expression).empty();
}

Instruction instruction_of(const Language& language, const std::string& text, int line) {
  const Words jump = search(text, language.jump);
  Instruction one{text, jump.empty() ? "" : jump[1], line};
  one.multiply_add = is_in(text, language.multiply_add);
  if (one.multiply_add || is_in(text, language.arithmetic)) {
    const Words vector = search(text, "%([xyz])mm");
    const int bytes = vector.empty() ? 0 : vector[1] == "z" ? 64 : vector[1] == "y" ? 32 : 16;
    one.lanes = !is_in(text, language.packed) ? 1
                : bytes == 0                  ? several
                                              : bytes / (is_in(text, "pd ") ? 8 : 4);
  }
  one.memory = is_in(text, language.spill)   ? 'x'
               : is_in(text, language.store) ? 's'
               : is_in(text, language.load)  ? 'l'
                                             : ' ';
  return one;
}

/// The instructions of a kernel; `places`: where their labels are.
std::vector<Instruction> instructions_of(
    const Language& language, const std::string& begins, const std::string& listing,
    std::map<std::string, std::size_t>& places) {
  const Words rows = split(listing, '\n');
  std::vector<Instruction> instructions;
  int line = 0;
  auto row = std::ranges::find_if(rows, [&](auto& text) { return is_in(text, begins); });
  for (; row != rows.end() && (instructions.empty() || !is_in(*row, language.ends)); ++row) {
    const Words of_source = search(*row, "^/.*\\.cl:([0-9]+)");
    line = of_source.empty() ? line : std::stoi(of_source[1]);
    if (const Words label = search(*row, language.label); !label.empty()) {
      places[label[1]] = instructions.size();
    }
    const Words found = search(*row, language.instruction);
    if (!found.empty() && !is_in(found[1], "nop|NOP|^data16|^cs |^xchg +%ax,%ax")) {
      const std::string text = replaced(replaced(found[1], "\\s+", " "), " *<.*>$| *#.*$", "");
      instructions.push_back(instruction_of(language, text, line));
    }
  }
  return instructions;
}

/// Whether the same operations follow one another.
bool are_alike(const std::vector<Instruction>& a, const std::vector<Instruction>& b) {
  const auto operation = [](const Instruction& instruction) {
    return instruction.text.substr(0, instruction.text.find(' '));
  };
  return std::ranges::equal(a, b, {}, operation, operation);
}

/// All loops, those within another behind it, and at last what is in none; nothing if there is no
/// such kernel.
std::vector<Loop> loops_of(
    const Language& language, const std::string& begins, const std::string& listing) {
  std::map<std::string, std::size_t> places;
  const auto instructions = instructions_of(language, begins, listing, places);
  if (instructions.empty()) {
    return {};
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
  return loops;
}

/// Counts the copies of inner loops that follow one another as one.
void unite_copies(std::vector<Loop>& loops) {
  for (std::size_t i = 1; i < loops.size();) {
    Loop& first = loops[i - 1];
    if (first.is_inner && loops[i].is_inner && are_alike(first.own, loops[i].own)) {
      first.copies++;
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      i++;
    }
  }
}

std::string heading(const Loop& loop) {
  return loop.number + (loop.copies > 1 ? fmt::format(" ({} times)", loop.copies) : "");
}

/// A loop's instructions, beside the lines of the source that they are of.
std::string code_of(const Loop& loop, const Words& source) {
  std::string text = fmt::format("loop {}\n", heading(loop));
  int line = 0;
  for (const Instruction& instruction : loop.own) {
    std::string of_source;
    if (instruction.line != line && instruction.line <= std::ssize(source)) {
      line = instruction.line;
      of_source = fmt::format("{:4}  {}", line, replaced(source[line - 1], "^ +", ""));
    }
    text += replaced(fmt::format("    {:<54} {}", instruction.text, of_source), " +$", "") + "\n";
  }
  return text + "\n";
}

/// How many instructions of each kind the loops have.
Table table_of(const std::vector<Loop>& loops) {
  std::set<int> widths = {0};
  for (const Loop& loop : loops) {
    for (const Instruction& instruction : loop.own) {
      widths.insert(instruction.lanes);
    }
  }
  widths.erase(0);
  Table table{{"loop", "instructions"}, {}};
  for (const int width : widths) {
    table.heads.push_back(
        width == several ? "packed" : fmt::format("{} lane{}", width, width == 1 ? "" : "s"));
  }
  table.heads.insert(table.heads.end(), {"mul-add", "loads", "stores", "spills"});
  for (const Loop& loop : loops) {
    Words row = {heading(loop), std::to_string(loop.own.size())};
    const auto count = [&](auto value, auto member) {
      const auto number = std::ranges::count(loop.own, value, member);
      row.push_back(number == 0 ? "-" : std::to_string(number));
    };
    for (const int width : widths) {
      count(width, &Instruction::lanes);
    }
    count(true, &Instruction::multiply_add);
    for (const char kind : {'l', 's', 'x'}) {
      count(kind, &Instruction::memory);
    }
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

std::string machine_code(
    const std::string& kernel, const std::string& listing, const Words& source) {
  const Language& language = is_in(listing, "(^|\n)\\.version ") ? ptx
                             : is_in(listing, "\n\\.text\\.")    ? sass
                                                                 : x86;
  std::vector<Loop> loops =
      loops_of(language, replaced(language.begins, "\\{\\}", kernel), listing);
  if (loops.empty()) {
    return "";
  }
  // PoCL up to version 6 calls a copy of the function that has the lines.
  for (const Loop& copy : loops_of(x86, fmt::format("<_pocl_kernel_{}>:", kernel), listing)) {
    for (Loop& loop : loops) {
      loop.own = are_alike(loop.own, copy.own) ? copy.own : loop.own;
    }
  }
  unite_copies(loops);
  std::string text = fmt::format("{}, {}\n\n", kernel, language.name);
  for (const Loop& loop : loops) {
    const auto computes = [](const Instruction& one) { return one.lanes != 0; };
    text += loop.is_inner && std::ranges::any_of(loop.own, computes) ? code_of(loop, source) : "";
  }
  return text + table_of(loops).aligned();
}

// --- The verb ------------------------------------------------------------------------------------

namespace {

/// What the compiler has left of a kernel in a folder; empty if nothing.
std::string listing_of(const std::string& kernel, const std::string& folder) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (entry.path().filename() == kernel + ".so") {
      const Finished listing = run({{"objdump", "-dl", "--no-show-raw-insn", path}});
      return listing.status == 0 ? listing.output
                                 : throw Error("objdump is needed: the package binutils");
    }
    if (entry.path().extension() == ".ptx" &&
        is_in(read_file(path), "\\.entry " + kernel + "\\(")) {
      const Words target = search(read_file(path), "\n\\.target (sm_[0-9a-z]+)");
      run({{"ptxas", "-arch=" + target.at(1), path, "-o", path + ".cubin"}});
      const Finished listing = run({{"nvdisasm", "-c", path + ".cubin"}});
      return listing.status == 0 ? listing.output : read_file(path);
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
      // -g tells the lines, and changes no code.
      {{"POCL_CACHE_DIR", made.path()},
       {"POCL_EXTRA_BUILD_FLAGS", "-g"},
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
    const std::string listing = listing_of(pass, made.path());
    parts.push_back(machine_code(pass, listing, split(read_text(source), '\n')));
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
