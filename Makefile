# rtrack: the only build file. `make help` lists what it does.

# The last release, with the tag vBASE_VERSION. Other commits have a version of their own (packaging/version).
BASE_VERSION = 0.5.0
VERSION     := $(shell packaging/version $(BASE_VERSION))

# -- the machine that it is all for ----------------------------------------------------------------
# This one, or another: make ARCH=aarch64 (or x86_64) takes the tools and libraries of Debian's cross compilers. Programs
# that run while others are built are made by BUILD_CC.
BUILD_CC = gcc
HOST    := $(firstword $(subst -, ,$(shell { $(BUILD_CC) -dumpmachine || uname -m; } 2>/dev/null)))
# Only what the command line says counts: others mean something else by a variable ARCH of the environment.
ARCH     =
CROSS    = $(if $(filter-out $(HOST),$(ARCH)),$(ARCH)-linux-gnu-)
# make's own defaults are cc and ar.
ifeq ($(origin CC),default)
CC       = $(CROSS)gcc
endif
ifeq ($(origin AR),default)
AR       = $(CROSS)ar
endif
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
ARCH    := $(firstword $(subst -, ,$(MACHINE)))
ifneq ($(and $(MACHINE),$(filter-out $(firstword $(subst -, ,$(MACHINE))),$(ARCH))),)
$(error $(CC) compiles for $(MACHINE), not for ARCH=$(ARCH))
endif
# How Debian calls these machines.
DEB_x86_64  = amd64
DEB_aarch64 = arm64
DEB_ARCH    = $(or $(DEB_$(ARCH)),$(shell dpkg --print-architecture))
ifneq ($(CROSS),)
ifeq ($(DEB_$(ARCH)),)
$(error ARCH is x86_64 or aarch64, not $(ARCH))
endif
endif

# -- what must be installed, once, here (Debian's names) ------------------------------------------
BUILD_LIBS     = libc6-dev libcurl4-openssl-dev libcjson-dev zlib1g-dev libsqlite3-dev libexpat1-dev
OF_ARCH        = $(addsuffix $(if $(CROSS),:$(DEB_ARCH)),$(1))
# For another machine too, one program is built that runs here (packaging/completions.mk).
BUILD_PACKAGES = gcc make $(BUILD_LIBS) $(if $(CROSS),gcc-$(subst _,-,$(CROSS:-=)) $(call OF_ARCH,$(BUILD_LIBS)))
# npm fetches uPlot and esbuild; a tarball of `make dist` brings the bundled page along.
FRONT_PACKAGES = $(if $(wildcard vendor/page),,nodejs npm ca-certificates)
TEST_PACKAGES  = nodejs npm ca-certificates libcmocka-dev chromium-headless-shell firefox-esr \
                 fonts-dejavu-core mandoc procps less bsdutils git libxml2-utils clang-format
# Real schedulers, servers and another kernel, for `make test-all`.
ENGINE_PACKAGES = slurm-wlm slurmdbd mariadb-server munge libslurm-dev clickhouse-server curl \
                  radosgw ceph-mon ceph-osd ceph-common user-mode-linux prometheus prometheus-node-exporter \
                  sqlite3
# What `make static`, `make deb`, `make rpm`, `make tarball` and `make wheel` need; and to try them, a clean Debian, and what
# reads recipes.
PACK_PACKAGES  = build-essential dpkg-dev debhelper dh-python lintian fakeroot $(call OF_ARCH,libssl-dev) python3 rpm
ROOT_PACKAGES  = debootstrap python3-venv python3-pip bash-completion zsh fish rpmlint nix-bin ruby python3-yaml
# To build for Arm on x86-64, and to run that.
ARM_PACKAGES   = $(if $(filter x86_64,$(HOST)),qemu-user-static gcc-aarch64-linux-gnu \
                 $(addsuffix :arm64,$(BUILD_LIBS) libssl-dev libcmocka-dev))
# Tools that can be made to record what they run.
HOOK_PACKAGES  = snakemake rsync git systemd util-linux time jupyter-nbconvert python3-ipykernel python3-pandas \
                 r-base-core
