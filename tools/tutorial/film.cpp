// What a warp does, load by load, as an animated picture: SVG and CSS without a script, so that it
// plays inside an <img>. All that it shows was recorded by tools/xray/plugin.cpp.
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <set>
#include <sstream>

#include "tutorial/tutorial.hpp"

namespace tutorial {
namespace {

constexpr std::int64_t sector = 8;  // words
constexpr std::size_t warp = 32;    // work-items
constexpr std::size_t most_frames = 300;

using Buffer = std::set<std::int64_t>;                // words of 4 bytes
using Place = std::pair<std::int64_t, std::int64_t>;  // row and column

/// What changes at once: a load of a warp with the arithmetic after it, or arithmetic alone.
struct Frame {
  std::tuple<std::size_t, bool, std::size_t, std::size_t>
      when;                 // barriers, itself one, order, warp
  std::set<int> lines;      // that the first work-item ran before,
  int line;                 // and now
  Buffer inputs, tile;      // loaded
  Buffer own, held;         // inputs of the first work-item; in its registers, or in the tile
  Buffer taps;              // in use
  std::vector<int> sums;    // multiply-adds of each sum of the first work-item
  std::vector<int> counts;  // all that is counted, so far
  int first, steps;         // when it begins, and how long it stays
};

struct Film {
  std::vector<Frame> frames;
  Buffer inputs;                            // all that are loaded
  std::map<std::int64_t, std::int64_t> in;  // the input in each word of the tile
  std::size_t columns = 0;                  // of sums: those of the first frame that has some
};

/// The plugin's lines: what, work-item, instruction, line of the source, four numbers.
Film recorded(const std::string& events, int filter_width) {
  Film film;
  const bool has_tile = events.find("keep ") != std::string::npos;
  std::map<std::vector<std::size_t>, std::size_t> frame_of, frames_of_warp;
  std::map<std::size_t, std::int64_t> last_input;  // of each work-item
  std::map<std::int64_t, std::int64_t> tap_of;     // by the bits of its value, as are the sums
  std::vector<std::int64_t> sums;
  std::set<int> lines;
  std::size_t phase = 0, now = 0;  // the frame of the first work-item
  const auto add_frame = [&](std::size_t of_warp, int line, bool barrier) {
    if (!barrier && film.frames.size() >= most_frames + phase) {  // a frame for each barrier too
      fail("a film of this kernel would have more than {} frames: too many to follow", most_frames);
    }
    film.frames.push_back({});
    film.frames.back().when = {phase, barrier, frames_of_warp[{phase, of_warp}]++, of_warp};
    film.frames.back().line = line;
    if (of_warp == 0) {
      now = film.frames.size() - 1;
      std::swap(film.frames.back().lines, lines);
    }
  };
  std::istringstream text(events);
  std::string what;
  int line = 0, last_line = 0;  // last_line: of the first work-item
  std::size_t item = 0, instruction = 0;
  for (std::int64_t a, b, c, d; text >> what >> item >> instruction >> line >> a >> b >> c >> d;) {
    std::int64_t word = a % (std::int64_t{1} << 48) / 4;  // what is above numbers the buffer
    if (what == "line") {
      lines.insert(line);
      last_line = line != 0 ? line : last_line;
    } else if (what == "barrier") {
      add_frame(0, last_line, true);
      phase++;
    } else if (what == "input_" || what == "local_") {
      if (item >= warp && !has_tile) {
        continue;
      }
      const auto [frame, is_new] = frame_of.try_emplace(
          {phase, item / warp, instruction, std::size_t(c)}, film.frames.size());
      if (is_new) {
        add_frame(item / warp, line, false);
      }
      for (const std::int64_t end = word + (b + 3) / 4; word < end; word++) {
        Frame& shown = film.frames[frame->second];
        (what == "local_" ? shown.tile : shown.inputs).insert(word);
        if (what == "input_") {
          film.inputs.insert(word);
          last_input[item] = word;
          if (item == 0) {
            shown.own.insert(word);
          }
        }
      }
    } else if (what == "keep") {
      film.in[word] = last_input[item];
    } else if (what == "tap_") {
      tap_of[b] = word;
    } else if (what == "sum") {  // the factors, the sum before, and after
      const std::int64_t tap = tap_of[tap_of.contains(a) ? a : b];
      if (film.frames.empty() || std::get<0>(film.frames[now].when) != phase ||
          (!film.frames[now].taps.empty() &&
           (tap - *film.frames[now].taps.begin()) % filter_width != 0)) {
        add_frame(0, line, false);  // the next column of the filter
        film.columns = film.columns == 0 ? sums.size() : film.columns;
      }
      auto sum = c == 0 ? sums.end() : std::ranges::find(sums, c);
      sum = sum == sums.end() ? sums.insert(sum, c) : sum;
      *sum = d;
      film.frames[now].taps.insert(tap);
      film.frames[now].sums.resize(sums.size());
      film.frames[now].sums[sum - sums.begin()]++;
    }
  }
  while (!film.frames.empty() && std::get<1>(film.frames.back().when)) {
    film.frames.pop_back();  // the barriers of other work-groups
  }
  std::ranges::stable_sort(film.frames, {}, &Frame::when);
  return film;
}

// --- The picture ---------------------------------------------------------------------------------

constexpr int width = 720, margin = 16, column = 246, line_height = 28, code_top = 52;

struct Spot {
  double x, y;
};

/// `look` is a class of the style sheet.
std::string text_at(Spot at, const char* look, const std::string& text) {
  return fmt::format(
      "<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\">{}</text>", at.x, at.y, look,
      replaced(replaced(text, "&", "&amp;"), "<", "&lt;"));
}

// --- The source ----------------------------------------------------------------------------------

struct Code {
  std::string labels;         // what is shown
  std::map<int, int> row_of;  // of a line of the source
};

/// The lines of the source that run in the film, and the loops and barriers above them in their
/// functions.
Code excerpt(const std::string& source, const Film& film) {
  std::set<int> run;
  for (const Frame& frame : film.frames) {
    run.insert(frame.line);
  }
  run.erase(0);
  const std::string marked = "#line 1\n" + source;  // of several, what is behind the last
  const Words text = split(marked.substr(marked.rfind("#line 1\n") + 8) + "\n", '\n');
  int number = run.empty() ? 1 : *run.begin();
  while (number > 1 && search(text[number - 1], "^[A-Za-z_]").empty()) {
    number--;
  }
  Code code;
  std::vector<std::size_t> indents;
  for (; !run.empty() && number <= *run.rbegin(); number++) {
    const std::string& line = text.at(number - 1);
    const bool goes_on = !search(line, "[=(&|,+*]$").empty();
    if (!run.contains(number) && !(goes_on && run.contains(number + 1)) &&
        search(line, "^ +(for|while) \\(|barrier\\(").empty()) {
      continue;
    }
    const std::size_t indent = line.find_first_not_of(' ');
    while (!indents.empty() && indents.back() >= indent) {
      indents.pop_back();
    }
    const std::size_t room = 60 - 2 * indents.size();
    const std::string shown = replaced(line.substr(indent), " *(//.*)?$", "");
    code.labels += text_at(
        {margin + 22.9 * indents.size(), code_top + 20.0 + line_height * code.row_of.size()},
        "code", shown.size() > room ? shown.substr(0, room - 1) + "…" : shown);
    code.row_of.emplace(number, code.row_of.size());
    if (goes_on || shown.ends_with('{')) {
      indents.push_back(indent);
    }
  }
  return code;
}

/// Behind a line of the source.
std::string band(const Code& code, int line, const char* look) {
  return !code.row_of.contains(line)
             ? ""
             : fmt::format(
                   "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"{}\"/>",
                   margin - 6, code_top + line_height * code.row_of.at(line),
                   width - 2 * margin + 12, line_height, look);
}

/// The whole pieces of `size` words that have these.
std::set<Place> places_of(const Buffer& words, std::int64_t pitch, std::int64_t size = 1) {
  std::set<Place> places;
  for (const std::int64_t word : words) {
    for (std::int64_t i = 0; i < size; i++) {
      places.emplace(word / pitch, word % pitch - word % size + i);
    }
  }
  return places;
}

/// Where each of these words of local memory waits: how many words of its bank are before it, and
/// the bank.
std::set<Place> queues(const Buffer& words, int banks) {
  std::set<Place> places;
  std::map<std::int64_t, int> in_bank;
  for (const std::int64_t word : words) {
    places.emplace(in_bank[word % banks]++, word % banks);
  }
  return places;
}

class Picture {
 public:
  std::string cells, moving, labels;  // above each other
  Spot next{};                        // where the next panel stands,
  bool beside = false;                // which go on downwards at the image's right, or to the right
  double bottom = 0;

