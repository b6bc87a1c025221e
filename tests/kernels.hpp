// The kernel files of kernels.csv, and what is special about their kernels for a test.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tutorial {

/// A file of kernels that a step adds.
struct KernelFile {
  std::string name;     ///< for a test: the step's, or if it has several, the file's
  std::string program;  ///< the step's, which is the name of its folder, too
  std::string path;     ///< absolute
  std::string text;
  std::vector<std::string> kernels;  ///< those of kernels.csv

  int unit = 0;  ///< columns: a block to choose has a multiple; 0: there are no blocks
  /// What its kernels are, of the words that kernels.cpp explains.
  std::map<std::string, bool> words;

  bool is(const std::string& word) const { return words.contains(word) && words.at(word); }
  /// The arguments of its runs in kernel_runs.txt: each a process.
  std::vector<std::string> runs(const std::string& where) const;
};

/// All of them, in the order of kernels.csv, as it is when the tests run.
const std::vector<KernelFile>& kernel_files();

/// Writes files into the current folder: those of inputs/, and filters cross1.txt to cross32.txt,
/// whose taps are 0 but for a row and a column, not in the middle; narrow ones have a column alone.
void write_inputs();

}  // namespace tutorial
