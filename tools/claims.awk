# Do the published claims hold on a device? The claims and their rules stand in plots/published/claims.csv, which also
# explains its columns. All figures are read from the CSVs of a results folder.
#
#   awk -v results=results [-v csv=results/claims.csv] -f tools/claims.awk plots/published/claims.csv
#       a table of at most 80 columns; csv gets the intervals as well, and what each figure was made of
#   awk -v devices='CPU=plots/data/pocl-xeon GPU=plots/data/h200' -f tools/claims.awk plots/published/claims.csv
#       the verdicts on several devices side by side, in Markdown; FOLDER,FOLDER: the first that has the file
#
# A figure is an array: [1] and [3] are the ends of its 95 % interval, [2] is the figure itself. A claim holds if the
# whole interval is on the right side of the limit, and does not hold if the whole interval is on the wrong one.
BEGIN {
  FS = OFS = ","
  count = split(devices, device, " ")
  for (d = 1; d <= count; ++d) {
    folders[d] = substr(device[d], index(device[d], "=") + 1)
    heads = heads " " substr(device[d], 1, index(device[d], "=") - 1) " | |"
    ruler = ruler "---:|---|"
    empty = empty " | |"
  }
  if (markdown = count) say("| | claim | published | holds if |" heads "\n|---|---|---|---|" ruler)
  else folders[count = 1] = results
  if (csv) print "id,statement,source,device,year,published,measured,low,high,verdict,basis" > csv
}
/^#/ { next }
!columns {
  for (columns = 1; columns <= NF; ++columns) column[$columns] = columns
  next
}
the("source") != source {
  source = heading = the("source")
  if (markdown) say("| | **" source "** | | |" empty)
}
markdown {
  cells = "| " the("id") " | " the("statement") " | " the("published") " | " the("holds_if") " |"
  for (d = 1; d <= count; ++d) {
    verdict = judge(folders[d])
    cells = cells " " measured " | " verdict (the("file") && verdict ~ /measurable/ ? ": " basis : "") " |"
  }
  say(cells)
}
!markdown {
  ++tally[verdict = judge(results)]
  if (measured) {  # the others are only counted
    if (text == "") say(sprintf("%-46s %6s  %-8s %s", "", "here", "holds if", "verdict"))
    if (heading) say(heading)
    heading = ""
    say(sprintf("%-5s %-40s %6s  %-8s %s", the("id"), the("statement"), measured, comparison " " limit, verdict))
  }
  if (csv) print the("id"), the("statement"), the("source"), the("device"), the("year"), the("published"), figure[2], figure[1], figure[3], verdict, basis > csv
}
END {
  for (d = 1; d <= count; ++d)
    if (!(folders[d] in found)) {
      print folders[d] ": no CSV that a claim is about" > "/dev/stderr"
      exit 1
    }
  printf "%s", text
  if (!markdown)
    printf "%d hold, %d do not, %d are not shown by these intervals.\nNot measured: %d%s. Not measurable here: %d.\n", \
      tally["holds"], tally["does not hold"], tally["not shown"], tally["not measured"], \
      tally["not measured"] ? " (./tutorial run --all measures them)" : "", tally["not measurable here"]
}

# The field of this claim.
function the(name) { return $column[name] }

# Output waits for the end, when it is known whether there was anything to judge.
function say(line) { text = text line "\n" }

# --- The verdict ------------------------------------------------------------------------------------------------------

# The verdict on this claim. Sets basis, how it was reached, and figure and its text, measured: empty if there is none.
function judge(folders,   path, against_path, word, words) {
  split("", figure)
  measured = ""
  basis = the("holds_if")
  if (the("file") == "") return "not measurable here"
  path = first_file(folders, the("file"))
  against_path = the("against_file") ? first_file(folders, the("against_file")) : path
  if (the("on") && kind[path] && kind[path] != the("on")) {
    basis = "a claim about " the("on") "s"
    return "not measurable here"
  }
  if (!collect(path, against_path)) {
    basis = basis ": ./tutorial run --all measures it"
    return "not measured"
  }
  words = split(the("holds_if"), word, " ")
  comparison = word[words - 1]
  limit = word[words]
  choose(word[1])
  measured = sprintf(figure[2] < 10 ? "%.3f" : "%.0f", figure[2])
  basis = the("column") " of " the("kernel") " at " the("at") " in " the("file")
  if (the("against")) basis = basis " over that of " the("against") " at " (the("against_at") ? the("against_at") : the("at"))
  if (the("against_file")) basis = basis " in " the("against_file")
  basis = basis ": " the("holds_if")
  if (comparison == "<") return figure[3] < limit ? "holds" : figure[1] >= limit ? "does not hold" : "not shown"
  return figure[1] > limit ? "holds" : figure[3] <= limit ? "does not hold" : "not shown"
}

