# Step 6: the only published run of AMD's ten kernels, by a third party in 2013. The same axes as step6.gp.
#     gnuplot -e "out='step6_published.svg'" step6_published.gp
headline = "Step 6, published: a third party's run of the ten kernels, 2013"
data = system("dirname '".ARG0."'")."/published/amd-step6-third-party.csv"
load system("dirname '".ARG0."'")."/style.gp"
kernels = "Convolve_Unroll Convolve_UnrollIf Convolve_Def Convolve_Def_Unroll Convolve_Def_UnrollIf Convolve_Float4 Convolve_Float4If Convolve_Def_Float4 Convolve_Def_Float4If"
load here."relative.gp"
