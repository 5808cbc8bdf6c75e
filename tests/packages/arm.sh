#!/bin/bash
# The tarball, the wheel and the Debian package for Arm: cross-built, and used in clean roots of arm64 (tests/packages/root.bash).
. tests/check.sh
. tests/packages/root.bash
[ "$(uname -m)" = x86_64 ] || skip_all 'this machine is not x86-64'
command -v aarch64-linux-gnu-gcc dpkg-buildpackage dh lintian >/dev/null || skip_all 'gcc-aarch64-linux-gnu, debhelper or lintian is not installed'
[ -e .git ] || skip_all 'make dist packs what git tracks, and there is no git here'
root_need
unset CC CFLAGS
X=build/portable-aarch64
# Other tests make packages for this machine, and `make dist` works in one folder.
make() { flock "$build" make -s -j"$(nproc)" ARCH=aarch64 B=build/aarch64 "$@"; }
check 'make tarball' make tarball
check 'make wheel' make wheel WHEEL_OUT="$D"
check 'make deb' make deb
tarball=$(echo build/rtrack-*-linux-aarch64.tar.gz) deb=$(echo build/rtrack_*_arm64.deb) wheel=$(cd "$D" && echo *.whl)
[ -e "$tarball" ] && [ -e "$deb" ] || { echo "1..$n" && exit 1; }
name=$(basename "$tarball" .tar.gz)

# -- what they are -----------------------------------------------------------------------------------------
machine() { readelf -hW "$1" | sed -n 's/ *Machine: *//p'; }
for program in rtrack-collect rtrack-report rtrack-collect-static; do
	check_equal "$program is for Arm" "$(machine $X/$program)" AArch64
	check_equal "$program does not name the folder in which it was built" "$(grep -c -a -F "$PWD" $X/$program)" 0
done
for program in rtrack-collect rtrack-report; do
	check_equal "$program needs glibc 2.17, the first for Arm" "$(packaging/glibc_needed $X/$program)" "$X/$program needs glibc 2.17"
done
check_equal 'the wheel is for any Linux on Arm' "${wheel#*-none-}" manylinux_2_17_aarch64.whl
check_equal 'lintian has nothing to say of the package' "$(lintian --allow-root --fail-on none -I --pedantic build/deb-arm64/*.changes 2>&1)" ''
sum=$(sha256sum <"$tarball")
touch -c $X/rtrack-* $X/objects/completions/*/* collect/*.1
check 'the tarball is packed again' make tarball
check_equal 'with the same bytes' "$(sha256sum <"$tarball")" "$sum"

# -- in clean roots of Arm, with today's C library and an old one -------------------------------------------
root_for arm64 || { skip 'clean roots of arm64' 'programs of Arm cannot be run by qemu-user-static here' && echo "1..$n" && exit; }
cat >"$D/job" <<'EOT'
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
rtrack-collect --mark rest
sleep 0.5
exit 3
EOT
in_root() { # WHERE COLLECT
	cp "$D/job" "$root/home/user"
	root_user "$2" -q -i 0.1 -o job.json.gz -- sh job 2>"$D/err"
	check_equal "$1: $2 records a job" $? 3
	check_equal "$1: with its phase" "$(zcat "$root/home/user/job.json.gz" | grep -c '"name":"rest"')" 1
	check "$1: rtrack-report reports it" root_user rtrack-report --offline -o page.html job.json.gz
	check_that "$1: in a page" "$(stat -c %s "$root/home/user/page.html") > 60000"
	rm -f "$root"/home/user/*.*
}
for suite in "$root_own" bullseye; do
	root_fresh "$suite" || { skip "Debian $suite of arm64" 'it is not to be had' && continue; }
	where="Debian $suite, arm64"
	check_equal "$where: the machine" "$(root_run uname -m)" aarch64
	cp "$tarball" "$root/tmp"
	check "$where: the tarball is unpacked and copied" root_run sh -c "
		cd /tmp && tar -xf $name.tar.gz && cd $name && sha256sum --quiet -c SHA256SUMS && cp -R bin share /usr/local"
	for collect in rtrack-collect rtrack-collect-static; do
		in_root "$where, tarball" $collect
	done
	root_run sh -c 'rm /usr/local/bin/rtrack-*'
	[ "$suite" = "$root_own" ] || continue
	cp "$deb" "$D/$wheel" "$root/tmp"
	check "$where: apt installs the package, and what it needs" root_apt "/tmp/${deb##*/}" python3-venv
	in_root "$where, package" rtrack-collect
	check "$where: the package is removed" root_run dpkg --purge rtrack
	check "$where: pip takes the wheel" root_user sh -c "python3 -m venv env && env/bin/pip install -q --no-index '/tmp/$wheel'"
	root_run sh -c 'ln -s /home/user/env/bin/rtrack-* /usr/local/bin'
	in_root "$where, wheel" rtrack-collect
	check "$where: the module is there" root_user env/bin/python -c 'import rtrack'
done
echo "1..$n"
