# Builds, each compiler of which says its own CPU time (wait4): every process is in the recording, with that time, where
# the kernel's software events are the source: as we are, as a plain user, in namespaces of processes and users. And
# where the events do not reach: a setuid program, a process that runs already.
. tests/check.sh
cd "$D" || exit
gcc=$(command -v gcc) || skip_all 'no gcc'

tree() { zcat "$1" | node -e '
	const { tree: t, totals } = JSON.parse(require("fs").readFileSync(0)).rtrack;
	console.log(eval(process.argv[1]));' "$2"; }

# Where plain users may run it.
mkdir open
cp "$R" "$T/own_usage" "$T/deny" "$T/deed" open
for i in $(seq 8); do
	{ for k in $(seq 15); do echo "int f${i}_$k(int x) { int s = 0; for (int j = 0; j < x; j++) s += j * $k; return s; }"; done; } >open/$i.c
done
cat >open/Makefile <<end
all: 1.o 2.o 3.o 4.o 5.o 6.o 7.o 8.o
%.o: %.c
	@$gcc -wrapper ./own_usage,used -O1 -c \$<
end
chmod -R a+rwX open . && chmod a+x . && cd open || exit

built() { # NAME JOBS COMMAND…: that records
	local name=$1 jobs=$2
	shift 2
	rm -f used ./*.o
	if ! "$@" true 2>/dev/null; then
		for i in 1 2 3; do skip "$name $i"; done
		return
	fi
	"$@" ./rtrack-collect -q --no-discover-cloud -o a.gz -- make -j"$jobs" 2>err
	if [ "$(tree a.gz 't.kernel')" != perf ]; then
		for i in 1 2 3; do skip "$name $i" "$(tree a.gz 't.refused + t.why')"; done
		return
	fi
	check_equal "$name: every compiler and assembler is there, within 10 ms" "$(wc -l <used) $(tree a.gz '
		require("fs").readFileSync("used", "utf8").trim().split("\n").map((l) => l.split(" ").map(Number))
			.filter(([pid, s]) => !(Math.abs(t.cpu_s[t.pid.indexOf(pid)] - s) <= 0.01)).map((x) => x + ";").join("")')" '16 '
	check_equal "$name: all have a name, and a CPU time" "$(tree a.gz 't.source + t.why + t.name.filter((i) => !t.names[i]).length + t.cpu_s.filter((s) => s === null).length')" events00
	# But for what the kernel does to begin and to remove each.
	check_near "$name: they add up" "$(tree a.gz 't.cpu_s.reduce((a, b) => a + b)')" "$(tree a.gz totals.exact_cpu_s)" 0.005 "0.0005 * $(tree a.gz t.n)"
}
built 'two at a time' 2 env
as=(env)
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
built 'a plain user, eight at a time' 8 "${as[@]}"
built 'a namespace of processes' 2 unshare -pf --mount-proc
built 'a namespace of users' 2 "${as[@]}" unshare -Ur

# Processes that nobody waits for are in no process's account, and yet the job's.
./rtrack-collect -q --no-discover-cloud --cgroup off -i 0.1 -o w.gz -- ./deed unwaited 10 100 2>err
if [ "$(tree w.gz t.kernel)" = perf ]; then
	check_near 'the CPU time of processes that nobody waits for is the job'"'s" "$(tree w.gz totals.exact_cpu_s)" 1 0.05
	check_near 'and their sum' "$(tree w.gz 't.cpu_s.reduce((a, b) => a + b)')" "$(tree w.gz totals.exact_cpu_s)" 0.01
else
	for i in 1 2; do skip "processes that nobody waits for $i" "$(tree w.gz 't.refused + t.why')"; done
fi

# No descriptor of the recorder's is the job's.
./rtrack-collect -q --no-discover-cloud -o f.gz -- sh -c 'ls -l /proc/self/fd | grep -c "perf_event\|eventpoll"; true' >fds 2>err
check_equal 'no event is inherited' "$(cat fds)" 0
# Too few descriptors for the events.
(ulimit -n 20; exec ./rtrack-collect -q --no-discover-cloud -o u.gz -- true) 2>err
check_equal 'too few descriptors are said, and the next source is used' "$(tree u.gz '/ulimit -n/.test(t.refused) && t.kernel !== "perf" && t.n >= 1')" true

# A setuid program: the kernel drops its events. What it started is known from samples; the rest is there.
if [ "$(id -u)" = 0 ] && cp own_usage suid && chmod 4755 suid && "${as[@]}" ./suid /dev/null sh -c 'exit 0' 2>/dev/null &&
	[ "$(tree a.gz t.kernel)" = perf ]; then
	"${as[@]}" ./rtrack-collect -q --no-discover-cloud -i 0.2 -o s.gz -- sh -c 'sh -c "exit 3"; ./suid /dev/null sleep 1; sh -c "exit 0"' 2>err
	check_equal 'a setuid program is said' "$(tree s.gz 't.source + ": " + t.why')" 'samples: suid ran with other rights: it and what it started are known from samples'
	check_equal 'samples have it and its child; events the others' "$(tree s.gz 't.name.map((i) => t.names[i]).sort().join(" ")')" 'sh sh sh sleep suid'
	check_that 'and they end' "$(tree s.gz 'Math.min(...t.end_s.map((x) => x ?? 99))') < 99"
else
	for i in 1 2 3; do skip "a setuid program $i"; done
fi

# A process that runs already has no events of its own.
sleep 1.5 &
./rtrack-collect -q --no-discover-cloud -i 0.5 -o p.gz -p $! 2>err
check_equal 'one that runs already: another source' "$(tree p.gz 't.kernel !== "perf" && t.n')" 1
echo "1..$n"
