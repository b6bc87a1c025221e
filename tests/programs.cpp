#include "tests/programs.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <regex>
#include <sstream>

namespace tutorial {
namespace {

/// The folder of each test.
class OwnFolder : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    folder_ = std::make_unique<TemporaryFolder>();
    std::filesystem::current_path(folder_->path());
  }
  void OnTestEnd(const testing::TestInfo&) override {
    std::filesystem::current_path(in_repository());
    folder_ = nullptr;
  }

  std::unique_ptr<TemporaryFolder> folder_;
};

/// A folder as command lines, sh and LD_PRELOAD take it: by a link, if its name has blanks and the
/// like.
std::filesystem::path plain(const std::string& folder) {
  if (!search(folder, "^[\\w./-]+$").empty()) {
    return folder;
  }
  static const TemporaryFolder links;
  const auto link =
      std::filesystem::path(links.path()) / std::to_string(std::hash<std::string>()(folder));
  if (!std::filesystem::is_symlink(link)) {
    std::filesystem::create_directory_symlink(folder, link);
  }
  return link;
}

/// The end of a text.
std::string end_of(const std::string& text) {
  return text.substr(text.size() - std::min<std::size_t>(text.size(), 1200));
}

}  // namespace

std::string in_repository(const std::string& path) {
  return (plain(SOURCE_FOLDER) / path).lexically_normal().string();
}

std::string in_build(const std::string& path) {
  return (plain(BUILD_FOLDER) / path).string();
}

std::string source(const std::string& path) {
  return read_text(in_repository(path));
}

std::map<std::string, std::string> pages() {
  std::map<std::string, std::string> found;
  for (const std::string& path : in_root([] { return page_files(); })) {
    found[path] = source(path);
  }
  return found;
}

bool installed(const std::string& name) {
  const auto has = [&](const std::string& folder) {
    return std::filesystem::exists(std::filesystem::path(folder) / name);
  };
  return has(in_build("")) || std::ranges::any_of(split(environment("PATH"), ':'), has);
}

std::ostream& operator<<(std::ostream& out, const Ran& ran) {
  return out << ran.command << "\nends with status " << ran.status
             << (ran.timed_out ? ", out of time" : "") << "\n"
             << end_of(ran.output) << end_of(ran.errors);
}

Ran execute(Process process) {
  std::string& name = process.arguments.at(0);
  if (std::filesystem::is_regular_file(in_build(name))) {
    name = in_build(name);
  }
  process.limit_s = process.limit_s > 0.0 ? process.limit_s : 300.0;
  process.environment.try_emplace("LC_ALL", "C");
  process.environment.try_emplace("PATH", in_build(":") + environment("PATH"));
  process.environment.try_emplace("TUTORIAL_IS_BUILT", "1");  // `tutorial` builds nothing
  // Open MPI asks root twice.
  process.environment.try_emplace("OMPI_ALLOW_RUN_AS_ROOT", "1");
  process.environment.try_emplace("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  // OpenCL drivers never free all that they allocate. Oclgrind is loaded first, and frees its
  // images by another size.
  process.environment.try_emplace(
      "ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0:new_delete_type_mismatch=0:" +
                          environment("ASAN_OPTIONS"));
  return {run(process), fmt::format("{}", fmt::join(process.arguments, " "))};
}

Ran program(const std::string& name, const std::string& arguments, const Environment& environment) {
  Process process{split(name + " " + arguments, ' ', true), environment};
  std::erase(process.arguments, "");
  return execute(process);
}

Ran unoptimised(
    const std::string& name, const std::string& arguments, const Environment& environment) {
  Environment without = environment;
  without.emplace("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable");
  const Ran ran = program(name, arguments, without);
  // Without its optimiser PoCL 7.1 loses half of each float16, and crashes over vectors of 16 ints:
  // what is wrong has to be wrong with it, too.
  return ran.status == 2 || ran.status == 134 ? program(name, arguments, environment) : ran;
}

Ran simulated(
    const std::string& name, const std::string& arguments, const Environment& environment) {
  if (!installed("oclgrind")) {
    return unoptimised(name, arguments, environment);
  }
  Environment with = {{"OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable"}};
  with.insert(environment.begin(), environment.end());
  // With one thread, a kernel that writes where another work-item does is wrong each time, or
  // never.
  return program(
      "oclgrind",
      "--num-threads 1 --local-mem-size 65536 --max-errors 100000 " + in_build(name) + " " +
          arguments + " --device oclgrind",
      with);
}

Ran watched(const std::string& name, const std::string& arguments, const Environment& environment) {
  // The shim must come before the library that Oclgrind preloads. Optimisation is off, because it
  // would hide a sum that was never set to 0.
  static const std::string preloaded = program("oclgrind", "printenv LD_PRELOAD").output;
  write_whole("log", "");
  Ran ran = program(
      "oclgrind",
      "--data-races --uniform-writes --uninitialized --check-api --local-mem-size 65536 "
      "--build-options -cl-opt-disable --log log --max-errors 1000000 env LD_PRELOAD=" +
          in_build("tests/liboclgrind_shim.so:") + preloaded.substr(0, preloaded.find('\n')) + " " +
          in_build(name) + " --verify-only --device oclgrind " + arguments,
      environment);
  // Oclgrind 21.10 takes whatever read_imagef returns for uninitialised.
  for (const std::string& paragraph : split(replaced(read_file("log"), "\n\n", "\f"), '\f')) {
    if (!paragraph.empty() && search(paragraph, "Uninitialized[^]*_Image\n").empty()) {
      ran.errors += paragraph + "\n";
    }
  }
  return ran;
}

Texts matches(const std::string& text, const std::string& regex) {
  const std::regex pattern(regex);
  Texts found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    found.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  }
  return found;
}

std::vector<std::string> lines_with(const std::string& regex, const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  std::erase_if(lines, [&](const std::string& line) { return search(line, regex).empty(); });
  return lines;
}

testing::AssertionResult says(const std::string& text, const std::string& regex) {
  const bool found = !lines_with(regex, text).empty();
  return testing::AssertionResult(found) << (found ? "a line '" : "no line '") << regex << "' in\n"
                                         << end_of(text);
}

Ran expect(int status, const Ran& ran) {
  EXPECT_EQ(ran.status, status) << ran;
  return ran;
}

Ran expect_good(const Ran& ran) {
  expect(0, ran);
  EXPECT_EQ(ran.errors, "") << ran;
  return ran;
}

std::string edited(
    const std::string& text, const std::string& regex, const std::string& by,
    const std::string& kernel) {
  const std::regex pattern(regex);
  const std::regex begins(R"(^__kernel\b.*\bvoid )" + kernel + R"(\()");
  std::string result;
  bool inside = kernel.empty();
  std::vector<std::string> lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); i++) {
    inside = inside || std::regex_search(lines[i], begins);
    result += (i > 0 ? "\n" : "") + (inside ? std::regex_replace(lines[i], pattern, by) : lines[i]);
    inside = kernel.empty() || (inside && !lines[i].starts_with('}'));
  }
  EXPECT_NE(result, text) << regex << " is not found";
  return result;
}

bool has_device() {
  static const bool found = program("devices").status != 1;
  return found;
}

}  // namespace tutorial

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new tutorial::OwnFolder);
  return RUN_ALL_TESTS();
}
