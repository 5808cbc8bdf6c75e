# With --events connector, every process of a job is in its recording, with its parent, end and command line; where the
# kernel reports none, those that samples saw, and why. perf_events.sh has the same by default.
. tests/check.sh
cd "$D" || exit

# Of the tree of a file: the rows as lines of pid, parent's pid, status, name and command.
rows() {
	zcat "$1" | node -e '
		const t = JSON.parse(require("fs").readFileSync(0)).rtrack.tree;
		t.pid.forEach((pid, i) => console.log([pid, t.parent[i] < 0 ? 0 : t.pid[t.parent[i]], t.status[i],
			t.names[t.name[i]], t.command[i] < 0 ? "" : t.commands[t.command[i]]].join("|")));'
}
of() { zcat "$1" | node -e 'console.log(String(JSON.parse(require("fs").readFileSync(0)).rtrack.tree?.[process.argv[1]]))' "$2"; }

cat >job <<'end'
echo $$ >top
sh -c 'echo $$ >status; exit 3'
sh -c 'echo $$ >killed; kill -KILL $$'
sh -c 'echo $$ >outer; sh -c "echo \$\$ >inner; sleep 0.3"; sleep 0.3'
sh -c 'sleep 0.2; :' --password hunter2tree
sleep 1.2
end
"$R" -q --events connector -o a.gz -- sh job 2>err
case "$(of a.gz source)" in
events)
	rows a.gz >rows
	check_equal 'the status is known' "$(grep "^$(cat status)|" rows | cut -d'|' -f2,3)" "$(cat top)|3"
	check_equal 'a signal too' "$(grep "^$(cat killed)|" rows | cut -d'|' -f2,3)" "$(cat top)|-9"
	check_equal 'and the parent' "$(grep "^$(cat inner)|" rows | cut -d'|' -f2,3)" "$(cat outer)|0"
	check_equal 'all there are' "$(of a.gz n) $(of a.gz why) $(grep -c . rows)" "10  10"
	check_equal 'in one table' "$(zcat a.gz | grep -c '"processes":{"seen"')$(of a.gz cpu_exact | tr -cd , | wc -c)" 09
	check_equal 'with their names' "$(cut -d'|' -f4 rows | grep -c '^sleep$')" 4
	check 'the command ends with its status' grep -q "^$(cat top)|0|0|" rows

	# A program that another thread than the first executes has the number of the process.
	"$R" -q --events connector -o x.gz -- sh -c '"$0" 0 0 exec sh -c "sleep 0.4; exit 7"; exit 0' "$T/threads" 2>err
	check_equal 'another thread executes a program: the process lives on' "$(zcat x.gz | node -p 'const t = JSON.parse(require("fs").readFileSync(0)).rtrack.tree;
		const i = t.status.indexOf(7), sleep = t.name.indexOf(t.names.indexOf("sleep"));
		i >= 0 && t.end_s[i] - t.start_s[i] >= 0.4 && t.parent[sleep] === i')" true

	# A storm that is faster than the limit may lose events, and then says so.
	# A search for leaks is one process more.
	"$R" -q --events connector -o s.gz -- env ASAN_OPTIONS=detect_leaks=0 "$T/storm" 3000 0 1 2>err
	check_that 'a storm is recorded' "\"$(of s.gz source)\" == \"samples\" || $(of s.gz n) == 3001"
	check_that 'kept and summed up' "$(of s.gz kept) <= 20000 && $(of s.gz kept) > 0"
	# More events than the kernel keeps, while the recorder cannot read them: those that live are found by the next
	# samples, and what comes then is whole.
	rm -f began go
	"$R" -q --events connector -i 0.2 -o l.gz -- sh -c 'sh -c "exit 5"; sleep 300 & touch began; until test -e go; do sleep 0.1; done
		first=$!; sleep 300 & echo $! >late; echo $$ >top
		"$0" 900 0 1; touch stormed; until test -e on; do sleep 0.1; done
		sh -c "exit 6"; kill $first $!; wait' "$T/storm" 2>err &
	p=$!
	wait_until test -e began
	kill -STOP $p
	touch go
	wait_until test -e stormed
	stopped_at=$(stat -c %s l.gz.partial)
	kill -CONT $p
	wait_until larger l.gz.partial $((stopped_at + 3000)) # some samples
	touch on
	wait $p
	rows l.gz >rows
	if [ "$(of l.gz why)" = 'process events came faster than they were read' ]; then
		for i in 1 2 3; do skip "lost events $i" 'this machine is too busy to read those that follow'; done
	else
		check 'lost events are said, with their time' grep -Eq '^samples: events of processes were lost between [0-9.]+ s and [0-9.]+ s; ' <<<"$(of l.gz source): $(of l.gz why)"
		check_equal 'before and after, all are there' "$(grep -c "|$(cat top)|[56]|" rows)" 2
		check_equal 'one that began meanwhile is, too' "$(grep "^$(cat late)|" rows | cut -d'|' -f2-4)" "$(cat top)|-15|sleep"
	fi
	if strace -f -qq -o /dev/null true 2>/dev/null; then
		"$R" -q --events connector -o t.gz -- strace -f -q -e trace=process -o calls sh -c 'for i in 1 2 3 4 5 6 7 8; do (true; sleep 0.0$i; exit $i) & done; wait' 2>err
		rows t.gz | grep -v '|strace|' | cut -d'|' -f1 | sort -u >seen
		awk '{ print $1 }' calls | sort -u >true
		check 'the processes are those that strace sees' diff true seen
	else
		skip 'against strace'
	fi
	;;
