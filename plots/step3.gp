# Step 3: the remainder as an if-chain, beside the sawtooth of step 2.
#     gnuplot -e "data='ladder.csv'; out='step3.svg'" step3.gp
headline = "Step 3: remainder without a loop"
load system("dirname '".ARG0."'")."/style.gp"
added = new_in(3)
published = here."published/amd-step4.csv"
published_by = "published: Unroll, AMD 2009"
load here."relative.gp"
