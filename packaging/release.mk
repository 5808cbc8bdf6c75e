# What is linked into the portable programs, as SPDX: make sbom.
SBOM = build/$(TARBALL).spdx.json
sbom: tarball
	$QVERSION=$(VERSION) HOMEPAGE='$(HOMEPAGE)' RELEASE_URL='$(RELEASE_URL)' SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) \
	CJSON_SRC='$(CJSON_SRC)' CURL_SRC='$(CURL_SRC)' UPLOT_SRC='$(or $(wildcard vendor/uplot),$(UPLOT))' \
	python3 packaging/write_sbom.py $(PORTABLE) build/$(TARBALL).tar.gz $(SBOM)
	@echo $(SBOM)

# All files of a release, the same bytes twice: make release. Each machine's packages, the sources, the recipes, what is linked
# in, and the sums of all of them. RELEASE_ARCHES says for which machines.
RELEASE        = build/$(DIST)-release
RELEASE_ARCHES ?= x86_64 aarch64
release:
	@rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	@for arch in $(RELEASE_ARCHES); do $(MAKE) --no-print-directory ARCH=$$arch release-of || exit 1; done
	@cp -R build/recipes build/$(DIST).tar.gz build/$(RPM).src.rpm $(RELEASE)
	@cd $(RELEASE) && find . -type f ! -name SHA256SUMS | sed 's,^\./,,' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS
	@[ ! -e .git ] || [ -z "$$(git status --porcelain)" ] || echo 'release: the sources have changes that are not committed' >&2
	@[ '$(VERSION)' = '$(BASE_VERSION)' ] || echo 'release: this commit has no tag v$(BASE_VERSION), so it is $(VERSION)' >&2
	@grep -q '^## $(BASE_VERSION)' CHANGELOG.md || echo 'release: CHANGELOG.md has no section for $(BASE_VERSION)' >&2
	@echo $(RELEASE)

# One by one: each uses what those before have made.
release-of:
	@for goal in rpm wheel deb sbom; do $(MAKE) --no-print-directory $$goal || exit 1; done
	@cp build/$(TARBALL).tar.gz $(SBOM) $(addprefix build/,$(DEBS) $(RPMS)) \
	build/$(DIST)-py3-none-*_$(ARCH).whl $(RELEASE)

.PHONY: sbom release release-of