# Fills figures[1..3, 1..figure_count] with what the claim compares. If something is missing it returns 0, and basis
# says what.
function collect(path, against_path,   kernel, kernels, other, others, size, sizes, other_size, i, j, k, l, v, w) {
  figure_count = 0
  basis = "no " (path ? the("against_file") : the("file"))
  if (!path || !against_path) return 0
  kernels = measured_kernels(path, the("kernel"), kernel)
  others = measured_kernels(against_path, the("against"), other)
  sizes = expand(the("at"), size)
  basis = the("file") ": no rows of " the("kernel") (the("against") ? " or of " the("against") : "")
  if (the("against") && !others) return 0
  for (i = 1; i <= kernels; ++i)
    for (j = 1; j <= sizes; ++j) {
      if (!get(path, kernel[i], size[j], the("column"), v)) return 0
      if (!others) add(v)
      for (k = 1; k <= others; ++k)
        for (l = expand(the("against_at") ? the("against_at") : size[j], other_size); l >= 1; --l) {
          if (!get(against_path, other[k], other_size[l], the("column"), w)) return 0
          get(path, kernel[i], size[j], the("column"), v)
          divide(v, w)
          add(v)
        }
    }
  return figure_count
}

function add(v,   i) {
  ++figure_count
  for (i = 1; i <= 3; ++i) figures[i, figure_count] = v[i]
}

# The largest, smallest or median of the figures, and of the ends of their intervals likewise.
function choose(which,   i, j, k, n, sorted) {
  n = figure_count
  for (i = 1; i <= 3; ++i) {
    for (j = 1; j <= n; ++j) {
      for (k = j; k > 1 && sorted[k - 1] > figures[i, j]; --k) sorted[k] = sorted[k - 1]
      sorted[k] = figures[i, j]
    }
    figure[i] = sorted[which == "largest" ? n : 1]
    if (which == "median") figure[i] = (sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]) / 2
  }
}

# --- Figures ----------------------------------------------------------------------------------------------------------

# The figure in the column of a row, in v[1..3]. If there is none it returns 0, and basis says so. A rate and the like
# have the interval of the row's time; a file without intervals gives its figures as they are.
function get(path, kernel, size, name, v,   row, w, below, above) {
  if (name == "relative_percent") {  # over Convolve's time, which has an interval too
    if (!get(path, kernel, size, "median_ms", v) || !get(path, "Convolve", size, "median_ms", w)) return 0
    divide(v, w)
    return 1
  }
  row = path SUBSEP kernel SUBSEP size
  basis = the("file") ": no row of " kernel " at " size
  if (!(data[row, name] > 0 && data[row, "median_ms"] > 0)) return 0
  below = data[row, "low_ms"] ? data[row, "low_ms"] / data[row, "median_ms"] : 1
  above = data[row, "high_ms"] ? data[row, "high_ms"] / data[row, "median_ms"] : 1
  v[2] = data[row, name]
  v[1] = name == "gpixels_per_s" ? v[2] / above : v[2] * below
  v[3] = name == "gpixels_per_s" ? v[2] / below : v[2] * above
  return 1
}

function divide(v, w) {
  v[1] /= w[3]
  v[2] /= w[2]
  v[3] /= w[1]
}

# --- Data -------------------------------------------------------------------------------------------------------------

# The path of the first of the files A|B in the first of the folders C,D that has it; empty if none has.
function first_file(folders, files,   folder, name, i, j, n, m, path) {
  n = split(files, name, "|")
  m = split(folders, folder, markdown ? "," : "\n")
  for (i = 1; i <= n; ++i)
    for (j = 1; j <= m; ++j) {
      path = folder[j] "/" name[i]
      load(path)
      if (rows[path] > 1) {
        found[folders]
        return path
      }
    }
  return ""
}

# Reads a CSV into data[path, kernel, "SIZE=VALUE", column].
function load(path,   line, heads, head, part, field, size, i) {
  if (path in rows) return
  rows[path] = 0
  while ((getline line < path) > 0) {
    if (line ~ /^# device_type: /) kind[path] = substr(line, length("# device_type: ") + 1)
    if (line == "" || line ~ /^#/) continue
    if (!rows[path]++) {
      heads = split(line, head, ",")
      continue
    }
    split(line, part, ",")
    for (i = 1; i <= heads; ++i) field[head[i]] = part[i]
    # The work-group experiments are two sweeps: of the group's size and of the number of work-items.
    size = field["experiment"] == "group" ? "work_group" : field["experiment"] == "global" ? "items" : "filter_width"
    is_measured[path, field["kernel"]]
    for (i = 1; i <= heads; ++i) data[path, field["kernel"], size "=" field[size], head[i]] = part[i]
  }
  close(path)
}

# Those of the kernels A|B that the file has, in list[1..]; returns their number.
function measured_kernels(path, kernels, list,   part, parts, i, n) {
  parts = split(kernels, part, "|")
  for (i = 1; i <= parts; ++i)
    if ((path, part[i]) in is_measured) list[++n] = part[i]
  return n + 0
}

# SIZE=3|7, or SIZE=FROM:TO[:STEP], as SIZE=3, SIZE=7 in list[1..]; returns their number.
function expand(sizes, list,   name, part, parts, range, ends, step, value, i, n) {
  name = substr(sizes, 1, index(sizes, "="))
  parts = split(substr(sizes, length(name) + 1), part, "|")
  for (i = 1; i <= parts; ++i) {
    ends = split(part[i], range, ":")
    step = ends == 3 ? range[3] : 1
    for (value = range[1]; value <= range[ends == 1 ? 1 : 2]; value += step) list[++n] = name value
  }
  return n + 0
}
