// A plugin for Oclgrind, the simulator of OpenCL devices: counts what a kernel really executes.
//
//   XRAY_COUNTS=FILE [XRAY_CELLS=DIR] [XRAY_GROUP=32x4] [XRAY_WARP=32]
//       oclgrind --plugins libxray.so PROGRAM
//
// appends one line to FILE for each kernel launch, with the columns of `write_counts`, and writes
// the inputs that one work-item and one work-group load to DIR/1.cells, DIR/2.cells, and so on.
// xray.sh makes a table and pictures of them.
//
// Oclgrind interprets LLVM's instructions. What kind an instruction is, is read from its text, so
// this needs no headers of LLVM's.
#include <oclgrind/Context.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkItem.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "xray/access.hpp"

namespace {

using oclgrind::KernelInvocation;
using oclgrind::Memory;
using oclgrind::Size3;
using oclgrind::WorkItem;
using xray::Access;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

/// What an instruction does, as far as it is counted.
enum class Kind { multiply_add, arithmetic, min_max, clamp, comparison, select, branch, other };

struct Instruction {
  Kind kind = Kind::other;
  bool reads_constants = false;  // __constant, which Oclgrind keeps in global memory
  bool stores_pieces = false;    // a vector whose elements follow one by one
  unsigned number = 0;           // in the order of first execution
};

/// From LLVM's text, such as "%2 = tail call float @llvm.fmuladd.f32(float %0, ...".
Instruction parse(const std::string& text, unsigned number) {
  const auto has = [&](auto... parts) { return ((text.find(parts) != std::string::npos) || ...); };
  Instruction instruction;
  instruction.number = number;
  // A sampler is a constant too.
  instruction.reads_constants = has("addrspace(2)") && !has("read_image");
  instruction.stores_pieces = has("> undef,");
  std::istringstream words(text.substr(has(" = ") ? text.find(" = ") + 3 : 0));
  std::string operation;
  words >> operation;
  if (has("@llvm.fmuladd.", "@llvm.fma.", "@_Z3fma", "@_Z3mad")) {
    instruction.kind = Kind::multiply_add;
  } else if (
      operation == "fadd" || operation == "fsub" || operation == "fmul" || operation == "fdiv") {
    instruction.kind = Kind::arithmetic;
  } else if (has("@_Z3min", "@_Z3max", "@_Z4fmin", "@_Z4fmax", "@llvm.smin.", "@llvm.smax.",
                 "@llvm.umin.", "@llvm.umax.")) {
    instruction.kind = Kind::min_max;
  } else if (has("@_Z5clamp")) {
    instruction.kind = Kind::clamp;
  } else if (operation == "icmp" || operation == "fcmp") {
    instruction.kind = Kind::comparison;
  } else if ((operation == "select" && !has(", i1 ")) || has("@_Z6select")) {
    instruction.kind = Kind::select;
  } else if (operation == "switch" || has("br i1 ")) {
    instruction.kind = Kind::branch;
  }
  return instruction;
}

class Xray : public oclgrind::Plugin {
 public:
  using Plugin::memoryLoad;
  using Plugin::memoryStore;
  using Plugin::Plugin;

  // One kernel at a time, and one work-item at a time.
  bool isThreadSafe() const override { return false; }

  void kernelBegin(const KernelInvocation* invocation) override {
    offset_ = invocation->getGlobalOffset();
    global_ = invocation->getGlobalSize();
    group_ = invocation->getLocalSize();
    // Where the program leaves the work-groups to OpenCL, Oclgrind makes groups of one work-item.
    if (group_ == Size3(1, 1, 1)) {
      char by = 0;
      std::istringstream(setting("XRAY_GROUP", "32x4")) >> group_.x >> by >> group_.y;
    }
    instructions_.clear();
    executions_.clear();
    totals_.clear();
    inputs_.clear();
    local_.clear();
    pieces_left_ = 0;
  }

  void instructionExecuted(
      const WorkItem* /*item*/, const llvm::Instruction* instruction,
      const oclgrind::TypedValue& result) override {
    switch (look_up(instruction).kind) {
      case Kind::multiply_add:
        totals_["multiply_adds"] += result.num;
        ++totals_["multiply_add_instructions"];
        break;
      case Kind::arithmetic:
        totals_["other_arithmetic"] += result.num;
        break;
      case Kind::min_max:
        count_min_max(result.num);
        break;
      case Kind::clamp:  // a min and a max
        count_min_max(result.num);
        count_min_max(result.num);
        break;
      case Kind::comparison:
        totals_["comparisons"] += result.num;
        break;
      case Kind::select:
        totals_["selects"] += result.num;
        break;
      case Kind::branch:
        ++totals_["branches"];
        break;
      case Kind::other:
        break;
    }
  }

  void memoryLoad(
      const Memory* memory, const WorkItem* item, size_t address, size_t size) override {
    const Instruction& instruction = look_up(item->getCurrentInstruction());
    if (memory->getAddressSpace() == oclgrind::AddrSpaceLocal) {
      count("local_loads", "local_bytes", size);
      local_.push_back(access(instruction, item, address, size));
    } else if (memory->getAddressSpace() == oclgrind::AddrSpacePrivate) {
      count("private_loads", "private_bytes", size);
    } else if (instruction.reads_constants) {
      count("tap_loads", "tap_bytes", size);
    } else {
      count("input_loads", "input_bytes", size);
      inputs_.push_back(access(instruction, item, address, size));
    }
  }

