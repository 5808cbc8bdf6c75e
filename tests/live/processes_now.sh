# The processes now: the journal of a job that runs says which of its processes matter, with their CPU time and memory of
# that moment, by either source of processes; and a recovery is the same without them.
. tests/check.sh
cd "$D" || exit

# The records of the processes now in a journal: a line for each, the entries as name:parent's name:cores:MiB, the name
# of its number in the tree before.
cat >now.mjs <<'end'
import { readFileSync } from "fs";
const d = readFileSync(process.argv[2]), head = d.indexOf("\n", 17) + 1;
const n = JSON.parse(d.subarray(17, head)).columns.length, record = 20 + 8 * n;
const names = {};
for (let at = head; at + record <= d.length; at += record) {
	if ((d.readUInt32LE(at + 4) & 12) !== 12) continue;
	const used = d.readDoubleLE(at + 16), entries = [];
	for (let i = at + 24; i < at + 24 + used; ) {
		const name = d.toString("utf8", i + 60, i + 60 + d[i + 1]);
		const e = { kind: d[i], id: d.readUInt32LE(i + 4), parent: d.readUInt32LE(i + 8), n: d.readUInt32LE(i + 12),
			pid: d.readInt32LE(i + 16), start: d.readDoubleLE(i + 24), end: d.readDoubleLE(i + 32),
			cpu: d.readDoubleLE(i + 40), memory: d.readDoubleLE(i + 48), name };
		if (e.kind !== 5 && e.id) names[e.id] = name;
		if (e.kind === 5 || !used) entries.push(e);
		i += 60 + d[i + 1] + d.readUInt16LE(i + 2);
	}
	if (entries.length || !used) console.log(JSON.stringify(entries));
}
end
of() { tail -n 1 now | node -e 'const e = JSON.parse(require("fs").readFileSync(0)); console.log(eval(process.argv[1]))' "$1"; }

# burn uses a core, beside a load a part of one; big holds 64 MiB and sleeps; 20 more sleep. A process has given itself a secret for a name.
cat >job <<'end'
node -e 'const big = Buffer.alloc(64 << 20, 1); setTimeout(() => big, 600000)' &
for i in $(seq 20); do sleep 600 & done
sh -c 'while :; do :; done' &
bash -c 'printf token=hunter2ab >/proc/$$/comm; sleep 600; :' &
touch began
until test -e go; do sleep 0.1; done
kill $(jobs -p)
end
for by in events samples; do
	rm -f began go
	with=()
	[ $by = events ] || with=("$T/deny" EPERM socket)
	"${with[@]}" "$R" -q -i 0.5 -o a.gz -- bash job 2>err &
	p=$!
	wait_until test -e began
	if [ ! -e began ]; then
		skip "by $by"
		continue
	fi
	# The first moments, and then one in 5 s: the second of these began after all processes did.
	records() { node now.mjs a.gz.partial >now 2>/dev/null && [ "$(grep -c . now)" -ge 3 ]; }
	wait_until records
	cp a.gz.partial $by.partial
	touch go
	wait $p
	check_equal "by $by: at most 12" "$(of 'e.length <= 12 && e.length >= 4')" true
	check_equal 'the one that burns is the first' \
		"$(of 'e[0].name + " " + (e[0].n > 10 && e[0].n <= 1000 && e[0].cpu > 0.05)')" 'sh true'
	check_equal 'the largest is there' "$(of 'e.some((p) => p.name === "node" && p.memory > 64 << 20)')" true
	check_equal 'those of one moment' "$(of 'new Set(e.map((p) => p.end)).size + " " + (e[0].end > 5)')" '1 true'
	check_equal 'each has a number, and all but the first a parent' \
		"$(of 'e.every((p) => p.id > 0 && (p.parent > 0 || p.name === "bash"))')" true
	check_equal 'each started before' "$(of 'e.every((p) => p.start >= 0 && p.start < p.end)')" true
	check_equal 'a secret that is a name is not there' "$(grep -c hunter2ab now)" 0
	check_equal 'nor elsewhere' "$(grep -ac hunter2ab $by.partial)" 0
	"$R" -q --recover $by.partial -o r.gz
	check_equal 'a recovery has each process once' "$(zcat r.gz | node -e '
		const t = JSON.parse(require("fs").readFileSync(0)).rtrack.tree, n = (s) => t.name.filter((i) => t.names[i] === s).length;
		console.log(new Set(t.pid).size === t.pid.length, n("node"), n("sleep") >= 20)')" 'true 1 true'
done

# A process alone. And a machine alone has no processes.
"$R" -q -i 0.1 --no-children -o b.gz -- sh -c 'while ! test -e b.copy; do cp b.gz.partial b.look; node now.mjs b.look >now; test -s now && mv b.look b.copy; done' 2>err
check_equal 'a process alone' "$(of 'e.length + " " + e[0].id + " " + e[0].name')" '1 1 sh'
"$R" -q -i 0.1 --no-process -o c.gz -- sh -c 'sleep 1; cp c.gz.partial c.copy' 2>err
check_equal 'of the machine: none' "$(node now.mjs c.copy | wc -l)" 0
echo "1..$n"