  /// Squares of `side`, seen from `spot`: those next to each other as one, up to `longest` of them.
  /// A shape that stands at several places is written once.
  std::string squares(
      Spot spot, const char* look, const std::set<Place>& places, double side, int longest = 1) {
    if (places.empty()) {
      return "";
    }
    const auto [top, left] = *places.begin();
    std::string shape;
    for (auto place = places.begin(); place != places.end();) {
      const auto [y, x] = *place;
      int length = 0;
      while (length < longest && place != places.end() && *place == Place(y, x + length)) {
        ++place;
        ++length;
      }
      shape += fmt::format(
          "M{:.5g},{:.5g}h{:.5g}v{:.5g}h-{:.5g}z", (x - left) * side, (y - top) * side,
          length * side - 1, side - 1, length * side - 1);
    }
    return fmt::format(
        "<use href=\"#s{}\" x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\"/>",
        shapes_.try_emplace(shape, shapes_.size()).first->second, spot.x + left * side + 0.5,
        spot.y + top * side + 0.5, look);
  }

  /// Empty boxes with a name above them, beside or below those before.
  Spot grid(const std::string& name, std::int64_t rows, std::int64_t columns, double side) {
    const Spot at{next.x, next.y + (name.empty() ? 0 : 26)};
    const std::set<Place> row = places_of({0}, 1, columns);
    for (std::int64_t i = 0; i < rows; i++) {
      cells += squares({at.x, at.y + i * side}, "cell", row, side);
    }
    labels += text_at({at.x, at.y - 10}, "dim", name);
    bottom = std::max(bottom, at.y + rows * side);
    (beside ? next.y : next.x) += beside ? rows * side + 42 : columns * side + 26;
    return at;
  }

