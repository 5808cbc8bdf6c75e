# Recipes for packagers, with the version, the address and the sum of the tarball that `make dist` makes: make recipes.
#
# rtrack has no home yet: whoever publishes it says where, in HOMEPAGE and RELEASE_URL, the folder of a release's files.
HOMEPAGE    ?= https://rtrack.invalid
RELEASE_URL ?= $(HOMEPAGE)/releases/$(VERSION)
RECIPES      = rpm/rtrack.spec conda/recipe.yaml spack/package.py nix/package.nix homebrew/rtrack.rb
# A tarball cannot name its own sum: its recipes still have @SHA256@.
recipes: dist
	@sum=$$(cut -c1-64 build/$(DIST).tar.gz.sha256) && sri=sha256-$$(echo $$sum | tr a-f A-F | basenc --base16 -d | base64) && \
	date=$$(LC_ALL=C date -u -d @$(SOURCE_DATE_EPOCH) '+%a %b %d %Y') && rm -rf build/recipes && for recipe in $(RECIPES); do \
		mkdir -p build/recipes/$${recipe%/*} && \
		sed -e 's,@VERSION@,$(VERSION),g; s,@HOMEPAGE@,$(HOMEPAGE),g; s,@RELEASE_URL@,$(RELEASE_URL),g; s,@MAINTAINER@,$(MAINTAINER),g' \
		-e "s,@SHA256@,$$sum,g; s,@SRI@,$$sri,g; s,@DATE@,$$date,g" packaging/$$recipe.in >build/recipes/$$recipe || exit 1; \
	done
	@echo build/recipes

.PHONY: recipes
