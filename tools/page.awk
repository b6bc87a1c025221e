# The tables of results/index.html and of the book, as HTML:
#     awk -v part=ladder -f page.awk TEXT              TEXT is what ladder_table.awk prints
#     awk -v part=compare -f page.awk LADDER REFERENCE  two devices' ladder.csv: where they differ, in words and numbers
#     awk -v part=claims -f page.awk CLAIMS            the ledger, results/claims.csv
#     awk -v part=device -f page.awk LADDER REFERENCE  the heads of both files
BEGIN { FS = part == "ladder" ? "[ \t]+" : ","; max_widths = 5 }
FNR == 1 { ++file; has_header = 0 }

# --- ladder -------------------------------------------------------------------------------------------------------

part == "ladder" {
  if (/^kernel /) {
    sub(/x floor/, "x_floor")
    open_table()
    for (i = 1; i <= NF; ++i) header = header cell("th", i, $i == "x_floor" ? "x floor" : $i == "Gpix/s" ? "Gpixel/s" : $i)
    print "<thead><tr>" header "</tr></thead>"
  } else if (header != "" && NF > 1) {
    row = ""
    for (i = 1; i <= NF; ++i) row = row cell("td", i, $i)
    print "<tr>" row "</tr>"
  } else if (/^(Time|rate) /) {
    print (/^Time/ ? "<p>" : "") escape($0) (/^rate/ ? "</p>" : "")
  }
  next
}

# --- CSV ----------------------------------------------------------------------------------------------------------

/^# [a-zA-Z_]+: / {
  key = substr($0, 3, index($0, ": ") - 3)
  if (!(key in known_key)) { known_key[key]; keys[++key_count] = key }
  head[file, key] = substr($0, index($0, ": ") + 2)
  next
}
/^#/ || /^[ \t]*$/ { next }
!has_header {
  has_header = 1
  split("", column)
  field_count = split_csv($0, field)
  for (i = 1; i <= field_count; ++i) column[field[i]] = i
  next
}
part == "claims" { split_csv($0, field); add_claim() }
part == "compare" { add_time($column["kernel"], $column["filter_width"] + 0) }

END {
  if (part == "ladder") close_table()
  if (part == "claims") print_claims()
  if (part == "compare") print_comparison()
  if (part == "device") print_device()
}

# --- claims -------------------------------------------------------------------------------------------------------

function value(name) { return name in column ? escape(field[column[name]]) : "" }
function figure(name) { return value(name) == "" ? "" : sprintf(field[column[name]] + 0 < 1000 ? "%.3g" : "%.0f", field[column[name]]) }

function add_claim(   verdict, kind, class, origin, interval) {
  verdict = kind = value("verdict")
  sub(/:.*/, "", kind)
  if (!tally[kind]++) kinds[++kind_count] = kind
  ++claims
  class = "verdict" (kind == "holds" ? " holds" : kind == "does not hold" ? " fails" : "")
  origin = value("id") ": " value("source") (value("device") == "" ? "" : ", " value("device")) ", " value("year")
  if (figure("low") != "") interval = "<small>" figure("low") " to " figure("high") "</small>"
  rows = rows "<tr><td>" value("statement") "<small>" origin "</small></td><td>" value("published") "</td>" \
    "<td>" figure("measured") interval "</td>" \
    "<td><span class=\"" class "\">" verdict "</span><small>" value("basis") "</small></td></tr>\n"
}

function print_claims(   i) {
  printf "<p>Of %d claims:", claims
  for (i = 1; i <= kind_count; ++i) printf("%s %s %d", i > 1 ? "," : "", kinds[i], tally[kinds[i]])
  print ". A claim holds, or does not hold, if the whole interval says so; else it is not shown.</p>"
  open_table()
  print "<thead><tr><th>claim</th><th>published</th><th>measured here</th><th>verdict</th></tr></thead>"
  printf "%s", rows
  close_table()
}

# --- compare ------------------------------------------------------------------------------------------------------

# Of several rows of one kernel at one width, work-group shapes for example, the fastest counts.
function add_time(kernel, width) {
  if ((file, kernel, width) in median && median[file, kernel, width] <= $column["median_ms"] + 0) return
  if (!(kernel in known_kernel)) { known_kernel[kernel]; kernels[++kernel_count] = kernel }
  if (file == 1 && !(width in known_width)) { known_width[width]; all_widths[++all_width_count] = width }
  median[file, kernel, width] = $column["median_ms"] + 0
  relative[file, kernel, width] = $column["relative_percent"] + 0
  low[file, kernel, width] = $column["low_ms"] + 0
  high[file, kernel, width] = $column["high_ms"] + 0
}

function percent(f, kernel, width) { return relative[f, kernel, width] }
function percent_low(f, kernel, width) { return 100 * low[f, kernel, width] / high[f, "Convolve", width] }
function percent_high(f, kernel, width) { return 100 * high[f, kernel, width] / low[f, "Convolve", width] }

function in_both(kernel, width) {
  return (1, kernel, width) in median && (2, kernel, width) in median && (1, "Convolve", width) in median && (2, "Convolve", width) in median
}

# -1: this device takes a smaller share of Convolve's time; 1: a larger one; 0: the intervals overlap.
function difference(kernel, width) {
  if (percent_high(1, kernel, width) < percent_low(2, kernel, width)) return -1
  return percent_low(1, kernel, width) > percent_high(2, kernel, width)
}

function print_comparison(   i, k, w, count, different, less, more, same, here, there, d) {
  for (i = 1; i <= all_width_count; ++i) if (in_both("Convolve", all_widths[i])) widths[++width_count] = all_widths[i]
  if (!width_count) {
    print "<p>No filter width was measured on both devices.</p>"
    return
  }
  for (i = 1; i <= kernel_count; ++i) {
    k = kernels[i]
    if (k == "Convolve") continue
    count = different = 0
    for (w = 1; w <= width_count; ++w) {
      if (!in_both(k, widths[w])) continue
      ++count
      d = difference(k, widths[w])
      if (!d) continue
      ++different
      note_difference(k, widths[w], d)
    }
    total += count
    total_different += different
    if (!count && measured(1, k)) here = listed(here, k)
    else if (!count && measured(2, k)) there = listed(there, k)
    else if (count && !different) same = listed(same, k)
    less = less sentence(k, -1)
    more = more sentence(k, 1)
  }
  print "<p>The reference is " escape(head[2, "device"]) ", " escape(head[2, "size"]) " pixels; yours is " escape(head[1, "device"]) ", " \
    escape(head[1, "size"]) " pixels. Compared is each kernel's time in percent of <code>Convolve</code>'s on the same device, at the same filter widths: " \
    total " pairs, of which " total - total_different " agree within their intervals." \
    (head[1, "size"] == head[2, "size"] ? "" : " The images differ in size, which alone moves the percentages of small filters.") "</p>"
  print_list("Gains more on your device than on the reference:", less)
  print_list("Gains less on your device, or costs more:", more)
  if (same != "") print "<p>The same within the intervals at every width: " same ".</p>"
  if (here != "") print "<p>Not measured on the reference at these widths: " here ".</p>"
  if (there != "") print "<p>Not measured on your device: " there ".</p>"
  print_pairs()
}

function listed(list, kernel) { return list (list == "" ? "" : ", ") code(kernel) }

# Whether the device has a time of this kernel at a width that is compared.
function measured(f, kernel,   w) {
  for (w = 1; w <= width_count; ++w) if ((f, kernel, widths[w]) in median) return 1
  return 0
}

# Keeps the largest difference of each direction.
function note_difference(kernel, width, direction,   ratio) {
  ratio = percent(1, kernel, width) / percent(2, kernel, width)
  if (ratio < 1) ratio = 1 / ratio
  ++times[kernel, direction]
  if (ratio <= largest[kernel, direction]) return
  largest[kernel, direction] = ratio
  where[kernel, direction] = width
}

