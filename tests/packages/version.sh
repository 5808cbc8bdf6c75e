#!/bin/bash
# The version (packaging/version): it names the commit between releases, grows with it in the order of each installer, and a new
# one compiles one file.
. tests/check.sh
base=$(sed -n 's/^BASE_VERSION = //p' Makefile)
check_equal 'make version: the release, or the release and the commit' \
	"$(make -s version | sed -E 's/^'"$base"'(\+([0-9]{14}\.g[0-9a-f]{8,}|0\.unknown))?$/good/')" good
compiled=$(flock "$B" make -n B="$build" VERSION="$base+9" "$build"/rtrack-{collect,report,fleet} | sed -n "s/.*'  %-4s %s\\\\n' //p")
check_equal 'another version compiles one file and links three programs' "$compiled" "CC $build/version.o
LINK $build/rtrack-collect
LINK $build/rtrack-report
LINK $build/rtrack-fleet"

# -- a repository, as it goes on ---------------------------------------------------------------------------------------
version=$PWD/packaging/version
mkdir "$D/tree" && cd "$D/tree" || exit 1
export HOME=$D GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
commit() { GIT_COMMITTER_DATE=$1 git commit -q --allow-empty -m "$1" && git rev-parse --short=8 HEAD; }
check_equal 'without git: unknown' "$("$version" "$base")" "$base+0.unknown"
git init -q .
check_equal 'without a commit: unknown' "$("$version" "$base")" "$base+0.unknown"
hash=$(commit '2026-11-30T01:02:03+02:00')
one=$("$version" "$base")
check_equal 'a commit: its time in UTC, and its hash' "$one" "$base+20261129230203.g$hash"
git tag "v$base" && git tag -a -m it vanother
check_equal 'the commit of the release' "$("$version" "$base")" "$base"
check_equal 'the tag of another version is not it' "$("$version" 1.2.3)" "1.2.3+20261129230203.g$hash"
hash=$(TZ=Asia/Tokyo commit '2026-11-29T23:02:04Z')
two=$(TZ=Asia/Tokyo "$version" "$base")
check_equal 'a second later, in another time zone' "$two" "$base+20261129230204.g$hash"
if [ "$(id -u)" = 0 ]; then
	chown -R 65534:65534 .
	check_equal "root in another user's folder" "$("$version" "$base")" "$two"
fi
mkdir vendor && echo 7.8.9 >vendor/version
check_equal 'what a tarball says counts' "$("$version" "$base")" 7.8.9

# -- the order of the installers ---------------------------------------------------------------------------------------
grows() { # COMMAND…: succeeds if its first version is below its second
	"$@" "$base" "$base+0.unknown" && "$@" "$base+0.unknown" "$one" && "$@" "$one" "$two" && "$@" "$two" "${base%.*}.$((${base##*.} + 1))"
}
of_dpkg() { dpkg --compare-versions "$1" lt "$2" && dpkg --compare-versions "$1$slurm" lt "$2$slurm"; }
slurm=$(sed -n 's/^SPANK_DEB *= $(VERSION)\(.*\)$(SLURM_VERSION)$/\1/p' "${version%/*}/deb_spank.mk")22.05.8
of_rpm() { [ "$(rpm --eval "%{lua: print(rpm.vercmp('$1', '$2'))}")" = -1 ]; }
of_pip() { /usr/bin/python3 -c 'import sys; from pip._vendor.packaging.version import Version as V; sys.exit(not V(sys.argv[1]) < V(sys.argv[2]))' "$@"; }
for installer in dpkg rpm pip; do
	if ! command -v $installer >/dev/null && ! /usr/bin/python3 -c "import $installer" 2>/dev/null; then
		skip "it grows for $installer" "$installer is not installed"
	else
		check "it grows for $installer" grows of_$installer
	fi
done
echo "1..$n"
