// What a warp does, load by load, as an animated picture: SVG and CSS without a script, so that it
// plays inside an <img>. All that it shows was recorded by tools/xray/plugin.cpp.
#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>

#include "tools/report/report.hpp"

namespace tutorial {
namespace {

using Place = std::pair<std::int64_t, std::int64_t>;  // row and column of a pixel or a box

constexpr int width = 720, margin = 16, column = 246, line_height = 28, code_top = 52, sector = 8;

/// What changes at once: a load of the warp with the arithmetic after it, or arithmetic alone.
struct Frame {
  std::size_t phase = 0, order = 0, warp = 0;  // before which barrier; which of its warp; whose
  std::set<int> lines;                         // run since the last frame, the last of them `line`
  int line = 0;
  std::set<std::int64_t> inputs, tile;  // words loaded from global or local memory
  std::set<std::int64_t> window;        // words that the first work-item has in registers
  std::set<int> taps;                   // multiplied by now
  std::vector<int> sums;                // multiply-adds so far, of each sum
  bool barrier = false;
  int first = 0, steps = 1;      // when it begins, and how long it stays
  std::vector<int> counts = {};  // so far
};

struct Film {
  std::vector<Frame> frames;
  std::map<std::int64_t, int> words;              // of the input, that are loaded
  std::map<std::int64_t, std::int64_t> input_of;  // the word of the tile, and of the input in it
  std::vector<std::int64_t> output_of;            // of each sum; -1: none
};

/// The plugin's lines: what, work-item, instruction, pass, source line, numbers.
Film recorded(const std::string& events, std::size_t warp_size, int filter_width) {
  Film film;
  const bool has_tile = events.find("\nkeep ") != std::string::npos;
  std::map<std::vector<std::size_t>, std::size_t> frame_of;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> frames_of_warp;
  std::map<std::size_t, std::int64_t> last_input;  // of each work-item
  std::map<std::uint32_t, int> tap_of;             // by the bits of its value
  std::vector<std::uint32_t> sum_bits;
  std::set<int> lines;
  std::size_t phase = 0, now = 0;  // the first work-item's frame
  const auto new_frame = [&](std::size_t warp, int line) {
    Frame frame;
    frame.phase = phase;
    frame.order = frames_of_warp[{phase, warp}]++;
    frame.warp = warp;
    frame.line = line;
    if (warp == 0) {
      now = film.frames.size();
      std::swap(frame.lines, lines);
    }
    film.frames.push_back(frame);
    return film.frames.size() - 1;
  };
  std::istringstream text(events);
  std::string what;
  int line = 0, last_line = 0;  // last_line: of the first work-item
  for (std::size_t item, instruction, pass; text >> what >> item >> instruction >> pass >> line;) {
    std::int64_t address = 0, size = 0;
    const auto word = [&] { return address % (std::int64_t{1} << 48) / 4; };  // in its buffer
    if (what == "line") {
      lines.insert(line);
      last_line = line != 0 ? line : last_line;
    } else if (what == "barrier" && !film.frames.empty()) {
      film.frames[new_frame(0, last_line)].barrier = true;
      phase++;
    } else if (what == "input_" || what == "local_") {
      text >> address >> size;
      if (item >= warp_size && !has_tile) {
        continue;
      }
      const auto [found, is_new] =
          frame_of.try_emplace({phase, item / warp_size, instruction, pass}, film.frames.size());
      if (is_new) {
        const bool more = item == 0 && !film.frames.empty() && film.frames[now].taps.empty();
        const auto window = more ? film.frames[now].window : std::set<std::int64_t>();
        film.frames[new_frame(item / warp_size, line)].window = window;
      }
      Frame& frame = film.frames[found->second];
      for (std::int64_t end = word() + (size + 3) / 4, i = word(); i < end; i++) {
        (what == "local_" ? frame.tile : frame.inputs).insert(i);
        if (what == "input_") {
          film.words[i]++;
          last_input[item] = i;
          if (item == 0) {
            frame.window.insert(i);
          }
        }
      }
    } else if (what == "keep") {
      text >> address >> size;
      film.input_of[word()] = last_input[item];
    } else if (what == "tap_" || what == "output") {
      std::uint32_t bits = 0;
      text >> address >> bits;
      const auto sum = std::ranges::find(sum_bits, bits);
      if (what == "tap_") {
        tap_of[bits] = static_cast<int>(word());
      } else if (sum != sum_bits.end()) {
        film.output_of[sum - sum_bits.begin()] = word();
      }
    } else if (what == "sum") {
      std::uint32_t a = 0, b = 0, before = 0, after = 0;
      text >> a >> b >> before >> after;
      const int tap = tap_of.contains(a) ? tap_of[a] : tap_of.contains(b) ? tap_of[b] : 0;
      if (film.frames.empty() || film.frames[now].phase != phase ||
          (!film.frames[now].taps.empty() &&
           *film.frames[now].taps.begin() % filter_width != tap % filter_width)) {
        const auto window =
            film.frames.empty() ? std::set<std::int64_t>() : film.frames[now].window;
        film.frames[new_frame(0, line)].window = window;
      }
      auto sum = std::ranges::find(sum_bits, before);
      if (before == 0 || sum == sum_bits.end()) {
        sum = sum_bits.insert(sum_bits.end(), before);
        film.output_of.push_back(-1);
      }
      *sum = after;
      Frame& frame = film.frames[now];
      frame.taps.insert(tap);
      frame.sums.resize(sum_bits.size());
      frame.sums[sum - sum_bits.begin()]++;
    }
  }
  std::ranges::stable_sort(film.frames, {}, [](const Frame& frame) {
    return std::tuple(frame.phase, frame.barrier, frame.order, frame.warp);
  });
  return film;
}

// --- The source ----------------------------------------------------------------------------------

struct Code {
  Words lines;
  std::vector<int> depths;    // characters that they are indented by
  std::map<int, int> row_of;  // of a line of the source
};

/// The kernel's lines that run in the film, its loops and barriers, from the start of the function.
Code excerpt(const std::string& source, const Film& film) {
  std::set<int> run;
  for (const Frame& frame : film.frames) {
    run.insert(frame.line);
  }
  run.erase(0);
  const Words text = split(replaced(source, "^[^]*#line 1\n", ""), '\n');
  const auto line = [&](int number) { return text.at(number - 1); };
  int first = *run.begin();
  while (first > 1 && search(line(first), "^[A-Za-z_]").empty()) {
    first--;
  }
  Code code;
  std::vector<std::size_t> indents;
  for (int number = first; number <= *run.rbegin(); number++) {
    const bool continued = run.contains(number + 1) && !search(line(number), "[=(&|,+*]$").empty();
    if (run.contains(number) || continued ||
        !search(line(number), "^ +(for|while) \\(|barrier\\(").empty()) {
      const std::size_t indent = line(number).find_first_not_of(' ');
      while (!indents.empty() && indents.back() >= indent) {
        indents.pop_back();
      }
      std::string shown = replaced(line(number).substr(indent), " *(//.*)?$", "");
      const std::size_t depth = 2 * indents.size(), room = 60 - depth;
      code.row_of[number] = static_cast<int>(code.lines.size());
      code.lines.push_back(shown.size() > room ? shown.substr(0, room - 1) + "…" : shown);
      code.depths.push_back(static_cast<int>(depth));
      if (!search(shown, "[{=(&|,+*]$").empty()) {
        indents.push_back(indent);
      }
    }
  }
  return code;
}

// --- The picture ---------------------------------------------------------------------------------

constexpr const char* style = R"(<style>
text{{font:18px "DejaVu Sans",Verdana,sans-serif;fill:#1f2328}}
.code{{font:19px "DejaVu Sans Mono",Menlo,Consolas,monospace}}
.title{{font-size:23px;font-weight:bold}} .dim{{fill:#59636e}} .number{{text-anchor:end}}
.paper{{fill:#fff}} .cell{{fill:#e4e9ee}} .now{{fill:#0072b2}} .kept{{fill:#0072b2;fill-opacity:.35}}
.sector{{fill:#e69f00;fill-opacity:.35;stroke:#d55e00;stroke-width:1.5}} .more{{fill:#d55e00}}
.line{{fill:#ffe27a}} .run{{fill:#fff5cf}}
@media(prefers-color-scheme:dark){{text{{fill:#e6edf3}}.dim{{fill:#9198a1}}.paper{{fill:#0d1117}}
.cell{{fill:#262c36}}.now,.kept{{fill:#56b4e9}}.sector{{stroke:#e69f00}}.more{{fill:#e69f00}}
.line{{fill:#6b5600}}.run{{fill:#332b0c}}}}
.f,.k{{visibility:hidden;animation:{:.4g}s step-end infinite}} .first{{visibility:visible}}
{}@media print,(prefers-reduced-motion:reduce){{.f,.k{{animation:none}}}}
</style>
)";

struct Spot {
  double x, y;
};

/// `look` is a class of the style sheet.
std::string text_at(Spot at, const char* look, const std::string& text) {
  return fmt::format(
      "<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\">{}</text>", at.x, at.y, look,
      replaced(replaced(text, "&", "&amp;"), "<", "&lt;"));
}

std::string band(const char* look, int row) {
  return fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"{}\"/>", margin - 6,
      code_top + line_height * row, width - 2 * margin + 12, line_height, look);
}

/// Squares of `side`, those next to each other as one, at most `longest` of them. The same shape at
/// another place is written once.
class Squares {
 public:
  std::string at(
      Spot spot, const char* look, const std::set<Place>& places, double side, int longest = 99) {
    if (places.empty()) {
      return "";
    }
    const auto [top, left] = *places.begin();
    std::string shape;
    for (auto place = places.begin(); place != places.end();) {
      const auto [y, x] = *place;
      int length = 0;
      for (; length < longest && place != places.end() && *place == Place(y, x + length); ++place) {
        length++;
      }
      shape += fmt::format(
          "M{:.5g},{:.5g}h{:.5g}v{:.5g}h-{:.5g}z", (x - left) * side, (y - top) * side,
          length * side - 1, side - 1, length * side - 1);
    }
    const auto [known, is_new] = shapes_.try_emplace(shape, shapes_.size());
    return fmt::format(
        "<use href=\"#s{}\" x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\"/>", known->second,
        spot.x + left * side + 0.5, spot.y + top * side + 0.5, look);
  }

  std::string grid(Spot spot, std::int64_t rows, std::int64_t columns, double side) {
    std::set<Place> places;
    for (std::int64_t i = 0; i < rows * columns; i++) {
      places.emplace(i / columns, i % columns);
    }
    return at(spot, "cell", places, side, 1);
  }

  std::string definitions() const {
    std::string text;
    for (const auto& [shape, number] : shapes_) {
      text += fmt::format("<path id=\"s{}\" d=\"{}\"/>\n", number, shape);
    }
    return text;
  }

 private:
  std::map<std::string, std::size_t> shapes_;
};

/// Whole sectors around these words.
std::set<Place> sectors_of(const std::set<std::int64_t>& words, std::int64_t pitch) {
  std::set<Place> places;
  for (const std::int64_t word : words) {
    for (std::int64_t i = 0; i < sector; i++) {
      places.emplace(word / pitch, word % pitch - word % sector + i);
    }
  }
  return places;
}

/// How many of these words of local memory each bank has.
std::map<std::int64_t, int> words_in_banks(const std::set<std::int64_t>& words, int banks) {
  std::map<std::int64_t, int> number;
  for (const std::int64_t word : words) {
    number[word % banks]++;
  }
  return number;
}

/// `places` as seen from the corner of the picture.
std::set<Place> moved(const std::set<Place>& places, Place corner) {
  std::set<Place> result;
  for (const auto& [y, x] : places) {
    result.emplace(y - corner.first, x - corner.second);
  }
  return result;
}

}  // namespace

std::string film(
    const std::string& label, int filter_width, const std::string& events,
    const std::string& source, const Csv& counts_file) {
  const auto setting = [&](const char* key) {
    return parse_number<int>(counts_file.head(key)).value();
  };
  const int warp = setting("warp"), banks = setting("banks");
  Film film = recorded(events, warp, filter_width);
  if (film.frames.empty()) {
    fail("{}: nothing was recorded", label);
  }
  const Code code = excerpt(source, film);
  const std::int64_t pitch = row_pitch(film.words);
  const auto pixels_of = [&](const Frame& frame) {
    std::set<Place> pixels;
    for (const std::int64_t word : frame.inputs) {
      pixels.emplace(word / pitch, word % pitch);
    }
    for (const std::int64_t word : frame.tile) {
      pixels.emplace(film.input_of[word] / pitch, film.input_of[word] % pitch);
    }
    return pixels;
  };

  // The running counts, when each frame begins, and what part of the image is shown: whole sectors.
  const Words names = {"loads", "sectors", "tile loads", "bank cycles", "multiply-adds"};
  std::vector<int> counts(names.size()), sums(film.output_of.size());
  std::set<Place> shown;
  std::size_t window_width = 0;
  int steps = 0, most_words = 0;
  for (Frame& frame : film.frames) {
    const auto sectors = sectors_of(frame.inputs, pitch);
    int cycles = 0;
    for (const auto& [bank, words] : words_in_banks(frame.tile, banks)) {
      cycles = std::max(cycles, words);
    }
    counts[0] += frame.inputs.empty() ? 0 : 1;
    counts[1] += static_cast<int>(sectors.size() / sector);
    counts[2] += frame.tile.empty() ? 0 : 1;
    counts[3] += cycles;
    for (std::size_t i = 0; i < frame.sums.size(); i++) {
      counts[4] += frame.sums[i];
      sums[i] += frame.sums[i];
    }
    frame.counts = counts;
    frame.sums = sums;
    frame.first = steps;
    frame.steps = frame.barrier ? 5 : &frame == &film.frames.back() ? 9 : 1;
    steps += frame.steps;
    shown.insert(sectors.begin(), sectors.end());
    window_width = std::max(window_width, frame.window.size());
    most_words = std::max(most_words, cycles);
  }
  const double seconds = std::clamp(0.26 * steps, 10.0, 20.0);
  std::int64_t left = shown.begin()->second, right = left;
  for (const auto& [y, x] : shown) {
    left = std::min(left, x);
    right = std::max(right, x + 1);
  }
  const Place corner(shown.begin()->first, left);
  const std::int64_t rows = shown.rbegin()->first + 1 - corner.first;

  // The image at the left and the panels at its right, or all below each other.
  const bool beside = 5 * rows > 3 * (right - left);
  const double side = std::min(
      {22.0, (width - 2.0 * margin - (beside ? 36 + column : 0)) / (right - left), 420.0 / rows});
  const Spot image{margin, code_top + line_height * code.lines.size() + 18.0};
  Spot next{margin, image.y + rows * side + 12};
  if (beside) {
    next = {margin + (right - left) * side + 36.0, image.y - 6};
  }
  Squares squares;
  std::string cells = squares.grid(image, rows, right - left, side);
  std::string labels = text_at(
      {margin, 34}, "title",
      fmt::format(
          "{0}, {1} × {1}: what {2}", label, filter_width,
          most_words > 0 ? "a work-group loads" : fmt::format("{} neighbours load", warp)));
  for (std::size_t row = 0; row < code.lines.size(); row++) {
    labels += text_at({margin, code_top + 20.0 + line_height * row}, "code", code.lines[row]);
  }
  double lowest = image.y + rows * side;
  const auto panel = [&](const std::string& name, double panel_width, double height) {
    const Spot at{next.x, next.y + 26};
    labels += text_at({next.x, next.y + 16}, "dim", name);
    (beside ? next.y : next.x) += beside ? height + 42 : panel_width + 26;
    lowest = std::max(lowest, at.y + height);
    return at;
  };
  const auto panel_grid = [&](const std::string& name, std::int64_t high, std::int64_t wide,
                              double box) {
    const Spot at = panel(name, wide * box, high * box);
    cells += squares.grid(at, high, wide, box);
    return at;
  };
  const double tap_side = 98.0 / filter_width, box = 16, bank_side = 1.0 * column / banks;
  const Spot taps = panel_grid("filter", filter_width, filter_width, tap_side);
  // The registers of the first work-item, if it loads several inputs before it computes.
  const std::int64_t first_output = film.output_of.empty() ? -1 : std::ranges::min(film.output_of);
  const bool registers = window_width >= 4 && most_words == 0 && first_output >= 0;
  std::map<std::int64_t, int> outputs;
  for (std::int64_t& word : film.output_of) {
    outputs[word -= first_output]++;
  }
  const std::int64_t output_pitch = registers ? row_pitch(outputs) : 1;
  Spot window{}, sum{}, bank{};
  if (registers) {
    const std::int64_t last = outputs.rbegin()->first;
    window = panel_grid("a row, in registers", 1, window_width, box);
    sum = panel_grid("sums", last / output_pitch + 1, last % output_pitch + 1, box);
  } else if (most_words > 0) {
    bank = panel_grid(fmt::format("{} banks", banks), most_words, banks, bank_side);
  }
  const char* const looks[] = {"now", "sector", "now", "more"};
  const Spot count = panel("", column, 20);
  double y = count.y - 8;
  for (std::size_t i = 0; i < names.size(); i++) {
    if (counts[i] > 0) {
      cells += i == 4 ? "" : squares.at({count.x, y - 12.0}, looks[i], {{0, 0}}, 13);
      labels += text_at({count.x + 20, y}, "dim", names[i]) +
                text_at({count.x + column - 44, y}, "dim", fmt::format("/ {}", counts[i]));
      y += 25;
    }
  }
  const double height = std::max(y - 10, lowest) + margin;

  std::string key_frames, kept, moving;
  std::set<int> lengths;
  for (const Frame& frame : film.frames) {
    const auto percent = [&](int step) { return 100.0 * step / steps; };
    const bool first = frame.first == 0;
    lengths.insert(frame.steps);
    std::string drawn;
    for (const int line : frame.lines) {
      drawn += code.row_of.contains(line) ? band("run", code.row_of.at(line)) : "";
    }
    drawn += code.row_of.contains(frame.line) ? band("line", code.row_of.at(frame.line)) : "";
    drawn +=
        squares.at(image, "sector", moved(sectors_of(frame.inputs, pitch), corner), side, sector);
    std::set<Place> row;  // in registers
    for (const std::int64_t word : frame.window) {
      row.emplace(word / pitch, word % pitch);
    }
    drawn += registers ? squares.at(image, "kept", moved(row, corner), side, 1) : "";
    const std::string pixels = squares.at(image, "now", moved(pixels_of(frame), corner), side, 1);
    drawn += pixels;
    if (most_words > 0 && !frame.inputs.empty()) {  // the tile fills
      kept += fmt::format(
          "<g class=\"k\" style=\"animation-name:k{}\">{}</g>\n", frame.first,
          replaced(pixels, "\"now\"", "\"kept\""));
      key_frames += fmt::format(
          "@keyframes k{}{{0%{{visibility:hidden}}{:.4g}%,to{{visibility:visible}}}}\n",
          frame.first, percent(frame.first));
    }
    std::set<Place> used, boxes, more;
    for (const int tap : frame.taps) {
      used.emplace(tap / filter_width, tap % filter_width);
    }
    drawn += squares.at(taps, "now", used, tap_side);
    for (const auto& [of_bank, words] : words_in_banks(frame.tile, banks)) {
      for (int i = 0; i < words; i++) {
        (i == 0 ? boxes : more).emplace(most_words - 1 - i, of_bank);
      }
    }
    drawn += squares.at(bank, "now", boxes, bank_side) + squares.at(bank, "more", more, bank_side);
    if (registers) {
      std::set<Place> held, multiplied;
      for (std::size_t i = 0; i < frame.window.size(); i++) {
        held.emplace(0, i);
      }
      std::string levels;
      for (std::size_t i = 0; i < film.output_of.size(); i++) {
        const std::int64_t row = film.output_of[i] / output_pitch;
        const std::int64_t x = film.output_of[i] % output_pitch;
        for (const int tap : frame.taps) {
          multiplied.emplace(0, x + tap % filter_width);
        }
        const double level = (box - 1) * frame.sums[i] / std::ranges::max(sums);
        levels += fmt::format(
            "M{:.5g},{:.5g}h{:g}v{:.5g}h-{:g}z", sum.x + x * box + 0.5,
            sum.y + (row + 1) * box - 0.5 - level, box - 1, level, box - 1);
      }
      drawn += squares.at(window, "kept", held, box, 1) +
               squares.at(window, "now", multiplied, box, 1) +
               fmt::format("<path class=\"now\" d=\"{}\"/>", levels);
    }
    y = count.y - 8;
    for (std::size_t i = 0; i < names.size(); i++) {
      if (counts[i] > 0) {
        drawn += text_at({count.x + column - 50, y}, "number", fmt::format("{}", frame.counts[i]));
        y += 25;
      }
    }
    moving += fmt::format(
        "<g class=\"f{}\" style=\"animation-name:f{};animation-delay:{:.4g}s\">{}</g>\n",
        first ? " first" : "", frame.steps, seconds * frame.first / steps, drawn);
  }
  for (const int length : lengths) {
    key_frames += fmt::format(
        "@keyframes f{}{{0%{{visibility:visible}}{:.4g}%,to{{visibility:hidden}}}}\n", length,
        100.0 * length / steps);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" "
      "height=\"{1:.0f}\">\n{2}<defs>{3}</defs>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" "
      "class=\"paper\"/>\n{4}\n{5}{6}{7}\n</svg>\n",
      width, height, fmt::format(style, seconds, key_frames), squares.definitions(), cells, kept,
      moving, labels);
}

}  // namespace tutorial
