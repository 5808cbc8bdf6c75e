# Single runs: the list of them (runs), and the report of one job by its ID (job).
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report FIXTURES=$PWD/tests/fixtures D=$(realpath "$(mktemp -d)")
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# run FILE NAME USER START MEMORY_PEAK [MORE]: one hour on 8 CPUs and 64 GiB, of which one CPU was busy
run() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"%s","user":"%s","host":"n1","start":%s,"wall_s":3600,"samples":3600,"oom_kills":0,"cpu_s":3600,"cores_mean":1,"cores_peak":2,"memory_mean_bytes":%s,"memory_peak_bytes":%s,"asked_cpus":8,"asked_memory_bytes":68719476736,"asked_time_s":7200,"vcpus":16,"machine_memory_bytes":137438953472%s}}\n' \
		"${1##*/}" "$2" "$3" "$4" "$5" "$5" "${6:-,\"status\":\"exited\",\"code\":0}" >"$1"
}
slurm() { printf ',"status":"exited","code":0,"job_id":"slurm/hpc/%s/%s"%s' "$1" "$2" "$3"; }
mkdir -p runs/old
for i in 1 2 3; do
	run runs/train-$i.json train ann $((1795000000 + i * 4000)) ${i}000000000 "$(slurm 10$i 0 ",\"account\":\"bio\"")"
	run runs/old/prep-$i.json prep bob $((1794000000 + i * 4000)) 2000000000
done
run runs/old/failed.json prep bob 1794900000 2000000000 ',"status":"exited","code":1'
run runs/old/killed.json prep bob 1794800000 2000000000 ',"status":"killed","signal":"TERM","end_cause":"time_limit"'
run runs/old/oom.json prep bob 1794700000 68000000000 ',"status":"oom","signal":"KILL","end_cause":"oom"'
run runs/old/element.json sweep eve 1794600000 3000000000 "$(slurm 205 1 ',"array_job":"slurm/hpc/200","array_index":3')"
run runs/old/future.json sweep eve 9794600000 3000000000
# Four nodes are one run.
for i in 1 2 3 4; do
	run runs/old/node-$i.json wide eve 1794500000 ${i}000000000 "$(slurm 300 0 ",\"job\":\"slurm/hpc/300/0/0\",\"node\":\"n$i\",\"covers\":\"node\",\"nodes\":4,\"tasks\":4")"
done

show() { # PROGRAM ARGUMENT…
	echo "$ $(basename "$1") ${*:2}"
	SOURCE_DATE_EPOCH=1795100000 "$@" --offline >out 2>&1
	echo "status $?" >>out
	sed "s,$D,FOLDER,g" out
	rm out
}
fleet() { show "$F" "$@"; }
report() { show "$R" "$@"; }
echo '--- the list, from a folder'
fleet runs --text - --rate-cpu 0.05 runs
fleet runs --markdown - --where user=eve runs
fleet runs runs
ls
echo '--- order, conditions, a limit'
fleet runs --sort -memory_peak --top 3 --csv - runs | cut -d, -f1-3,16
fleet runs --sort memory_efficiency --top 2 --csv - runs | cut -d, -f1-3,17
fleet runs --sort -cost --rate-memory 1 --top 2 --csv - runs | cut -d, -f1-3,24
fleet runs --sort -cpu_s --top 1 --csv - runs | cut -d, -f1-3
fleet runs --where name=prep --until 2026-11-16 --csv - runs | cut -d, -f1-3,6,9
fleet runs --where user=nobody --text - runs
echo '--- from a catalog, the same'
fleet add --catalog c.db runs
for sort in -start start -memory_peak cpu_efficiency user; do
	"$F" runs --offline --sort "$sort" --csv a.csv runs
	"$F" runs --offline --sort "$sort" --csv b.csv --catalog c.db
	cmp a.csv b.csv && echo "$sort: the same"
