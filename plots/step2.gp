# Step 2: the sawtooth of the remainder loop, with AMD's points at widths 16 to 20 (C4.1).
#     gnuplot -e "data='ladder.csv'; out='step2.svg'" step2.gp
headline = "Step 2: inner loop unrolled by four"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(2)
published = here."published/amd-step4.csv"
published_by = "published: AMD 2009, Phenom X4 9950"
load here."relative.gp"
