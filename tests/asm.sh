#!/bin/bash
# Which fault turns this test red alone: an inner loop that is not found, or an instruction of another kind.
#
#   asm.sh BUILD_DIR
#
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/programs.bash"

# kinds NUMBER...: multiply-adds, other float arithmetic, loads, stores, spills, branches, all else; of the last table.
kinds() {
  expect "$* by hand, counted $(grep -oP '^[a-z].*  +\K[0-9]+$' out | paste -sd' ')" \
    test "$(grep -oP '^[a-z].*  +\K[0-9]+$' out | head -n 7 | paste -sd' ')" == "$*"
}

# A loop of four taps and one of one, in NVIDIA's two languages. Comments tell what is counted.
cat > some.ptx << 'END'
.version 8.0
.target sm_90
.visible .entry Other(
)
{
	fma.rn.f32 	%f1, %f2, %f3, %f1;
}
.visible .entry Some(
	.param .u64 Some_param_0
)
{
	.reg .f32 	%f<9>;
	ld.param.u64 	%rd1, [Some_param_0];
$L__BB0_1:
	@%p1 bra 	$L__BB0_3;
$L__BB0_2:
	ld.global.f32 	%f1, [%rd1+4];
	ld.global.nc.v4.f32 	{%f2, %f3, %f4, %f5}, [%rd2];
	fma.rn.f32 	%f6, %f1, %f2, %f6;
	fma.rn.f32 	%f6, %f1, %f3, %f6;
	add.ftz.f32 	%f6, %f6, %f4;
	st.local.f32 	[%rd3], %f6;
	st.shared.f32 	[%rd4], %f6;
	add.s32 	%r1, %r1, 4;
	setp.lt.s32 	%p2, %r1, %r2;
	@%p2 bra 	$L__BB0_2;
$L__BB0_3:
	ld.global.f32 	%f1, [%rd1];
	fma.rn.f32 	%f6, %f1, %f2, %f6;
	@%p3 bra 	$L__BB0_3;
	bra.uni 	$L__BB0_1;
	ret;
}
END
cat > some.sass << 'END'
//--------------------- .text.Some --------------------------
	.section	.text.Some,"ax",@progbits
.text.Some:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   LDG.E.CONSTANT R0, desc[UR4][R2.64+0x4] ;
        /*0020*/                   LDS.128 R4, [R3] ;
        /*0030*/                   IADD3 R9, R9, 0x1, RZ ;
        /*0040*/                   FFMA R8, R0, R4, R8 ;
        /*0050*/                   FFMA.FTZ R8, R0, c[0x3][0x10], R8 ;
        /*0060*/                   FADD R8, R8, R5 ;
        /*0070*/                   STL [R1], R8 ;
        /*0080*/              @P0 BRA `(.L_x_1) ;
        /*0090*/                   STG.E desc[UR4][R2.64], R8 ;
        /*00a0*/                   EXIT ;
//--------------------- .text.Other --------------------------
END
touch some.cl
report asm Some "$PWD/some.ptx" "$PWD/some.cl" > out
kinds 2 1 2 1 1 1 2
report asm Some "$PWD/some.sass" "$PWD/some.cl" > out
kinds 2 1 2 0 1 1 1

# As a reader calls it, where the device is PoCL on x86-64. The loop stands in step 1's page.
if [[ $("$build/step1_naive" --verify-only --size 8x8) == *Portable* && $(uname -m) == x86_64 ]] && command -v objdump > /dev/null; then
  export TUTORIAL_BUILD_OPTIONS=
  "$repository/tools/asm.sh" "$build" step1_naive Convolve > out 2> err
  if grep -q ' vgather' out; then echo "not counted by hand: the inner loop is over pixels"; else kinds 1 0 2 0 0 1 2; fi
  expect "no line of the source" grep -qE '^ +v.* sum \+= filter' out
  sed "s/sum += /sum += 1.0f * /" "$repository/step1_naive/convolution.cl" > my.cl
  "$repository/tools/asm.sh" "$build" step1_naive Convolve --kernel-file my.cl > out 2> err
  expect "not the text of the reader's file" grep -q "sum += 1.0f" out
  "$repository/tools/asm.sh" "$build" step4_invariants Convolve_Def_UnrollAll > out 2> err
  expect "not vectors of eight or more" grep -qE '^floats in a multiply-add +(8|16)$' out
fi

finish
