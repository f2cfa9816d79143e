# Read behind the makefile that mcconfig makes for Linux, whose linker, unlike that of the devices' makefiles, is not told what to strip
# (tools/mcconfig/make.x-cli-lin.mk of the SDK): without it no host would run what the chip runs.
CREATION += $(STRIPS)

$(TMP_DIR)/mc.xs.c: $(wildcard $(dir $(lastword $(MAKEFILE_LIST)))../scripts/shrink/heap/*.mjs)
