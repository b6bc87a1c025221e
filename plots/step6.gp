# Step 6: AMD's ten kernels in one picture (the tenth is Convolve, the 100 % line).
#     gnuplot -e "data='ladder.csv'; out='step6.svg'" step6.gp
headline = "Step 6: float4 arithmetic"
load system("dirname '".ARG0."'")."/style.gp"
kernels = "Convolve_Unroll Convolve_UnrollIf Convolve_Def Convolve_Def_Unroll Convolve_Def_UnrollIf Convolve_Float4 Convolve_Float4If Convolve_Def_Float4 Convolve_Def_Float4If"
load here."relative.gp"
