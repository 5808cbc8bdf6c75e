# Programs that run on any Linux (docs/install.md):
#   make portable    rtrack-collect and rtrack-report that need no library but libc's, and no new libc
#   make static      and a rtrack-collect that needs nothing at all; both in $(PORTABLE)/
#   make tarball     all of them, man pages, completions and licences: build/rtrack-VERSION-linux-ARCH.tar.gz
#
# Debian has archives of zlib, SQLite, Expat and OpenSSL, none of cJSON, and a libcurl.a that wants libraries which have
# none: these two are built from Debian's sources, or from CJSON_SRC= and CURL_SRC=.
PORTABLE  = build/portable
PARTS     = $(PORTABLE)/libs
CJSON_SRC = $(PARTS)/sources/cjson
CURL_SRC  = $(PARTS)/sources/curl
# Nothing of the folder in which it was built is left in a program.
PORTABLE_CFLAGS = -O2 -ffunction-sections -fdata-sections '-ffile-prefix-map=$(CURDIR)=.'

$(PARTS)/sources/%:
	$(call say,GET)
	$Qpackaging/fetch_sources $(@D) $*
$(PARTS)/libcjson.a: | $(CJSON_SRC)
	@mkdir -p $(PARTS)/include/cjson
	$(call say,CC)
	$Qcp '$(CJSON_SRC)/cJSON.h' $(PARTS)/include/cjson
	$Q$(CC) $(HARDEN) $(PORTABLE_CFLAGS) '-ffile-prefix-map=$(CJSON_SRC)=cjson' -c -o $(PARTS)/cJSON.o '$(CJSON_SRC)/cJSON.c'
	$Qrm -f $@ && ar rcsD $@ $(PARTS)/cJSON.o
$(PARTS)/libcurl.a: packaging/build_curl | $(CURL_SRC)
	$(call say,CURL)
	$QCC='$(CC)' CFLAGS='-O2 -ffunction-sections -fdata-sections' packaging/build_curl '$(CURL_SRC)' $(PARTS)

# What old_glibc.c has is taken instead of the C library's newest.
OLD_GLIBC = $(if $(filter x86_64-%,$(MACHINE)),$(PARTS)/old_glibc.o)
WRAPPED   = $(if $(OLD_GLIBC),$(shell nm $(OLD_GLIBC) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') $(OLD_GLIBC) \
            -Wl$(comma)--push-state$(comma)--no-as-needed -l:libdl.so.2 $(1) -Wl$(comma)--pop-state)
comma     = ,
$(PARTS)/old_glibc.o: packaging/old_glibc.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) -std=c11 -Wall -Wextra $(HARDEN) $(PORTABLE_CFLAGS) -c -o $@ $<

# The same sources as ever, with other flags and libraries. Objects of other flags and libraries are of no use.
PORTABLE_FLAGS = $(PORTABLE)/objects/flags
$(PORTABLE_FLAGS): Makefile packaging/portable.mk $(PARTS)/libcjson.a $(PARTS)/libcurl.a $(OLD_GLIBC)
	@rm -rf $(@D) && mkdir -p $(@D) && touch $@
portable: $(PORTABLE_FLAGS)
	@$(MAKE) $(PARALLEL) --no-print-directory B=$(PORTABLE)/objects CFLAGS="$(PORTABLE_CFLAGS)" \
	CPPFLAGS='-I$(PARTS)/include' LDFLAGS=-Wl,--gc-sections CORE_LIBS='$(PARTS)/libcjson.a -l:libz.a $(call WRAPPED)' \
	REPORT_LIBS='$(PARTS)/libcurl.a -l:libssl.a -l:libcrypto.a -l:libsqlite3.a -l:libexpat.a $(PARTS)/libcjson.a \
	-l:libz.a -lm $(call WRAPPED,-l:libpthread.so.0)' all
	@for p in rtrack-collect rtrack-report; do strip -o $(PORTABLE)/$$p $(PORTABLE)/objects/$$p || exit 1; done
	@packaging/glibc_needed $(PORTABLE)/rtrack-collect $(PORTABLE)/rtrack-report

# The archive's gpu_nvml.o is left out, as no_nvml.o comes first and has what it would bring.
$(PARTS)/no_nvml.o: packaging/no_nvml.c
	@mkdir -p $(@D)
	$(call say,CC)
	$Q$(CC) $(DEFINES) $(WARN) $(HARDEN) $(PORTABLE_CFLAGS) -c -o $@ $<
static: portable $(PARTS)/no_nvml.o
	$(call say,LINK)
	$Q$(CC) -static-pie -Wl,--gc-sections,-z,relro,-z,now,-z,noexecstack -s -o $(PORTABLE)/rtrack-collect-static \
	$(addprefix $(PORTABLE)/objects/,collect/main.o) $(PARTS)/no_nvml.o \
	$(addprefix $(PORTABLE)/objects/,libcollect.a libcore.a) $(PARTS)/libcjson.a -l:libz.a
	@packaging/glibc_needed $(PORTABLE)/rtrack-collect-static

.PHONY: portable static
