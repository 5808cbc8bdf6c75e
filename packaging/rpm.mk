# Packages for Fedora, Red Hat, SUSE and others, by rpmbuild: make rpm.
#   build/rtrack-VERSION-1.src.rpm     builds there, of the libraries that are there: rpmbuild --rebuild
#   build/rtrack-VERSION-1.ARCH.rpm    the portable programs (portable.mk), for all of them; with ARCH=aarch64, for that machine;
#   build/rtrack-fleet-VERSION-1.ARCH.rpm    rtrack-fleet alone needs SQLite
RPM  = $(DIST)-1
RPMS = $(foreach p,rtrack-fleet rtrack,$(p)-$(VERSION)-1.$(ARCH).rpm)
# What a package needs is looked up among rpm's own packages, and Debian has none of these. Nothing of this machine goes into a
# package: one of sources has its spec file expanded, with folders and the number of CPUs.
RPMBUILD = env -i PATH="$$PATH" HOME=/nonexistent LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) rpmbuild --nodeps \
           --define "_topdir $(1)" --define "_sourcedir $(1)" --define "_rpmdir $(1)" --define "_srcrpmdir $(1)" \
           --define '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' --define '_buildhost rtrack' \
           --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
           --define 'source_date_epoch_from_changelog 0' --define '_smp_mflags %{nil}'

# Rpmbuild cannot bear a blank in the folder's name, so it works elsewhere.
rpm: tarball recipes
	@tests/install rpm
	@into=$$(mktemp -d) && trap 'rm -rf "$$into"' EXIT && \
	cp build/recipes/rpm/rtrack.spec build/$(DIST).tar.gz build/$(TARBALL).tar.gz "$$into" && cd "$$into" && \
	chmod 644 * && touch -d @$(SOURCE_DATE_EPOCH) * && if ! { $(call RPMBUILD,.) -bs rtrack.spec && \
	$(call RPMBUILD,$$into) -bb --with portable $(if $(CROSS),--nocheck) --target $(ARCH)-linux rtrack.spec; } >log 2>&1; then tail -n 40 log && exit 1; fi && \
	cp $(RPM).src.rpm $(RPMS) '$(CURDIR)/build'
	@find build -maxdepth 1 -name 'rtrack*-1.$(ARCH).rpm' ! -name '*-$(VERSION)-1.*' -delete
	@find build -maxdepth 1 -name 'rtrack-[0-9]*-1.src.rpm' ! -name '$(RPM).src.rpm' -delete
	@printf 'build/%s\n' $(RPM).src.rpm $(RPMS)

.PHONY: rpm
