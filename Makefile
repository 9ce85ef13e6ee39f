# One build file for everything. `make help` lists the targets.
#
#   V=release (default) | debug | asan | tsan | cov | fuzz | tiny     how to build; each in build/$V
#   CC=gcc (default) | clang-19                                       a clang build goes to build/$V-clang
#   prefix, DESTDIR                                                   where `make install` puts things
V       ?= release
ifeq ($(origin CC),default)
CC      := gcc
endif
ifeq ($(V),fuzz)
CC      := clang-19
endif
prefix  ?= /usr/local
CLANG   ?= 19
VERSION := $(shell cat VERSION)
B       := build/$(V)$(if $(and $(findstring clang,$(CC)),$(filter-out fuzz,$(V))),-clang)

# ---- flags ----------------------------------------------------------------------------------------------------
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
ifeq ($(CFLAGS_$(V)),)
$(error V=$(V) is not a variant: use release, debug, asan, tsan, cov, fuzz or tiny)
endif
ALL_CFLAGS := $(BASE_CFLAGS) $(CFLAGS_$(V)) $(CFLAGS)
ALL_LDFLAGS := $(ALL_CFLAGS) $(LDFLAGS)
LIBS := -lgmp -lxxhash -ljansson -ledit -lpcre2-8 -ldw -lelf -lz -lm

# ---- rooms ----------------------------------------------------------------------------------------------------
# Each room is a directory of src/ and a static library; tools/layers.txt says which others it may use.
ROOMS := base dist report capture tap history client pluscal syntax sem value model trace ir eval cgen check graph tour tracee world run explore map dwarf lang observe sketch decode conform monitor suite rank view gpu job option tlc examine pool play drive follow browse ci api cli
# Libraries to link for a test of a room: the room and all that it uses, users first.
LINK_base   := base
LINK_dist   := dist base
LINK_report := report base
LINK_capture := capture base
LINK_tap    := tap capture base
LINK_history := history base
LINK_client := client base
LINK_pluscal := pluscal base
LINK_syntax := syntax base
LINK_sem    := sem syntax base
LINK_value  := value base
LINK_model  := model value base
LINK_trace  := trace value base
LINK_ir     := ir value base
LINK_eval   := eval ir sem syntax model trace value base
LINK_cgen   := cgen eval ir sem syntax model trace value base
LINK_diff   := cgen eval ir check sem syntax model trace value dist base
LINK_check  := check model trace value dist base
LINK_graph  := graph check model trace value dist base
LINK_tour   := tour graph check model trace value dist base
LINK_tracee := tracee base
LINK_world  := world tracee base
LINK_run    := run history client dwarf capture world tracee base
LINK_explore := explore run history client dwarf capture world tracee base
LINK_dwarf  := dwarf base
LINK_lang   := lang dwarf base
LINK_rank   := rank job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_map    := map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_observe := observe lang map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_sketch := sketch observe lang map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_decode := decode map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_conform := conform observe lang decode map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_monitor := monitor decode map run history client dwarf capture world tracee eval ir sem syntax model trace value base
LINK_suite  := suite tour graph check conform observe lang decode map run history client dwarf capture world tracee eval ir sem syntax model trace value dist base
LINK_view   := view graph check report history model trace value dist base
LINK_gpu    := gpu cgen eval ir sem syntax check model trace value dist base
LINK_job    := job gpu report pluscal cgen eval ir sem syntax check model trace value dist base
LINK_examine := examine job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_pool   := pool base
LINK_play   := play explore observe lang map run history client dwarf capture world tracee pool report option eval ir sem syntax model trace value base
LINK_drive  := drive play suite tour graph conform explore observe lang decode map run history client dwarf capture world tracee pool job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_option := option base
LINK_ci     := ci job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_tlc    := tlc job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_api    := api drive play suite tour graph conform explore observe lang decode map run history client dwarf capture world tracee pool job gpu report option pluscal cgen eval ir sem syntax check model trace value dist base
LINK_cli    := cli ci follow browse examine tlc drive play pool view tap monitor explore rank job gpu report option pluscal suite tour graph conform decode sketch observe lang map run history client dwarf capture world tracee cgen eval ir check sem syntax model trace value dist base

