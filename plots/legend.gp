# The legend: below the chart, where it covers no data. Reads `legend_titles`, a list of words, and takes as many columns,
# three at most, as the longest of them leaves room for.
legend_entries = words(legend_titles)
legend_longest = 0
do for [i=1:legend_entries] {
    length = strlen(word(legend_titles, i))
    if (length > legend_longest) { legend_longest = length }
}
legend_columns = int(790 / (8.3 * legend_longest + 60))
legend_columns = legend_columns < 1 ? 1 : legend_columns > 3 ? 3 : legend_columns
if (legend_columns == 3 && legend_entries == 4) { legend_columns = 2 }
legend_rows = (legend_entries + legend_columns - 1) / legend_columns
set bmargin at screen y(66 + 18 * legend_rows)
set key at screen 0.5, screen y(6) center bottom vertical maxrows legend_rows Left reverse samplen 2.5 font ",12"
