# What the charts and the READMEs' tables show, as a build: each measurement is a CSV, each filter width of it a piece,
# which depends on its program and kernel files. plots/measure.sh calls this for one device, with
#   PROGRAMS, HERE  the folders of the programs and of this device's pieces
#   RESULTS         where copies of the CSVs go; one that could not be measured anew is removed there
#   TYPE, EXTENT    CPU or GPU; short (the ladder at six widths) or all
#   ARGS            arguments of the reader for the ladder's programs
SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all FORCE
all:

part_1 := step6_float4
part_2 := step10_fft
own_steps := $(shell sed -nE '2,$$s/^[^,]+,([a-z][a-z0-9_]*),.*/\1/p' kernels.csv | uniq)
comma := ,

# --- The plan: NAME = PROGRAM WIDTHS ARGUMENTS; WIDTHS is - for a program that runs once --------------

all_widths := 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32
short_widths := 3,7,8,16,19,20
widths_now := $($(EXTENT)_widths)
tiles := Convolve_Local:tight,Convolve_Local,Convolve_Def_Local_Unroll,Convolve_Def_Local_UnrollAll
tiles := $(tiles),Convolve_Local_Read4,Convolve_Local_Read4_UnrollAll
# $(call on,CPU'S,GPU'S): what differs, because a CPU needs smaller images and more time.
on = $(if $(filter CPU,$(TYPE)),$(1),$(2))
seconds = --time-budget $(on)

# On a CPU Convolve_Image takes ten times as long as Convolve, so `run --all` alone measures it, beside the others.
without_image := $(shell sed -nE '/^Convolve_Image,/d; s/^([^,]+),[1-6],.*/\1/p' kernels.csv | paste -sd,)
ladder_size := --size $(call on,512x512,4096x4096)
ladder-1 = $(part_1) $(widths_now) $(ladder_size) $(call seconds,1.5,0.3) $(call on,--kernel $(without_image)) $(ARGS)
ladder-2 = $(part_2) $(widths_now) $(ladder_size) $(call seconds,1,0.3) --search-budget $(call on,2,3) $(ARGS)
ladder-image = $(part_1) $(all_widths) $(ladder_size) --time-budget 1 --kernel Convolve_Image
blocks = step9_autotune 2,3,4,5,6,7,8,9,10,11,12,14,15,16,17,20,24,28,31,32 --size 2048x2048 --time-budget 0.4 --search-budget 4 \
  --kernel Convolve,Convolve_Def,Convolve_Two,Convolve_Block,Convolve_Block16,Convolve_Block16_Stream,Tuned
motion-blur = step8_baked_filter 7,15,31 --size 2048x2048 --filter motion-blur --time-budget 2 \
  --kernel Convolve,Convolve_Block16_Stream,Convolve_Baked16
large := --size $(call on,2048x2048,4096x4096)
coalescing = step1_naive 3,5,7,16 $(large) $(call seconds,8,0.5) --against step1_naive/swapped.cl
# Steps of your own: each a CSV with the name of its folder.
$(foreach step,$(own_steps),$(eval $(step) = $(step) 3,5,7,9,15,23,31 $(large) $(call seconds,3,0.5)))
groups := $(if $(filter CPU,$(TYPE)),3@7@16 --size 1024x1024,3@5@7@8@11@16@17@24@31@32 --size 4096x4096)
groups := $(subst @,$(comma),$(groups)) $(call seconds,1.5,0.3) --kernel $(tiles) --work-group
work-group-16x16 = $(part_1) $(groups) 16x16
work-group-32x8 = $(part_1) $(groups) 32x8
chapter7 := --filter motion-blur --kernel $(tiles),Convolve_Image --size
chapter7-600x400 = $(part_1) 7 $(chapter7) 600x400 $(call seconds,3,1)
chapter7-4096x4096 = $(part_1) 7 $(chapter7) 4096x4096 $(call seconds,5,1)
occupancy = plots/occupancy.sh - $(call on,Convolve_Block16 "16x1 32x1 16x2 32x2 64x2 64x4 64x8" --size 2048x2048,\
  Convolve_Block "4x1 4x2 4x4 4x8 4x16 8x4 8x8" --size 8192x8192) --filter-width 7 $(call seconds,1,0.5)
restrict = plots/occupancy.sh - "Convolve_Baked Convolve_Fast" 4x8 --size 8192x8192 --filter-width 7,8 --time-budget 0.5 \
  --without restrict
largest := --size $(call on,4096x4096,8192x8192)
pipeline = pipeline - --size 4096x4096 $(call seconds,10,2)
roofline = roofline - $(largest) --filter-width 2:32
median = median - --noise 0.1 $(largest) $(call seconds,30,10)
median_opencv = median_opencv - --noise 0.1 $(largest) --time-budget 10
median_npp = median_npp - --noise 0.1 $(largest)
median_work_groups = median_work_groups - --noise 0.1 --size $(call on,65536x16,65536x256) $(call seconds,20,8)
edge_conditions-1920x1080 = edge_conditions - --size 1920x1080 $(call seconds,15,3)
edge_conditions-7680x4320 = edge_conditions - --size 7680x4320 $(call seconds,30,3)
ifeq ($(TYPE),CPU)
peers = convolution_peers 3,5,7,9,15,31 $(largest) --time-budget 0.5 --search-budget 15 \
  --kernel Convolve,Convolve_Def,Convolve_Block16_Stream,Tuned,OpenCV,OpenCV_split
else
peers = convolution_peers 2,3,5,7,8,9,10,15,31 $(largest) --time-budget 1 --search-budget 8
endif
long := $(call on,ladder-image blocks motion-blur,restrict) coalescing $(own_steps) work-group-16x16 work-group-32x8 \
  chapter7-600x400 chapter7-4096x4096 occupancy pipeline roofline median $(call on,median_opencv,median_npp) \
  median_work_groups edge_conditions-1920x1080 edge_conditions-7680x4320 peers

