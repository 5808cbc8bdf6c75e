#!/bin/bash
# Limits, kills by the OOM killer, and the recording's own cgroup, on a machine where cgroups may be made.
. tests/check.sh
limited=
clean_up() { [ -z "$limited" ] || rmdir "$limited" 2>/dev/null; }
cd "$D" || exit 1

says() { zcat "$1" | grep -q "$2"; }

# A cgroup of the memory controller below ours: v1 where it is mounted, else v2.
path=$(sed -n 's/^[0-9]*:\([^:]*,\)\?memory\(,[^:]*\)\?:\//\//p' /proc/self/cgroup)
place=$(awk '/ - cgroup .*[, ]memory(,|$)/ { print $5; exit }' /proc/self/mountinfo)
file=memory.limit_in_bytes swap=memory.memsw.limit_in_bytes least=67108864
if [ -z "$path" ]; then
	path=$(sed -n 's/^0::\//\//p' /proc/self/cgroup)
	place=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
	file=memory.max swap=memory.swap.max least=0
fi
dir=$place${path%/}/rtrack_live-$$
if [ -n "$place" ] && mkdir "$dir" 2>/dev/null; then
	limited=$dir
	{ echo 67108864 >"$dir/$file"; } 2>/dev/null || { rmdir "$dir"; limited=; }
fi
if [ -n "$limited" ]; then
	{ echo $least >"$dir/$swap"; } 2>/dev/null
	inside() { bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$limited" "$@"; }
	for mode in auto off; do
		inside "$R" -q --cgroup $mode -o oom.gz tail /dev/zero 2>/dev/null
		check "--cgroup $mode: killed: status 137" test $? = 137
		check "--cgroup $mode: the OOM killer is named" says oom.gz '"cause":"oom"'
		check "--cgroup $mode: the limit is reported" says oom.gz '"memory_bytes":67108864'
	done
	inside "$R" -q -o shell.gz sh -c 'tail /dev/zero; exit $?' 2>/dev/null
	check "a shell that reports its child's death" says shell.gz '"cause":"oom"'
	inside "$R" -q -o fine.gz true
	check "who was not killed" says fine.gz '"cause":"exited"'
	check "nothing is left in it" test -z "$(find "$limited" -mindepth 1 -type d)"
else
	skip all 'no memory limit may be set'
fi

"$R" -q -o own.gz cat /proc/self/cgroup >own
"$R" -q --cgroup off -o off.gz cat /proc/self/cgroup >off
check "--cgroup off: where it would be without us" diff off <(cat /proc/self/cgroup)
groups() { # PREFIX: those that are there, in any hierarchy
	awk '/ - cgroup/ { print $5 }' /proc/self/mountinfo | xargs -I{} find {} -type d -name "$1*" 2>/dev/null
}
exact() { zcat "$1" | grep -q '"cgroup":{"cpu_s":[0-9]'; }
if grep -q /rtrack- own; then
	"$R" -q -o daemon.gz sh -c 'sleep 3 & cat /proc/self/cgroup' >daemon
	name=$(grep -o 'rtrack-[0-9-]*' daemon | head -n 1)
	check "its name has the PID namespace" test "${name#rtrack-*-}" = "$(stat -Lc %i /proc/self/ns/pid)"
	check "removed, though a daemon outlives the command" test -z "$(groups "$name")"
else
	skip all 'no cgroup of our own may be made'
fi

# As PID 1 of two PID namespaces under one cgroup, at the same time.
if grep -q /rtrack- own && unshare -pf --mount-proc true 2>/dev/null; then
	mkfifo one two
	space='stat -Lc %i /proc/self/ns/pid'
	unshare -pf --mount-proc "$R" -q -o one.gz sh -c "$space >one.ns; echo >one; read x <two" &
	first=$!
	unshare -pf --mount-proc "$R" -q -o two.gz sh -c "$space >two.ns; read x <one; echo >two"
	check "the second of two PID 1: status" test $? = 0
	wait $first
	check "the first: status" test $? = 0
	check "both have the exact account of a cgroup" eval 'exact one.gz && exact two.gz'
	check "nothing is left of them" test -z "$(groups rtrack-1-)"
	# One that is killed with its whole namespace leaves its group, which the next one removes, though
	# there is always a process 1.
	unshare -pf --mount-proc --kill-child "$R" -q -o dead.gz sh -c "$space >dead.ns; echo >one; sleep 60" &
	dead=$!
	read -r x <one
	left=rtrack-1-$(cat dead.ns)
	check "a group of one that runs" test -n "$(groups "$left")"
	"$R" -q -o live.gz true
	check "is left alone by others" test -n "$(groups "$left")"
	kill -KILL $dead
	wait $dead 2>/dev/null
	for i in $(seq 600); do
		"$R" -q -o live.gz true
		[ -n "$(groups "$left")" ] || break
		sleep 0.1
	done
	check "and removed once it is killed" test -z "$(groups "$left")"
else
	skip all 'no PID namespaces under one cgroup can be had'
fi
echo "1..$n"