*)
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do skip "events $i" 'the kernel does not report them here'; done
	;;
esac
check_equal 'a secret of a command line is in no file' "$(zcat a.gz | grep -c hunter2tree)" 0

# The time line: events that nest or follow each other in each lane, a process for each row.
"$P" --offline --trace t.json a.gz 2>err
check 'the time line is a trace whose events nest' node -e '
	const { traceEvents } = JSON.parse(require("fs").readFileSync("t.json"));
	const lanes = new Map();
	for (const e of traceEvents.filter((e) => e.ph === "X")) {
		if (!(e.ts >= 0 && e.dur >= 0)) throw new Error(JSON.stringify(e));
		const lane = `${e.pid} ${e.tid}`;
		lanes.set(lane, [...(lanes.get(lane) ?? []), e]);
	}
	for (const [lane, events] of lanes) {
		const open = [];
		for (const e of events.sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
			while (open.length && open.at(-1) <= e.ts) open.pop();
			if (open.length && e.ts + e.dur > open.at(-1)) throw new Error(`${lane}: ${JSON.stringify(e)}`);
			open.push(e.ts + e.dur);
		}
	}
	const n = traceEvents.filter((e) => e.ph === "X" && e.pid === 1).length;
	if (n !== Number(process.argv[1])) throw new Error(`${n} processes`);
	if (!traceEvents.some((e) => e.ph === "C" && e.name === "memory")) throw new Error("no counter");
' "$(of a.gz kept)"

# Without events.
if "$T/deny" EPERM socket true 2>/dev/null; then
	"$T/deny" EPERM socket "$R" -q --events connector -i 0.1 -o d.gz -- sh -c 'sleep 1; exit 4' 2>err
	check_equal 'without a socket it is samples, and why' "$(of d.gz source): $(of d.gz why)" 'samples: Operation not permitted'
	check_equal 'which see the command and its child' "$(rows d.gz | cut -d'|' -f3,4 | sort | tr '\n' ' ')" '4|sh |sleep '
	"$T/deny" EPERM socket "$R" -q -i 0.1 -o w.gz -- sh -c 'awk "BEGIN { while (i < 4e6) i++ }"; exit 0' 2>err
	check 'and the command has not used what its child did, too' node -e '
		const { tree, totals } = JSON.parse(require("fs").readFileSync(0)).rtrack;
		const sum = tree.cpu_s.reduce((a, b) => a + b, 0);
		if (!(sum <= totals.exact_cpu_s + 0.02)) throw new Error(`${tree.cpu_s} of ${totals.exact_cpu_s}`);' < <(zcat w.gz)
else
	skip 'without a socket'
	skip 'which see the command and its child'
	skip 'and the command has not used what its child did, too'
fi

# What a journal has.
setsid "$R" -q --events connector -i 0.2 -o k.gz -- sh -c 'sleep 0.1; sleep 300' 2>/dev/null &
p=$!
tree='0|sleep 0.1;|sh -c sleep 0.1; sleep 300;|sleep 300;'
ends_and_commands() { rows "$1" | cut -d'|' -f3,5 | sort | tr '\n' ';'; }
if [ "$(of a.gz source)" = events ]; then
	written() { cp k.gz.partial k.copy && "$R" -q --recover k.copy -o copy.gz && [ "$(ends_and_commands copy.gz)" = "$tree" ]; }
	wait_until written 2>/dev/null
fi
kill -KILL $p
wait $p 2>/dev/null
kill -KILL -- -$p 2>/dev/null # the command
"$R" -q --recover k.gz.partial 2>err
if [ "$(of a.gz source)" = events ]; then
	check_equal 'a recovered journal has its processes' "$(ends_and_commands k.gz)" "$tree"
	check 'and which of their CPU times are exact' grep -Eq '^[01]?,0,0$' <<<"$(of k.gz cpu_exact)"
else
	skip 'a recovered journal has its processes'
	skip 'and which of their CPU times are exact'
fi
check_equal 'one of the machine alone has no tree' "$("$R" -q -o m.gz --no-process -- true; of m.gz kept)" undefined
echo "1..$n"
