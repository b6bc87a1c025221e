# A Markdown table of a README, from CSVs of plots/. The commands are those of tools/readme.cpp: table, compare, widths
# and rows. It runs in the repository's root; what is wrong with a command is one line, and exit status 1.
#
#   awk -v command='table data/h200/ladder.csv relative_percent:0 3,7' -f tools/table.awk
BEGIN {
  count = split_quoted(command, word, " ")
  if (word[1] == "table" && count >= 4) {
    make_table()
  } else if (word[1] == "compare" && count >= 4) {
    make_comparison()
  } else if (word[1] == "widths" && count >= 5) {
    make_widths()
  } else if (word[1] == "rows" && (count == 3 || count == 4)) {
    make_rows()
  } else {
    fail("'" command "' is not a command of tools/readme.cpp with its arguments")
  }
}

# --- The commands ---------------------------------------------------------------------------------------------------

# Each fills heads[1..columns] and cell[1..lines, 1..columns].

# table CSV COLUMN WIDTHS [KERNEL...]
function make_table(   file, i) {
  file = load(word[2])
  need(file, word[3])
  width_count = split(word[4] == "all" ? distinct(file, "filter_width") : word[4], width, ",")
  list_kernels(5, file)
  add_widths(file, word[3])
  for (i = 1; i <= kernel_count; ++i) add_kernel("`" kernel[i] "`", file, kernel[i], word[3])
  print_measurements()
}

# widths KERNEL COLUMN WIDTHS LABEL=CSV...
function make_widths(   i, file) {
  width_count = split(word[4], width, ",")
  for (i = 5; i <= count; ++i) {
    file = load(after(word[i], "="))
    if (i == 5) add_widths(file, word[3])
    add_kernel(before(word[i], "="), file, word[2], word[3])
  }
  print_measurements()
}

function add_widths(file, column,   i) {
  heads[++columns] = head(file, column) " at width"
  for (i = 1; i <= width_count; ++i) heads[++columns] = width[i]
}

function add_kernel(label, file, kernel, column,   i) {
  cell[++lines, 1] = label
  for (i = 1; i <= width_count; ++i) cell[lines, i + 1] = measured(file, kernel, width[i], column)
}

# compare WIDTH COLUMN,... LABEL=CSV... [-- KERNEL...]
function make_comparison(   i, j, k, files, file, list, column_count, column) {
  width_count = split(word[2], width, ",")
  column_count = split(word[3], column, ",")
  heads[++columns] = "kernel"
  for (i = 4; i <= count && word[i] != "--"; ++i) {
    file[++files] = load(after(word[i], "="))
    list = list (files > 1 ? "," : "") file[files]
    for (j = 1; j <= column_count; ++j)
      heads[++columns] = before(word[i], "=") ", " head(file[files], column[j])
  }
  list_kernels(i + 1, list)
  for (k = 1; k <= kernel_count; ++k) {
    cell[++lines, 1] = "`" kernel[k] "`"
    for (i = 1; i <= files; ++i)
      for (j = 1; j <= column_count; ++j)
        cell[lines, 1 + (i - 1) * column_count + j] = measured(file[i], kernel[k], word[2], column[j])
  }
  print_measurements()
}

# rows CSV [KEY=VALUE,...] COLUMN,...
function make_rows(   file, i, j, r, keys, key, values, value, chosen, column, text) {
  file = load(word[2])
  if (count == 4) keys = split(word[3], key, ",")
  columns = split(word[count], column, ",")
  for (j = 1; j <= columns; ++j) {
    need(file, column[j])
    heads[j] = head(file, column[j])
  }
  for (i = 1; i <= keys; ++i) {
    values = split(after(key[i], "="), value, "|")
    for (j = 1; j <= values; ++j)
      if (!index("," distinct(file, before(key[i], "=")) ",", "," value[j] ","))
        fail("plots/" file ": no row with " before(key[i], "=") "=" value[j])
  }
  for (r = 1; r <= row_count[file]; ++r) {
    chosen = 1
    for (i = 1; i <= keys; ++i)
      if (!index("|" after(key[i], "=") "|", "|" field[file, r, before(key[i], "=")] "|")) chosen = 0
    if (!chosen) continue
    ++lines
    for (j = 1; j <= columns; ++j) {
      text = field[file, r, name(column[j])]
      if (column[j] ~ /:/) text = number(text, column[j])
      cell[lines, j] = text == "" ? "-" : name(column[j]) == "kernel" ? "`" text "`" : text
    }
  }
  if (!lines) fail("plots/" file ": no row with " word[3])
  print_table()
}

# --- Columns: COLUMN[:DECIMALS][=HEAD] ------------------------------------------------------------------------------

function name(column) {
  if (column !~ /^[A-Za-z0-9_]+(:[0-9])?(=.+)?$/) fail("'" column "' is not COLUMN[:DECIMALS][=HEAD]")
  sub(/[:=].*/, "", column)
  return column
}

# What a reader calls the column.
function head(file, column,   r, baseline) {
  if (column ~ /=/) return after(column, "=")
  column = name(column)
  if (column == "relative_percent") {
    for (r = row_count[file]; r; --r) if (field[file, r, column] + 0 == 100) baseline = field[file, r, "kernel"]
    return "% of `" (baseline ? baseline : "Convolve") "`"
  }
  if (column == "gpixels_per_s") return "Gpixel/s"
  if (column == "median_ms") return "ms"
  if (column == "work_group") return "work-group"
  gsub(/_/, " ", column)
  return column
}

