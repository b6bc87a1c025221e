// `./tutorial run`: measures, draws, and shows what came of it.
#include <filesystem>

#include "common/system.hpp"
#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace fs = std::filesystem;

int run_verb(const Words& arguments) {
  bool all = false;
  Words own;
  const Words known = {"--all",        "--device", "--filter", "--input",
                       "--no-install", "--seed",   "--size"};
  for (std::size_t i = 0; i < arguments.size(); i++) {
    const std::string flag = arguments[i].substr(0, arguments[i].find('='));
    if (flag == "--all" || flag == "--no-install") {
      all = all || flag == "--all";
      continue;
    }
    require(
        contains(known, flag),
        "run does not know '{}'; the nearest is {}; './tutorial help' lists what it takes", flag,
        nearest(flag, known));
    const bool joined = flag != arguments[i];
    require(joined || i + 1 < arguments.size(), "run: {} needs a value", flag);
    const std::string value = joined ? arguments[i].substr(flag.size() + 1) : arguments[++i];
    if (flag == "--device") {  // counts for every program
      set_environment("TUTORIAL_DEVICE", value);
    } else {
      own.insert(
          own.end(),
          {flag, fs::is_regular_file(readers_file(value)) ? readers_file(value) : value});
    }
  }
  require(
      !all || own.empty(),
      "run --all measures what the pages show; of a program's options it takes --device alone");
  std::error_code none;  // what is wrong is said next
  fs::create_directories("results", none);
  require_writable("results/index.html");
  require(
      lock("results/.lock"), "another run is measuring into {}/results",
      fs::current_path().string());
  build({all ? "all" : "measured"});

  const Words problems = measure_all("results", all, own);
  for (const std::string& line : problems) {
    fmt::print(stderr, "{}\n", line);
  }
  bool good = problems.empty();
  fmt::print("\n== Draw the charts\n");
  try {
    fmt::print("{}", draw_charts("results", "results/charts", false));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    good = false;
  }

  fmt::print("\n{}", summary({"results"}));
  write_page("results");
  if (all) {
    Process pack{{"tar", "-czf", "device.tar.gz"}};
    pack.folder = "results";
    for (const auto& entry : fs::directory_iterator("results")) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".csv") && !name.starts_with(".")) {
        pack.arguments.push_back(name);
      }
    }
    good = run(pack).status == 0 && good;
    fmt::print(
        "To show this device in DEVICES.md, send results/device.tar.gz: how, "
        ".github/CONTRIBUTING.md says.\n");
  }
  require(
      good, "something above failed; what was measured is in {}/results",
      fs::current_path().string());
  return 0;
}

}  // namespace tutorial
