# What the charts and the READMEs' tables show, as a build: each measurement is a CSV, each filter width of it a piece,
# which depends on its program and kernel files. plots/measure.sh calls this for one device, with
#   PROGRAMS, HERE  the folders of the programs and of this device's pieces
#   TYPE, EXTENT    CPU or GPU; short (the ladder at five widths, and the edges) or all
#   ARGS            arguments of the reader for the ladder's programs
#   WIDTH           the only one of the ladder, where those name a filter in a file; else empty
SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: all FORCE
all:

# --- The plan: NAME = PROGRAM WIDTHS ARGUMENTS, made of measurements.csv by measure.sh -----------------

comma := ,
all_widths := $(shell seq -s, 2 32)
short_widths := 3,4,7,16,19
widths_now := $($(EXTENT)_widths)
tiles := Convolve_Local:tight,Convolve_Local,Convolve_Def_Local_Unroll,Convolve_Def_Local_UnrollAll
tiles := $(tiles),Convolve_Local_Read4,Convolve_Local_Read4_UnrollAll
# On a CPU Convolve_Image takes ten times as long as Convolve, so `run --all` alone measures it, beside the others.
without_image := $(shell sed -nE '/^Convolve_Image,/d; s/^([^,]+),[1-6],.*/\1/p' kernels.csv | paste -sd,)
# The kernels of AMD's series, which a compiler of 2009 left more to do by hand.
amd := $(shell sed -nE '/^OpenMP|_Local/d; s/^([^,]+),[12346],.*/\1/p' kernels.csv | paste -sd,)
include $(HERE)/plan
# Steps of your own that have no row there: each a CSV with the name of its folder.
own_steps := $(filter-out $(plan),$(shell $(PROGRAMS)/report steps own))
$(foreach step,$(own_steps),$(eval $(step) = $(step) $(own)))
long := $(filter-out ladder-1 ladder-2 own,$(plan)) $(own_steps)

# --- What there is to make --------------------------------------------------------------------------

program = $(firstword $($(1)))
widths = $(or $(and $(filter ladder-%,$(1)),$(WIDTH)),$(subst $(comma), ,$(word 2,$($(1)))))
arguments = $(wordlist 3,99,$($(1)))
executable = $(if $(findstring /,$(program)),$(program),$(PROGRAMS)/$(program))
# Pieces are named by their filter width, in two digits so that they sort.
pieces = $(foreach width,$(subst -,once,$(widths)),$(HERE)/$(1)/$(if $(filter 1 2 3 4 5 6 7 8 9,$(width)),0)$(width).csv)
# The kernel files that a program reads, with those for the device's ceilings. Part II reads the files of several steps.
part_2_files := step1_naive/convolution.cl step4_invariants/convolution.cl $(wildcard step[789]_*/*.cl step1[0-9]_*/*.cl)
kernel_files = $(wildcard $(program)/*.cl studies/$(program)/*.cl background/$(program)/*.cl) $(if $(filter median_%,$(program)),median/median.cl) \
  $(if $(filter pipeline,$(program)),step1_naive/convolution.cl) $(if $(filter step%,$(program)),background/roofline/roofline.cl) \
  $(if $(filter step7% step8% step9% step10% convolution_peers plots/%,$(program)),$(part_2_files))

# What a library is needed for is built only where the library was found.
missing := $(foreach name,$(filter median_opencv median_npp peers,$(long)),\
  $(if $(wildcard $(call executable,$(name))),,$(name)))
measured := ladder-1 ladder-2 $(if $(filter all,$(EXTENT)),$(filter-out $(missing),$(long)),edge_conditions-1920x1080)
tables := ladder search $(filter-out ladder-%,$(measured)) $(if $(filter all,$(EXTENT)),model)
$(if $(filter all,$(EXTENT)),$(foreach name,$(missing),$(info Not measured: $(name).csv$(comma) because $(call \
  program,$(name)) was not built: it needs a library that was not found (see peers/README.md).)))

all: $(tables:%=$(HERE)/%.csv)

# --- A piece: written beside its place, and renamed if the program succeeded ---------------------------

# Exit status 2 says that a kernel was wrong; the rows of the others count, and the table tells of it each time.
width = $(patsubst 0%,%,$(basename $(@F)))
winners = $(if $(filter ladder-2,$(1)),--winners $(@:.csv=.search))
setting = $(if $(filter unoptimised,$(1)),TUTORIAL_BUILD_OPTIONS=-cl-opt-disable)
define measure
@echo 'piece $(1)$(if $(filter once,$(width)),,$(comma) $(width) x $(width))'
@mkdir -p $(@D) && rm -f $@.wrong $(@:.csv=.search)
@status=0; log=$$($(setting) $(executable) $(arguments) $(if $(filter once,$(width)),,--filter-width $(width)) $(winners) \
    --csv $@.part 2>&1) || status=$$?; \
  if ((status == 2)); then echo "$$log" > $@.wrong; fi; \
  if ((status == 0 || status == 2)) && mv $@.part $@; then exit 0; fi; \
  { echo "$(1)$(if $(filter once,$(width)),,$(comma) $(width) x $(width)): exit status $$status"; echo "$$log"; } >&2; \
  $(call give_up,$(table))
endef
table = $(if $(filter ladder-%,$(1)),ladder,$(1))
# What could not be made anew is not shown as new: measure.sh is told.
give_up = { echo 'failed $(stale:%=%.csv)'; rm -f $(stale:%=$(HERE)/%.csv); exit 1; }
stale = $(1) $(if $(filter ladder,$(1)),search model)

define piece_rule
$(1).needs := $(executable) $(kernel_files)
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
	@pieces="$(foreach part,$(parts),$(call fresh,$(part)))"; $(PROGRAMS)/report join $@.part $$pieces && $(replace) || $(call give_up,$*); \
	for piece in $$pieces; do [[ ! -f $$piece.wrong ]] || { echo "In $$piece:"; cat $$piece.wrong; }; done >> $(HERE)/wrong
$(HERE)/search.csv: $(call pieces,ladder-2) FORCE
	@$(PROGRAMS)/report join $@.part $(subst | sort,| sed 's/csv$$/search/' | sort,$(call fresh,ladder-2)) && $(replace) || $(call give_up,search)
# What the third column of the roofline predicts for the ladder's kernels, from the X-ray's counts.
$(HERE)/model.csv: $(HERE)/ladder.csv plots/xray/ladder.csv
	@$(PROGRAMS)/report model $@.part $^ > /dev/null && mv $@.part $@ || $(call give_up,model)

$(HERE)/ladder.csv: $(foreach name,$(filter ladder-%,$(measured)),$(call pieces,$(name)))
$(foreach name,$(filter-out ladder-%,$(measured)),$(eval $(HERE)/$(name).csv: $(call pieces,$(name))))