LINT_PACKAGES  = clang-format clang-tidy cppcheck
MEMCHECK_PACKAGES = valgrind
FUZZ_PACKAGES  = clang libclang-rt-14-dev
# The second line: programs whose memory is predicted from their input; those that are not there are left out.
BENCH_PACKAGES = procps nodejs npm ca-certificates chromium-headless-shell \
                 python3 gzip xz-utils sqlite3 samtools imagemagick r-base-core mawk

B       ?= build/$(if $(CROSS),$(ARCH),release)
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           -Wformat=2 $(WERROR)
# What the user's own flags say comes after this; fortified is only what is optimised.
FLAGS    = $(CPPFLAGS) $(CFLAGS)
FORTIFY  = $(if $(SAN)$(findstring FORTIFY_SOURCE,$(FLAGS)),,$(if $(filter-out -O0,$(filter -O%,$(FLAGS))),\
           -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
BRANCHES = $(if $(filter x86_64,$(ARCH)),-fcf-protection,$(if $(filter aarch64,$(ARCH)),-mbranch-protection=standard))
HARDEN   = -fPIE -fstack-protector-strong -fstack-clash-protection $(BRANCHES) $(FORTIFY)
DEFINES  = -iquote . -std=c11 -D_GNU_SOURCE \
           $(if $(findstring --coverage,$(CFLAGS) $(SAN)),-DRTRACK_INSTRUMENTED)
# Nobody looks at errno after sqrt(3); and rtrack-collect does without libm, which is a tenth of it. Each operation is
# rounded, which Arm's compilers else leave out: the same numbers on every machine.
ALL_CFLAGS  = $(DEFINES) -fno-math-errno -ffp-contract=off $(HARDEN) $(FLAGS) $(WARN) $(SAN) -MMD -MP
ALL_LDFLAGS = $(LDFLAGS) $(SAN) -pie -Wl,--as-needed,-z,relro,-z,now,-z,noexecstack
CORE_LIBS   = -lcjson -lz -lm
REPORT_LIBS = -lcurl -lexpat $(CORE_LIBS)
FLEET_LIBS  = -lsqlite3 $(REPORT_LIBS)

CORE    = $(patsubst %.c,$(B)/%.o,$(wildcard core/*/*.c))
COLLECT = $(patsubst %.c,$(B)/%.o,$(filter-out collect/main.c,$(wildcard collect/*.c collect/*/*.c)))
REPORT  = $(patsubst %.c,$(B)/%.o,$(filter-out report/main.c,$(wildcard report/*.c report/*/*.c)))
FLEET   = $(patsubst %.c,$(B)/%.o,$(filter-out fleet/main.c,$(wildcard fleet/*.c fleet/*/*.c)))

PROGRAMS = $(addprefix $(B)/,rtrack-collect rtrack-report rtrack-fleet)
all: $(PROGRAMS)
version:
	@echo $(VERSION)

# One short line for each file that is made; V=1 shows the commands.
Q   = $(if $(V),,@)
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $@)

# A file that was half made when its rule failed is not left behind.
.DELETE_ON_ERROR:
.SECONDARY:

# A changed flag rebuilds.
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The programs are linked with $(B)/version.o, which alone is compiled again when there is a new commit. What is linked with
# libcore.a alone, as tests are, has the base version, and stays as it is.
$(B)/version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@
$(B)/version.o: core/base/version.c $(B)/version Makefile
	$(call say,CC)
	$Q$(CC) $(ALL_CFLAGS) -DRTRACK_VERSION='"$(VERSION)"' -c -o $@ $<
$(B)/core/base/version.o: private DEFINES += -DRTRACK_VERSION='"$(BASE_VERSION)"'

$(B)/libcore.a: $(CORE)
$(B)/libcollect.a: $(COLLECT)
$(B)/libreport.a: $(REPORT) $(B)/report/render/assets.S.o
$(B)/libfleet.a: $(FLEET)
$(B)/lib%.a:
	@rm -f $@
	$(call say,AR)
	$Q$(AR) rcs $@ $^

$(B)/rtrack-collect: $(B)/collect/main.o $(B)/version.o $(B)/libcollect.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(B)/rtrack-report: $(B)/report/main.o $(B)/version.o $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(REPORT_LIBS)

