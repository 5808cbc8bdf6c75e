#!/bin/bash
# make install and make uninstall: what is put where, and that nothing of it stays.
. tests/check.sh
# Other tests use the same build folder.
make_it() { flock "$B" make -s "$@" B="$build" ${CC:+CC="$CC"} DESTDIR="$D/a root" >"$D/made" 2>&1 || { cat "$D/made" && return 1; }; }
files() { (cd "$D/a root" && find . ! -type d | sort); }
folders() { (cd "$D/a root" && find . -type d | sort); }

check 'make install' make_it install
check_equal 'programs, man pages, completions and the licence' "$(files)" './usr/local/bin/rtrack-collect
./usr/local/bin/rtrack-fleet
./usr/local/bin/rtrack-report
./usr/local/share/bash-completion/completions/rtrack-collect
./usr/local/share/bash-completion/completions/rtrack-fleet
./usr/local/share/bash-completion/completions/rtrack-report
./usr/local/share/doc/rtrack/LICENSE
./usr/local/share/fish/vendor_completions.d/rtrack-collect.fish
./usr/local/share/fish/vendor_completions.d/rtrack-fleet.fish
./usr/local/share/fish/vendor_completions.d/rtrack-report.fish
./usr/local/share/man/man1/rtrack-collect.1
./usr/local/share/man/man1/rtrack-fleet.1
./usr/local/share/man/man1/rtrack-report.1
./usr/local/share/zsh/site-functions/_rtrack-collect
./usr/local/share/zsh/site-functions/_rtrack-fleet
./usr/local/share/zsh/site-functions/_rtrack-report'
check 'the programs run' "$D/a root/usr/local/bin/rtrack-report" --version
if make_it install-spank; then
	check 'the plugin is there' test -s "$D/a root/usr/local/lib/rtrack/rtrack_spank.so"
else
	skip 'the plugin is there' 'no slurm/spank.h'
fi
check 'make uninstall' make_it uninstall
check_equal 'leaves no file' "$(files)" ''
check_equal 'and only the folders that every system has' "$(folders | grep -vxE '\./usr/local/(bin|lib|share|share/man)')" $'.\n./usr\n./usr/local'

# A prefix that others use.
rm -rf "$D/a root"
mkdir -p "$D/a root/opt/x/share/zsh/site-functions" "$D/a root/opt/x/bin" "$D/a root/opt/x/lib/rtrack" "$D/a root/opt/x/share/doc/rtrack"
touch "$D/a root/opt/x/bin/rtrack-other" "$D/a root/opt/x/share/zsh/site-functions/_rtrack-reporter" "$D/a root/opt/x/lib/rtrack/mine"
touch "$D/a root/opt/x/share/doc/rtrack/mine"
before=$(files)
check 'make install PREFIX=/opt/x' make_it install PREFIX=/opt/x
check_equal 'files of others stay' "$(files | grep -cxF "$before") $(files | wc -l)" '4 20'
check 'make uninstall PREFIX=/opt/x' make_it uninstall PREFIX=/opt/x
check_equal 'takes only its own' "$(files)" "$before"
check 'make uninstall where nothing is' make_it uninstall PREFIX=/nowhere
echo "1..$n"
