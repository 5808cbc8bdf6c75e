#!/bin/bash
# Builds in folders of its own: it takes as long as all other packages of make test-all, and runs beside them.
# The tarball of the sources: the same bytes twice, and built where there is neither npm nor a network, with the packages that
# the Makefile lists and no other.
. tests/check.sh
. tests/packages/root.bash
root_need
# A folder of its own: without its page, the build of the other tests would be linked again while they run.
made() { flock "$B" make dist B=build/dist >"$D/made" 2>&1 || { cat "$D/made" && return 1; }; }
check 'make dist' made
name=$(sed -n '$s,^build/\(.*\)\.tar\.gz$,\1,p' "$D/made")
tarball=$PWD/build/$name.tar.gz
check 'its sum is beside it' env -C build sha256sum -c --quiet "$name.tar.gz.sha256"
cp "$tarball" "$D/first.tar.gz"
touch README.md && rm -r build/dist/assets && (umask 077 && made)
check 'made again, of newer files by another mask: the same bytes' cmp "$tarball" "$D/first.tar.gz"
# shellcheck disable=SC2016
packages=$(printf 'include Makefile\nlist:; @echo $(BUILD_PACKAGES)\n' | make -s -f - list B="$build")

check 'a clean root' root_fresh
# shellcheck disable=SC2086
check 'the packages of the build are installed' root_apt $packages
check_equal 'npm, node and git are not' "$(root_run sh -c 'command -v npm node git')" ''
tar -C "$root/home/user" --no-same-owner -xf "$tarball" && chown -R 1000:1000 "$root/home/user/$name"
# The user of the root, without any network.
alone() { root_run unshare --net setpriv --reuid 1000 --regid 1000 --clear-groups env -C "/home/user/$name" HOME=/home/user "$@"; }
check_equal 'there is no network' "$(alone sh -c 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "')" lo
check 'make && make install' alone sh -c 'make -j2 && make install DESTDIR=../installed'
check_equal 'it installs what the sources do' "$(cd "$root/home/user/installed" && find . -type f | sort)" \
	"$(flock "$B" make -s install B="$build" DESTDIR="$D/here" >"$D/made" 2>&1 && cd "$D/here" && find . -type f | sort)"
check 'make dist there' alone sh -c 'make dist'
check 'it makes the tarball again' cmp "$root/home/user/$name/build/$name.tar.gz" "$tarball"
cp -a "$root/home/user/installed/." "$root"
check_equal 'the programs have the version of the Makefile' "$(root_user sh -c 'rtrack-collect --version; rtrack-report --version; rtrack-fleet --version')" \
	"rtrack-collect ${name#*-}"$'\n'"rtrack-report ${name#*-}"$'\n'"rtrack-fleet ${name#*-}"
check 'a job is recorded' root_user rtrack-collect -q -o job.json.gz -i 0.1 -- sleep 0.5
check 'and reported' root_user rtrack-report --offline -o job.html job.json.gz
check 'and with others' root_user rtrack-fleet --offline -o groups.html job.json.gz
check_equal 'in the page that these sources make' "$(root_user cat job.html | grep -o '<script[^>]*>[^<]*' | sha256sum)" \
	"$("$P" --offline -o - "$root/home/user/job.json.gz" | grep -o '<script[^>]*>[^<]*' | sha256sum)"
echo "1..$n"
