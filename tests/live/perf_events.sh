#!/bin/bash
# Every process of the command with its exact CPU time, from the kernel's software events; where the kernel
# refuses them, the recording says why, and the next source is used.
. tests/check.sh
cd "$D" || exit

tree() { zcat "$1" | node -e '
	const { tree: t, totals } = JSON.parse(require("fs").readFileSync(0)).rtrack;
	const pid = (i) => t.pid[i], name = (i) => t.names[t.name[i]];
	console.log(eval(process.argv[1]));' "$2"; }

"$R" -q -o a.gz -- true 2>err
if tree a.gz t.refused | grep -qE '^perf_event_paranoid|seccomp|more than 16|ulimit|locked'; then
	for i in 1 2 3 4 5 6 7 8 9; do skip "perf $i" "$(tree a.gz t.refused)"; done
else
	# What getrusage says of the children of each storm, beside the sum of the rows of its children.
	cat >job <<'end'
"$0" 3 40 1 40 & echo $! >40.pid
"$0" 4 15 2 15 & echo $! >15.pid
"$0" 6 3 1 3 & echo $! >3.pid
wait
sh -c 'echo $$ >status; exit 3'
(sh -c 'exec sleep 0.1')
exit 0
end
	"$R" -q -o a.gz -- sh -c '. ./job' "$T/storm" 2>err
	for of in 40 15 3; do
		sum=$(tree a.gz "t.cpu_s.reduce((a, s, i) => a + (pid(t.parent[i]) == $(cat $of.pid) ? s : 0), 0)")
		check_that "the CPU time of children of $of ms is that of getrusage ($sum, $(cat $of))" "$sum - $(cat $of) < 0.01 && $(cat $of) - $sum < 0.01"
	done
	check_equal 'the CPU time of all is known, and their names' "$(tree a.gz 't.cpu_s.filter((s) => s === null).length + t.name.filter((i) => !t.names[i]).length')" 0
	sum=$(tree a.gz 't.cpu_s.reduce((a, b) => a + b)')
	total=$(tree a.gz totals.exact_cpu_s)
	check_that "their sum is that of the job, but for what ran before the exec ($sum, $total)" "$sum <= $total * 1.01 && $sum > $total - 0.02"
	check_equal 'all are there' "$(tree a.gz 't.source + t.why + t.n')" "events$(tree a.gz t.kept)"
	check_equal 'four processes, one with a thread' "$("$R" -q -o t.gz -- "$T/threads" 3 0.1 2>err; tree t.gz t.kept)" 4

	# Who forks more often than the events are worth: the next source takes over, and nothing is lost.
	"$R" -q -o s.gz -- "$T/storm" 1800 1 1 2>err
	check_equal 'a storm says when the source changed' "$(tree s.gz '/^given up after .* s: the job forked/.test(t.refused)')" true
	if [ "$(tree s.gz t.kernel)" = connector ]; then
		check_equal 'and all are there' "$(tree s.gz 't.n + " " + t.source + t.why')" '1801 events'
	else
		skip 'all of a storm' 'no other source reports each process here'
	fi
	# Two threads that live long, and switch all the time: on a busy machine, less often.
	for ms in 1500 10000 40000; do
		"$R" -q -o p.gz -- "$T/threads" 0 $ms switch 2>err
		noticed=$(tree p.gz '/^given up after .* s: the job switched/.test(t.refused)')
		[ "$noticed" = false ] || break
	done
	check_equal 'threads that switch too often are noticed' "$noticed" true

	"$T/deny" EPERM socket "$R" -q -o n.gz -- sh -c 'sh -c "exit 5"; sleep 0.1; exit 4' 2>err
	check_equal 'without the connector, statuses are unknown but for our own child' \
		"$(tree n.gz 't.source + " " + t.kernel + " " + t.status.slice().sort()')" 'events perf 4,,'
fi

# A kernel of Debian's, as a plain user sees it: its limit is 3, and the call is refused. The next source tells all of a job,
# and the recording says why it was used.
echo 3 >limit
paranoid() { # CALL[,CALL…] PROGRAM…
	unshare -m sh -c 'mount --bind "$0" /proc/sys/kernel/perf_event_paranoid && exec "$@"' "$PWD/limit" "$T/deny" EACCES "$@"
}
if paranoid perf_event_open true 2>/dev/null; then
	paranoid perf_event_open "$R" -q -o q.gz -- sh -c 'sh -c "exit 5"; sleep 0.1; exit 4' 2>err
	check_equal 'a limit of 3 is said' "$(tree q.gz t.refused)" 'perf_event_paranoid is 3'
	if [ "$(tree q.gz t.kernel)" = connector ]; then
		check_equal 'and the connector has all of the job' "$(tree q.gz 't.source + t.why + " " + t.n + " " + t.status.slice().sort()')" 'events 3 0,4,5'
	else
		skip 'and the connector has all of the job' 'there is none'
	fi
	paranoid perf_event_open,socket "$R" -q -i 0.05 -o q.gz -- sh -c 'sleep 0.3; exit 4' 2>err
	check_equal 'without it, samples: both reasons' "$(tree q.gz '[t.source, t.refused, t.why != ""]')" "[ 'samples', 'perf_event_paranoid is 3', true ]"
	check_equal '--info says what to change' "$(paranoid perf_event_open "$R" --info=json --no-discover-cloud |
		node -p 'const p = JSON.parse(require("fs").readFileSync(0)).processes; p.perf.refused + ": " + p.perf.change.split(" (")[0]')" \
		'perf_event_paranoid is 3: kernel.perf_event_paranoid may be 2'
