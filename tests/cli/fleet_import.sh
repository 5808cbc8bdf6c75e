# What other programs wrote down, as runs: recognised by content, added once, joined with recordings, forgotten.
F=$(realpath "$B")/rtrack-fleet FIXTURES=$PWD/tests/fixtures/import D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
cp -r "$FIXTURES" import && rm import/README.md
find import -type f -exec touch -d @1795500000 {} +

fleet() {
	echo "$ rtrack-fleet $*"
	SOURCE_DATE_EPOCH=1795600000 "$F" "$@" --offline >out 2>&1
	echo "status $?" >>out
	sed "s,$D/,,g" out
}
# Some columns of the list of runs.
columns() {
	SOURCE_DATE_EPOCH=1795600000 "$F" runs --offline --csv - "$@" 2>&1 | node -e '
		const rows = require("fs").readFileSync(0, "utf8").trim().split("\n").map(line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)].map(m => m[1].replace(/^"|"$/g, "")));
		const at = ["id", "name", "start", "wall", "end", "cpus_asked", "cpus_used", "memory_asked", "memory_peak", "origin"].map(c => rows[0].indexOf(c));
		for (const row of rows) console.log(at.map(i => row[i]).join(" | "));'
}

echo '--- by content, and once'
fleet add --catalog runs.db import/slurm/sacct.txt
fleet add --catalog runs.db import/slurm/sacct.txt
fleet add --catalog runs.db - <import/slurm/sacct.txt
cp import/slurm/sacct.txt other.name
fleet add --catalog runs.db other.name
columns --catalog runs.db --sort start
fleet add --catalog steps.db --steps import/slurm/sacct.txt
columns --catalog steps.db --sort start --where 'name!=nf' | head -n 12

echo '--- a folder with all kinds'
columns import/nextflow import/snakemake import/time import/duct import/slurm/seff.txt --sort start

echo '--- what is not understood'
head -n 6 import/slurm/sacct.txt | sed -e '2s/|[0-9:]*|/|INVALID|/2' -e '4s/|.*//' >broken.txt
fleet groups --text /dev/null broken.txt
printf 'task_id\thash\tname\tstatus\texit\trealtime\tpeak_rss\n1\ta/b\tX (1)\tCOMPLETED\t0\tsoon\t-5 GB\n2\ta/c\tX (2)\tCOMP' >cut.tsv
fleet groups --text /dev/null cut.tsv
printf 'JobID|State\n' >empty.txt
fleet groups --text /dev/null empty.txt
echo 'a note about JobID | State' >note.txt
fleet groups --text /dev/null note.txt

