# An SVG picture of the inputs that one work-item and one work-group of a kernel load.
#
#   awk -v title=TEXT -v group=32x4 -f picture.awk FILE.cells
#
# The cells are as the plugin writes them, in the order of their addresses: "group" or "item", number of the word of 4
# bytes, order of its first load, number of its loads; the group's before the item's.
$1 == "group" { word[++words] = $2; count[words] = $4; loads += $4; if ($4 > most) most = $4 }
$1 == "group" && (least == 0 || $4 < least) { least = $4 }
$1 == "item" { item_word[++item_words] = $2; order[item_words] = $3 }

END {
  if (!words) exit 1
  find_pitch()
  find_left()
  for (i = 1; i <= words; ++i) {
    place(word[i])
    if (x >= columns) columns = x + 1
    if (y >= rows) rows = y + 1
  }
  cell = int(900 / columns)
  if (cell > 20) cell = 20
  grid_width = columns * cell
  grid_height = rows * cell
  beside = grid_width >= 360 && 2 * grid_width + 60 <= 960  # else below each other
  panel_height = grid_height + 68
  width = beside ? 2 * grid_width + 60 : grid_width + 40
  if (width < 500) width = 500
  height = 44 + panel_height * (beside ? 1 : 2)
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" " \
    "font-family=\"DejaVu Sans, sans-serif\">\n", width, height, width, height
  print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
  printf "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">%s</text>\n", title

  begin_panel(20, 44, "One work-item: " item_words (item_words == 1 ? " input" : " inputs"), "first", "last loaded")
  for (i = 1; i <= item_words; ++i) square(item_word[i], order[i], item_words > 1 ? (order[i] - 1) / (item_words - 1) : 0)
  print_run()
  print "</g>"

  sub(/x/, " × ", group)
  begin_panel(beside ? grid_width + 40 : 20, beside ? 44 : 44 + panel_height,
    "A work-group of " group ": " loads " inputs loaded, " words " different", least == most ? "" : least,
    least == most ? "each loaded " often(least) : often(most) " loaded")
  for (i = 1; i <= words; ++i) square(word[i], count[i], most > least ? (count[i] - least) / (most - least) : 0)
  print_run()
  print "</g>\n</svg>"
}

# The length of the image's rows: how far the rows of a group mostly are from each other.
function find_pitch(   i, start, step, times) {
  start = word[1]
  for (i = 2; i <= words; ++i)
    if (word[i] != word[i - 1] + 1) {
      step = word[i] - start
      start = word[i]
      if (++times[step] > times[pitch]) pitch = step
    }
  if (!pitch) pitch = 2 * words
}

# The address where the top row begins: to the left of it lie the columns that the group leaves out.
function find_left(   i, gap, longest, used) {
  for (i = 1; i <= words; ++i) used[(word[i] - word[1]) % pitch] = 1
  base = word[1]
  for (i = 1; i <= 2 * pitch; ++i) {
    gap = (i % pitch) in used ? 0 : gap + 1
    if (gap > longest) {
      longest = gap
      base = word[1] + (i + 1) % pitch
    }
  }
  if (base > word[1]) base -= pitch
}

# Sets x and y.
function place(address) {
  y = int((address - base) / pitch)
  x = address - base - y * pitch
}

function often(n) { return n == 1 ? "once" : n " times" }

function begin_panel(panel_x, panel_y, heading, low, high,   i, bar) {
  printf "<g transform=\"translate(%d,%d)\" font-size=\"13\">\n<text y=\"14\">%s</text>\n", panel_x, panel_y, heading
  if (low != "") {
    printf "<text y=\"36\">%s</text>\n", low
    bar = 10 + 8 * length(low)
    for (i = 0; i < 20; ++i)
      printf "<rect x=\"%d\" y=\"25\" width=\"5\" height=\"13\" fill=\"%s\"/>\n", bar + 5 * i, colour(i / 19)
    bar += 108
  }
  printf "<text x=\"%d\" y=\"36\">%s</text>\n", bar, high
  printf "<rect y=\"48\" width=\"%d\" height=\"%d\" fill=\"#f2f2f2\" stroke=\"#999999\"/>\n", grid_width, grid_height
}

# A square of one input with its number, where there is room; else neighbours of one colour become one rectangle.
function square(address, number, share) {
  place(address)
  x *= cell
  y = y * cell + 48
  if (cell < 18 && run_width && y == run_y && x == run_x + run_width && colour(share) == run_colour) {
    run_width += cell
    return
  }
  print_run()
  run_x = x
  run_y = y
  run_width = cell
  run_colour = colour(share)
  if (cell >= 18) {
    print_run()
    printf "<text x=\"%s\" y=\"%s\" font-size=\"9\" text-anchor=\"middle\" fill=\"%s\">%d</text>\n",
      x + cell / 2, y + cell / 2 + 3, (share > 0.45 ? "#ffffff" : "#000000"), number
  }
}

function print_run() {
  if (run_width)
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"%s/>\n",
      run_x, run_y, run_width, cell, run_colour, (cell >= 18 ? " stroke=\"#ffffff\"" : "")
  run_width = 0
}

# From light to dark, share 0 to 1; the colours of viridis, which the colour-blind can tell apart.
function colour(share,   stops, stop, i, from, to) {
  stops = split("253 231 37 94 201 98 33 145 140 59 82 139 68 1 84", stop, " ") / 3
  i = int(share * (stops - 1))
  if (i > stops - 2) i = stops - 2
  share = share * (stops - 1) - i
  from = 3 * i
  to = from + 3
  return sprintf("#%02x%02x%02x", mix(stop[from + 1], stop[to + 1], share), mix(stop[from + 2], stop[to + 2], share),
    mix(stop[from + 3], stop[to + 3], share))
}

function mix(a, b, share) { return int(a + (b - a) * share + 0.5) }