  void memoryStore(
      const Memory* memory, const WorkItem* item, size_t /*address*/, size_t size,
      const uint8_t* /*data*/) override {
    // Oclgrind turns the store of (float4)(a, b, c, d) into one of four unknown floats, which
    // stands for the whole here, and four of one float each, which are passed over.
    if (pieces_left_ != 0) {
      pieces_left_ -= size;
      return;
    }
    if (look_up(item->getCurrentInstruction()).stores_pieces) {
      pieces_left_ = size;
    }
    if (memory->getAddressSpace() == oclgrind::AddrSpaceLocal) {
      count("local_stores", "local_store_bytes", size);
    } else if (memory->getAddressSpace() == oclgrind::AddrSpacePrivate) {
      count("private_stores", "private_store_bytes", size);
    } else {
      count("stores", "store_bytes", size);
    }
  }

  void kernelEnd(const KernelInvocation* /*invocation*/) override {
    ++launches_;
    const unsigned warp = std::stoul(setting("XRAY_WARP", "32"));
    write_counts(xray::global_traffic(inputs_, warp), xray::bank_conflicts(local_, warp));
    const std::string folder = setting("XRAY_CELLS", "");
    if (!folder.empty()) {
      write_cells(folder + "/" + std::to_string(launches_) + ".cells");
    }
  }

 private:
  const Instruction& look_up(const llvm::Instruction* instruction) {
    const auto known = instructions_.find(instruction);
    if (known != instructions_.end()) {
      return known->second;
    }
    std::ostringstream text;
    oclgrind::dumpInstruction(text, instruction);
    const auto number = static_cast<unsigned>(instructions_.size());
    return instructions_.emplace(instruction, parse(text.str(), number)).first->second;
  }

  void count_min_max(unsigned elements) {
    totals_["min_max"] += elements;
    ++totals_["min_max_instructions"];
  }

  void count(const char* number, const char* bytes, size_t size) {
    ++totals_[number];
    totals_[bytes] += size;
  }

  Access access(const Instruction& instruction, const WorkItem* item, size_t address, size_t size) {
    const Size3 id = item->getGlobalID();
    const size_t x = id.x - offset_.x;
    const size_t y = id.y - offset_.y;
    const size_t groups_in_row = (global_.x + group_.x - 1) / group_.x;
    Access access;
    access.group = y / group_.y * groups_in_row + x / group_.x;
    access.item = y % group_.y * group_.x + x % group_.x;
    access.instruction = instruction.number;
    access.pass = executions_[{item->getGlobalIndex(), instruction.number}]++;
    access.address = address;
    access.size = size;
    return access;
  }

  void write_counts(const xray::Traffic& traffic, const xray::Conflicts& conflicts) {
    std::ofstream out(setting("XRAY_COUNTS", "/dev/stderr"), std::ios::app);
    const auto put = [&](const char* name, double value) { out << name << '=' << value << ' '; };
    out.precision(15);
    put("group_x", group_.x);
    put("group_y", group_.y);
    for (const auto& [name, total] : totals_) {
      put(name.c_str(), total);
    }
    put("distinct_bytes", traffic.distinct_bytes);
    put("warp_loads", traffic.loads);
    put("sectors", traffic.sectors);
    put("least_sectors", traffic.least_sectors);
    put("conflicts", conflicts.mean);
    put("worst_conflict", conflicts.worst);
    out << '\n';
  }

  /// What the work-group in the middle of the image loads, and one of its work-items: one line for
  /// each word of 4 bytes with "group" or "item", the number of the word in memory, the order of its
  /// first load, and how often it is loaded.
  void write_cells(const std::string& path) const {
    const size_t groups_in_row = (global_.x + group_.x - 1) / group_.x;
    const size_t rows_of_groups = (global_.y + group_.y - 1) / group_.y;
    const size_t group = rows_of_groups / 2 * groups_in_row + groups_in_row / 2;
    std::map<unsigned, size_t> items;  // of the group; how much each loads
    for (const Access& access : inputs_) {
      if (access.group == group) {
        ++items[access.item];
      }
    }
    if (items.empty()) {
      return;
    }
    // The centre, unless others load more.
    unsigned item = group_.y / 2 * group_.x + group_.x / 2;
    for (const auto& [other, loads] : items) {
      if (loads > items[item]) {
        item = other;
      }
    }
    std::ofstream out(path);
    for (const bool whole_group : {true, false}) {
      struct Cell {
        size_t order;
        size_t loads = 0;
      };
      std::map<size_t, Cell> cells;  // by the number of the word
      for (const Access& access : inputs_) {
        if (access.group == group && (whole_group || access.item == item)) {
          const size_t last = (access.address + access.size - 1) / 4;
          for (size_t word = access.address / 4; word <= last; ++word) {
            ++cells.try_emplace(word, Cell{cells.size() + 1}).first->second.loads;
          }
        }
      }
      for (const auto& [word, cell] : cells) {
        out << (whole_group ? "group " : "item ") << word << ' ' << cell.order << ' ' << cell.loads
            << '\n';
      }
    }
  }

  Size3 offset_;
  Size3 global_;
  Size3 group_;
  int launches_ = 0;
  std::unordered_map<const llvm::Instruction*, Instruction> instructions_;
  std::map<std::pair<size_t, unsigned>, unsigned> executions_;  // of (work-item, instruction)
  std::map<std::string, size_t> totals_;
  std::vector<Access> inputs_;
  std::vector<Access> local_;
  size_t pieces_left_ = 0;  // bytes of a vector that is being stored in pieces
};

}  // namespace

// From LLVM's interface for C, which Oclgrind brings along.
extern "C" [[gnu::weak]] void LLVMParseCommandLineOptions(
    int count, const char* const* arguments, const char* overview);
extern "C" [[gnu::weak]] const llvm::Value* LLVMGetOperand(const llvm::CallInst* call, unsigned i);

namespace {

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
