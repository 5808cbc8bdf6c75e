# Completions for bash, zsh and fish, from the tables of options: make completions.
COMPLETE    = $(B)/completions
COMPLETIONS = $(foreach p,rtrack-collect rtrack-report rtrack-fleet,$(addprefix $(COMPLETE)/,bash/$(p) zsh/_$(p) fish/$(p).fish))
completions: $(COMPLETIONS)

# It runs here, so where programs are cross-built it has a build of its own, of which nothing else is used.
GENERATOR = packaging/completions/generate
GENERATE  = $(if $(CROSS),build/native,$(B))/$(GENERATOR)
ifneq ($(CROSS),)
$(GENERATE): FORCE
	@env -u MAKEFLAGS -u CPPFLAGS -u LDFLAGS $(MAKE) -j$$(nproc) --no-print-directory CC='$(BUILD_CC)' B=build/native CFLAGS=-O0 $@
endif
$(B)/$(GENERATOR): $(B)/$(GENERATOR).o $(B)/libcollect.a $(B)/libfleet.a $(B)/libreport.a $(B)/libcore.a
	$(call say,LINK)
	$Q$(CC) $(ALL_LDFLAGS) -o $@ $^ $(FLEET_LIBS)

# $* is SHELL/FILE; the name of the command is in FILE.
COMPLETES = $(patsubst _%,%,$(basename $(@F)))
$(COMPLETIONS): $(COMPLETE)/%: $(GENERATE) packaging/completions/bash.in packaging/completions/zsh.in packaging/completions/fish.in
	@mkdir -p $(@D)
	$(call say,MAKE)
	$Q$(GENERATE) $(patsubst %/,%,$(dir $*)) $(COMPLETES) >$@.table
	$Qsed -e '/^@TABLE@$$/{r $@.table' -e 'd}' -e 's/@COMMAND@/$(COMPLETES)/g; s/@NAME@/$(subst -,_,$(COMPLETES))/g' \
	packaging/completions/$(patsubst %/,%,$(dir $*)).in >$@
	@rm -f $@.table

.PHONY: completions FORCE
