// The programs: which there are, building them, becoming them.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

namespace fs = std::filesystem;

void build(const Words& targets) {
  // Of other programs nothing is built, and what runs in a test is.
  if (!environment("TUTORIAL_PROGRAMS").empty() || !environment("TUTORIAL_IS_BUILT").empty()) {
    return;
  }
  const std::string cores = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  Process process{
      joined({"cmake", "--build", BUILD_FOLDER, "--parallel", cores, "--target"}, targets)};
  process.environment["NINJA_STATUS"] = "[%f/%t, %e s] ";
  process.output = Process::Output::shown;
  require(run(process).status == 0, "the build stopped");
}

Words step_folders() {
  Words folders;
  for (const char* parent : {".", "studies", "background"}) {
    for (const auto& entry : fs::directory_iterator(parent)) {
      if (fs::exists(entry.path() / "main.cpp")) {
        folders.push_back(entry.path().lexically_normal().string());
      }
    }
  }
  std::ranges::sort(folders, {}, [](const std::string& folder) {
    const Words number = search(folder, "^step([0-9]+)_");
    return std::pair(number.empty() ? 1000 : std::stoi(number[1]), program_in(folder));
  });
  return folders;
}

std::string program_in(const std::string& folder) {
  return fs::path(folder).filename().string();
}

std::string step_folder(const std::string& step) {
  Words names;
  for (const std::string& folder : step_folders()) {
    names.push_back(program_in(folder));
    if (names.back() == step || folder.starts_with(fmt::format("step{}_", step))) {
      return folder;
    }
  }
  fail("no step '{}': there are {}", step, fmt::join(names, " "));
}

std::string program_path(const std::string& name) {
  const std::string others = environment("TUTORIAL_PROGRAMS");
  const fs::path folder = fs::absolute(others.empty() ? BUILD_FOLDER : others);
  return (folder / (name + PROGRAM_ENDING)).string();
}

int step_verb(const Words& arguments) {
  const std::string name = program_in(step_folder(arguments[0]));
  build({name});
  Words words = arguments;
  words[0] = program_path(name);
  become({words, {}, readers_folder()});
}

}  // namespace tutorial
