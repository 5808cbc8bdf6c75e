#!/bin/bash
# Only make test-release runs it.
# The Debian package and the wheel for Arm: cross-built, and installed in a clean root of arm64.
. tests/check.sh
. tests/packages/root.bash
[ "$(uname -m)" = x86_64 ] || skip_all 'this machine is not x86-64'
command -v aarch64-linux-gnu-gcc dpkg-buildpackage dh lintian >/dev/null || skip_all 'gcc-aarch64-linux-gnu, debhelper or lintian is not installed'
[ -e .git ] || skip_all 'make dist packs what git tracks, and there is no git here'
root_need
unset CC CFLAGS
mkdir -p build/aarch64
# tests/packages/arm.sh makes the wheel, too; tests/packages/deb.sh works in the same folder of `make dist`.
make() { flock build/aarch64 flock "$build" make -s -j"$(nproc)" ARCH=aarch64 B=build/aarch64 "$@"; }
check 'make deb' make deb
check 'make wheel' make wheel WHEEL_OUT="$D"
deb=$(echo build/rtrack_"$(make -s version)"_arm64.deb) wheel=$(cd "$D" && echo *.whl)
[ -e "$deb" ] && [ -e "$D/$wheel" ] || { echo "1..$n" && exit 1; }
check_equal 'lintian has nothing to say' "$(lintian --allow-root --fail-on none -I --pedantic build/deb-arm64/*.changes 2>&1)" ''
root_for arm64 || { skip 'a clean root of arm64' 'programs of Arm cannot be run by qemu-user-static here' && echo "1..$n" && exit; }
root_fresh || { skip 'a clean root of arm64' 'it is not to be had' && echo "1..$n" && exit; }
cp "$deb" "$D/$wheel" "$root/tmp"
check 'apt installs the package, and what it needs' root_apt "/tmp/${deb##*/}"
root_records package rtrack-collect
check 'the package is removed' root_run dpkg --purge rtrack
check 'python3-venv is installed' root_apt python3-venv
check 'pip takes the wheel' root_user sh -c "python3 -m venv env && env/bin/pip install -q --no-index '/tmp/$wheel'"
root_run sh -c 'ln -s /home/user/env/bin/rtrack-* /usr/local/bin'
root_records wheel rtrack-collect
check 'the module is there' root_user env/bin/python -c 'import rtrack'
echo "1..$n"
