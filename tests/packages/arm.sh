#!/bin/bash
# Only make test-release runs it.
# The tarball and the wheel for Arm: cross-built, and the tarball used in clean roots of arm64, with today's C library and an old one.
. tests/check.sh
. tests/packages/root.bash
[ "$(uname -m)" = x86_64 ] || skip_all 'this machine is not x86-64'
command -v aarch64-linux-gnu-gcc >/dev/null || skip_all 'gcc-aarch64-linux-gnu is not installed'
root_need
unset CC CFLAGS
X=build/portable-aarch64
# tests/packages/arm_deb.sh makes the wheel, too.
mkdir -p build/aarch64
make() { flock build/aarch64 make -s -j"$(nproc)" ARCH=aarch64 B=build/aarch64 "$@"; }
check 'make tarball' make tarball
check 'make wheel' make wheel WHEEL_OUT="$D"
tarball=$(echo build/rtrack-"$(make -s version)"-linux-aarch64.tar.gz) wheel=$(cd "$D" && echo *.whl)
[ -e "$tarball" ] || { echo "1..$n" && exit 1; }
name=$(basename "$tarball" .tar.gz)

# -- what they are -----------------------------------------------------------------------------------------
machine() { readelf -hW "$1" | sed -n 's/ *Machine: *//p'; }
for program in rtrack-collect rtrack-report rtrack-fleet rtrack-collect-static; do
	check_equal "$program is for Arm" "$(machine $X/$program)" AArch64
	check_equal "$program does not name the folder in which it was built" "$(grep -c -a -F "$PWD" $X/$program)" 0
done
for program in rtrack-collect rtrack-report rtrack-fleet; do
	check_equal "$program needs glibc 2.17, the first for Arm" "$(packaging/glibc_needed $X/$program)" "$X/$program needs glibc 2.17"
done
check_equal 'the wheel is for any Linux on Arm' "${wheel#*-none-}" manylinux_2_17_aarch64.whl
sum=$(sha256sum <"$tarball")
touch -c $X/rtrack-* $X/objects/completions/*/* collect/*.1
check 'the tarball is packed again' make tarball
check_equal 'with the same bytes' "$(sha256sum <"$tarball")" "$sum"

root_for arm64 || { skip 'clean roots of arm64' 'programs of Arm cannot be run by qemu-user-static here' && echo "1..$n" && exit; }
for suite in "$root_own" bullseye; do
	root_fresh "$suite" || { skip "Debian $suite of arm64" 'it is not to be had' && continue; }
	where="Debian $suite, arm64"
	check_equal "$where: the machine" "$(root_run uname -m)" aarch64
	cp "$tarball" "$root/tmp"
	check "$where: the tarball is unpacked and copied" root_run sh -c "
		cd /tmp && tar -xf $name.tar.gz && cd $name && sha256sum --quiet -c SHA256SUMS && cp -R bin share /usr/local"
	for collect in rtrack-collect rtrack-collect-static; do
		root_records "$where, tarball" $collect
	done
done
echo "1..$n"
