// The films in plots/charts/xray/ show kernels as they were when the films were made. A comment in
// each names its kernel and the hash of its code: a film whose kernel has changed is a wrong
// picture and has to go.
#include <filesystem>
#include <regex>

#include "tests/programs.hpp"

namespace tutorial {
namespace {

/// The code of a kernel and of what stands above it in its file, other kernels left out; without
/// comments and layout.
std::string code_of(const std::string& file, const std::string& kernel) {
  std::string text = read_text(file);
  std::size_t begin = 0;
  while ((begin = text.find("\n__kernel", begin)) != std::string::npos) {
    const std::size_t end = text.find("\n}\n", begin) + 3;
    const std::string code = text.substr(begin, end - begin);
    if (code.find(" " + kernel + "(") != std::string::npos) {
      text.erase(end);
      return std::regex_replace(text, std::regex("//.*|\\s+"), "");
    }
    text.erase(begin, code.size());
  }
  return "";
}

TEST(Films, ShowTheKernelsAsTheyAre) {
  int films = 0;
  for (const auto& file : std::filesystem::directory_iterator(in_repository("plots/charts/xray"))) {
    const std::string path = file.path().string();
    if (!file.path().filename().string().starts_with("film-")) {
      continue;
    }
    films++;
    SCOPED_TRACE(path);
    const std::string film = read_text(path);
    std::smatch shows;
    ASSERT_TRUE(
        std::regex_search(film, shows, std::regex("<!-- (\\w+) in (\\S+), code (\\S+) -->")));
    const std::string code = code_of(in_repository(shows[2]), shows[1]);
    EXPECT_FALSE(code.empty());
    EXPECT_EQ(content_hash(code), shows[3]) << "the kernel has changed: remove the film";
  }
  EXPECT_GT(films, 0);
}

}  // namespace
}  // namespace tutorial
