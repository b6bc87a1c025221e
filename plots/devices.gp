# All devices of plots/data, the fastest first: their rates at 7 x 7, of Convolve and of the fastest kernel, and how near that
# is to the floor.
devices = "< \"$REPORT\" ask devices '".data."' | { read -r head; echo \"$head\"; sort -rg; }"
stats devices using "fastest" nooutput name "FASTEST"
stats devices using "x_floor" nooutput name "FLOOR"
height = 130 + 34 * int(FASTEST_records)
load "plots/style.gp"
set label 2 "A filter of 7 x 7 taps; each device with the image size of the table"
set bmargin at screen y(58)
set yrange [-FASTEST_records - 0.4:-0.4]
set key off
row(ignored) = -($0 + 1)
set multiplot
set lmargin at screen 0.31
set rmargin at screen 0.75
set logscale x
set xrange [FASTEST_min / 60:FASTEST_max * 60]
set xtics 10
set xlabel "Gpixel/s, logarithmic (right is better)"
set ytics scale 0 font ",12"
number(ignored) = three_digits(column("fastest")).sprintf(", %.2g times", column("fastest") / column("convolve"))
plot devices using "convolve":(row(0)):(column("fastest") - column("convolve")):(0) with vectors nohead linewidth 2 linecolor rgb "#b0b0b0", \
     devices using "convolve":(row(0)):ytic(shorten(strcol("device"), 30)) with points pointtype 7 pointsize 1 linecolor rgb "#606060", \
     devices using "fastest":(row(0)) with points pointtype 7 pointsize 1.2 linecolor rgb "#0072b2", \
     devices using "fastest":(row(0)):(number(0)) with labels left offset 1,0 font ",12"
unset label
set lmargin at screen 0.78
set rmargin at screen 0.97
unset logscale x
set xrange [0:1.35 * (FLOOR_max > 1 ? FLOOR_max : 1)]
set xtics (0, 1)
set xlabel "x floor (1 is the floor)"
set ytics ("" 0)
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead dashtype 2 linecolor rgb "#404040"
plot devices using (0):(row(0)):(0):(column("x_floor")):(row(0) - 0.25):(row(0) + 0.25) with boxxyerror fillstyle solid 1 noborder linecolor rgb "#0072b2", \
     devices using "x_floor":(row(0)):(sprintf("%.2f", column("x_floor"))) with labels left offset 0.6,0 font ",12"
unset multiplot