$(B)/rtrack-fleet: $(B)/fleet/main.o $(B)/version.o $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(FLEET_LIBS)

# -- the page: what is linked into rtrack-report (report/render/assets.def) ------------------------
# esbuild, pinned in package-lock.json, bundles the ES modules and the style sheets with uPlot. It is needed to build,
# never at run time; a tarball of `make dist` brings the result along in vendor/page, and needs no npm.
A         = $(B)/assets
UPLOT     = node_modules/uplot
BUNDLED   = app.js boot.js app.css more.css uplot.html fleet_app.js fleet_app.css
MADE      = $(addprefix $(A)/,$(BUNDLED) app.gz.html csp.html fleet_app.gz.html fleet_csp.html favicon.html)
SCRIPTS   = $(filter-out assets/boot.js,$(wildcard assets/*.js))
STYLES    = $(wildcard assets/*.css)
ESBUILD   = node_modules/.bin/esbuild --log-level=warning --target=es2022 --legal-comments=none --minify

# The build takes two of the packages; tests take all, so theirs come first where both are wanted.
node_modules/.package-lock.json: package.json package-lock.json
	npm ci --omit=dev
	@touch $@
TEST_MODULES = node_modules/playwright-core/package.json
$(TEST_MODULES): package.json package-lock.json
	npm ci
	@touch $@ node_modules/.package-lock.json

ifneq ($(wildcard vendor/page/app.js),)
$(addprefix $(A)/,$(BUNDLED)): $(A)/%: vendor/page/%
	@mkdir -p $(@D)
	$(call say,COPY)
	$Qcp $< $@
else
$(A)/uplot.js: assets/uplot.sed node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,MAKE)
	$Qcp $(UPLOT)/dist/uPlot.esm.js $@.in && grep -v '^#' $< | while IFS= read -r line; do \
	sed "$$line" $@.in >$@.out && ! cmp -s $@.in $@.out || { echo "$<: changes nothing in uPlot: $$line" >&2; exit 1; }; \
	mv $@.out $@.in; done && mv $@.in $@
# What only scripts need of the look is in the script, which the page holds gzipped.
$(A)/scripted.css $(A)/more.css: $(A)/%: $(STYLES) node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q$(ESBUILD) --bundle assets/$* | tr -d '\n' >$@
$(A)/app.js: $(SCRIPTS) $(A)/uplot.js $(A)/scripted.css node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q{ echo '/*' && cat $(UPLOT)/LICENSE && echo '*/' && $(ESBUILD) --bundle --format=iife \
	--alias:uplot=./$(A)/uplot.js --alias:scripted.css=./$(A)/scripted.css --loader:.css=text assets/report.js; } >$@
$(A)/fleet_app.js: $(SCRIPTS) node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q$(ESBUILD) --bundle --format=iife assets/fleet.js >$@
$(A)/boot.js: assets/boot.js node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q$(ESBUILD) $< >$@
$(A)/app.css: $(STYLES) node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q$(ESBUILD) --bundle assets/page.css | tr -d '\n' | sed 's/\(--[a-z0-9-]*:\) /\1/g' >$@
$(A)/fleet_app.css: $(STYLES) node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,PACK)
	$Q$(ESBUILD) --bundle assets/fleet_page.css | tr -d '\n' >$@
$(A)/uplot.html: node_modules/.package-lock.json
	@mkdir -p $(@D)
	$(call say,MAKE)
	$Qprintf 'uPlot %s (%s, MIT License)' "$$(sed -n 's/^  "version": "\(.*\)",/\1/p' $(UPLOT)/package.json)" \
	"$$(grep -m1 Copyright $(UPLOT)/LICENSE)" >$@
endif
$(A)/app.gz.html $(A)/fleet_app.gz.html: %.gz.html: %.js
	$(call say,MAKE)
	$Qgzip -9nc $< | base64 -w0 >$@

# The policy of a page names its scripts and its style by their hashes: nothing else runs.
SHA256 = sha256sum $(1) | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64
$(A)/csp.html: $(A)/app.js $(A)/app.css $(A)/more.css
$(A)/fleet_csp.html: $(A)/fleet_app.js $(A)/fleet_app.css
$(A)/csp.html $(A)/fleet_csp.html: $(A)/boot.js
	$(call say,MAKE)
	$Q{ printf "default-src 'none'; script-src 'sha256-%s' 'sha256-%s'; style-src" \
	"$$($(call SHA256,$(A)/boot.js))" "$$($(call SHA256,$(filter %app.js,$^)))" && \
	for style in $(filter %.css,$^); do printf " 'sha256-%s'" "$$($(call SHA256,$$style))"; done && \
	printf "; img-src data:; base-uri 'none'; form-action 'none'"; } >$@

$(A)/favicon.html: assets/favicon.svg
	@mkdir -p $(@D)
	$(call say,MAKE)
	$Qbase64 -w0 $< >$@

# The assembler looks for each file in its own folder first, where a report.html of the user's may lie: so it works
# in a folder that holds only the right ones.
$(B)/report/render/assets.S.o: report/render/assets.S report/render/assets.def $(wildcard templates/*) assets/ci_runners.tsv $(MADE)
	@mkdir -p $(@D)
	$(call say,AS)
	$Qcp templates/* assets/ci_runners.tsv report/render/assets.S report/render/assets.def $(A)
	$Qcd $(A) && $(CC) $(BRANCHES) -c -o assets.o assets.S
	$Qmv $(A)/assets.o $@

# -- installing -----------------------------------------------------------------------------------
PREFIX  ?= /usr/local
DESTDIR ?=
BIN      = $(DESTDIR)$(PREFIX)/bin
SHARE    = $(DESTDIR)$(PREFIX)/share
MAN      = $(SHARE)/man/man1
DOC      = $(SHARE)/doc/rtrack
BASH     = $(SHARE)/bash-completion/completions
FISH     = $(SHARE)/fish/vendor_completions.d
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
ZSH      = $(DESTDIR)$(ZSH_DIR)
install: all completions
	install -d "$(BIN)" "$(MAN)" "$(DOC)" "$(BASH)" "$(ZSH)" "$(FISH)"
	install -m 755 $(PROGRAMS) "$(BIN)"
	install -m 644 collect/rtrack-collect.1 report/rtrack-report.1 fleet/rtrack-fleet.1 "$(MAN)"
	install -m 644 LICENSE "$(DOC)"
	install -m 644 $(COMPLETE)/bash/* "$(BASH)"
	install -m 644 $(COMPLETE)/zsh/* "$(ZSH)"
	install -m 644 $(COMPLETE)/fish/* "$(FISH)"

# Empty folders go too, but for those that every system has in /usr/local.
uninstall: uninstall-spank
	for program in rtrack-collect rtrack-report rtrack-fleet; do rm -f "$(BIN)/$$program" "$(MAN)/$$program.1" \
	"$(BASH)/$$program" "$(ZSH)/_$$program" "$(FISH)/$$program.fish"; done
	rm -f "$(DOC)/LICENSE"
	@for folder in "$(MAN)" "$(DOC)" "$(SHARE)/doc" "$(BASH)" "$(SHARE)/bash-completion" "$(ZSH)" "$(SHARE)/zsh" "$(FISH)" \
	"$(SHARE)/fish"; do rmdir "$$folder" 2>/dev/null || true; done

# -- the SPANK plugin for Slurm (docs/slurm.md) -----------------------------------------------------
LIBDIR  ?= $(PREFIX)/lib
# Make 4.3 leaves \# as it is in a function, older ones take # as a comment.
HASH     := \#
HAS_SPANK = $(shell echo '$(HASH)include <slurm/spank.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
# With what it shares with the recorder: the cgroup of a job, and the line that says how it ended.
SPANK_PARTS = spank/rtrack_spank.c core/base/err.c core/base/utf8.c \
              $(addprefix collect/,cgroup/cgroup.c cgroup/cgroup_outside.c cgroup/cgroup_text.c command/job_end.c machine/pressure.c output/job_folder.c \
              procfs/fd_limit.c procfs/root.c procfs/scan.c)
SCONTROL    = $(or $(shell command -v scontrol),/usr/bin/scontrol)
# Always built: PREFIX is in it.
spank:
	@[ "$(HAS_SPANK)" ] || { echo 'spank: slurm/spank.h is missing; it is in the package libslurm-dev' >&2; exit 1; }
	@mkdir -p $(B)
	@printf '  LINK %s\n' $(B)/rtrack_spank.so
	$Q$(CC) $(DEFINES) -DRTRACK_COLLECT='"$(PREFIX)/bin/rtrack-collect"' -DRTRACK_SCONTROL='"$(SCONTROL)"' $(CFLAGS) $(WARN) \
	-fPIC -shared -Wl,-Bsymbolic -Wl,-z,relro,-z,now -o $(B)/rtrack_spank.so $(SPANK_PARTS) -lm
install-spank: spank
	install -d "$(DESTDIR)$(LIBDIR)/rtrack"
	install -m 644 $(B)/rtrack_spank.so "$(DESTDIR)$(LIBDIR)/rtrack"
uninstall-spank:
	rm -f "$(DESTDIR)$(LIBDIR)/rtrack/rtrack_spank.so"
	@rmdir "$(DESTDIR)$(LIBDIR)/rtrack" 2>/dev/null || true

# The time of all files in tarballs and packages: that of the commit.
SOURCE_DATE_EPOCH ?= $(or $(shell [ ! -e .git ] || git log -1 --format=%ct),$(shell stat -c %Y Makefile))
# A tarball that builds without npm and without a network: the sources, the bundled page in vendor/page, and uPlot's source.
# The same bytes from the same sources, also if it is made in what it was unpacked to. Those of earlier commits go.
DIST = rtrack-$(VERSION)
dist: $(addprefix $(A)/,$(BUNDLED))
	@rm -rf build/$(DIST)
	@mkdir -p build/$(DIST)/vendor/page build/$(DIST)/vendor/uplot
	$Qpackaging/list_sources | xargs -0 cp --parents -Pt build/$(DIST)
	$Qcp $^ build/$(DIST)/vendor/page
	$Qecho '$(VERSION)' >build/$(DIST)/vendor/version
	$Qcp $(or $(wildcard vendor/uplot/*),$(addprefix $(UPLOT)/,LICENSE package.json dist/uPlot.esm.js)) build/$(DIST)/vendor/uplot
	$QSOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) packaging/pack build build/$(DIST).tar.gz
	@rm -rf build/$(DIST)
	@find build -maxdepth 1 -name 'rtrack-[0-9]*.tar.gz*' ! -name '*-linux-*' ! -name '$(DIST).tar.gz*' -delete
	@echo build/$(DIST).tar.gz

# -- what is missing is installed; what is there is left alone ------------------------------------
deps:
	@tests/install $(BUILD_PACKAGES) $(FRONT_PACKAGES)
test-deps:
	@tests/install $(BUILD_PACKAGES) $(FRONT_PACKAGES) $(TEST_PACKAGES)
# Only root may start them; without, the tests leave them out.
engine-deps:
	@[ "$$(id -u)" != 0 ] || tests/install $(ENGINE_PACKAGES) $(PACK_PACKAGES) $(ROOT_PACKAGES) $(ARM_PACKAGES) $(HOOK_PACKAGES)
	@$(MAKE) --no-print-directory $(DUCKDB) $(GITLAB)
lint-deps:
	@tests/install $(LINT_PACKAGES)
pack-deps: deps
	@tests/install $(PACK_PACKAGES)
bench-deps:
	@tests/install $(BUILD_PACKAGES) $(BENCH_PACKAGES)
memcheck-deps:
	@tests/install $(MEMCHECK_PACKAGES)
fuzz-deps:
	@tests/install $(BUILD_PACKAGES) $(FUZZ_PACKAGES)

# -- a real job, recorded and reported --------------------------------------------------------------
demo: deps
	@$(MAKE) $(PARALLEL) --no-print-directory all
	@B=$(B) tests/demo

# Made-up recordings of 90 days, and their fleet page.
demo-fleet: deps
	@$(MAKE) $(PARALLEL) --no-print-directory all $(FLEET_MAKE)
	@B=$(B) tests/demo-fleet

# The tests' own code runs once: to optimize it takes longer than to run it as it is. Half of the time of bfd, the linker
# that gcc takes, goes into 270 programs; gold is a part of binutils.
$(B)/tests/unit/%.o $(B)/tests/fuzz/%.o: private override CFLAGS := $(patsubst -O%,-O0,$(CFLAGS))
TEST_LDFLAGS = $(ALL_LDFLAGS) $(if $(shell command -v ld.gold),-fuse-ld=gold)

# -- unit tests: tests/unit/COMMAND/ROOM/test_X.c is linked with core and its command ----------------
UNIT_MAIN    = $(B)/tests/unit/unit.o
UNIT_CORE    = $(patsubst %.c,$(B)/%,$(wildcard tests/unit/core/*/test_*.c))
UNIT_COLLECT = $(patsubst %.c,$(B)/%,$(wildcard tests/unit/collect/test_*.c tests/unit/collect/*/test_*.c))
UNIT_REPORT  = $(patsubst %.c,$(B)/%,$(wildcard tests/unit/report/test_*.c tests/unit/report/*/test_*.c))
UNIT_FLEET   = $(patsubst %.c,$(B)/%,$(wildcard tests/unit/fleet/test_*.c tests/unit/fleet/*/test_*.c))
unit: $(UNIT_CORE) $(UNIT_COLLECT) $(UNIT_REPORT) $(UNIT_FLEET)
$(UNIT_CORE): $(B)/%: $(B)/%.o $(UNIT_MAIN) $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(REPORT_LIBS)
$(UNIT_COLLECT): $(B)/%: $(B)/%.o $(UNIT_MAIN) $(B)/libcollect.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(CORE_LIBS)
$(UNIT_REPORT): $(B)/%: $(B)/%.o $(UNIT_MAIN) $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(REPORT_LIBS)
$(UNIT_FLEET): $(B)/%: $(B)/%.o $(UNIT_MAIN) $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ -lcmocka $(FLEET_LIBS)

# -- programs that tests drive ----------------------------------------------------------------------
LIVE = $(patsubst %.c,$(B)/%,$(wildcard tests/live/*.c))
$(LIVE): $(B)/%: $(B)/%.o
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ -lpthread -lutil -lm
$(B)/tests/%_cli: $(B)/tests/%_cli.o $(B)/libcollect.a $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $^ $(FLEET_LIBS)

# Libraries that speak the ABI of NVIDIA's, this year's and an old one.
FAKE = $(B)/tests/fake/libnvidia-ml-fake.so $(B)/tests/fake/libnvidia-ml-old.so
$(FAKE): tests/fake/nvml.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(ALL_CFLAGS) $(if $(findstring old,$@),-DOLD) -fPIC -shared -o $@ $<
$(UNIT_COLLECT): | $(FAKE)

# Preloaded, they make calls, allocations, clocks and /proc fail.
PRELOAD = $(addprefix $(B)/tests/fake/,badio.so badmem.so badproc.so clock.so)
$(PRELOAD): $(B)/%.so: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(DEFINES) $(CFLAGS) $(WARN) -fPIC -shared -o $@ $<

# -- fuzz targets: replayed over their corpus by `make test`, run by `make fuzz` ---------------------
FUZZ_SRC = $(wildcard tests/fuzz/*/fuzz_*.c)
FUZZ     = $(patsubst %.c,$(B)/%,$(FUZZ_SRC))
$(FUZZ): $(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/replay.o $(B)/libcollect.a \
    $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(TEST_LDFLAGS) -o $@ $< $(B)/tests/fuzz/replay.o $(B)/lib$(*D).a $(if $(filter fleet,$(*D)),$(B)/libreport.a) \
	$(B)/libcore.a $(FLEET_LIBS)
FUZZ_SECONDS ?= 60
fuzz: fuzz-deps
	B=build/fuzz CC=clang FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run $(FUZZ_SRC)

fuzz-built: $(FUZZ)
test-programs: driven unit fuzz-built $(B)/packaging/completions/generate
driven: all $(LIVE) $(FAKE) $(PRELOAD) $(B)/tests/bench/fleet_make $(patsubst %.c,$(B)/%,$(wildcard tests/services/*_cli.c tests/cli/*_cli.c))
# With sanitizers, what the quick tests run.
sanitized: all unit $(FUZZ) $(patsubst %.c,$(B)/%,$(wildcard tests/cli/*_cli.c))

# With sanitizers, -Og compiles in three quarters of the time of -O1, and what it makes is as fast. What a function does not
# set has a pattern in it (gcc 12 or later), instead of what happens to be on the stack.
PATTERN = $(shell echo | $(CC) -ftrivial-auto-var-init=pattern -E - >/dev/null 2>&1 && echo ' -ftrivial-auto-var-init=pattern')
ASAN = B=build/asan CFLAGS='-Og -g1$(PATTERN)' \
       SAN='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'
# The quick tests run a unit test without sanitizers only if these leave out some of its cases (tests/run).
UNIT_TWICE = $(patsubst %.c,build/release/%,$(shell grep -l __SANITIZE tests/unit/*/test_*.c tests/unit/*/*/test_*.c))
# After each change: unit, fuzz and golden tests and the rules of the house, on a build that compiles quickly.
check: test-deps $(TEST_MODULES)
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror B=build/check CFLAGS='-O0 -g1' all unit fuzz-built \
	$(patsubst %.c,build/check/%,$(wildcard tests/cli/*_cli.c))
	@tests/run --check build/check
test: test-deps $(TEST_MODULES)
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror B=build/release driven $(UNIT_TWICE)
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror $(ASAN) sanitized
	@tests/run --quick build/release build/asan
# What `make test` has not run.
test-all: test-deps engine-deps $(TEST_MODULES)
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror B=build/release driven build/release/packaging/completions/generate
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror $(ASAN) driven
	@$(if $(HAS_SPANK),$(MAKE) --no-print-directory WERROR=-Werror B=build/release spank)
	@tests/run --rest build/release build/asan
# What only a release makes, or what takes longest: packages for all machines, S3 by Ceph, a kernel with cgroup v2.
test-release: test-built engine-deps
	@tests/run --release build/release
# As many jobs as CPUs, unless the user said how many.
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
test-built: test-deps $(TEST_MODULES)
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror B=build/release test-programs
	@$(MAKE) $(PARALLEL) --no-print-directory WERROR=-Werror $(ASAN) test-programs

lint: lint-deps all
	@tests/lint

# -- what takes minutes, and so is no part of `make test` --------------------------------------------
analyze: deps lint-deps
	@tests/analyze

memcheck: test-deps memcheck-deps $(TEST_MODULES)
	@$(MAKE) $(PARALLEL) --no-print-directory B=build/release test-programs
	@tests/memcheck build/release

# A process that ends with _exit, or execs, keeps no count but for this.
COUNTED = build/coverage/counted.o
coverage: test-deps $(TEST_MODULES)
	@mkdir -p $(dir $(COUNTED))
	$(CC) -c -o $(COUNTED) tests/fake/counted.c
	@$(MAKE) $(PARALLEL) --no-print-directory B=build/coverage CFLAGS='-O0 -g --coverage' \
	LDFLAGS='--coverage -Wl,--wrap=_exit,--wrap=execvp,--wrap=execv $(COUNTED)' test-programs
	@tests/coverage build/coverage

BENCH = $(patsubst %.c,$(B)/%,$(filter-out tests/bench/fleet_make.c,$(wildcard tests/bench/*.c)))
$(BENCH): $(B)/%: $(B)/%.o $(B)/libcollect.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(CORE_LIBS)

# Makes recordings of a fleet that does not exist, for tests too.
FLEET_MAKE = $(B)/tests/bench/fleet_make
$(FLEET_MAKE): $(patsubst %.c,$(B)/%.o,tests/bench/fleet_make.c $(wildcard tests/bench/fleet/*.c)) \
    $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(FLEET_LIBS)
# What the fleet page is compared with; nothing else needs it.
DUCKDB = tests/engines/duckdb/node_modules/.package-lock.json
# Runs a pipeline of GitLab's, for tests/hooks.
GITLAB = tests/hooks/gitlab/node_modules/.package-lock.json
$(DUCKDB) $(GITLAB): %/node_modules/.package-lock.json: %/package.json %/package-lock.json
	npm ci --prefix $(<D)
	@touch $@
bench: all $(BENCH) $(B)/tests/live/deny $(B)/tests/services/advice_cli $(FLEET_MAKE) $(TEST_MODULES) $(DUCKDB)
	@B=$(B) tests/bench/run

SOAK_SECONDS ?= 3600
soak: all
	@B=$(B) SOAK_SECONDS=$(SOAK_SECONDS) tests/bench/soak

# The pictures of README.md and docs/fleet.md, of a real run and of the made-up fleet.
pictures: demo demo-fleet $(TEST_MODULES)
	node tests/pictures.mjs report.html docs/report.png
	node tests/pictures.mjs fleet.html docs/fleet.png

# -- ways to install: packages, a static build, a wheel, completions ---------------------------------
include $(sort $(wildcard packaging/*.mk))

clean:
	rm -rf build

help:
	@echo 'make            build rtrack-collect, rtrack-report and rtrack-fleet into $(B)/'
	@echo 'make demo       install what is missing, build, record a real job, write report.html'
	@echo 'make demo-fleet make 2,000 recordings that never were, write their fleet.html'
	@echo 'make check      after each change, in a minute: unit, fuzz and golden tests, and the rules of the house'
	@echo 'make test       install what tests need; the short tests, unit, fuzz and golden ones under ASan+UBSan'
	@echo 'make test-all   after it, the rest: long tests, engines, hooks, packages'
	@echo 'make test-release  what only a release needs: packages for all machines, Ceph, a kernel with cgroup v2'
	@echo 'make lint       the rules of the house, and the format'
	@echo 'make analyze    gcc -fanalyzer, clang-tidy, cppcheck'
	@echo 'make memcheck   the tests under valgrind'
	@echo 'make coverage   which lines the tests reach, and which none does'
	@echo 'make bench      the cost of recording and reporting, as ratios; what advice is worth (make bench-deps installs what it measures)'
	@echo 'make soak       record a busy machine for SOAK_SECONDS=$(SOAK_SECONDS), watched from outside'
	@echo 'make fuzz       fuzz every parser for FUZZ_SECONDS=$(FUZZ_SECONDS) of CPU each'
	@echo 'make spank      the plugin that records every job of a Slurm cluster; make install-spank (docs/slurm.md)'
	@echo 'make install    programs, man pages and completions to $(PREFIX) (PREFIX=, DESTDIR=); make uninstall'
	@echo 'make completions  for bash, zsh and fish, in $(B)/completions/'
	@echo 'make deb        a package for Debian and Ubuntu: build/rtrack_$(VERSION)_ARCH.deb'
	@echo 'make deb-spank  the plugin as a package, for the Slurm that is installed here (docs/operators.md)'
	@echo 'make dist       a tarball that builds without npm and without a network: build/$(DIST).tar.gz'
	@echo 'make static     programs that need no library but libc, and one that needs nothing (docs/install.md)'
	@echo 'make tarball    these, man pages, completions and licences, to be unpacked on any Linux'
	@echo 'make wheel      the programs and the Python module, for pip: build/rtrack-$(VERSION)-py3-none-PLATFORM.whl'
	@echo 'make rpm        packages for Fedora, Red Hat, SUSE: build/rtrack-$(VERSION)-1.ARCH.rpm, and one of sources'
	@echo 'make recipes    for conda-forge, Spack, Nix, Homebrew and rpmbuild, in build/recipes/'
	@echo 'make sbom       what is linked into the portable programs, as SPDX'
	@echo '  … ARCH=aarch64  the same for Arm, cross-built: programs, deb, rpm, static, tarball, wheel, sbom'
	@echo 'make release    all files of a release, with their sums: $(RELEASE)/'
	@echo 'make deps       install what the build needs'
	@echo 'make pictures   the screenshots of the documents'
	@echo 'make clean      remove build/'

-include $(wildcard $(addprefix $(B)/,*.d */*.d */*/*.d tests/*/*/*.d tests/*/*/*/*.d))

.PHONY: FORCE all version install uninstall spank install-spank uninstall-spank dist deps test-deps lint-deps fuzz-deps demo demo-fleet unit test-programs fuzz-built check test \
        test-all test-release test-built driven sanitized lint analyze memcheck coverage memcheck-deps engine-deps bench bench-deps soak fuzz pictures clean help
