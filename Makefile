# One build file for everything. `make help` lists the targets.
#   V=release (default) | debug | asan | tsan | cov | fuzz | tiny      each builds in build/$V
V       ?= release
CC      ?= gcc
prefix  ?= /usr/local
VERSION := $(shell cat VERSION)
B       := build/$(V)

WARN := -Wall -Wextra -Wshadow -Wconversion -Wvla -Wmissing-prototypes -Wstrict-prototypes -Wwrite-strings \
        -Wformat=2 -Wundef -Werror
BASE_CFLAGS := -std=gnu17 -D_GNU_SOURCE -DASSAY_VERSION='"$(VERSION)"' -Isrc -g -pthread $(WARN)
CFLAGS_release := -O2 -fno-plt
CFLAGS_debug   := -O0 -DASSAY_DEBUG
CFLAGS_asan    := -O1 -DASSAY_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan    := -O1 -DASSAY_DEBUG -fsanitize=thread
CFLAGS_cov     := -O0 -DASSAY_DEBUG --coverage
CFLAGS_tiny    := -O0 -DASSAY_DEBUG -DASSAY_TINY
CFLAGS_fuzz    := -O1 -DASSAY_DEBUG -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all
ifeq ($(V),fuzz)
CC := clang-19
endif
ALL_CFLAGS := $(BASE_CFLAGS) $(CFLAGS_$(V)) $(CFLAGS)
LIBS := -lgmp -lxxhash -ljansson -lm

# Rooms, each a library; a room may use those before it that tools/layers.txt names.
ROOMS := base syntax sem value model trace eval check cli
# Libraries to link for a test of a room: the room and all that it uses, users first.
LINK_base   := base
LINK_syntax := syntax base
LINK_sem    := sem syntax base
LINK_value  := value base
LINK_model  := model value base
LINK_trace  := trace value base
LINK_eval   := eval sem syntax model trace value base
LINK_check  := check model trace value base
LINK_cli    := cli eval check sem syntax model trace value base

define ROOM
SRC_$(1) := $$(wildcard src/$(1)/*.c)
OBJ_$(1) := $$(SRC_$(1):src/%.c=$$(B)/obj/%.o)
$$(B)/lib$(1).a: $$(OBJ_$(1)) ; @mkdir -p $$(@D); rm -f $$@; ar rcs $$@ $$^
TEST_SRC_$(1) := $$(wildcard test/unit/$(1)_*_test.c)
TESTS_$(1) := $$(TEST_SRC_$(1):test/unit/%.c=$$(B)/test/%)
$$(TESTS_$(1)): $$(B)/test/%: $$(B)/testobj/%.o $$(LINK_$(1):%=$$(B)/lib%.a) ; @mkdir -p $$(@D); $$(CC) $$(ALL_CFLAGS) -o $$@ $$^ $$(LIBS)
endef
$(foreach r,$(ROOMS),$(eval $(call ROOM,$(r))))
TESTS := $(foreach r,$(ROOMS),$(TESTS_$(r)))

all: assay
assay: $(B)/assay ; cp -f $< $@
$(B)/assay: $(B)/obj/cli/main.o $(LINK_cli:%=$(B)/lib%.a) ; $(CC) $(ALL_CFLAGS) -o $@ $^ $(LIBS)

$(B)/obj/%.o: src/%.c ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/testobj/%.o: test/unit/%.c ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -Itest -MMD -MP -c -o $@ $<
-include $(shell find $(B) -name '*.d' 2>/dev/null)

room-%: $(B)/lib%.a ; @true
test-%: ; @$(MAKE) --no-print-directory $(TESTS_$*) && for t in $(TESTS_$*); do $$t || exit 1; done
.PHONY: all assay
.SECONDARY:
