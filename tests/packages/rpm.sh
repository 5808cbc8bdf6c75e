#!/bin/bash
# Only make test-release runs it.
# The RPM packages: made twice, the one of sources built in a clean root without a network, both installed, used and removed.
# The roots are Debian's, whose packages rpm does not know: what a package requires is compared instead (--nodeps).
. tests/check.sh
. tests/packages/root.bash
. tests/packages/doc_links.bash
command -v rpmbuild rpm2cpio >/dev/null || skip_all 'rpm is not installed'
root_need
version=$(make -s version)
# Other tests use the same build folder.
made() { # FOLDER
	mkdir "$1" && exec 9<"$B" && flock 9 && make rpm B="$build" >"$D/made" 2>&1 &&
		cp "build/rtrack-$version-1".{src,"$(uname -m)"}.rpm "build/rtrack-fleet-$version-1.$(uname -m).rpm" "build/rtrack-$version-linux-$(uname -m).tar.gz" "$1"
	local status=$?
	exec 9<&-
	[ $status = 0 ] || tail -n 40 "$D/made"
	return $status
}
check 'make rpm' made "$D/one"
check_equal 'it says where they are' "$(tail -n 3 "$D/made")" "build/rtrack-$version-1.src.rpm
build/rtrack-fleet-$version-1.$(uname -m).rpm
build/rtrack-$version-1.$(uname -m).rpm"
mkdir "$D/elsewhere"
TMPDIR=$D/elsewhere check 'made again, elsewhere and by another mask' eval '(umask 077 && made "$D/two")'
check 'with the same bytes' diff -r "$D/one" "$D/two"
source=$D/one/rtrack-$version-1.src.rpm binary=$D/one/rtrack-$version-1.$(uname -m).rpm fleet=$D/one/rtrack-fleet-$version-1.$(uname -m).rpm
[ -s "$source" ] && [ -s "$binary" ] && [ -s "$fleet" ] || { echo "1..$n" && exit 1; }

# -- the package of the portable programs ------------------------------------------------------------------------------
mkdir "$D/unpacked" "$D/tarball" && tar -C "$D/tarball" -xf "$D"/one/*.tar.gz && for package in "$binary" "$fleet"; do
	rpm2cpio "$package" | (cd "$D/unpacked" && cpio -idm --quiet)
done
for program in rtrack-collect rtrack-report rtrack-fleet; do
	check "$program is the tarball's" cmp "$D/unpacked/usr/bin/$program" "$D"/tarball/*/bin/$program
done
check_equal 'they require nothing but glibc' \
	"$(rpm -qp --requires "$binary" "$fleet" | grep -vE '^(rtrack(\([a-z0-9-]+\))? = '"${version//+/\\+}-1"'|lib(c|m|dl|pthread)\.so\.[0-9]+\([A-Z_0-9.]*\)\(64bit\)|rpmlib\(.*|rtld\(GNU_HASH\)|ld-linux.*)$')" ''
for name in rtrack rtrack-fleet; do
	check "$name has the licences of what is linked in" diff -r "$D"/tarball/*/licences "$D/unpacked/usr/share/licenses/$name-$version/licences"
done
check_equal 'they say what they are' "$(rpm -qp --qf '%{NAME} %{VERSION} %{RELEASE} %{BUILDHOST}\n' "$source" "$binary" "$fleet" | uniq)" "rtrack $version 1 rtrack
rtrack-fleet $version 1 rtrack"
if command -v rpmlint >/dev/null; then
	# It knows neither today's tags nor today's names of licences, and signing is up to who publishes.
	check_equal 'rpmlint has nothing else to say' "$(rpmlint "$source" "$binary" "$fleet" 2>&1 | grep -E ': [EW]: ' |
		grep -vE ': (no-(signature|packager-tag|group-tag|buildroot-tag)|invalid-license|manpage-not-compressed bz2|binary-or-shlib-calls-gethostbyname|no-manual-page-for-binary)')" ''
else
	skip 'rpmlint has nothing else to say' 'rpmlint is not installed'
fi

# What is installed, used and removed.
use() { # NAME RPM RPM-OF-FLEET
	local before
	cp "$2" "$root/tmp/rtrack.rpm" && cp "$3" "$root/tmp/fleet.rpm"
	before=$(root_files)
	check "$1: rpm installs it" root_run rpm -i --nodeps /tmp/rtrack.rpm /tmp/fleet.rpm
	check "$1: its files are as packed" root_run rpm -V --nodeps rtrack rtrack-fleet
	check_equal "$1: the commands are there" "$(root_user sh -c 'rtrack-collect --version; rtrack-report --version; rtrack-fleet --version')" \
		"rtrack-collect $version"$'\n'"rtrack-report $version"$'\n'"rtrack-fleet $version"
	check "$1: a job is recorded" root_user rtrack-collect -q -o job.json.gz -i 0.1 -- sleep 0.3
	check "$1: and reported" root_user rtrack-report --offline -o job.html job.json.gz
	check "$1: and kept" root_user rtrack-fleet groups --offline --catalog runs.db --add -o groups.html job.json.gz
	check "$1: the manual, completions, licence and examples are there" root_run sh -c 'cd /usr/share && ls man/man1/rtrack-collect.1* man/man1/rtrack-fleet.1* \
		bash-completion/completions/rtrack-report zsh/site-functions/_rtrack-report fish/vendor_completions.d/rtrack-report.fish \
		licenses/rtrack*/LICENSE doc/rtrack*/README.md doc/rtrack*/examples/systemd/rtrack-fleet.timer'
	check_equal "$1: links of the documents lead to documents" "$(broken_links "$(echo "$root"/usr/share/doc/rtrack*)")" ''
	check "$1: it is removed" root_run rpm -e rtrack-fleet rtrack
	rm -f "$root"/home/user/{job.*,groups.html,runs.db}
	check_equal "$1: and nothing is left" "$(diff <(echo "$before") <(root_files) | grep '^[<>]' | grep -vE ' \./(\.rpmdb|var/lib/rpm|usr/share/licenses$)')" ''
}
check 'a clean root' root_fresh
check 'with rpm alone' root_apt rpm
use 'portable' "$binary" "$fleet"

# shellcheck disable=SC2016
packages=$(printf 'include Makefile\nlist:; @echo $(BUILD_PACKAGES)\n' | make -s -f - list B="$build")
# shellcheck disable=SC2086
check 'the packages of the build are installed' root_apt $packages
cp "$source" "$root/home/user/rtrack.src.rpm"
check 'built from the source package, without a network' root_run unshare --net setpriv --reuid 1000 --regid 1000 --clear-groups \
	env -C /home/user HOME=/home/user rpmbuild --rebuild --nodeps --define 'optflags -O0' rtrack.src.rpm
built=$(echo "$root"/home/user/rpmbuild/RPMS/*/rtrack-"$version"-1.*.rpm) fleet=$(echo "$root"/home/user/rpmbuild/RPMS/*/rtrack-fleet-"$version"-1.*.rpm)
check_equal 'they require the libraries of this machine' "$(rpm -qp --requires "$built" "$fleet" | sed -n 's/^\(lib.*\.so\.[0-9]*\).*/\1/p' | sort -u)" \
	"$(readelf -d "$R" "$P" "$F" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)"
mv "$built" "$D/built.rpm" && mv "$fleet" "$D/fleet.rpm"
use 'from source' "$D/built.rpm" "$D/fleet.rpm"
echo "1..$n"
