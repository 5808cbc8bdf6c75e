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
PORTABLE_CFLAGS = -O2 '-ffile-prefix-map=$(CURDIR)=.'

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
	$QCC='$(CC)' CFLAGS='-O2' packaging/build_curl '$(CURL_SRC)' $(PARTS)

portable: $(PARTS)/libcjson.a $(PARTS)/libcurl.a
	@$(MAKE) $(PARALLEL) --no-print-directory B=$(PORTABLE)/objects CFLAGS="$(PORTABLE_CFLAGS)" CPPFLAGS='-I$(PARTS)/include' \
	CORE_LIBS='$(PARTS)/libcjson.a -l:libz.a' all \
	REPORT_LIBS='$(PARTS)/libcurl.a -l:libssl.a -l:libcrypto.a -l:libsqlite3.a -l:libexpat.a $$(CORE_LIBS) -lm'
	strip -o $(PORTABLE)/rtrack-collect $(PORTABLE)/objects/rtrack-collect
	strip -o $(PORTABLE)/rtrack-report $(PORTABLE)/objects/rtrack-report

.PHONY: portable
