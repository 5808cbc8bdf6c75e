# Debian packages, of rtrack-collect and rtrack-report, and of rtrack-fleet, built from what `make dist` packs: make deb. It needs no root and no network. With ARCH=aarch64, for arm64.
# MAINTAINER is who answers for the package.
MAINTAINER ?= rtrack authors <rtrack@rtrack.invalid>
DEBS        = $(foreach p,rtrack-fleet rtrack,$(p)_$(VERSION)_$(DEB_ARCH).deb)
DEB_INTO    = build/deb$(if $(CROSS),-$(DEB_ARCH))
# Nothing of this make, its flags and the user's surroundings goes into the package.
DEB_CLEAN   = env -i PATH="$$PATH" HOME=/nonexistent LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH)

# Those of earlier commits go, so that build/rtrack_*.deb is one file.
# Debian's flags cannot bear a blank in the folder's name, so it is built elsewhere.
deb: pack-deps
	@$(MAKE) $(PARALLEL) --no-print-directory dist
	@rm -rf $(DEB_INTO) && mkdir -p $(DEB_INTO)
	@into=$$(mktemp -d) && trap 'rm -rf "$$into"' EXIT && tar -C "$$into" -xf build/$(DIST).tar.gz && \
	debian=$$into/$(DIST)/debian && cp -R packaging/debian "$$debian" && rm "$$debian/control.in" && \
	sed 's/@MAINTAINER@/$(MAINTAINER)/' packaging/debian/control.in >"$$debian/control" && \
	printf 'rtrack (%s) unstable; urgency=medium\n\n  * CHANGELOG.md says what changed.\n\n -- %s  %s\n' '$(VERSION)' \
	'$(MAINTAINER)' "$$(LC_ALL=C date -u -R -d @$(SOURCE_DATE_EPOCH))" >"$$debian/changelog" && cd "$$into/$(DIST)" && \
	if ! $(DEB_CLEAN) dpkg-buildpackage $(if $(CROSS),-a$(DEB_ARCH)) -us -uc -j$$(nproc) >../log 2>&1; then tail -n 40 ../log && exit 1; fi && \
	find .. -maxdepth 1 -type f -exec cp {} "$(CURDIR)/$(DEB_INTO)" ';'
	@find build -maxdepth 1 -name 'rtrack*_$(DEB_ARCH).deb' ! -name 'rtrack-spank_*' ! -name '*_$(VERSION)_*' -delete
	@cd $(DEB_INTO) && cp $(DEBS) '$(CURDIR)/build'
	@printf 'build/%s\n' $(DEBS)

.PHONY: deb
