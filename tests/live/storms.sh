# Storms of short processes, crowds of living ones, and PIDs that are used again: sums are right to 1 %, and the
# recorder stays small. RTRACK_STORM is the number of processes in a storm.
. tests/check.sh
many=${RTRACK_STORM:-8000} crowd=$((${RTRACK_STORM:-8000} / 4))
[ -z "$asan" ] || many=1000 crowd=100
cd "$D" || exit 1

least() { process_column a.gz "$1" | sort -g | head -n 1; }
most() { process_column a.gz "$1" | sort -g | tail -n 1; }
ours() { sed -n 's/.*recording took \([0-9.]*\) s.*/\1/p' err; }
# Runs it while its peak memory is looked at: KiB, into hwm.
watched() {
	local pid
	"$@" 2>err &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		grep VmHWM /proc/$pid/status 2>/dev/null | tr -dc 0-9 >hwm.new
		[ -s hwm.new ] && mv hwm.new hwm
		sleep 0.1
	done
	wait $pid
}

# A cgroup that holds a few processes at once, where one can be made.
for at in /sys/fs/cgroup/pids /sys/fs/cgroup; do
	g=$at/rtrack-storm-$$
	mkdir "$g" 2>/dev/null || continue
	[ -e "$g/pids.max" ] && [ -w "$g/cgroup.procs" ] && echo 100 >"$g/pids.max" && break
	rmdir "$g"
	g=
done
clean_up() { [ -z "$g" ] || rmdir "$g"; }
[ -d "$g" ] || g=
bounded() { # runs it in that cgroup
	bash -c '[ -z "$0" ] || echo $$ >"$0/cgroup.procs" || exit 99; exec "$@"' "$g" "$@"
}

watched bounded "$R" -v -i 0.2 --no-discover-cloud -o a.gz -- "$T/storm" "$many" 0 40 truth
check_that 'a storm: status' "$? == 0"
check_near 'a storm: its CPU time is all there' "$(cpu_time a.gz)" "$(cat truth)" 0.01 0.01
check_that 'a storm: nothing falls' "$(least cpu_usage) >= 0"
if [ -z "$asan" ]; then
	check_that 'a storm: we stay small' "$(cat hwm) <= 3072"
	# On a busy machine it takes longer, and has more rows.
	rows=$(sed -n 's/^rtrack-collect: \([0-9]*\) rows.*/\1/p' err)
	check_that 'a storm: and cost little beside it' "$(ours) <= 0.2 * $(cat truth) + 0.1 + 0.005 * $rows"
fi
# Most forks fail.
if [ -n "$g" ]; then
	echo 12 >"$g/pids.max"
	bounded "$R" -q -i 0.05 --no-discover-cloud --cgroup off -o a.gz -- "$T/storm" 3000 1 40 truth 2>err
	check_that 'a storm against its limit: status' "$? == 0"
	check_near 'a storm against its limit' "$(cpu_time a.gz)" "$(cat truth)" 0.01 0.01
else
	skip 'a storm against its limit'
fi

# All at once.
# A busy machine takes a sample late: then the crowd stays longer.
for stay in 0.5 5 30; do
	watched "$R" -v -i 0.2 --no-discover-cloud -o a.gz -- "$T/crowd" $crowd 0.2 $stay truth
	status=$?
	read -r made used <truth
	awk "BEGIN { exit !($(most children) > 0.5 * $made) }" && break
done
check_that 'a crowd: status' "$status == 0"
check_near 'a crowd: its CPU time is all there' "$(cpu_time a.gz)" "$used" 0.01 0.01
check_that 'a crowd: it is seen' "$(most children) > 0.5 * $made"
# A place for each that lives at once: 2 KiB in the two tables of processes; and what is written of them at the end.
[ -n "$asan" ] || check_that 'a crowd: we grow with it alone' "$(cat hwm) <= 3584 + 2.4 * $made"

# The same number three times, the third time outside of the tree.
if unshare -pf --mount-proc sh -c 'echo 1000 >/proc/sys/kernel/ns_last_pid' 2>/dev/null; then
	for i in 0.02 1; do
		unshare -pf --mount-proc "$T/reuse" 5 truth "$R" -q -i $i --no-discover-cloud --gpu '' -o a.gz -- 2>err
		check_that "numbers given again, a row each $i s: status" "$? == 0"
		check_near "numbers given again, a row each $i s" "$(cpu_time a.gz)" "$(cat truth)" 0.01 0.01
		check_that 'and nothing falls' "$(least utime) >= 0"
	done
else
	skip 'numbers given again'
fi
echo "1..$n"
