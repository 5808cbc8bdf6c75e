# One run of a workflow: which run, its text, and what is said where there is none.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# task FILE RUN LABELS START WALL CODE CPUS MEMORY ASKED_CPUS ASKED_MEMORY: a made-up recording
task() {
	printf '{"rtrack_row":{"id":"%s","scope":"process","name":"x","user":"ann","host":"n1","start":%s,"wall_s":%s,"samples":100,"status":"finished","code":%s,"oom_kills":0,"cpu_s":%s,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":%s,"asked_cpus_source":"env","asked_memory_bytes":%s,"asked_memory_source":"env","asked_time_s":3600,"vcpus":16,"machine_memory_bytes":137438953472,"workflow_run":"%s","labels":"%s"}}\n' \
		"$(basename "$1" .json)" "$4" "$5" "$6" "$(($5 * $7))" "$8" "$8" "$9" "${10}" "$2" "$3" >"$1"
}
mkdir runs
G=1073741824
nextflow='workflow=nextflow;nextflow.task'
for i in 1 2 3 4 5 6; do
	task runs/align-$i.json nextflow/sad_bell "$nextflow=ALIGN (s$i);nextflow.attempt=1" $((1795000000 + i)) $((600 + i * 10)) 0 2 $((3 * G)) 8 $((16 * G))
	task runs/call-$i.json nextflow/sad_bell "$nextflow=CALL (s$i);nextflow.attempt=1" $((1795001000 + i * 60)) 300 $((i == 4)) 1 $G 4 $((8 * G))
done
task runs/call-4b.json nextflow/sad_bell "$nextflow=CALL (s4);nextflow.attempt=2" 1795001600 400 0 1 $G 4 $((8 * G))
task runs/other.json gitlab/77 'ci.provider=gitlab' 1794000000 60 0 1 $G 2 $G
task runs/hostile.json '<b>&amp;{{run}}' "workflow=nextflow;nextflow.task=<script>alert(1)</script> ('\\u0022\\n# x)" 1794000000 60 0 1 $G 2 $G

show() { # PROGRAM ARGUMENT…
	echo "$ $(basename "$1") ${*:2}"
	SOURCE_DATE_EPOCH=1795100000 "$@" --offline >out 2>&1
	echo "status $?" >>out
	sed "s,$D,FOLDER,g" out
	rm out
}
fleet() { show "$F" "$@"; }
report() { show "$R" "$@"; }
echo '--- the newest run'
fleet pipeline --text - runs
echo '--- what is pasted'
"$F" pipeline --offline --json - runs | grep -oP '"config":\{\K.*?(?=\}\])' | sed 's/\\n/\n/g'
echo '--- a run by its name, from a catalog'
fleet add --catalog c.db runs
fleet pipeline --catalog c.db --run gitlab/77 --text - | head -n 6
fleet pipeline --catalog c.db --where name=x --until 2026-11-12 --text - | head -n 6
echo '--- there is none'
fleet pipeline --catalog c.db --run gitlab/78
fleet pipeline --catalog c.db --where user=bob
task plain.json '' 'scheduler=slurm' 1794000000 60 0 1 $G 2 $G
fleet pipeline plain.json
echo '--- what it cannot do'
fleet pipeline --markdown x.md runs
fleet pipeline --csv x.csv runs
fleet pipeline
fleet pipeline --template @trace.txt runs
echo '--- the page, and a model as a page'
fleet pipeline runs
"$F" pipeline --offline --now 1795100000 --json m.json -o a.html runs
report --model m.json -o b.html
cmp a.html b.html && echo the same
report --model m.json --markdown x.md
"$F" pipeline --offline --run '<b>&amp;{{run}}' -o hostile.html runs
grep -c '<script>alert\|<b>&amp;' hostile.html
grep -o '<title>[^<]*' hostile.html | head -n 1
ls
echo '--- more tasks than SQLite sorts without a file'
awk 'BEGIN { OFS = "\t"; print "task_id", "hash", "process", "name", "status", "exit", "submit", "start", "realtime", "%cpu", "peak_rss", "cpus", "memory"
	for (i = 1; i <= 6000; i++)
		print i, "00/" i, "P" i % 7, "P" i % 7 " (" i ")", "COMPLETED", 0, 1795000000000 + i, 1795000001000 + i, 60000, "95%", "1 GB", 2, "2 GB" }' >many.txt
fleet pipeline -o many.html many.txt
"$F" runs --offline --catalog many.db --add many.txt --csv many.csv && wc -l <many.csv
fleet pipeline --catalog many.db -o many.html
