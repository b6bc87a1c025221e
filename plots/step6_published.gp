# Step 6: the only published run of AMD's ten kernels, by a third party in 2013. The same axes as step6.gp.
#     gnuplot -e "out='step6_published.svg'" step6_published.gp
headline = "Step 6, published: a third party's run of the ten kernels, 2013"
data = system("dirname '".ARG0."'")."/published/amd-step6-third-party.csv"
load system("dirname '".ARG0."'")."/style.gp"
kernels = common(all_kernels, kernels_in(data))
load here."relative.gp"
