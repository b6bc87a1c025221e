// The programs: which there are, building them, becoming them.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {

namespace fs = std::filesystem;

std::string programs() {
  const std::string others = environment("TUTORIAL_PROGRAMS");
  return others.empty() ? BUILD_FOLDER : others;
}

void build(const Words& targets) {
  // Of other programs nothing is built, and what runs in a test is.
  if (!environment("TUTORIAL_PROGRAMS").empty() || !environment("TUTORIAL_IS_BUILT").empty()) {
    return;
  }
  const std::string cores = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  Process process{{"cmake", "--build", BUILD_FOLDER, "--parallel", cores}};
  if (!targets.empty()) {
    process.arguments.emplace_back("--target");
    process.arguments.insert(process.arguments.end(), targets.begin(), targets.end());
  }
  process.environment["NINJA_STATUS"] = "[%f/%t, %e s] ";
  process.output = Process::Output::shown;
  if (run(process).status != 0) {
    fail("the build stopped");
  }
}

Words step_names() {
  Words names;
  for (const char* folder : {".", "studies", "background"}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (fs::exists(entry.path() / "main.cpp")) {
        names.push_back(entry.path().filename().string());
      }
    }
  }
  std::ranges::sort(names);
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    const Words number = search(name, "^step([0-9]+)_");
    return number.empty() ? 1000 : std::stoi(number[1]);
  });
  return names;
}

std::string step_program(const std::string& step) {
  const Words names = step_names();
  for (const std::string& name : names) {
    if (name == step || name.starts_with(fmt::format("step{}_", step))) {
      return name;
    }
  }
  fail("no step '{}': there are {}", step, fmt::join(names, " "));
}

std::string program_path(const std::string& name) {
  return (fs::absolute(programs()) / name).string();
}

int step_verb(const Words& arguments) {
  const std::string name = step_program(arguments[0]);
  build({name});
  Process process{{program_path(name)}};
  process.arguments.insert(process.arguments.end(), arguments.begin() + 1, arguments.end());
  process.folder = readers_folder();
  become(process);
}

int devices_verb(const Words& arguments) {
  build({"devices"});
  Process process{{program_path("devices")}};
  process.arguments.insert(process.arguments.end(), arguments.begin(), arguments.end());
  process.folder = readers_folder();
  become(process);
}

}  // namespace tutorial
