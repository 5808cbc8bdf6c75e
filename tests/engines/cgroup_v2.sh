#!/bin/bash
# Only make test-release runs it.
# The ends of jobs on a real cgroup v2 with the memory controller, whatever this machine has mounted: in User Mode Linux, whose
# root is this machine's, read-only. It has no process events, as most containers.
. tests/check.sh
[ "$(id -u)" = 0 ] || skip_all 'only root can mount cgroups there'
command -v linux.uml >/dev/null || skip_all 'user-mode-linux is not installed'
[ -z "$asan" ] || skip_all 'the sanitizers need more addresses than it has'
cat >"$D/init" <<X2
#!/bin/bash
echo programs run
mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t cgroup2 cgroup2 /sys/fs/cgroup && mount -t tmpfs tmpfs /tmp
echo +memory +pids +cpu >/sys/fs/cgroup/cgroup.subtree_control
cd '$PWD' && B='$build' TMPDIR=/tmp HOME=/tmp PATH='$PATH' bash tests/live/deaths.sh
B='$build' TMPDIR=/tmp '$B/tests/unit/collect/cgroup/test_oom' 2>&1 | grep -c 'OK.*killed_in'
echo o >/proc/sysrq-trigger
sleep 60
X2
chmod 755 "$D" "$D/init"
cd "$OLDPWD" 2>/dev/null || true
timeout 900 linux.uml mem=800M rootfstype=hostfs rootflags=/ ro init="$D/init" con=null con0=fd:0,fd:1 quiet </dev/null >"$D/said" 2>&1
tr -d '\r' <"$D/said" >"$D/lines"
# It ends before its first program where it does not know the registers of the CPU (Linux 5.10's with those of 2023).
grep -q '^programs run' "$D/lines" || ! grep -q 'fatal_sigsegv' "$D/lines" || skip_all 'user-mode-linux runs no program on this CPU'
check_equal 'a machine with cgroup v2 runs the staged deaths' "$(grep -c '^1\.\.[0-9]' "$D/lines")" 1
check_equal 'all are right' "$(grep '^not ok' "$D/lines")" ''
check 'those of memory, too' grep -q "^ok .* memory of a parent's cgroup" "$D/lines"
check_equal 'the counters of a real kernel' "$(grep -c '^2$' "$D/lines")" 1
echo "1..$n"
