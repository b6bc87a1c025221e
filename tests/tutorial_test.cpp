// Which fault turns this test red alone: a command that is not understood without one clear line,
// or that looks for the reader's files elsewhere than where the reader is; a script that needs
// another shell than a plain one, a git repository, or a path of letters.
#include <filesystem>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

namespace fs = std::filesystem;

/// ./tutorial as a shell runs it, with the programs of this build.
Ran in_shell(const std::string& shell, const std::string& script, const std::string& arguments) {
  return program(shell, "\"" + script + "\" " + arguments, {{"TUTORIAL_PROGRAMS", in_build("")}});
}
Ran tutorial_says(const std::string& arguments) {
  return in_shell("sh", in_repository("tutorial"), arguments);
}

TEST(Tutorial, RefusesWhatItDoesNotKnow) {
  for (const auto& [arguments, line] : std::vector<std::pair<std::string, std::string>>{
           {"puzle", "no command 'puzle'; the nearest is puzzle"},
           {"step 77", "no step '77': there are step1_naive .*two_passes"},
           {"step ../1", "no step '../1'"},
           {"kernel Convolv", "no kernel 'Convolv'; the nearest is Convolve"},
           {"diff Convolve Nobody", "no kernel 'Nobody'"},
           {"diff 77", "no step '77'"},
           {"puzzle ../1", "puzzle '../1'"},
           {"run --sise 8x8", "does not know '--sise'; the nearest is --size"},
           {"run --size", "--size needs a value"},
           {"run --all --size 8x8", "of a program's options it takes --device alone"}}) {
    expect_refused(tutorial_says(arguments), line);
  }
  const Ran none = tutorial_says("step");
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(says(none.errors, "step N \\[ARGS\\]")) << none;
}

TEST(Tutorial, SaysWhatItCanDo) {
  const Ran help = tutorial_says("help");
  EXPECT_EQ(help.status, 0);
  for (const std::string& line : split(help.output, '\n')) {
    EXPECT_LE(line.size(), 80U) << line;
  }
  for (const std::string& line : lines_with("^  [a-z]+( |$)", help.output)) {
    const std::string verb = split(line, ' ')[2];
    const Ran part = tutorial_says(verb + " --help");
    EXPECT_TRUE(says(part.output, "^  " + verb)) << part;
  }
}

TEST(Tutorial, FilesAreTheReaders) {
  write_whole("mine.txt", "1 2 1\n2 4 2\n1 2 1\n");
  const Ran ran = tutorial_says(
      "step 1 --size 9x8 --time-budget 0.01 --filter mine.txt --csv out.csv --kernel Convolve");
  EXPECT_EQ(ran.status, 0) << ran;
  EXPECT_TRUE(fs::exists("out.csv"));
  EXPECT_EQ(Csv("out.csv").head("filter"), "mine.txt");
}

TEST(Tutorial, APlainShellAndAnyPathWillDo) {
  // As from a zip, within another git repository.
  fs::create_directories("outer/.git");
  fs::create_directories("outer/a b \xc3\xbc,(1)/tools/tutorial");
  const std::string script = fs::absolute("outer/a b \xc3\xbc,(1)/tutorial").string();
  fs::copy_file(in_repository("tutorial"), script);
  fs::copy_file(
      in_repository("tools/tutorial/help.txt"),
      fs::path(script).parent_path() / "tools/tutorial/help.txt");
  fs::create_symlink(script, "link");
  for (const char* shell : {"sh", "dash", "bash", "busybox"}) {
    if (installed(shell)) {
      const std::string begin = shell == std::string("busybox") ? "sh " : "";
      for (const std::string& path : {script, std::string("link")}) {
        const Ran ran = program(shell, begin + "\"" + path + "\" help");
        EXPECT_EQ(ran.status, 0) << ran;
        EXPECT_TRUE(ran.output.starts_with("usage: ./tutorial COMMAND")) << ran;
      }
    }
  }
  fs::create_directories("it's");
  fs::copy_file(in_repository("tutorial"), "it's/tutorial");
  expect_refused(program("sh", "it's/tutorial help"), "the path of this folder must not have");
}

}  // namespace
}  // namespace tutorial