# --- What there is to make --------------------------------------------------------------------------

program = $(firstword $($(1)))
widths = $(subst $(comma), ,$(word 2,$($(1))))
arguments = $(wordlist 3,99,$($(1)))
executable = $(if $(findstring /,$(program)),$(program),$(PROGRAMS)/$(program))
# Pieces are named by their filter width, in two digits so that they sort.
pieces = $(foreach width,$(subst -,once,$(widths)),$(HERE)/$(1)/$(if $(filter 1 2 3 4 5 6 7 8 9,$(width)),0)$(width).csv)
# The kernel files that a program reads, with those for the device's ceilings. Part II reads the files of several steps.
part_2_files := step1_naive/convolution.cl step4_invariants/convolution.cl $(wildcard step[789]_*/*.cl step1[0-9]_*/*.cl)
kernel_files = $(wildcard $(program)/*.cl) $(if $(filter median_%,$(program)),median/median.cl) \
  $(if $(filter pipeline,$(program)),step1_naive/convolution.cl) $(if $(filter step%,$(program)),roofline/roofline.cl) \
  $(if $(filter step7% step8% step9% step10% convolution_peers plots/%,$(program)),$(part_2_files))

# What a library is needed for is built only where the library was found.
missing := $(foreach name,$(filter median_opencv median_npp peers,$(long)),\
  $(if $(wildcard $(call executable,$(name))),,$(name)))
measured := ladder-1 ladder-2 $(if $(filter all,$(EXTENT)),$(filter-out $(missing),$(long)))
tables := ladder search $(filter-out ladder-%,$(measured)) $(if $(filter all,$(EXTENT)),model)
$(if $(filter all,$(EXTENT)),$(foreach name,$(missing),$(info Not measured: $(name).csv$(comma) because $(call \
  program,$(name)) was not built: it needs a library that was not found (see peers/README.md).)))

all: $(tables:%=$(HERE)/%.csv)

# --- A piece: written beside its place, and renamed if the program succeeded ---------------------------

# Exit status 2 says that a kernel was wrong; the rows of the others count, and the table tells of it each time.
width = $(patsubst 0%,%,$(basename $(@F)))
winners = $(if $(filter ladder-2,$(1)),--winners $(@:.csv=.search))
define measure
@echo 'piece $(1)$(if $(filter once,$(width)),,$(comma) $(width) x $(width))'
@mkdir -p $(@D) && rm -f $@.wrong $(@:.csv=.search)
@status=0; $(executable) $(arguments) $(if $(filter once,$(width)),,--filter-width $(width)) $(winners) \
    --csv $@.part > $@.log 2>&1 || status=$$?; \
  if ((status == 2)); then cp $@.log $@.wrong; fi; \
  if ((status == 0 || status == 2)) && mv $@.part $@; then exit 0; fi; \
  { echo "$(1)$(if $(filter once,$(width)),,$(comma) $(width) x $(width)): exit status $$status"; cat $@.log; } >&2; \
  echo $(table) >> $(HERE)/failed; rm -f $(HERE)/$(table).csv; exit 1
endef
table = $(if $(filter ladder-%,$(1)),ladder,$(1))

define piece_rule
$(1).needs := $(executable) $(kernel_files) $(if $(filter ladder-%,$(1)),$(wildcard $(ARGS)))
$(pieces): $$($(1).needs)
	$$(call measure,$(1))
endef
$(foreach name,$(sort $(measured) $(if $(filter CPU,$(TYPE)),ladder-image)),$(eval $(call piece_rule,$(name))))

# --- A table: its pieces in one CSV -------------------------------------------------------------------

# All pieces that are up to date, those of an earlier `run --all` too; others wait there for the next one.
fresh = $$(find $(1:%=$(HERE)/%) -name '*.csv' $(addprefix -newer ,$($(1).needs)) 2> /dev/null | sort)
parts = $(if $(filter ladder,$*),ladder-1 ladder-2 $(if $(filter CPU,$(TYPE)),ladder-image),$*)
replace = if cmp -s $@.part $@; then rm $@.part; else mv $@.part $@; fi
$(HERE)/%.csv: FORCE
	@pieces="$(foreach part,$(parts),$(call fresh,$(part)))"; $(PROGRAMS)/report join $@.part $$pieces && $(replace) || exit 1; \
	for piece in $$pieces; do [[ ! -f $$piece.wrong ]] || { echo "In $$piece:"; cat $$piece.wrong; }; done >> $(HERE)/wrong
$(HERE)/search.csv: $(call pieces,ladder-2) FORCE
	@$(PROGRAMS)/report join $@.part $(subst | sort,| sed 's/csv$$/search/' | sort,$(call fresh,ladder-2)) && $(replace)
# What the third column of the roofline predicts for the ladder's kernels, from the X-ray's counts.
$(HERE)/model.csv: $(HERE)/ladder.csv $(PROGRAMS)/roofline plots/xray/ladder.csv
	@$(PROGRAMS)/roofline --results $< --xray plots/xray/ladder.csv --csv $@.part --filter-width \
	  $$(cut -d, -f2 plots/xray/ladder.csv | grep -x '[0-9]*' | sort -nu | paste -sd,) > /dev/null && mv $@.part $@

$(HERE)/ladder.csv: $(foreach name,$(filter ladder-%,$(measured)),$(call pieces,$(name)))
$(foreach name,$(filter-out ladder-%,$(measured)),$(eval $(HERE)/$(name).csv: $(call pieces,$(name))))
