# Every chart whose data are there: DATA is the folder with the CSVs, OUT gets the pictures.
#     make -f plots/charts.mk DATA=results OUT=results/charts [OTHER=FOLDER] [CHART_FORMATS="svg png"]
# `make -f plots/charts.mk reference` draws those of plots/charts anew.
# OTHER, another device's results, adds a second panel to the ladder's chart and bars to that of 128-bit access.
DATA := results
OUT := $(DATA)/charts
CHART_FORMATS ?= svg
# Without a locale gnuplot complains about characters that it does not even draw.
export LC_ALL := C.UTF-8
SHELL := /bin/bash
MAKEFLAGS += --no-builtin-rules --no-print-directory
.PHONY: all
all:

# $(call chart,NAME,SCRIPT,NEEDED,OPTIONAL,SETTINGS): NEEDED and OPTIONAL are VARIABLE=CSV...; SETTINGS further variables.
there = $(foreach csv,$(1),$(if $(wildcard $(lastword $(subst =, ,$(csv)))),$(csv)))
chart = $(eval names += $(1))$(if $(filter-out $(call there,$(3)),$(3)),,$(eval \
  $(call rule,$(CHART_FORMATS:%=$(OUT)/$(1).%),$(2),$(3) $(call there,$(4)),$(5))))
define rule
all: $(1)
drawn += $(1)
$(1): $(foreach csv,$(3),$(lastword $(subst =, ,$(csv)))) $(wildcard plots/*.gp plots/published/*.csv) kernels.csv
	@mkdir -p $$(@D); status=0; \
	gnuplot -e "$(foreach csv,$(3),$(subst =,=',$(csv))';) $(4) out='$$(@D)/.$$(@F)'" plots/$(2).gp || status=$$$$?; \
	case $$$$status in \
	  0) mv $$(@D)/.$$(@F) $$@ && echo $$@ ;; \
	  3) rm -f $$(@D)/.$$(@F) $$@ ;; \
	  *) rm -f $$(@D)/.$$(@F); echo "gnuplot could not draw $$(@F)" >&2; exit 1 ;; \
	esac
endef

# --- The charts -------------------------------------------------------------------------------------

comma := ,
ladder := $(DATA)/ladder.csv
$(foreach step,step1 step2 step3 step4a step4b step5 baseline,$(call chart,$(step),steps,data=$(ladder),,chart='$(step)';))
# On a device that needs too long for all kernels, blocks.csv is a run of fewer of them on a larger image.
blocks := $(firstword $(wildcard $(DATA)/blocks.csv) $(ladder))
$(foreach step,step7 step8 step9,$(call chart,$(step),steps,data=$(blocks),ladder=$(ladder),chart='$(step)';))
$(foreach folder,$(shell sed -nE '2,$$s/^[^,]+,([a-z][a-z0-9_]*),.*/\1/p' kernels.csv | uniq),\
  $(call chart,$(folder),steps,data=$(DATA)/$(folder).csv,,chart='$(folder)';))
groups := data2=$(DATA)/work-group-16x16.csv data3=$(DATA)/work-group-32x8.csv
$(call chart,step5_work_group,step5_work_group,data=$(DATA)/work-group-16x16.csv data2=$(DATA)/work-group-32x8.csv)
# A part of chapter 7's chart: what unrolling gains (C7.3, C7.4).
$(call chart,step5_published,chapter7,data=$(DATA)/chapter7-600x400.csv $(groups),,headline='Step 5: gain by unrolling$(comma) 7 x 7 filter'; \
  versions='Convolve_Def_Local_Unroll Convolve_Def_Local_UnrollAll';)
$(call chart,step6,step6,data=$(ladder))
chapter7 := $(wildcard $(DATA)/chapter7-600x400.csv $(DATA)/chapter7-4096x4096.csv)
$(call chart,chapter7,chapter7,data=$(firstword $(chapter7) none),$(addprefix data2=,$(word 2,$(chapter7))))
$(call chart,ladder,ladder,data=$(ladder),data2=$(OTHER)/ladder.csv)
median := $(DATA)/median.csv
$(call chart,median,median,data=$(median),peers=$(DATA)/median_opencv.csv peers=$(DATA)/median_npp.csv)
$(call chart,median_access,median_access,data=$(firstword $(wildcard $(OTHER)/median.csv) $(median)),\
  $(if $(wildcard $(OTHER)/median.csv),data2=$(median)))
$(foreach name,median_work_group median_global_size,$(call \
  chart,$(name),median_curves,data=$(DATA)/median_work_groups.csv,,chart='$(name)';))
$(call chart,edge_conditions,edge_conditions,data=$(DATA)/edge_conditions-1920x1080.csv data2=$(DATA)/edge_conditions-7680x4320.csv)
$(call chart,peers,peers,data=$(DATA)/peers.csv)

# A chart whose data are gone is not left as if it were of these.
all:
	@rm -f $(filter-out $(drawn),$(foreach name,$(names),$(OUT)/$(name).svg $(OUT)/$(name).png))

# The charts of the reference devices, which the READMEs show.
.PHONY: reference
reference:
	@$(MAKE) -f plots/charts.mk DATA=plots/data/pocl-xeon OUT=plots/charts/pocl-xeon OTHER=plots/data/h200
	@$(MAKE) -f plots/charts.mk DATA=plots/data/h200 OUT=plots/charts/h200 OTHER=plots/data/pocl-xeon