  std::string svg(const std::string& style_sheet) const {
    std::string shapes;
    for (const auto& [shape, number] : shapes_) {
      shapes += fmt::format("<path id=\"s{}\" d=\"{}\"/>\n", number, shape);
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"film\" viewBox=\"0 0 {0} {1:.0f}\" "
        "width=\"{0}\" "
        "height=\"{1:.0f}\">\n{2}<defs>{3}</defs>\n"
        "<rect width=\"100%\" height=\"100%\" rx=\"8\" class=\"paper\"/>\n{4}\n{5}{6}\n</svg>\n",
        width, bottom + margin, style_sheet, shapes, cells, moving, labels);
  }

 private:
  std::map<std::string, std::size_t> shapes_;
};

}  // namespace

std::string film(
    const std::string& label, int filter_width, const std::string& events,
    const std::string& source, int banks) {
  Film film = recorded(events, filter_width);
  if (film.inputs.empty()) {
    fail("{}: no loads were recorded", label);
  }
  const std::int64_t pitch = row_pitch(film.inputs);

  // The running counts, when each frame begins, and what part of the image is shown: whole sectors.
  const Words names = {"loads", "sectors", "tile loads", "bank cycles", "multiply-adds"};
  std::vector<int> counts(names.size()), sums;
  Buffer held;
  int steps = 0, banked = 0;  // banked: most words in one bank
  std::size_t window = 0;     // most inputs in registers or in the tile
  bool computed = false;
  for (Frame& frame : film.frames) {
    const std::set<Place> waiting = queues(frame.tile, banks);
    const int words = waiting.empty() ? 0 : waiting.rbegin()->first + 1;
    counts[0] += !frame.inputs.empty();
    counts[1] += static_cast<int>(places_of(frame.inputs, pitch, sector).size() / sector);
    counts[2] += !frame.tile.empty();
    counts[3] += words;
    for (std::size_t i = 0; i < frame.sums.size(); i++) {
      sums.resize(std::max(sums.size(), frame.sums.size()));
      counts[4] += frame.sums[i];
      sums[i] += frame.sums[i];
    }
    frame.sums = sums;
    if (film.in.empty() && computed && !frame.own.empty()) {
      held.clear();
    }
    computed = !frame.taps.empty();
    const Buffer& more = film.in.empty() ? frame.own : frame.inputs;
    held.insert(more.begin(), more.end());
    frame.held = held;
    frame.counts = counts;
    frame.first = steps;
    frame.steps = std::get<1>(frame.when) ? 5 : &frame == &film.frames.back() ? 9 : 1;
    steps += frame.steps;
    banked = std::max(banked, words);
    window = std::max(window, held.size());
  }
  const double seconds = std::clamp(0.26 * steps, 10.0, 20.0);
  const std::set<Place> shown = places_of(film.inputs, pitch, sector);
  const auto [left, last] = std::ranges::minmax(shown | std::views::values);
  const std::int64_t columns = last + 1 - left;
  const std::int64_t top = shown.begin()->first, rows = shown.rbegin()->first + 1 - top;

  // Below the source the image; the other panels at its right, or below it beside each other.
  const Code code = excerpt(source, film);
  Picture picture;
  picture.labels =
      text_at(
          {margin, 34}, "title",
          fmt::format(
              "{0}, {1} × {1}: what {2}", label, filter_width,
              banked > 0 ? "a work-group loads" : fmt::format("{} neighbours load", warp))) +
      code.labels;
  const bool beside = 5 * rows > 3 * columns;
  const double side =
      std::min({22.0, (width - 2.0 * margin - (beside ? 36 + column : 0)) / columns, 420.0 / rows});
  const double image_y = code_top + line_height * code.row_of.size() + 18.0;
  picture.next = {margin, image_y};
  picture.grid("", rows, columns, side);
  const Spot image{margin - left * side, image_y - top * side};
  picture.beside = beside;
  picture.next = beside ? Spot{margin + columns * side + 36, image_y - 6}
                        : Spot{margin, image_y + rows * side + 12};
  const double tap_side = 98.0 / filter_width, bank_side = 1.0 * column / banks;
  const Spot taps = picture.grid("filter", filter_width, filter_width, tap_side);
  // The registers of a work-item that loads several inputs before it computes.
  const bool registers = window >= 4 && film.in.empty() && film.columns > 0;
  const double box = 16;
  Spot row{}, sum{}, bank{};
  if (registers) {
    row = picture.grid("a row, in registers", 1, window, box);
    sum = picture.grid("sums", sums.size() / film.columns, film.columns, box);
  } else if (banked > 0) {
    bank = picture.grid(fmt::format("{} banks", banks), banked, banks, bank_side);
  }
  const Spot numbers{picture.next.x, picture.next.y + 18};
  std::map<std::size_t, double> heights;  // of those that are not 0
  for (std::size_t i = 0; i < names.size(); i++) {
    if (counts[i] > 0) {
      const char* const looks[] = {"now", "sector", "now", "more", "paper"};
      const double y = heights[i] = numbers.y + 25.0 * heights.size();
      picture.cells += picture.squares({numbers.x, y - 12}, looks[i], {{0, 0}}, 13);
      picture.labels +=
          text_at({numbers.x + 20, y}, "dim", names[i]) +
          text_at({numbers.x + column - 44, y}, "dim", fmt::format("/ {}", counts[i]));
      picture.bottom = std::max(picture.bottom, y + 5);
    }
  }

  std::set<int> lengths;
  for (const Frame& frame : film.frames) {
    std::set<Place> first_words, more_words;
    for (const auto& [before, of_bank] : queues(frame.tile, banks)) {
      (before == 0 ? first_words : more_words).emplace(banked - 1 - before, of_bank);
    }
    Buffer pixels = frame.inputs;
    for (const std::int64_t word : frame.tile) {
      pixels.insert(film.in[word]);
    }
    std::string drawn;
    for (const int line : frame.lines) {
      drawn += band(code, line, "run");
    }
    drawn += band(code, frame.line, "line") +
             picture.squares(image, "sector", places_of(frame.inputs, pitch, sector), side, sector);
    if (window >= 4) {  // it keeps several before it computes
      drawn += picture.squares(image, "kept", places_of(frame.held, pitch), side, 99);
    }
    drawn += picture.squares(image, "now", places_of(pixels, pitch), side) +
             picture.squares(taps, "now", places_of(frame.taps, filter_width), tap_side) +
             picture.squares(bank, "now", first_words, bank_side) +
             picture.squares(bank, "more", more_words, bank_side);
    if (registers) {
      drawn += picture.squares(row, "kept", places_of({0}, 1, std::ssize(frame.held)), box);
      std::string levels;  // each sum as full as it is complete
      for (std::size_t i = 0; i < frame.sums.size(); i++) {
        const double level = (box - 1) * frame.sums[i] / std::ranges::max(sums);
        levels += fmt::format(
            "M{:.5g},{:.5g}h15v{:.5g}h-15z", sum.x + i % film.columns * box + 0.5,
            sum.y + (i / film.columns + 1) * box - 0.5 - level, level);
      }
      drawn += fmt::format("<path class=\"now\" d=\"{}\"/>", levels);
    }
    for (const auto& [i, y] : heights) {
      drawn += text_at({numbers.x + column - 50, y}, "number", std::to_string(frame.counts[i]));
    }
    lengths.insert(frame.steps);
    picture.moving += fmt::format(
        "<g class=\"f{}{}\" style=\"animation-name:f{}-{};animation-delay:{:.4g}s\">{}</g>\n",
        steps, frame.first == 0 ? " first" : "", frame.steps, steps, seconds * frame.first / steps,
        drawn);
  }
  std::string key_frames;
  for (const int length : lengths) {
    key_frames += fmt::format(
        "@keyframes f{}-{}{{0%{{visibility:visible}}{:.4g}%,to{{visibility:hidden}}}}\n", length,
        steps, 100.0 * length / steps);
  }
  // Its names no other film has for something else: a page may have several within itself.
  const std::string style = fmt::format(
      "<style>\n{0}.f{1}{{visibility:hidden;animation:{2:.4g}s step-end infinite}} "
      ".first{{visibility:visible}}\n"
      "{3}@media print,(prefers-reduced-motion:reduce){{.f{1}{{animation:none}}}}\n</style>\n",
      read_file("tools/tutorial/film.css"), steps, seconds, key_frames);
  return picture.svg(style);
}

}  // namespace tutorial
