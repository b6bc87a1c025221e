# Step 9: the tuned kernel, and those of step 8 with the same block for all widths; where step 8's were not run, step 7's.
#     gnuplot -e "data='ladder.csv'; out='step9.svg'" step9.gp
headline = "Step 9: what the search found"
load system("dirname '".ARG0."'")."/style.gp"
rest = common(new_in(8), kernels_in(data)) eq "" ? new_in(7) : new_in(8)
added = new_in(9)
load here."times_floor.gp"
