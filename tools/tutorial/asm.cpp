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
  const char *begins, *ends;  ///< the lines around a kernel's code; {}: its name
  const char* label;          ///< a place to jump to,
  const char* instruction;    ///< the text of one,
  const char* jump;           ///< and where it jumps to
  /// What is counted: arithmetic on floats by its lanes (shown only where there is some), how much
  /// of it multiplies and adds, and what memory is used for.
  std::vector<std::pair<std::string, std::string>> columns;
};

const std::string scalar = "^(vfn?m(add|sub)\\w*|v?h?(add|sub|mul|div|min|max|sqrt))s[sdh] ";
const std::string packed =
    "^(vfn?m(add|sub)\\w*p[sh]|v?h?(add|sub|mul|div|min|max|sqrt)p[sh]|vpmadd\\w*|vpdp\\w*) .*%";
const std::string stack = ".*(\\(%rsp[,)]|-0x[0-9a-f]+\\(%rbp\\))";
const std::string store = "v?p?(mov|extr|scatter).*,-?(0x)?[0-9a-f]*\\([^)]*\\)(\\{.*)?$";

const Language x86 = {
    .name = "x86-64",
    .begins = "<_pocl_kernel_{}_workgroup>:",
    .ends = "^$",
    .label = "^ +([0-9a-f]+):",
    .instruction = "^ +[0-9a-f]+:\\s+(?!data16|cs |nop|xchg +%ax,%ax)(.*)",
    .jump = "^j\\w+ +([0-9a-f]+)",
    .columns = {
        {"1 lane", scalar},
        {"4 lanes", packed + "xmm"},
        {"8 lanes", packed + "ymm"},
        {"16 lanes", packed + "zmm"},
        {"mul-add", "^(vfn?m(add|sub)|vpmadd|vpdp)"},
        {"loads", "^(?!lea|prefetch|" + store + "|" + stack + ").*\\("},
        {"stores", "^(?!" + stack + ")" + store},
        {"spills", "^(?!lea|prefetch)" + stack}}};
const Language ptx = {
    .name = "PTX",
    .begins = "\\.entry {}\\(",
    .ends = "^\\}",
    .label = "^(\\$\\w+):",
    .instruction = "^\\s+(@?[!%a-z][^;]*);",
    .jump = "bra\\S* (\\$\\w+)",
    .columns = {
        {"1 lane", "\\b(fma|add|sub|mul|div|min|max|sqrt)\\.[a-z.]*f(16|32|64)(?!x2)"},
        {"several lanes", "\\b((fma|add|sub|mul|min|max)\\.[a-z.]*f16x2|(wg)?mma\\.|dp[24]a\\.)"},
        {"mul-add", "\\b(fma|mma|wgmma|dp[24]a)\\."},
        {"loads", "\\bld\\.(?!param|local)"},
        {"stores", "\\bst\\.(?!local)"},
        {"spills", "\\b(ld|st)\\.local"}}};

/// The code between a jump back and where it leads, but for the loops within.
struct Loop {
  std::size_t begin, end;  ///< the first instruction and the jump
  std::string number = {};
  Words own = {};
  bool is_inner = true;
};

bool is_in(const std::string& text, const std::string& expression) {
  return !search(text, expression).empty();
}

/// All loops of a kernel, those within another behind it, and at last what is in none; nothing if
/// there is no such kernel.
std::vector<Loop> loops_of(
    const Language& language, const std::string& kernel, const std::string& listing) {
  const std::string begins = replaced(language.begins, "\\{\\}", kernel);
  const Words rows = split(listing, '\n');
  std::map<std::string, std::size_t> places;  // of labels
  Words instructions;
  auto row = std::ranges::find_if(rows, [&](auto& text) { return is_in(text, begins); });
  for (; row != rows.end() && (instructions.empty() || !is_in(*row, language.ends)); ++row) {
    if (const Words label = search(*row, language.label); !label.empty()) {
      places[label[1]] = instructions.size();
    }
    if (const Words found = search(*row, language.instruction); !found.empty()) {
      instructions.push_back(replaced(replaced(found[1], "\\s+", " "), " *<.*>$| *#.*$", ""));
    }
  }
  std::map<std::size_t, std::size_t> ends;  // by where the loops begin
  for (std::size_t i = 0; i < instructions.size(); i++) {
    const Words jump = search(instructions[i], language.jump);
    const auto place = places.find(jump.empty() ? "" : jump[1]);
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

/// What a listing says of a kernel: each loop, and what it computes; empty if it has no such
/// kernel.
std::string machine_code(const std::string& kernel, const std::string& listing) {
  const Language& language = is_in(listing, "(^|\n)\\.version ") ? ptx : x86;
  const std::vector<Loop> loops = loops_of(language, kernel, listing);
  if (loops.empty()) {
    return "";
  }
  std::string text = fmt::format("{}, {}\n\n", kernel, language.name);
  Table table{{"loop", "instructions"}, {}};
  for (const Loop& loop : loops) {
    table.rows.push_back({loop.number, std::to_string(loop.own.size())});
  }
  std::vector<bool> computes(loops.size());
  for (const auto& [head, expression] : language.columns) {
    std::vector<std::ptrdiff_t> numbers;
    for (const Loop& loop : loops) {
      numbers.push_back(std::ranges::count_if(
          loop.own, [&of = expression](auto& instruction) { return is_in(instruction, of); }));
    }
    const bool is_lanes = head.find("lane") != std::string::npos;
    if (is_lanes && std::ranges::max(numbers) == 0) {
      continue;
    }
    table.heads.push_back(head);
    for (std::size_t i = 0; i < loops.size(); i++) {
      table.rows[i].push_back(numbers[i] == 0 ? "-" : std::to_string(numbers[i]));
      computes[i] = computes[i] || (is_lanes && numbers[i] > 0);
    }
  }
  for (std::size_t i = 0; i < loops.size(); i++) {
    if (loops[i].is_inner && computes[i]) {
      text +=
          fmt::format("loop {}\n    {}\n\n", loops[i].number, fmt::join(loops[i].own, "\n    "));
    }
  }
  return text + table.aligned();
}

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
      joined(
          {program_path(place.program), "--verify-only", "--size", "256x256", "--kernel"},
          arguments),
      {{"POCL_CACHE_DIR", made.path()},
       {"TUTORIAL_BINARIES", made.path()},
       {"CUDA_CACHE_DISABLE", "1"}},
      readers_folder()};
  process.output = Process::Output::together;
  const Finished finished = run(process);
  require(finished.status == 0, "{}", finished.output);
  Words parts;
  for (const std::string& pass : kernel_names(kernel_in(source, place.name, true))) {
    parts.push_back(machine_code(pass, listing_of(pass, made.path())));
  }
  std::erase(parts, "");
  require(
      !parts.empty(),
      "of {} there is no code of PoCL on x86-64 or of NVIDIA's driver; the program says:\n{}",
      place.name, finished.output);
  return fmt::format(
      "{}\nNot counted in a loop are those within it. Lanes: arithmetic with so many floats at "
      "once;\n"
      "mul-add: how much of it multiplies and adds. Spills: loads from the stack, and stores to "
      "it.\n",
      fmt::join(parts, "\n"));
}

}  // namespace tutorial
