# Step 6: AMD's ten kernels in one picture (the tenth is Convolve, the 100 % line).
#     gnuplot -e "data='ladder.csv'; out='step6.svg'" step6.gp
headline = "Step 6: float4 arithmetic"
load system("dirname '".ARG0."'")."/style.gp"
kernels = common(all_kernels, kernels_in(here."published/amd-step6-third-party.csv"))
load here."relative.gp"
