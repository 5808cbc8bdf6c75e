# Programs that run on any Linux (docs/install.md):
#   make portable    rtrack-collect and rtrack-report that need no library but libc's, and no new libc
#   make static      and rtrack-collect-static, which needs nothing at all; all in $(PORTABLE)/
#   make tarball     all of them, man pages, completions and licences: build/rtrack-VERSION-linux-ARCH.tar.gz
# With ARCH=aarch64, for that machine, in build/portable-aarch64/.
#
# Debian has archives of zlib, SQLite, Expat and OpenSSL, none of cJSON, and a libcurl.a that wants libraries which have
# none: these two are built from Debian's sources, or from CJSON_SRC= and CURL_SRC=.
PORTABLE  = build/portable$(if $(CROSS),-$(ARCH))
PARTS     = $(PORTABLE)/libs
CJSON_SRC = $(PARTS)/sources/cjson
CURL_SRC  = $(PARTS)/sources/curl
# Nothing of the folder in which it was built is left in a program.
PORTABLE_CFLAGS = -O2 -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables \
                  '-ffile-prefix-map=$(CURDIR)=.'

portable-deps:
	@tests/install $(BUILD_PACKAGES) $(FRONT_PACKAGES) $(call OF_ARCH,libssl-dev) dpkg-dev
$(PARTS)/sources/%: | portable-deps
	$(call say,GET)
	$Qpackaging/fetch_sources $(@D) $*
$(PARTS)/libcjson.a: packaging/portable.mk | portable-deps $(filter $(PARTS)/%,$(CJSON_SRC))
	@mkdir -p $(PARTS)/include/cjson
	$(call say,CC)
	$Qcp '$(CJSON_SRC)/cJSON.h' $(PARTS)/include/cjson
	$Q$(CC) $(HARDEN) $(PORTABLE_CFLAGS) '-ffile-prefix-map=$(CJSON_SRC)=cjson' -c -o $(PARTS)/cJSON.o '$(CJSON_SRC)/cJSON.c'
	$Qrm -f $@ && $(AR) rcsD $@ $(PARTS)/cJSON.o
$(PARTS)/libcurl.a: packaging/build_curl packaging/portable.mk | portable-deps $(filter $(PARTS)/%,$(CURL_SRC))
	$(call say,MAKE)
	$QCC='$(CC)' HOST='$(CROSS:-=)' CFLAGS='$(HARDEN) -O2 -ffunction-sections -fdata-sections' packaging/build_curl '$(CURL_SRC)' $(PARTS)
$(PARTS)/%.o: packaging/%.c packaging/portable.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(DEFINES) -Wall -Wextra $(HARDEN) $(PORTABLE_CFLAGS) -c -o $@ $<

# What old_glibc.c has is taken instead of the C library's newest.
OLD_GLIBC = $(if $(filter x86_64 aarch64,$(ARCH)),$(PARTS)/old_glibc.o)
comma     = ,
WRAPPED   = $(if $(OLD_GLIBC),$(shell $(CROSS)nm $(OLD_GLIBC) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') $(OLD_GLIBC) \
            -Wl$(comma)--push-state$(comma)--no-as-needed -l:libdl.so.2 $(1) -Wl$(comma)--pop-state)

# The same sources as ever, with other flags and libraries. What was made with others is of no use.
PORTABLE_PROGRAMS = rtrack-collect rtrack-report rtrack-fleet
PORTABLE_PARTS = $(PARTS)/libcjson.a $(PARTS)/libcurl.a $(OLD_GLIBC)
PORTABLE_MAKE  = $(MAKE) $(PARALLEL) --no-print-directory B=$(PORTABLE)/objects CFLAGS="$(PORTABLE_CFLAGS)" \
                 CPPFLAGS='-I$(PARTS)/include' LDFLAGS='-Wl,--gc-sections,-Map=$$@.map' SAN= \
                 CORE_LIBS='$(PARTS)/libcjson.a -l:libz.a $(WRAPPED)' REPORT_LIBS='$(PARTS)/libcurl.a -l:libssl.a \
                 -l:libcrypto.a -l:libexpat.a $(PARTS)/libcjson.a -l:libz.a -lm \
                 $(call WRAPPED,-l:libpthread.so.0)' FLEET_LIBS='-l:libsqlite3.a $$(REPORT_LIBS)'
portable: $(PORTABLE_PARTS)
	@echo "$(CC) $(PORTABLE_CFLAGS) $$(cat $^ | cksum)" >$(PORTABLE)/flags.new
	@cmp -s $(PORTABLE)/flags.new $(PORTABLE)/flags || { rm -rf $(PORTABLE)/objects && mv $(PORTABLE)/flags.new $(PORTABLE)/flags; }
	@+$(PORTABLE_MAKE) $(addprefix $(PORTABLE)/objects/,$(PORTABLE_PROGRAMS))
	@for p in $(PORTABLE_PROGRAMS); do $(CROSS)strip -o $(PORTABLE)/$$p $(PORTABLE)/objects/$$p || exit 1; done
	@packaging/glibc_needed $(addprefix $(PORTABLE)/,$(PORTABLE_PROGRAMS))

# The archive's gpu_nvml.o is left out, as no_nvml.o comes first and has what it would bring.
static: portable $(PARTS)/no_nvml.o
	$Q$(CC) -static-pie -s -Wl,--gc-sections,-Map=$(PORTABLE)/objects/rtrack-collect-static.map,-z,relro,-z,now,-z,noexecstack$(if $(filter x86_64,$(ARCH)),$(comma)-z$(comma)pack-relative-relocs) \
	-o $(PORTABLE)/rtrack-collect-static $(PORTABLE)/objects/collect/main.o $(PORTABLE)/objects/version.o $(PARTS)/no_nvml.o \
	$(PORTABLE)/objects/libcollect.a $(PORTABLE)/objects/libcore.a $(PARTS)/libcjson.a -l:libz.a
	@packaging/glibc_needed $(PORTABLE)/rtrack-collect-static

# The same bytes each time: of the same sources, libraries and compiler. Those of earlier commits go.
TARBALL = rtrack-$(VERSION)-linux-$(ARCH)
tarball: static
	@+$(PORTABLE_MAKE) completions
	$QVERSION=$(VERSION) SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) CJSON_SRC='$(CJSON_SRC)' CURL_SRC='$(CURL_SRC)' \
	packaging/pack_tarball $(PORTABLE) build/$(TARBALL).tar.gz
	@find build -maxdepth 1 -name 'rtrack-[0-9]*-linux-$(ARCH).tar.gz*' ! -name '$(TARBALL).tar.gz*' -delete
	@echo build/$(TARBALL).tar.gz

.PHONY: portable-deps portable static tarball
