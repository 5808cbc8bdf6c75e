#!/bin/bash
# Only make test-release runs it.
# `make release` twice, in two folders: the same files with the same bytes. What it says is linked in, against the programs; and
# its wheel, in a clean root. Only for this machine, as that takes minutes; the other tests of packages install the others.
. tests/check.sh
. tests/packages/root.bash
root_need
command -v rpmbuild dpkg-buildpackage dh >/dev/null || skip_all 'rpm or debhelper is not installed'
arch=$(uname -m) version=$(make -s version) here=$PWD
ln -s "$here/build/portable/libs/sources" "$D/sources" # by a path without blanks, which a wheel's list cannot have
make_release() { # FOLDER
	(cd "$1" && env -u B -u CC -u CFLAGS make release RELEASE_ARCHES="$arch" CJSON_SRC="$D/sources/cjson" \
		CURL_SRC="$D/sources/curl") >"$D/made" 2>&1 || { tail -n 40 "$D/made" && return 1; }
}
# Other tests use the same build folder.
release=$D/rtrack-$version-release
exec 9<"$B" && flock 9
check 'the sources of the libraries' make tarball B="$build"
check 'make release' make_release .
cp -R "build/${release##*/}" "$release"
exec 9<&-
check_equal 'it has these files' "$(cd "$release" && find . -type f | sed "s/$version/V/; s/$arch/ARCH/; s/_[a-z0-9]*\.deb/_ARCH.deb/; s/linux_.*whl/PLATFORM.whl/; s/many//" | LC_ALL=C sort)" \
	'./SHA256SUMS
./recipes/conda/recipe.yaml
./recipes/homebrew/rtrack.rb
./recipes/nix/package.nix
./recipes/rpm/rtrack.spec
./recipes/spack/package.py
./rtrack-V-1.ARCH.rpm
./rtrack-V-1.src.rpm
./rtrack-V-linux-ARCH.spdx.json
./rtrack-V-linux-ARCH.tar.gz
./rtrack-V-py3-none-PLATFORM.whl
./rtrack-V.tar.gz
./rtrack-fleet-V-1.ARCH.rpm
./rtrack-fleet_V_ARCH.deb
./rtrack_V_ARCH.deb'
check 'the sums are right' env -C "$release" sha256sum -c --quiet SHA256SUMS
check_equal 'of all files' "$(wc -l <"$release/SHA256SUMS")" 14

# From its own tarball, in a folder with a blank, by another mask, in another place and language, without git and npm.
other="$D/another folder"
mkdir -p "$other" "$D/bin" && tar -C "$other" -xf "$release/rtrack-$version.tar.gz"
printf '#!/bin/sh\nexit 1\n' | tee "$D/bin/npm" "$D/bin/node" >"$D/bin/git" && chmod 755 "$D"/bin/*
(umask 077 && export PATH="$D/bin:$PATH" TZ=Asia/Tokyo LC_ALL=C HOME="$D" && make_release "$other/rtrack-$version")
check_equal 'made again elsewhere' $? 0
check 'the same files and bytes' diff -r "$release" "$other/rtrack-$version/build/${release##*/}"

# -- what is linked in ------------------------------------------------------------------------------------------------
check 'what is linked in is what the programs say' python3 tests/packages/check_sbom.py "$release/rtrack-$version-linux-$arch.spdx.json" \
	"$release/rtrack-$version-linux-$arch.tar.gz" build/portable
licences=$(sed -n '/SPDX/,/^$/p' packaging/licences.txt | awk -F '  +' 'NF > 3 && $3 !~ /static/ && NR > 1 { print $4 }' | sort -u)
check_equal 'the licence of the RPM packages is theirs' "$(rpm -qp --qf '%{license}\n' "$release"/rtrack-{,fleet-}"$version-1.$arch.rpm" | sed 's/ AND /\n/g' | sort -u)" "$licences"
check_equal 'and of SQLite only in one of them' "$(rpm -qp --qf '%{license}\n' "$release"/rtrack-{,fleet-}"$version-1.$arch.rpm" | grep -c blessing)" 1

# -- the wheel in a clean root -----------------------------------------------------------------------------------------
check 'a clean root' root_fresh
check 'with Python and pip' root_apt python3-venv
cp "$release"/*.whl "$root/home/user"
check 'pip installs the wheel' root_user sh -c 'python3 -m venv env && env/bin/pip install -q --no-index ./*.whl'
check 'its module records and reports' root_user env PATH=/home/user/env/bin:/usr/bin:/bin python3 -c '
import rtrack, subprocess
subprocess.run(["rtrack-collect", "-q", "-o", "job.json.gz", "-i", "0.1", "--", "sleep", "0.3"], check=True)
subprocess.run(["rtrack-report", "--offline", "-o", "job.html", "job.json.gz"], check=True)
assert open("job.html").read(9).lower() == "<!doctype"'
echo "1..$n"
