# Step 8: the kernels whose taps are constants, and those that they grew from.
#     gnuplot -e "data='ladder.csv'; out='step8.svg'" step8.gp
headline = "Step 8: the filter as a part of the program"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(8)
load here."times_floor.gp"