define ROOM
SRC_$(1) := $$(wildcard src/$(1)/*.c)
OBJ_$(1) := $$(patsubst src/%.c,$$(B)/obj/%.o,$$(filter-out src/cli/main.c,$$(SRC_$(1)))) $$(GEN_OBJ_$(1))
$$(B)/lib$(1).a: $$(OBJ_$(1)) ; @mkdir -p $$(@D); rm -f $$@.new; ar rcs $$@.new $$^ && mv $$@.new $$@
TEST_SRC_$(1) := $$(wildcard test/unit/$(1)_*_test.c)
TESTS_$(1) := $$(TEST_SRC_$(1):test/unit/%.c=$$(B)/test/%)
$$(TESTS_$(1)): $$(B)/test/%: $$(B)/testobj/%.o $$(LINK_$(1):%=$$(B)/lib%.a)
	@mkdir -p $$(@D)
	$$(CC) $$(ALL_LDFLAGS) -o $$@ $$^ $$(LIBS)
endef
GEN_OBJ_eval := $(B)/obj/eval/modules_gen.o
GEN_OBJ_view := $(B)/obj/view/assets_gen.o
GEN_OBJ_gpu := $(B)/obj/gpu/kernel_gen.o
$(foreach r,$(ROOMS),$(eval $(call ROOM,$(r))))
TESTS := $(foreach r,$(ROOMS),$(TESTS_$(r)))
FUZZERS := $(patsubst test/fuzz/%.c,$(B)/fuzz/%,$(wildcard test/fuzz/fuzz_*.c))

all: assay
.DEFAULT_GOAL := all
assay: $(B)/assay ; @[ $(V) != release ] || cp -f $< $@
$(B)/assay: $(B)/obj/cli/main.o $(LINK_cli:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(B)/obj/%.o: src/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/testobj/%.o: test/unit/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -Itest -MMD -MP -c -o $@ $<
# Objects of a program may be in a library, too, where they name no variable of others (environ, stderr): these do.
$(B)/obj/base/env.o $(B)/obj/base/assert.o: ALL_CFLAGS += -fPIC
# The library: what its header declares, and nothing else.
SONAME := libassay.so.$(firstword $(subst ., ,$(VERSION)))
lib: $(B)/$(SONAME)
$(B)/obj/api/%.o: ALL_CFLAGS += -fPIC
$(B)/$(SONAME): $(LINK_api:%=$(B)/lib%.a) src/api/exports.map
	$(CC) $(ALL_LDFLAGS) -shared -o $@ -Wl,-soname,$(SONAME) -Wl,--version-script=src/api/exports.map -Wl,-z,defs \
	    -Wl,--whole-archive $(B)/libapi.a -Wl,--no-whole-archive $(filter-out $(B)/libapi.a src/%,$^) $(filter-out -ledit,$(LIBS))
# For Python: the same declarations, and what makes objects of them.
python: $(B)/python/assay/_header.py $(B)/python/assay/__init__.py
$(B)/python/assay/__init__.py: python/assay/__init__.py ; @mkdir -p $(@D); cp $< $@
$(B)/python/assay/_header.py: src/api/assay.h tools/python-header Makefile
	@mkdir -p $(@D)
	tools/python-header $(SONAME) <$< >$@
# Accepts the interface that the library has now; the difference is read (tools/abi compare).
abi: lib ; tools/abi dump $(B)/$(SONAME) >src/api/libassay.abi.new && mv src/api/libassay.abi.new src/api/libassay.abi
# Several processes by MPI: a plug-in that the program opens under mpirun. libopenmpi-dev: tools/install-deps mpi.
MPICC ?= mpicc
mpi: $(B)/libassay-mpi.so ; @[ $(V) != release ] || cp -f $< .
$(B)/libassay-mpi.so: src/dist/mpi/plugin.c src/dist/transport.h
	@mkdir -p $(@D)
	@command -v $(MPICC) >/dev/null || { echo "$(MPICC) is missing: run tools/install-deps mpi" >&2; exit 1; }
	OMPI_CC=gcc $(MPICC) -std=gnu17 -D_GNU_SOURCE -O2 -fPIC -shared -Wall -Wextra -Werror -o $@ $<
-include $(shell find $(B) -name '*.d' 2>/dev/null)

# Objects are built again when the flags change.
FLAGS_NOW := $(CC) $(ALL_CFLAGS)
ifneq ($(FLAGS_NOW),$(file <$(B)/flags))
$(shell mkdir -p $(B); rm -f $(B)/flags)
endif
$(B)/flags: | $(B)/libraries ; @mkdir -p $(@D); $(file >$@,$(FLAGS_NOW))
# Without a library the first file that needs it would fail in the middle of the build.
HEADERS := gmp.h xxhash.h jansson.h editline/readline.h pcre2.h elfutils/libdw.h libelf.h zlib.h
$(B)/libraries:
	@mkdir -p $(@D)
	@printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <stdio.h>\n$(HEADERS:%=#include <%>\n)int main(void) { return 0; }\n' >$@.c
	@$(CC) -D_GNU_SOURCE -o $@.out $@.c $(LIBS) >$@.log 2>&1 || { \
	    sed -n '/error:/p;/cannot find/p' $@.log | head -n 3; \
	    echo "A compiler ($(CC)) and some libraries are needed, and something is missing: run tools/install-deps"; exit 1; } >&2
	@rm -f $@.c $@.out $@.log; touch $@

# The TLA+ modules that are part of the program. The directory is a prerequisite for files that went away.
MODULES := $(sort $(wildcard src/eval/modules/*.tla) $(wildcard specs/modules/*.tla))
$(B)/gen/modules_gen.c: tools/embed-modules $(wildcard src/eval/modules specs/modules) $(MODULES)
	@mkdir -p $(@D)
	tools/embed-modules $(MODULES) >$@.tmp && mv $@.tmp $@
$(B)/obj/eval/modules_gen.o: $(B)/gen/modules_gen.c src/eval/builtin_modules.h $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What follows the code of a specification in the text that is compiled for a GPU.
$(B)/gen/kernel_gen.c: tools/embed-kernel src/gpu/launch.h src/gpu/device/kernel.c
	@mkdir -p $(@D)
	tools/embed-kernel src/gpu/launch.h src/gpu/device/kernel.c >$@.tmp && mv $@.tmp $@
$(B)/obj/gpu/kernel_gen.o: $(B)/gen/kernel_gen.c src/gpu/source.h $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The front end of `assay view`: modules in the order in which they use each other.
WEB := src/view/web/style.css src/view/web/body.html $(patsubst %,src/view/web/%.js,dom value trace run rank pages watch app)
$(B)/gen/assets_gen.c: tools/embed-web $(WEB)
	@mkdir -p $(@D)
	tools/embed-web $(WEB) >$@.tmp && mv $@.tmp $@
$(B)/obj/view/assets_gen.o: $(B)/gen/assets_gen.c src/view/assets.h $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

room-%: $(B)/lib%.a ; @true
test-%: ; @$(MAKE) --no-print-directory $(TESTS_$*) && for t in $(TESTS_$*); do $$t || exit 1; done
unit-tests: $(TESTS)

# ---- fuzzing --------------------------------------------------------------------------------------------------
# With V=fuzz a target is linked to libFuzzer; in the other variants to test/fuzz/replay.c, which runs it on files.
ifeq ($(V),fuzz)
FUZZ_MAIN := -fsanitize=fuzzer
else
FUZZ_MAIN := $(B)/fuzzobj/replay.o
$(FUZZERS): $(B)/fuzzobj/replay.o
endif
$(B)/fuzzobj/%.o: test/fuzz/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(FUZZERS): $(B)/fuzz/%: $(B)/fuzzobj/%.o $(LINK_cli:%=$(B)/lib%.a)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $(B)/fuzzobj/$*.o $(FUZZ_MAIN) $(LINK_cli:%=$(B)/lib%.a) $(LIBS)
fuzzers: $(FUZZERS)
fuzz: ; $(MAKE) V=fuzz fuzzers
FUZZ_SECONDS ?= 20
fuzz-smoke: fuzz ; tools/fuzz-smoke $(FUZZ_SECONDS)

# ---- programs of test/run-dwarf ------------------------------------------------------------------------------
DWARF_TOOLS := $(B)/dwarf_peek $(B)/dwarf_damage
$(B)/dwarfobj/%.o: test/dwarf/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(DWARF_TOOLS): $(B)/dwarf_%: $(B)/dwarfobj/%.o $(LINK_dwarf:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
dwarf-tools: $(DWARF_TOOLS)

# ---- the program of test/run-lang ----------------------------------------------------------------------------
$(B)/langobj/%.o: test/lang/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/lang_peek: $(B)/langobj/peek.o $(LINK_lang:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
lang-tools: $(B)/lang_peek

# ---- programs of test/run-explore -----------------------------------------------------------------------------
EXPLORE_SYSTEMS := $(patsubst %,$(B)/explore/%,accumulator dial ring paxos shared claim late cell shop) \
                   $(patsubst test/explore/systems/%,$(B)/explore/%,$(wildcard test/explore/systems/*.toml))
$(B)/explore/%.toml: test/explore/systems/%.toml ; @mkdir -p $(@D); cp $< $@
$(B)/explore/%: test/explore/systems/%.c test/explore/systems/peer.c test/explore/systems/peer.h
	@mkdir -p $(@D)
	$(CC) -std=c17 -D_GNU_SOURCE -O1 -g -Wall -Wextra -pthread -Wl,-z,now -o $@ $(filter %.c,$^)
$(B)/exploreobj/%.o: test/explore/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/explore_count: $(B)/exploreobj/count.o $(LINK_run:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
explore-systems: $(EXPLORE_SYSTEMS) $(B)/explore_count

# ---- one engine against another -------------------------------------------------------------------------------
# The interpreter against compiled code, on random specifications: N comparisons.
N ?= 1000000
SEED ?= 1
COUNT ?= 100
$(B)/diffobj/%.o: test/diff/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/diff/tier_diff: $(patsubst %,$(B)/diffobj/%.o,tier_diff tier_gen tier_expr tier_forms) $(LINK_diff:%=$(B)/lib%.a)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
$(B)/diff/tier_rows $(B)/diff/emit_fuzz: $(B)/diff/%: $(B)/diffobj/%.o $(patsubst %,$(B)/diffobj/%.o,tier_load tier_gen tier_expr tier_forms) $(LINK_diff:%=$(B)/lib%.a)
	@mkdir -p $(@D)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
diffs: $(B)/diff/tier_diff $(B)/diff/tier_rows $(B)/diff/emit_fuzz
search-diff: diffs assay ; B=$(B) test/diff/search-diff $(COUNT) $(SEED)
# The same on many small specifications, in batches of new seeds, until N cases are done; then whole searches.
fuzz-tiers: diffs assay
	@mkdir -p $(B)/diff/out
	$(B)/diff/tier_diff --small --cases=$(N) --seed=$(SEED) --cc=test/diff/cc-fast --out=$(B)/diff/out
	B=$(B) test/diff/tier-small --seed $(SEED) --rounds 10 --keep $(B)/diff/out
# The emitter on random trees, with sanitizers: COUNT specifications from SEED on, 50 trees of each.
fuzz-emit: ; $(MAKE) V=asan build/asan/diff/emit_fuzz && mkdir -p build/asan/diff/out && \
	build/asan/diff/emit_fuzz --specs=$(COUNT) --seed=$(SEED) --out=build/asan/diff/out
tier-diff: diffs ; @mkdir -p $(B)/diff/out; $(B)/diff/tier_diff --cases=$(N) --seed=$(SEED) --cc=test/diff/cc-fast --out=$(B)/diff/out

# ---- examples -------------------------------------------------------------------------------------------------
# raftkv, once as it should be and once with each of its defects.
EX := $(B)/examples/raftkv
RAFTKV_SRC := $(addprefix examples/raftkv/,server.c raft.c store.c kv.c wire.c address.c)
RAFTKV_DEFECTS := double_vote term_not_saved stale_vote old_term_commit match_back local_read
# Those of Lee and Levchenko's paper, which the specification does not know.
RAFTKV_MORE := in_place early_read unchecked_vote
RAFTKV_CC = @mkdir -p $(@D); $(CC) -std=gnu17 -D_GNU_SOURCE -g -O1 $(WARN)
$(EX)/raftkv: $(RAFTKV_SRC) examples/raftkv/raftkv.h ; $(RAFTKV_CC) -o $@ $(RAFTKV_SRC)
$(EX)/raftkv-client: $(addprefix examples/raftkv/,client.c wire.c address.c raftkv.h)
	$(RAFTKV_CC) -o $@ $(filter %.c,$^)
$(EX)/raftkv-%: $(RAFTKV_SRC) examples/raftkv/raftkv.h
	$(RAFTKV_CC) -DDEFECT_$(shell echo $* | tr a-z A-Z)=1 -o $@ $(RAFTKV_SRC)
# Clusters for conform and confirm, next to the programs: four nodes where three do not show the defect.
RAFTKV_CLUSTERS := raftkv raftkv4 $(RAFTKV_DEFECTS)
RAFTKV_PROGRAM = raftkv$(if $(filter raftkv%,$*),,-$*)
RAFTKV_NODES = $(if $(filter raftkv4 double_vote,$*),4,3)
RAFTKV_LIST = $(foreach i,$(wordlist 1,$(RAFTKV_NODES),1 2 3 4),, "n$(i):7000")
$(EX)/%.toml: examples/raftkv/nodes.toml.in Makefile
	@mkdir -p $(@D)
	@sed 's/@PROGRAM@/$(RAFTKV_PROGRAM)/; s/@COUNT@/$(RAFTKV_NODES)/; s/@NODES@/$(strip $(RAFTKV_LIST))/' $< >$@
examples: $(EX)/raftkv $(EX)/raftkv-client $(RAFTKV_DEFECTS:%=$(EX)/raftkv-%) $(RAFTKV_MORE:%=$(EX)/raftkv-%) $(RAFTKV_CLUSTERS:%=$(EX)/%.toml)
# Mutants for `assay test --mutants`: the sources with one patch each, and a cluster of it. COVERAGE=1: they count what they execute.
RAFTKV_MUTANTS := $(basename $(notdir $(wildcard examples/raftkv/mutants/*.patch)))
$(EX)/mutants/raftkv-%: examples/raftkv/mutants/%.patch $(RAFTKV_SRC) examples/raftkv/raftkv.h
	@rm -rf $@.src; mkdir -p $@.src; cp $(RAFTKV_SRC) examples/raftkv/raftkv.h $@.src; patch -s -d $@.src -p1 <$<
	$(RAFTKV_CC) $(if $(COVERAGE),--coverage -fprofile-abs-path) -o $@ $@.src/*.c
$(EX)/mutants/%.toml: examples/raftkv/nodes.toml.in $(EX)/mutants/raftkv-%
	@sed 's/@PROGRAM@/raftkv-$*/; s/@COUNT@/3/; s/@NODES@/, "n1:7000", "n2:7000", "n3:7000"/' $< >$@
	@cp examples/raftkv/mutants/$*.patch $(@D)
.SECONDARY: $(RAFTKV_MUTANTS:%=$(EX)/mutants/raftkv-%)
examples-mutants: $(RAFTKV_MUTANTS:%=$(EX)/mutants/%.toml)
# A node on libraft, where libraft-dev is installed.
LIBRAFT_SRC := examples/libraft/node.c $(addprefix examples/raftkv/,server.c wire.c address.c)
$(B)/examples/libraft/node: $(LIBRAFT_SRC) examples/raftkv/raftkv.h ; $(RAFTKV_CC) -o $@ $(LIBRAFT_SRC) -lraft
ifneq ($(wildcard /usr/include/raft.h),)
examples: $(B)/examples/libraft/node
endif
# A defect found in the specification and confirmed on processes.
demo: assay examples ; examples/raftkv/demo

# ---- tests ----------------------------------------------------------------------------------------------------
test-programs: assay $(if $(filter release,$(V)),lib python) unit-tests fuzzers diffs dwarf-tools lang-tools explore-systems examples
test: test-programs ; B=$(B) tools/run-tests
# Reductions against full searches: more than `make test` does. SEEDS random specifications, and the models of bench/models.
reductions: assay ; B=$(B) test/run-reductions bundled bench random --seeds $(or $(SEEDS),2000)
# On the GPU that is there: the same text as on the CPU for all bundled models; the table of docs/GPU.md.
test-gpu: assay ; B=$(B) test/run-gpu --device --all
bench-gpu: assay ; B=$(B) tools/bench-gpu $(MODELS)
# Mistakes put into copies of the sources: does a test notice? N of them, ROOMS="a b", BUDGET seconds; see docs/TESTING.md.
given = $(if $(filter command line environment,$(origin $1)),$($1))
mutants: ; tools/mutants run -n $(or $(call given,N),50) --seed $(SEED) --rooms "$(call given,ROOMS)" --budget $(or $(BUDGET),0)
bless: assay ; B=$(B) BLESS=1 test/run-golden && B=$(B) BLESS=1 test/run-eval | grep -v '^ok'; true
check: lint
	$(MAKE) V=debug test
	$(MAKE) V=asan test
	$(MAKE) V=tiny test
world: check
	$(MAKE) V=tsan test
	$(MAKE) CC=clang-$(CLANG) V=debug test
	$(MAKE) coverage
	$(MAKE) fuzz-smoke
	$(MAKE) test-diff
coverage: ; $(MAKE) V=cov test; tools/coverage build/cov
test-diff: assay ; B=$(B) test/run-tlc-diff

# ---- benchmarks -----------------------------------------------------------------------------------------------
# The checker alone, on a model in C: 10^8 states with one and with two workers.
$(B)/bench/%.o: bench/%.c $(B)/flags ; @mkdir -p $(@D); $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/check_bench: $(B)/bench/check_bench.o $(LINK_check:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
$(B)/observe_bench: $(B)/bench/observe_bench.o $(LINK_observe:%=$(B)/lib%.a) ; $(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)
# Defects of raftkv by the strategies of `assay explore`.
# Plans over state graphs: cases, actions, restores, seconds. DOT="FILE...": graphs of others.
bench-tour: assay ; B=$(B) tools/bench-tour $(if $(QUICK),--quick) $(DOT)
bench-explore: assay examples ; B=$(B) tools/bench-explore
# Invariants over observed variables: what they cost after each event.
bench-observe: $(B)/observe_bench examples ; $< examples/raftkv/cluster.toml
bench-check: $(B)/check_bench ; $< -w 1 && $< -w 2
# The models of bench/models, and TLC and Spin beside them: see tools/bench. QUICK=1: small ones; BENCH: more options.
# Ten equal runs and 100 seeds with faults for each cluster of test/engine: SEEDS, VERIFY. It takes long.
test-clusters: assay ; B=$(B) nice tools/test-clusters
# Ten equal runs of each of the programs that were tried, then the runs that begin from the boot cache: VERIFY, LOAD.
try-programs: assay ; B=$(B) tools/test-programs && B=$(B) tools/test-programs boot
# The engine on the clusters of test/engine/ladder and test/engine/cluster.
bench-engine: assay ; B=$(B) tools/bench-engine
# Conformance traces of the mappings in examples/.
bench-conform: assay examples ; B=$(B) tools/bench-conform $(if $(QUICK),--quick)
bench-start: assay ; tools/bench-start
# One process and as many ranks as RANKS says: MODELS, RUNS.
bench-mpi: assay mpi ; tools/bench-mpi
bench: assay examples
	tools/bench $(if $(QUICK),--quick) $(BENCH)
	tools/bench-start --json build/bench-start.json
	B=$(B) tools/bench-conform $(if $(QUICK),--quick)
	B=$(B) tools/bench-engine

# ---- gates ----------------------------------------------------------------------------------------------------
C_FILES := $(wildcard src/*/*.[ch] examples/*/*.[ch] test/*.h test/unit/*.c test/fuzz/*.c test/diff/*.[ch] test/dwarf/peek.c test/dwarf/damage.c test/explore/*.c test/explore/systems/*.[ch])
lint: lint-format lint-layers lint-symbols lint-tidy lint-text
lint-format: ; clang-format-$(CLANG) --dry-run -Werror $(C_FILES)
format: ; clang-format-$(CLANG) -i $(C_FILES)
lint-layers: ; awk -f tools/layers.awk tools/layers.txt $(wildcard src/*/*.[ch])
lint-symbols: $(ROOMS:%=$(B)/lib%.a) ; tools/check-symbols $(B)
lint-text: ; tools/check-text
TIDY := $(patsubst src/%.c,$(B)/tidy/%.ok,$(wildcard src/*/*.c))
$(B)/tidy/%.ok: src/%.c .clang-tidy
	@mkdir -p $(@D)
	clang-tidy-$(CLANG) --quiet $< -- $(filter-out -Werror,$(BASE_CFLAGS))
	@touch $@
lint-tidy: $(TIDY)

# ---- documents, installation, packages ------------------------------------------------------------------------
# The manual page and the completions are written from the program's own table of commands and options.
MAN := build/man/assay.1
COMPLETIONS := $(addprefix build/completions/,assay.bash _assay assay.fish)
man: $(MAN)
completions: $(COMPLETIONS)
build/man/%.1: docs/man/%.1.scd $(B)/assay ; @mkdir -p $(@D); $(B)/assay help --generate man <$< | scdoc >$@
SHELL_assay.bash := bash
SHELL__assay := zsh
SHELL_assay.fish := fish
$(COMPLETIONS): build/completions/%: $(B)/assay ; @mkdir -p $(@D); $(B)/assay help --generate $(SHELL_$*) >$@
I := $(DESTDIR)$(prefix)
# Where the zsh of Debian looks: packages have a directory of their own.
ZSH_DIR := $(if $(filter /usr,$(prefix)),share/zsh/vendor-completions,share/zsh/site-functions)
# Where Python looks: packages of Debian have a directory of their own.
PYTHON_DIR ?= $(I)/lib/$(if $(filter /usr,$(prefix)),python3,$(shell python3 -c 'import sys; print("python%d.%d" % sys.version_info[:2])' 2>/dev/null || echo python3))/dist-packages
install: assay lib python $(MAN) $(COMPLETIONS)
	install -Dm755 assay $(I)/bin/assay
	install -Dm755 $(B)/$(SONAME) $(I)/lib/libassay.so.$(VERSION)
	ln -sf libassay.so.$(VERSION) $(I)/lib/$(SONAME)
	ln -sf $(SONAME) $(I)/lib/libassay.so
	install -Dm644 src/api/assay.h $(I)/include/assay.h
	install -d $(I)/lib/pkgconfig $(PYTHON_DIR)/assay
	sed 's#@PREFIX@#$(prefix)#; s#@VERSION@#$(VERSION)#' packaging/assay.pc.in >$(I)/lib/pkgconfig/assay.pc
	install -m644 $(B)/python/assay/*.py $(PYTHON_DIR)/assay
	ln -sf assay $(I)/bin/tlc
	install -Dm755 packaging/java $(I)/lib/assay/jre/bin/java
	install -Dm644 $(MAN) $(I)/share/man/man1/assay.1
	install -Dm644 build/completions/assay.bash $(I)/share/bash-completion/completions/assay
	install -Dm644 build/completions/_assay $(I)/$(ZSH_DIR)/_assay
	install -Dm644 build/completions/assay.fish $(I)/share/fish/vendor_completions.d/assay.fish
	install -d $(I)/share/assay $(I)/share/doc/assay
	cp -r specs $(I)/share/assay/
	tools/install-docs $(I)/share/doc/assay
	[ ! -f libassay-mpi.so ] || install -Dm755 libassay-mpi.so $(I)/lib/assay/libassay-mpi.so
uninstall:
	rm -f $(I)/bin/assay $(I)/bin/tlc $(I)/share/man/man1/assay.1 $(I)/$(ZSH_DIR)/_assay
	rm -f $(I)/share/bash-completion/completions/assay $(I)/share/fish/vendor_completions.d/assay.fish
	rm -f $(I)/lib/libassay.so $(I)/lib/$(SONAME) $(I)/lib/libassay.so.$(VERSION) $(I)/include/assay.h $(I)/lib/pkgconfig/assay.pc
	rm -rf $(I)/lib/assay $(I)/share/assay $(I)/share/doc/assay $(PYTHON_DIR)/assay
deb: assay $(MAN) ; packaging/build-deb $(VERSION)

clean: ; rm -rf build assay
help:
	@echo 'make                  the optimised program, ./assay'
	@echo 'make mpi              the plug-in for several machines, ./libassay-mpi.so: docs/MPI.md'
	@echo 'make lib python       libassay and its package for Python: docs/LIBRARY.md; make abi: accept a changed interface'
	@echo 'make test             all tests, on a build in build/$$V (V=release unless given)'
	@echo 'make check            lint, then the tests under V=debug, asan and tiny'
	@echo 'make world            check, and also tsan, clang, coverage, fuzzing, and TLC itself if it is here'
	@echo 'make room-X test-X    build one room (base syntax sem value model trace eval check graph tour tracee world run history client map dwarf conform suite rank cli), run its unit tests'
	@echo 'make demo             a defect of raftkv, found in its specification and confirmed on processes'
	@echo 'make examples         the programs of examples/, in build/$$V/examples'
	@echo 'make bless            accept what the golden tests print, and what wrong expressions say, now'
	@echo 'make lint format      the gates; put the sources into shape'
	@echo 'make fuzz fuzz-smoke  build the fuzzers; run each for FUZZ_SECONDS (20)'
	@echo 'make test-gpu bench-gpu   on the GPU that is there: all bundled models as on the CPU; the table of docs/GPU.md'
	@echo 'make reductions       --aux and --por against full searches: bundled models and SEEDS=2000 random ones'
	@echo 'make tier-diff        interpreter against compiled code on random specifications: N=1000000 comparisons, SEED=1'
	@echo 'make fuzz-emit        the emitter of compiled code on random trees, with sanitizers: COUNT=100 specifications, SEED=1'
	@echo 'make fuzz-tiers       the same on many small specifications, then whole searches with every operator: N=1000000, SEED=1'
	@echo 'make search-diff      whole searches of small random specifications in both tiers; TLC=COMMAND: and by TLC; COUNT=100, SEED=1'
	@echo 'make test-clusters    the engine on clusters of programs that are installed: SEEDS=100 seeds with faults each (long)'
	@echo 'make try-programs     programs of others under the engine, VERIFY=10 equal runs each, and the boot cache (tools/test-programs install gets them)'
	@echo 'make bench-engine     speed of the engine on clusters of programs that are installed'
	@echo 'make bench-conform    milliseconds for a conformance trace, on the examples that run here'
	@echo 'make bench-start      milliseconds until the first state; what a changed constant costs'
	@echo 'make mutants          one-line mistakes in copies of the sources, and whether a test notices: N=50, SEED=1, ROOMS="a b", BUDGET=seconds'
	@echo 'make bench            times of the benchmark suite, beside TLC (TLC_JAR=...) and Spin; QUICK=1: small models'
	@echo 'make man completions  the manual page and the completions of shells, in build/'
	@echo 'make install          under DESTDIR and prefix (/usr/local); make uninstall: the opposite'
	@echo 'make deb              a Debian package in build/'
	@echo 'make clean            remove all that was built'
	@echo 'Variants: V=release|debug|asan|tsan|cov|fuzz|tiny, CC=gcc|clang-19'
.PHONY: lib python abi fuzz-emit completions demo explore-systems test-gpu bench-gpu bench-observe bench-explore bench-start bench-conform examples examples-mutants dwarf-tools reductions bench bench-engine test-clusters try-programs bench-check all assay test unit-tests fuzzers diffs tier-diff fuzz-tiers search-diff fuzz fuzz-smoke bless check world coverage test-diff lint \
        lint-format lint-layers lint-symbols lint-tidy lint-text format man install uninstall deb clean help
.SECONDARY:
