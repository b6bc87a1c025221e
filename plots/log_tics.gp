# Tics of a logarithmic y axis: 1, 2 and 5 times the powers of ten; where the axis is short more, where it is long fewer.
set logscale y
share = top / bottom
digits = share < 3 ? "1 1.1 1.2 1.3 1.4 1.5 1.6 1.8 2 2.5 3 4 5 6 7 8" : share < 20 ? "1 1.5 2 3 4 5 7" : share < 100000 ? "1 2 5" : "1"
set ytics ()
do for [power=-6:7] {
    do for [digit in digits] { set ytics add (sprintf("%g", digit * 10.0**power) digit * 10.0**power) }
}