else
	for i in 1 2 3 4; do skip "a limit of 3: $i" 'no mount namespace, or no seccomp filter'; done
fi

# --info says which source this machine would give, and what to change.
if [ "$(tree a.gz t.kernel)" = perf ]; then
	check_equal '--info says the same' "$("$R" --info=json --no-discover-cloud | node -p 'JSON.parse(require("fs").readFileSync(0)).processes.source')" perf
else
	skip '--info says the same' 'perf is refused'
fi
"$T/deny" EPERM perf_event_open "$R" --info --no-discover-cloud >info 2>err
check_equal 'and what an administrator could change' "$(grep -c '^  Source  *\(connector\|samples\)$\|^  Software events .*refused: .*; the container.s seccomp profile may allow perf_event_open$' info)" 2

if unshare -n true 2>/dev/null; then
	check_equal 'and why the connector is not heard in a namespace of network' "$(unshare -n "$R" --info --no-discover-cloud | sed -n 's/^  Connector  *//p')" \
		'refused: the kernel reports processes in its first namespace of network alone, or not at all'
else
	skip 'a namespace of network' 'it may not be made'
fi

# With a filter as that of Docker.
"$T/deny" EPERM perf_event_open "$R" -q -o d.gz -- sh -c 'sleep 0.1; exit 4' 2>err
check_equal 'a refusal is in the recording' "$(tree d.gz 't.refused')" 'perf_event_open: Operation not permitted (a seccomp filter or a security module)'
check_equal 'and another source is used' "$(tree d.gz 't.kernel !== "perf" && t.kept >= 1')" true
# Where perf works: CPUs that the command did not begin on, a recorder that is killed, and one that is held up.
if [ "$(tree a.gz t.kernel)" = perf ] && [ "$(nproc)" -gt 1 ]; then
	cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	taskset -c "$cpu" "$R" -q --no-discover-cloud -o wide.gz -- sh -c 'taskset -c 0-63 sh -c "sleep 0.1; sleep 0.1; exit 0"
		taskset -c 0-63 sh -c "sleep 0.1 & sleep 0.1 & wait"; exit 0'
	check_equal 'a command that widens its affinity' "$(tree wide.gz 't.names.map((x, i) => t.name.filter(k => k == i).length)[t.names.indexOf("sleep")] + " " + t.source')" '4 events'
	"$R" -q --no-discover-cloud -i 0.1 -o killed.gz -- sh -c 'sleep 0.2; sleep 0.3; echo $$ >ended.pid; mv ended.pid ended; exec sleep 60' &
	wait_until test -e ended
	wait_until larger killed.gz.partial $(($(stat -c %s killed.gz.partial) + 3000)) # some samples
	kill -KILL $!
	wait $! 2>/dev/null
	kill -KILL "$(cat ended)"
	"$R" -q --recover killed.gz.partial
	check_equal 'one that is killed: those that ended are in its journal' "$(tree killed.gz 't.end_s.filter(x => x !== null).length >= 2')" true
else
	skip 'affinity and kill' 'perf is refused, or there is one CPU'
fi
echo "1..$n"
