// A plugin for Oclgrind, the simulator of OpenCL devices: counts what a kernel really executes.
//
//   XRAY_FOLDER=DIR XRAY_GROUP=32x4 oclgrind --plugins libxray.so ...
//
// appends a CSV to DIR/counts, one row per launch, of which `tutorial xray` makes a table. With
// XRAY_PRODUCTS=1 a product or quotient alone counts as a multiply-add, too.
//
// Oclgrind interprets LLVM's instructions. What kind an instruction is, is read from its text, so
// this needs no headers of LLVM's.
#include <oclgrind/Context.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkItem.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

// From LLVM's interface for C, which Oclgrind brings along.
extern "C" {
[[gnu::weak]] void LLVMParseCommandLineOptions(
    int count, const char* const* arguments, const char* overview);
[[gnu::weak]] const llvm::Value* LLVMGetOperand(const void* instruction, unsigned i);
}

// From Oclgrind's Kernel.h, which needs headers of LLVM's.
namespace oclgrind {
class Kernel {
 public:
  const std::string& getName() const;
};
}  // namespace oclgrind

namespace {

using oclgrind::KernelInvocation;
using oclgrind::Memory;
using oclgrind::Size3;
using oclgrind::WorkItem;

// --- What many loads mean together: for a work-group, and for neighbours at the same time ------

constexpr unsigned warp = 32;  // work-items
constexpr size_t banks = 32;   // of local memory, words of 4 bytes

/// What one load touches: its address and size in bytes.
using Loads = std::vector<std::pair<size_t, size_t>>;

/// Loads at the same time: the work-group, the warp in it, the neighbours that go together in it,
/// which load of the kernel it is, how often the work-item had executed that before.
using Moment = std::tuple<size_t, unsigned, size_t, size_t, unsigned>;

/// The different units of `unit_bytes` that these loads touch, in ascending order.
std::vector<size_t> touched(const Loads& loads, size_t unit_bytes) {
  std::vector<size_t> units;
  for (const auto& [address, size] : loads) {
    for (size_t unit = address / unit_bytes; unit <= (address + size - 1) / unit_bytes; ++unit) {
      units.push_back(unit);
    }
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

// --- What a kernel executes ----------------------------------------------------------------------

/// What is summed over all work-items of a launch.
constexpr const char* sums =
    "multiply_adds,multiply_add_instructions,other_arithmetic,comparisons,min_max,"
    "min_max_instructions,input_loads,input_bytes,tap_loads,local_loads,private_loads,branches";

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

using Sums = std::map<std::string, size_t>;

/// What an instruction does, as far as it is counted.
struct Instruction {
  size_t* elements = nullptr;      // the sum that grows by the elements of a vector
  size_t* instructions = nullptr;  // the sum that grows by one
  unsigned times = 1;
  bool reads_constants = false;  // __constant, which Oclgrind keeps in global memory
  bool reads_image = false;
  size_t number = 0;  // in the order of first execution
};

/// From LLVM's text, such as "%2 = tail call float @llvm.fmuladd.f32(float %0, ...".
Instruction parse(const llvm::Instruction* parsed, size_t number, Sums& totals) {
  std::ostringstream dump;
  oclgrind::dumpInstruction(dump, parsed);
  const std::string text = dump.str();
  const auto has = [&](auto... parts) { return ((text.find(parts) != std::string::npos) || ...); };
  Instruction instruction;
  instruction.number = number;
  instruction.reads_constants = has("addrspace(2)");
  instruction.reads_image = has("read_image");  // its sampler is a constant too
  std::istringstream words(text.substr(has(" = ") ? text.find(" = ") + 3 : 0));
  std::string operation;
  words >> operation;
  const auto is = [&](auto... names) { return ((operation == names) || ...); };
  const bool multiplies_and_adds =
      has("@llvm.fmuladd.", "@llvm.fma.", "@_Z3fma", "@_Z3mad", "@_Z3mix", "@_Z3dot");
  const bool all = !setting("XRAY_PRODUCTS").empty();
  if (multiplies_and_adds || (all && is("fmul", "fdiv"))) {
    instruction.elements = &totals["multiply_adds"];
    instruction.instructions = &totals["multiply_add_instructions"];
    // The parts of a dot product are added one after the other.
    if (const size_t vector = text.find("Dv"); vector < text.size() && text.find('<') > vector) {
      instruction.times = std::stoul(text.substr(vector + 2));
    }
  } else if (is("fadd", "fsub", "fmul", "fdiv")) {
    instruction.elements = &totals["other_arithmetic"];
  } else if (has("@_Z3min", "@_Z3max", "@_Z4fmin", "@_Z4fmax", "@llvm.smin.", "@llvm.smax.",
                 "@llvm.umin.", "@llvm.umax.", "@_Z5clamp")) {
    instruction.elements = &totals["min_max"];
    instruction.instructions = &totals["min_max_instructions"];
    instruction.times = has("@_Z5clamp") ? 2 : 1;  // a min and a max
  } else if (operation == "icmp" || operation == "fcmp") {
    instruction.elements = &totals["comparisons"];
  } else if (operation == "switch" || has("br i1 ")) {
    instruction.instructions = &totals["branches"];
  }
  return instruction;
}

class Xray : public oclgrind::Plugin {
 public:
  using Plugin::memoryLoad;
  using Plugin::memoryStore;

  explicit Xray(const oclgrind::Context* context) : Plugin(context) {
    counts_.precision(15);
    counts_ << "kernel,group,items," << sums << ",reuse,sectors,least_sectors,conflicts\n";
  }

  // One kernel at a time, and one work-item at a time.
  bool isThreadSafe() const override { return false; }

  void kernelBegin(const KernelInvocation* invocation) override {
    offset_ = invocation->getGlobalOffset();
    group_ = invocation->getLocalSize();
    // Oclgrind makes groups of one work-item where the program leaves them to OpenCL, and programs
    // do so for blocks on a CPU.
    if (group_ == Size3(1, 1, 1)) {
      char by = 0;
      std::istringstream(setting("XRAY_GROUP")) >> group_.x >> by >> group_.y;
    }
    groups_in_row_ = (invocation->getGlobalSize().x + group_.x - 1) / group_.x;
    launch_ = {};
  }

  void instructionExecuted(
      const WorkItem* /*item*/, const llvm::Instruction* executed,
      const oclgrind::TypedValue& result) override {
    const Instruction& instruction = look_up(executed);
    if (instruction.elements != nullptr) {
      *instruction.elements += instruction.times * result.num;
    }
    if (instruction.instructions != nullptr) {
      *instruction.instructions += instruction.times;
    }
  }

  void memoryLoad(
      const Memory* memory, const WorkItem* item, size_t address, size_t size) override {
    const Instruction& instruction = look_up(item->getCurrentInstruction());
    const bool is_tap = instruction.reads_constants && !instruction.reads_image;
    const Kind kind = kind_of(memory, is_tap ? tap : input);
    count_load(kind, size);
    if (kind == local || kind == input) {
      // The numbers of the work-group, and of the work-item in it: row by row.
      const size_t x = item->getGlobalID().x - offset_.x;
      const size_t y = item->getGlobalID().y - offset_.y;
      const size_t group = y / group_.y * groups_in_row_ + x / group_.x;
      const unsigned number = y % group_.y * group_.x + x % group_.x;
      const unsigned pass = launch_.executions[{item->getGlobalIndex(), instruction.number}]++;
      // Neighbours of a work-group that execute the same load in the same pass of it, whether all
      // of them load or only some; at most a warp, and of local memory at most a word of 4 bytes
      // for each bank.
      const size_t words = (size + 3) / 4,
                   items = kind == local ? std::max<size_t>(banks / words, 1) : warp;
      const Moment moment = {group, number / warp, number % warp / items, instruction.number, pass};
      (kind == local ? launch_.local : launch_.inputs)[moment].emplace_back(address, size);
      if (kind == input) {
        launch_.of_groups[group].emplace_back(address, size);
      }
    }
  }

  /// Of async_work_group_copy.
  void memoryLoad(
      const Memory* memory, const oclgrind::WorkGroup* /*group*/, size_t /*address*/,
      size_t size) override {
    count_load(kind_of(memory, input), size);
  }

  void kernelEnd(const KernelInvocation* invocation) override {
    constexpr size_t sector = 32;  // bytes
    size_t distinct_bytes = 0, sectors = 0, least_sectors = 0, bank_words = 0;
    for (const auto& [group, loads] : launch_.of_groups) {
      distinct_bytes += touched(loads, 1).size();
    }
    for (const auto& [moment, loads] : launch_.inputs) {
      sectors += touched(loads, sector).size();
      least_sectors += (touched(loads, 1).size() + sector - 1) / sector;
    }
    // The banks of local memory stand side by side. One delivers a word at a time, to any number of
    // work-items. A load of more words than there are banks goes in parts.
    for (const auto& [moment, loads] : launch_.local) {
      std::map<size_t, size_t> words_in_bank;
      size_t most = 0;
      for (const size_t word : touched(loads, 4)) {
        most = std::max(most, ++words_in_bank[word % banks]);
      }
      bank_words += most;
    }
    const Size3 global = invocation->getGlobalSize();
    counts_ << invocation->getKernel()->getName() << ',' << group_.x << 'x' << group_.y << ','
            << global.x << 'x' << global.y;
    std::istringstream names(sums);
    for (std::string name; std::getline(names, name, ',');) {
      counts_ << ',' << launch_.totals[name];
    }
    // Of no loads there is none: 0.
    const auto put_ratio = [&](double a, double b) { counts_ << ',' << (b != 0.0 ? a / b : 0.0); };
    put_ratio(launch_.totals["input_bytes"], distinct_bytes);
    put_ratio(sectors, launch_.inputs.size());
    put_ratio(least_sectors, launch_.inputs.size());
    put_ratio(bank_words, launch_.local.size());
    counts_ << std::endl;
  }

 private:
  /// What is loaded.
  enum Kind { local, private_, input, tap };

  void count_load(Kind kind, size_t bytes) {
    ++launch_.totals[std::array{"local_loads", "private_loads", "input_loads", "tap_loads"}[kind]];
    launch_.totals["input_bytes"] += kind == input ? bytes : 0;
  }

  const Instruction& look_up(const llvm::Instruction* instruction) {
    const auto [known, is_new] = launch_.instructions.try_emplace(instruction);
    if (is_new) {
      known->second = parse(instruction, launch_.instructions.size() - 1, launch_.totals);
    }
    return known->second;
  }

  /// Of local or private memory, or `other`.
  static Kind kind_of(const Memory* memory, Kind other) {
    const unsigned space = memory->getAddressSpace();
    return space == oclgrind::AddrSpaceLocal     ? local
           : space == oclgrind::AddrSpacePrivate ? private_
                                                 : other;
  }

  std::ofstream counts_{setting("XRAY_FOLDER") + "/counts", std::ios::app};
  Size3 offset_;
  Size3 group_;
  size_t groups_in_row_ = 0;
  struct Launch {
    std::unordered_map<const llvm::Instruction*, Instruction> instructions;
    std::map<std::pair<size_t, size_t>, unsigned> executions;  // of (work-item, instruction)
    Sums totals;
    std::map<Moment, Loads> inputs, local;
    std::map<size_t, Loads> of_groups;  // of inputs
  } launch_;
};

/// LLVM's funnel shift, which Oclgrind 21.10 lacks: the upper half of a pair, shifted left.
void funnel_shift(
    WorkItem* item, const llvm::CallInst* call, const std::string& /*name*/,
    const std::string& /*overload*/, oclgrind::TypedValue& result, void* /*unused*/) {
  const oclgrind::TypedValue upper = item->getOperand(LLVMGetOperand(call, 0));
  const oclgrind::TypedValue lower = item->getOperand(LLVMGetOperand(call, 1));
  const oclgrind::TypedValue shifts = item->getOperand(LLVMGetOperand(call, 2));
  const unsigned bits = 8 * result.size;
  for (unsigned i = 0; i < result.num; ++i) {
    const unsigned shift = shifts.getUInt(i) % bits;
    result.setUInt(
        upper.getUInt(i) << shift | (shift != 0 ? lower.getUInt(i) >> (bits - shift) : 0), i);
  }
}

}  // namespace

extern "C" void initializePlugins(oclgrind::Context* context) {
  if (LLVMParseCommandLineOptions != nullptr && LLVMGetOperand != nullptr) {
    // Or LLVM takes the float4 loads of the source apart, for a processor that does not exist.
    const char* arguments[] = {"xray", "-disable-vector-combine"};
    LLVMParseCommandLineOptions(2, arguments, nullptr);
    oclgrind::workItemPrefixBuiltins.emplace_back(
        "llvm.fshl.", oclgrind::BuiltinFunction(funnel_shift, nullptr));
  }
  context->registerPlugin(new Xray(context));
}

extern "C" void releasePlugins(oclgrind::Context* /*context*/) {}
