# The plugin for Slurm as a Debian package, built against the Slurm that is installed here: make deb-spank. It needs a
# package with slurm/spank.h (Debian: libslurm-dev), no root, no network, and no npm.
#
# The package belongs to one version of Slurm, which is in its own version, so that apt sees a new one when Slurm is.
# SLURM_PACKAGE is the package of Slurm on every node that it depends on; SLURM_PACKAGE=none for a Slurm from source.
SLURM_HEADER  = $(shell echo '$(HASH)include <slurm/spank.h>' | $(CC) -E -x c - 2>/dev/null | sed -n 's,^$(HASH) 1 "\(/.*/spank\.h\)".*,\1,p' | head -n 1)
SLURM_NUMBER  = $(shell printf '$(HASH)include <slurm/slurm_version.h>\nSLURM_VERSION_NUMBER\n' | $(CC) -E -P -x c - | tail -n 1)
SLURM_VERSION = $(shell n=$$(($(SLURM_NUMBER))) && printf '%d.%02d.%d' $$((n >> 16)) $$((n >> 8 & 255)) $$((n & 255)))
SLURM_NEXT    = $(shell n=$$(($(SLURM_NUMBER))) && printf '%d.%02d.%d' $$((n >> 16)) $$((n >> 8 & 255)) $$(((n & 255) + 1)))
# By the package of the header. Those of SchedMD's own packaging begin with slurm-smd.
SLURM_PACKAGE ?= $(or $(word 2,$(subst =, ,$(filter $(shell dpkg-query -S '$(SLURM_HEADER)' 2>/dev/null | sed 's/:.*//')=%,\
                 libslurm-dev=slurm-wlm-basic-plugins slurm-smd-dev=slurm-smd))),none)
SLURM_DEPENDS = $(if $(filter none,$(SLURM_PACKAGE)),,$(comma) $(SLURM_PACKAGE) (>= $(SLURM_VERSION))$(comma) \
                $(SLURM_PACKAGE) (<< $(SLURM_NEXT)~))
SPANK_DEB     = $(VERSION)~slurm$(SLURM_VERSION)

deb-spank:
	@[ "$(HAS_SPANK)" ] || { echo 'deb-spank: slurm/spank.h is missing; it is in the package libslurm-dev' >&2; exit 1; }
	@tests/install gcc libc6-dev make build-essential dpkg-dev debhelper fakeroot
	@[ '$(SLURM_PACKAGE)' != none ] || echo 'deb-spank: no package has $(SLURM_HEADER), so the plugin depends on none of Slurm' >&2
	@rm -rf build/deb-spank && mkdir -p build/deb-spank
	@into=$$(mktemp -d) && trap 'rm -rf "$$into"' EXIT && mkdir "$$into/source" && \
	packaging/list_sources | grep -zE '^(Makefile|LICENSE|(core|collect|spank|packaging)/|docs/(slurm|operators)\.md)' | \
	xargs -0 cp --parents -Pt "$$into/source" && debian=$$into/source/debian && \
	mkdir "$$into/source/vendor" && echo '$(VERSION)' >"$$into/source/vendor/version" && \
	cp -R packaging/debian-spank "$$debian" && rm "$$debian/control.in" && \
	sed '/^Files: vendor/,/^$$/d' packaging/debian/copyright >"$$debian/copyright" && \
	sed -e 's/@MAINTAINER@/$(MAINTAINER)/; s/@VERSION@/$(VERSION)/; s/@SLURM@/$(SLURM_DEPENDS)/; s/@SLURM_VERSION@/$(SLURM_VERSION)/' \
	packaging/debian-spank/control.in >"$$debian/control" && \
	printf 'rtrack-spank (%s) unstable; urgency=medium\n\n  * Built for Slurm %s.\n\n -- %s  %s\n' '$(SPANK_DEB)' '$(SLURM_VERSION)' \
	'$(MAINTAINER)' "$$(LC_ALL=C date -u -R -d @$(SOURCE_DATE_EPOCH))" >"$$debian/changelog" && cd "$$into/source" && \
	if ! $(DEB_CLEAN) dpkg-buildpackage -b -us -uc >../log 2>&1; then tail -n 40 ../log && exit 1; fi && \
	find .. -maxdepth 1 -type f -exec cp {} "$(CURDIR)/build/deb-spank" ';'
	@find build -maxdepth 1 -name 'rtrack-spank_*_$(DEB_ARCH).deb' ! -name 'rtrack-spank_$(VERSION)~slurm*' -delete
	@cp build/deb-spank/rtrack-spank_$(SPANK_DEB)_$(DEB_ARCH).deb build
	@echo build/rtrack-spank_$(SPANK_DEB)_$(DEB_ARCH).deb

.PHONY: deb-spank