done
rm a.csv b.csv
echo '--- one row whole'
fleet runs --where name=wide --csv - --catalog c.db
echo '--- from a model'
"$F" runs --offline --now 1795100000 --json m.json --text a.txt --catalog c.db
report --model m.json --text b.txt
cmp a.txt b.txt && echo the same
report --model m.json --junit -
rm m.json a.txt b.txt
echo "--- Nextflow's trace"
fleet runs -t @trace.txt --where name!=prep --catalog c.db
fleet runs -t @snakemake.tsv runs
echo '--- mistakes'
fleet runs
fleet runs --sort size runs
fleet runs --sort cost runs
fleet runs --group-by user runs
fleet runs --top 0 runs
fleet groups --top 201 runs
fleet runs --catalog c.db runs
fleet groups --sort wall runs
echo '--- what cannot be read'
echo garbage >runs/bad.json
fleet runs --csv x.csv runs
rm runs/bad.json x.csv

# slurm_part FROM TO STEP RESTART: a recording of the fixtures as one of job 815 of Slurm
slurm_part() {
	sed "s,slurm:c1:815:0:0,slurm/hpc/815/$3/$4,;s,\"slurm.job\":\"815\",\"scheduler\":\"slurm\"\,\"slurm.job_id\":\"815\"\,\"slurm.cluster\":\"hpc\"\,\"slurm.restart_count\":\"$4\"," "$1" >"$2"
}
mkdir -p jobs/first jobs/again
for i in 1 2 3 4; do
	slurm_part "$FIXTURES/parts/four/n$i.json" jobs/first/n$i.json 0 0
	slurm_part "$FIXTURES/parts/four/n$i.json" jobs/again/n$i.json 0 1
done
slurm_part "$FIXTURES/parts/tasks/n1.0.json" jobs/again/batch.json batch 1
cp "$FIXTURES/runs_report/now.json" jobs/other.json
cat >job.txt <<'T'
{{title}}: {{status.text}}; {{parts.recorded}}{{#notes}}
note: {{.}}{{/notes}}
T
echo '--- a job, in a folder'
fleet job 815 -t job.txt jobs
fleet job 815/0 -t job.txt jobs
fleet job slurm/hpc/815/1 -t job.txt jobs
echo '--- and by a catalog'
"$F" add --catalog jobs.db jobs >/dev/null
fleet job 815/0 -t job.txt --catalog jobs.db
fleet job 815 --catalog jobs.db
ls -d report.html && rm report.html
echo '--- its files are gone'
mv jobs moved
fleet job 815/0 -t job.txt --catalog jobs.db
mv moved jobs
echo '--- no job, or several'
fleet job 816 jobs
fleet job 816 --catalog jobs.db
fleet job 815/7 jobs
fleet job '' jobs
fleet job 1/2/3/4/5 jobs
fleet job 815
fleet job 815 --catalog jobs.db jobs
fleet job 815 -
echo garbage >jobs/bad.json
fleet job 816 jobs
rm jobs/bad.json
echo '--- the reporter: beside rtrack-fleet, then in $PATH'
mkdir -p alone/rtrack-report path/rtrack-report other
cp "$F" alone
printf '#!/bin/sh\necho "the other one: $1"\n' >other/rtrack-report
PATH=path:other alone/rtrack-fleet job 815/0 jobs 2>&1 | sed "s,$D,FOLDER,"
chmod +x other/rtrack-report
PATH=path::other alone/rtrack-fleet job 815/0 jobs
rm -r alone path other
sed 's,"slurm.cluster":"hpc",,;s,slurm/hpc/815,slurm/old/815,;s/,,/,/' jobs/first/n1.json >jobs/elsewhere.json
fleet job 815 jobs
echo '--- a path of a stranger'
if command -v mkfifo >/dev/null; then
	rm jobs/first/n1.json && mkfifo jobs/first/n1.json
	fleet job 815/0 -t job.txt --catalog jobs.db
fi