function sentence(kernel, direction,   w) {
  if (!times[kernel, direction]) return ""
  w = where[kernel, direction]
  return "<li>" code(kernel) ": at " (times[kernel, direction] > 1 ? times[kernel, direction] " widths, most at " : "") "width " w ": " \
    rounded(percent(1, kernel, w)) " % here, " rounded(percent(2, kernel, w)) " % there</li>\n"
}

function print_list(title, items) {
  if (items != "") print "<p>" title "</p>\n<ul>\n" items "</ul>"
}

# At most max_widths, spread evenly. What differs by more than the intervals is bold.
function print_pairs(   i, k, w, shown, row, top, d, text) {
  shown = width_count < max_widths ? width_count : max_widths
  for (i = 1; i <= shown; ++i) {
    w[i] = widths[shown == 1 ? 1 : 1 + int((i - 1) * (width_count - 1) / (shown - 1) + 0.5)]
    top = top "<th class=\"number\" colspan=\"2\">width " w[i] "</th>"
    row = row "<th class=\"number\">here</th><th class=\"number\">there</th>"
  }
  print "<p>In percent of <code>Convolve</code>'s time; bold where the intervals do not overlap:</p>"
  open_table()
  print "<thead><tr><th rowspan=\"2\">kernel</th>" top "</tr>\n<tr>" row "</tr></thead>"
  for (k = 1; k <= kernel_count; ++k) {
    if (!measured(1, kernels[k])) continue
    row = "<td>" code(kernels[k]) "</td>"
    for (i = 1; i <= shown; ++i) {
      d = in_both(kernels[k], w[i]) && kernels[k] != "Convolve" && difference(kernels[k], w[i])
      text = share(1, kernels[k], w[i])
      row = row "<td class=\"number\">" (d ? "<strong>" text "</strong>" : text) "</td><td class=\"number\">" share(2, kernels[k], w[i]) "</td>"
    }
    print "<tr>" row "</tr>"
  }
  close_table()
}

function share(f, kernel, width) { return (f, kernel, width) in median ? rounded(percent(f, kernel, width)) : "-" }
function rounded(x) { return sprintf(x < 9.95 ? "%.1f" : "%.0f", x) }

# --- device -------------------------------------------------------------------------------------------------------

function print_device(   i, key) {
  open_table()
  print "<thead><tr><th></th><th>here</th><th>reference</th></tr></thead>"
  for (i = 1; i <= key_count; ++i) {
    key = keys[i]
    if (key == "note" || key == "program") continue
    print "<tr><td>" named(key) "</td><td>" quantity(1, key) "</td><td>" quantity(2, key) "</td></tr>"
  }
  close_table()
}

function named(key) {
  if (key == "opencl_c") return "version"
  gsub(/_/, " ", key)
  sub(/ per s$/, "/s", key)
  return key
}

function quantity(f, key) {
  if (!((f, key) in head)) return "-"
  return key ~ /_per_s$/ ? sprintf("%.0f G", head[f, key] / 1e9) : escape(head[f, key])
}

# --- HTML ---------------------------------------------------------------------------------------------------------

function open_table() { print "<div class=\"scroll\" tabindex=\"0\"><table class=\"" part "\">" }
function close_table() { print "</table></div>" }
function code(text) { return "<code>" escape(text) "</code>" }
function cell(tag, i, text) {
  return i == 1 ? "<" tag ">" (tag == "td" ? code(text) : escape(text)) "</" tag ">" : "<" tag " class=\"number\">" escape(text) "</" tag ">"
}

function escape(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}

# The fields of a line of CSV; double quotes hide commas, and two of them stand for one.
function split_csv(line, part,   i, n, c, quoted) {
  split("", part)
  part[n = 1] = ""
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { part[n] = part[n] c; ++i }
    else if (c == "\"") quoted = !quoted
    else if (c == "," && !quoted) part[++n] = ""
    else part[n] = part[n] c
  }
  return n
}
