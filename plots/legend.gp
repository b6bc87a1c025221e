# The legend: below the chart, where it covers no data, in two columns or three. Reads `legend_entries`.
legend_columns = legend_entries > 4 ? 3 : 2
legend_rows = (legend_entries + legend_columns - 1) / legend_columns
set bmargin at screen y(66 + 18 * legend_rows)
set key at screen 0.5, screen y(6) center bottom vertical maxrows legend_rows Left reverse samplen 2.5 font ",12"