echo '--- recorded and accounted'
mkdir recorded
id=$(awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["JobName"] == "steps" { print $at["JobIDRaw"]; exit }' import/slurm/sacct.txt)
cluster=$(awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } NR == 2 { print $at["Cluster"] }' import/slurm/sacct.txt)
printf '{"rtrack_row":{"id":"1","scope":"process","name":"steps","user":"ann","host":"n2","start":1795502287,"wall_s":9,"samples":10,"status":"exited","code":1,"cpu_s":5,"memory_mean_bytes":1e8,"memory_peak_bytes":3e8,"asked_cpus":1,"asked_memory_bytes":1e9,"job_id":"slurm/%s/%s/0"}}\n' \
	"$cluster" "$id" >recorded/a.json
for order in 'recorded import/slurm/sacct.txt' 'import/slurm/sacct.txt recorded'; do
	rm -f both.db
	for source in $order; do fleet add --catalog both.db "$source"; done
	columns --catalog both.db --where name=steps
done
fleet groups --catalog both.db --json fleet.json
node -e 'const m = JSON.parse(require("fs").readFileSync("fleet.json")); console.log(m.origins.text);
	for (const r of m.origins.rows) console.log(r.origin, r.runs.value, r.differ_cpu.value, r.differ_memory.value, r.differ_end.value)'

echo '--- an unchanged folder is not written again'
mkdir unchanged && cp import/slurm/sacct.txt recorded/a.json unchanged
sed 's/"id":"1"/"id":"2","job":"x"/; s/"wall_s":9/"wall_s":3/' recorded/a.json >unchanged/b.json
state() { sha256sum <unchanged.db && stat -c %y unchanged.db; }
SOURCE_DATE_EPOCH=1795600000 "$F" add --catalog unchanged.db unchanged >/dev/null 2>&1
state >once
SOURCE_DATE_EPOCH=1795600000 "$F" add --catalog unchanged.db unchanged >/dev/null 2>&1
state | cmp - once && echo same

echo "--- another user's recording with the number of a job on two nodes leaves its amounts"
printf '%s\n' 'JobID|Cluster|User|State|ExitCode|Start|End|NNodes|NTasks|ReqTRES|TotalCPU|MaxRSS|JobName' \
	'50|c|ann|COMPLETED|0:0|1795502200|1795502300|2||cpu=8,mem=16G|00:00:00||wide' \
	'50.0|c||COMPLETED|0:0|1795502200|1795502300|2|2||01:00.000|2G|x' >two.txt
sed 's,slurm/[^"]*,slurm/c/50/0,; s/"ann"/"bob"/; s/"steps"/"foreign"/' recorded/a.json >foreign.json
for source in two.txt foreign.json; do
	SOURCE_DATE_EPOCH=1795600000 "$F" add --catalog two.db "$source" >/dev/null 2>&1
	columns --catalog two.db --where name=wide
done

echo '--- a whole node by --exclusive: what was requested, or what was given; said on the page'
printf '%s\n' 'JobID|Cluster|User|State|ExitCode|Start|End|NNodes|NTasks|NodeList|ReqTRES|AllocTRES|TotalCPU|MaxRSS|JobName' \
	'80|c|ann|COMPLETED|0:0|1795502200|1795502300|1||n1|cpu=1,mem=4G|cpu=64,mem=4G|||whole' \
	'80.batch|c||COMPLETED|0:0|1795502200|1795502300|1|1|n1|||00:50.000|1G|batch' >whole.txt
for switch in '' --allocated; do
	rm -f whole.db
	"$F" add --catalog whole.db $switch whole.txt
	columns --catalog whole.db
	"$F" groups --catalog whole.db --offline --json fleet.json
	node -e 'console.log(JSON.parse(require("fs").readFileSync("fleet.json")).origins.text)'
done
columns --catalog whole.db --where asked_cpus_source=allocation | grep -c whole

echo '--- what jobstats stored: of two nodes 3 and 1 GiB, 160.5 s, 1.5 GPUs on the first'
printf '%s\n' 'JobID|Cluster|User|State|ExitCode|Start|End|NNodes|NodeList|ReqTRES|TotalCPU|MaxRSS|AdminComment|JobName' \
	'70|c|ann|COMPLETED|0:0|1795502200|1795502300|2|n[1-2]|cpu=8,mem=64G,gres/gpu=4|||JS1:H4sIAAAAAAACA42OwQrDIAyG3yVnGTHqdL5MKasUoepY9bAV331aGKU77RJC/i9fssH8KCtYYhDT5Fq3QeS93ve5ZB0YSvaLf4/Zp9gzBKvwggwayRErg5zyuAzBhfR8gRVSqJsWRlzNN8o+uAa3NcWgrG46YCJOpKSm5ol0uv2vdn/mZOWohZbckKz1F8b6ASVqpBL3AAAA|stats' >stats.txt
"$F" add --catalog stats.db stats.txt
columns --catalog stats.db

echo '--- a heterogeneous job is one run: its components, some of which are recorded'
printf '%s\n' 'JobID|JobIDRaw|Cluster|User|State|ExitCode|Submit|Start|End|NNodes|NTasks|NodeList|ReqTRES|TotalCPU|MaxRSS|JobName' \
	'60+0|60|c|ann|COMPLETED|0:0|1795502100|1795502200|1795502300|1||n1|cpu=1,mem=1G|||het' \
	'60+0.batch|60.batch|c||COMPLETED|0:0||1795502200|1795502300|1|1|n1||00:10.000|100M|batch' \
	'60+1|61|c|ann|COMPLETED|0:0|1795502100|1795502200|1795502300|1||n2|cpu=8,mem=16G|||het' \
	'60+1.0|61.0|c||COMPLETED|0:0||1795502200|1795502300|1|1|n2||05:00.000|9G|solve' >het.txt
for node in n1 n2; do
	sed "s,slurm/[^\"]*,slurm/c/60/0,; s/\"n2\"/\"$node\"/; s/\"id\":\"1\"/\"id\":\"het$node\"/; s/\"code\":1/\"code\":0/; s/\"wall_s\":9/\"wall_s\":99/; s/1795502287/1795502200/" \
		recorded/a.json >het-$node.json
done
for sources in 'het.txt' 'het.txt het-n1.json' 'het-n2.json het-n1.json het.txt'; do
	rm -f het.db
	for source in $sources; do "$F" add --catalog het.db "$source" >/dev/null 2>&1; done
	columns --catalog het.db
done

echo '--- forgotten'
fleet add --catalog runs.db import/time
fleet forget --catalog runs.db import/time
fleet forget --catalog runs.db sacct://slurm