# With the column's decimals, else with three significant digits.
function number(text, column,   decimals, size) {
  if (text !~ /^-?[0-9]*[.]?[0-9]+(e[-+]?[0-9]+)?$/) fail("'" text "' is not a number")
  text += 0
  if (match(column, /:[0-9]/)) decimals = substr(column, RSTART + 1, 1)
  else for (size = text < 0 ? -text : text; size > 0 && size < 100 && decimals < 9; size *= 10) ++decimals
  return sprintf("%." (decimals + 0) "f", text)
}

# --- Data -----------------------------------------------------------------------------------------------------------

# Reads plots/FILE into field[file, 1..row_count[file], column].
function load(file,   path, line, status, i, n, part, names) {
  if (file in row_count) return file
  row_count[file] = 0
  path = file == "kernels.csv" ? file : "plots/" file
  while ((status = (getline line < path)) > 0) {
    if (line == "" || line ~ /^#/) continue
    n = split_quoted(line, part, ",")
    if (!names) {
      names = split(line, column_name, ",")
      for (i = 1; i <= n; ++i) has[file, part[i]]
      continue
    }
    if (n != names) fail(path ": a row with " n " fields under " names " columns")
    ++row_count[file]
    for (i = 1; i <= n; ++i) field[file, row_count[file], column_name[i]] = part[i]
  }
  if (status < 0) fail(path " cannot be read")
  return file
}

function need(file, column) {
  if (!((file, name(column)) in has)) fail("plots/" file ": no column '" name(column) "'")
}

# The different values of a column, with commas between them.
function distinct(file, column,   r, value, list) {
  need(file, column)
  for (r = 1; r <= row_count[file]; ++r) {
    value = field[file, r, column]
    if (!index("," list ",", "," value ",")) list = list (list == "" ? "" : ",") value
  }
  return list
}

# Fills kernel[1..kernel_count] from word[first] on; without any, with those that the files have at these widths: in
# the order of kernels.csv, others after them.
function list_kernels(first, files,   i, r, n, list, file) {
  for (i = first; i <= count; ++i) kernel[++kernel_count] = word[i]
  if (first <= count) return
  list = distinct(load("kernels.csv"), "kernel")
  n = split(files, file, ",")
  for (i = 1; i <= n; ++i) list = list "," distinct(file[i], "kernel")
  n = split(list, candidate, ",")
  for (i = 1; i <= n; ++i) {
    if (candidate[i] in listed) continue
    listed[candidate[i]]
    if (is_measured(candidate[i], files)) kernel[++kernel_count] = candidate[i]
  }
}

function is_measured(kernel, files,   i, j, n, file) {
  n = split(files, file, ",")
  for (i = 1; i <= n; ++i)
    for (j = 1; j <= width_count; ++j)
      if (measured(file[i], kernel, width[j], "filter_width") != "-") return 1
  return 0
}

# The field of a kernel at a filter width; `-` if the file has none.
function measured(file, kernel, width, column,   r, text) {
  need(file, "kernel")
  need(file, "filter_width")
  for (r = 1; r <= row_count[file]; ++r) {
    if (field[file, r, "kernel"] != kernel || field[file, r, "filter_width"] != width) continue
    if (text != "") fail("plots/" file ": several rows of " kernel " at width " width)
    text = field[file, r, name(column)]
  }
  return text == "" ? "-" : number(text, column)
}

# --- Output ---------------------------------------------------------------------------------------------------------

# A row or column without a value is a mistake.
function print_measurements(   i, j, missing) {
  for (i = 1; i <= lines; ++i) {
    missing = 0
    for (j = 2; j <= columns; ++j) missing += cell[i, j] == "-"
    if (missing == columns - 1) fail("no value for " cell[i, 1])
  }
  print_table()
}

# Columns of numbers are aligned to the right.
function print_table(   i, j, missing, numbers, rule, line) {
  for (j = 1; j <= columns; ++j) {
    missing = numbers = 0
    for (i = 1; i <= lines; ++i) {
      missing += cell[i, j] == "-"
      numbers += cell[i, j] ~ /^(-|-?[0-9.]+)$/
    }
    if (missing == lines) fail("no value under '" heads[j] "'")
    rule = rule (numbers == lines ? "---:|" : "---|")
    line = line " " heads[j] " |"
  }
  print "|" line "\n|" rule
  for (i = 1; i <= lines; ++i) {
    line = "|"
    for (j = 1; j <= columns; ++j) line = line " " cell[i, j] " |"
    print line
  }
}

# --- Text -----------------------------------------------------------------------------------------------------------

# The parts of `text` between separators. Double quotes hide separators and are dropped.
function split_quoted(text, part, separator,   i, n, c, quoted) {
  split("", part)
  n = 1
  for (i = 1; i <= length(text); ++i) {
    c = substr(text, i, 1)
    if (c == "\"") quoted = !quoted
    else if (c == separator && !quoted) ++n
    else part[n] = part[n] c
  }
  return n
}

function before(text, separator) {
  if (!index(text, separator)) fail("'" text "' is not of the form A" separator "B")
  return substr(text, 1, index(text, separator) - 1)
}

function after(text, separator) {
  before(text, separator)
  return substr(text, index(text, separator) + 1)
}

function fail(message) {
  print message > "/dev/stderr"
  exit 1
}
