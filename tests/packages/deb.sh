#!/bin/bash
# Only make test-release runs it.
# The Debian package: built, checked, built again from its source, installed in a clean root, used, and removed.
. tests/check.sh
. tests/packages/root.bash
. tests/packages/doc_links.bash
command -v dpkg-buildpackage dh lintian >/dev/null || skip_all 'debhelper or lintian is not installed'
# What bundles the page is not there when the package is built. Other tests use the same build folder.
check 'make dist' flock "$B" make dist B="$build"
mkdir "$D/bin" && printf '#!/bin/sh\nexit 1\n' | tee "$D/bin/npm" >"$D/bin/node" && chmod 755 "$D" "$D/bin" "$D"/bin/*
PATH=$D/bin:$PATH flock "$B" make deb B="$build" >"$D/made" 2>&1
deb=$(realpath -m "$(tail -n 1 "$D/made")")
fleet=${deb%/*}/rtrack-fleet_${deb##*/rtrack_}
dsc=$(ls build/deb/*.dsc) changes=$(ls build/deb/*.changes)
check 'make deb makes a package without npm, and says where it is' test -s "$deb" -a "${deb%.deb}" != "$deb" || cat "$D/made"
check_equal 'and one of rtrack-fleet' "$(tail -n 2 "$D/made" | head -n 1)" "build/${fleet##*/}"
check_equal 'which alone needs SQLite' "$(for d in "$deb" "$fleet"; do dpkg-deb -f "$d" Depends | grep -c libsqlite3; done | paste -sd ' ')" '0 1'
check_equal 'the most pedantic lintian has nothing to say' "$(lintian --allow-root --fail-on none -I --pedantic "$changes" 2>&1)" ''
check_that 'it is small' "$(stat -c %s "$deb") < 1500000"

# From the tarball, with no git at all: the same package.
mkdir "$D/packed" && tar -C "$D/packed" -xf "build/rtrack-$(make -s version).tar.gz"
printf '#!/bin/sh\nexit 127\n' >"$D/bin/git" && chmod 755 "$D/bin/git"
(cd "$D"/packed/rtrack-* && env -u B -u CFLAGS PATH="$D/bin:$PATH" make deb) >"$D/made" 2>&1 || tail -n 20 "$D/made"
listed() { dpkg-deb -c "$1" | awk '{ print $1, $2, $6, $7, $8 }'; }
check_equal 'make deb in the tarball, without git: the same files' "$(for d in "$D"/packed/rtrack-*/build/rtrack*.deb; do listed "$d"; done)" "$(listed "$fleet" && listed "$deb")"
rm "$D/bin/git"

# Another folder, another user, another day. The id is a hash of all that the linker wrote, debugging information too;
# one of the programs is enough.
build_id() { readelf -n "$1" | grep 'Build ID'; }
mkdir "$D/again" && dpkg-source -q -x "$dsc" "$D/again/source" >/dev/null 2>&1 && dpkg-deb -x "$deb" "$D/unpacked"
if [ "$(id -u)" = 0 ]; then
	chown -R 65534:65534 "$D/again"
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
(cd "$D/again/source" && env -u CC -u B -u CFLAGS HOME="$D/nohome" DEB_BUILD_MAINT_OPTIONS="$(sed -n 's/.*MAINT_OPTIONS = //p' debian/rules)" \
	"${nobody[@]}" dh_auto_build -- B=build/release build/release/rtrack-collect) >"$D/again.log" 2>&1 || tail -n 20 "$D/again.log"
check_equal 'built from its source by another user: the same program' "$(build_id "$D/again/source/build/release/rtrack-collect")" \
	"$(build_id "$D/unpacked/usr/bin/rtrack-collect")"
check 'it has an id' build_id "$D/unpacked/usr/bin/rtrack-collect"

root_need
cd "$D" || exit 1
check 'a clean root' root_fresh
cp "$deb" "$fleet" "$root/tmp"
before=$(root_files)
check 'apt installs it, and what it needs' root_apt "/tmp/${deb##*/}"
check_equal 'both commands are there' "$(root_user sh -c 'rtrack-collect --version; rtrack-report --version' | sed 's/ [0-9.]*\(+[0-9a-z.]*\)\?$//')" \
	$'rtrack-collect\nrtrack-report'
check 'a job is recorded' root_user rtrack-collect -q -o job.json.gz -i 0.1 -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; sleep 0.3'
check 'and reported' root_user rtrack-report --offline -o job.html --text job.txt job.json.gz
check 'as a page' root_user grep -qi '^<!doctype html>' job.html
check 'and as text' root_user grep -q 'CPU' job.txt
check 'man pages are where man looks' root_user sh -c 'for c in collect report; do gzip -dc /usr/share/man/man1/rtrack-$c.1.gz | grep -q "^.Nm rtrack-$c" || exit 1; done'
check 'the licence and the changes are there' root_user sh -c 'cd /usr/share/doc/rtrack && grep -q "^License: Expat" copyright && gzip -dc changelog.gz | grep -q ^rtrack && ls CHANGELOG.md README.md'
check_equal 'links of the documents lead to documents' "$(broken_links "$root/usr/share/doc/rtrack")" ''
check "the files of the operators' manual are there" root_run sh -c 'cd /usr/share/doc/rtrack/examples && ls grafana/rtrack.json systemd/rtrack-fleet.service systemd/rtrack-fleet.timer systemd/rtrack-retention.service systemd/rtrack-retention.timer sysusers.d/rtrack.conf tmpfiles.d/rtrack.conf'
check 'apt installs the other, too' root_apt "/tmp/${fleet##*/}"
check 'with its program' root_user rtrack-fleet --offline -o groups.html job.json.gz
check 'its man page and completions' test -s "$root/usr/share/man/man1/rtrack-fleet.1.gz" -a -s "$root/usr/share/bash-completion/completions/rtrack-fleet"
check 'bash finds the completions' root_user bash -c '. /usr/share/bash-completion/completions/rtrack-collect && complete -p rtrack-collect'
check 'so do zsh and fish' test -s "$root/usr/share/zsh/vendor-completions/_rtrack-report" -a -s "$root/usr/share/fish/vendor_completions.d/rtrack-report.fish"
check_equal 'Python is not there, and not needed' "$(root_run sh -c 'command -v python3')" ''
check "Debian's Python is installed later" root_apt python3
# Root leaves compiled files in its folder.
for who in run user; do
	check "its module records and reports: $who" root_$who env -C /tmp python3 -c '
import rtrack
assert rtrack.__file__ == "/usr/lib/python3/dist-packages/rtrack/__init__.py", rtrack.__file__
with rtrack.ResourceTracker(interval=0.1) as tracker:
    tracker.wait_for_samples(2)
assert tracker.stats()
print(rtrack.__version__)'
done
check_equal 'with the version of the programs' "$(root_user python3 -c 'import rtrack; print(rtrack.__version__)')" "$(dpkg-deb -f "$deb" Version)"
check 'they are removed' root_run dpkg --purge rtrack-fleet rtrack
check_equal 'and nothing is left' "$(root_files | grep -i rtrack)" ''
rm -f "$root"/home/user/job.* "$root"/home/user/groups.html
check 'with what it needed' root_run sh -c 'apt-mark auto python3 && apt-get -q -y autoremove --purge'
check_equal 'the root is as before' "$(diff <(echo "$before") <(root_files) | grep '^[<>]')" ''
echo "1..$n"
