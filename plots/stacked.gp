# The stacked bars of $bars, whose columns are row, from, to and colour; the legend has `parts` in `part_colours`.
set border 1
unset ytics
set grid noytics
plot $bars using "from":"row":"from":"to":(column("row") - 0.4):(column("row") + 0.4):(int(strcol("colour"))) \
         with boxxyerror fillstyle solid 1 noborder linecolor rgb variable notitle, \
     for [p=1:words(parts)] NaN with boxes fillstyle solid 1 noborder linecolor rgb int(word(part_colours, p)) title word(parts, p)
