# The first screen of a run's page: the status of the job and its gates, what to ask for, the lines for what ran the job; and
# the summary in the head for programs.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_asked D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/runs"
cp "$RUNS"/*.json "$D/runs" || exit
cd "$D" || exit

report() { SOURCE_DATE_EPOCH=1795260000 "$R" --offline "$@" 2>&1; }
summary() { sed -n 's/^<script type="application\/json" id="summary">\(.*\)<\/script>$/\1/p' "$1"; }
first() { sed -n '/^<meta name="description"/p; /^<p class=word>/p; /^<p class=when>/p' "$1"; }
job() { # LABELS: a run with these
	cat <<J
{"metadata": {"version": 1, "interval": 1, "track_processes": true, "start_time": 0, "stop_time": 8, "duration": 8},
"server_info": {"vcpus": 4, "memory_mb": 16000}, "rtrack": {"format": 1, "job": {"name": "job", "labels": {$1}},
"exit": {"code": 0, "cause": "exited"}}, "process_metrics": {"timestamp": [1, 2, 3, 4, 5, 6, 7, 8],
"memory": [1000, 2000, 2000, 2000, 2000, 2000, 2000, 2000], "cpu_usage": [1, 1, 1, 1, 1, 1, 1, 1]}}
J
}

report -o a.html -j a.json --fail-if 'duration > 1h' --fail-if 'duration > 9h' runs
echo "status $?"
first a.html
summary a.html
echo '--- the lines for what ran the job are open; the others are behind a disclosure'
for labels in '"scheduler": "slurm"' '"scheduler": "slurm", "workflow": "snakemake"' '"ci.provider": "gitlab"' \
	'"scheduler": "sge"' ''; do
	job "$labels" >job.json
	report -o job.html -t <(echo '{{#advice.snippets}}{{#own}}{{label}}{{/own}}{{/advice.snippets}}') job.json
	echo " $(grep -c '^<div class=snippet>' job.html) open, $(grep -c '^<details class=snippet>' job.html) closed"
done
echo '--- a link to the run of a CI system, if it is one'
for url in https://ci.example/1 'javascript:alert(1)' ' https://x'; do
	job "\"ci.run_url\": \"$url\", \"git.commit\": \"0123456789abcdef\"" >job.json
	report -o job.html job.json
	grep '^<p class=when>' job.html
done
echo '--- a gate that was not judged, and a page that does not carry its recording'
report -o job.html --no-model --fail-if 'cost > 1USD' job.json
first job.html
summary job.html
echo '--- names of strange characters: at most 4 KiB, and nothing that ends the element'
name=$(printf '<%.0s' $(seq 250))
job '"a": "b"' | sed "s/\"job\", \"labels\"/\"$name\", \"labels\"/" >job.json
report -o job.html job.json
echo "$(summary job.html | grep -o 'u003c' | wc -l) escaped, $(summary job.html | grep -c '<') not"
sed -E "s/\"(text|headline|cause|title)\":\"([^\"\\\\]|\\\\.)*\"/\"\1\":\"$name\"/g" a.json >b.json
"$R" --model b.json -o b.html
summary b.html | wc -c
summary b.html | sed 's/\(.u003c\)\{9,\}/(…)/g'
echo '--- a change for the worse is in the status, and in the summary'
mkdir many
for i in $(seq 101 124); do
	job '"git.commit": "c'$i'0000000"' | sed "s/\"start_time\": 0, \"stop_time\": 8/\"start_time\": ${i}00, \"stop_time\": ${i}08/
		s/\"timestamp\": \[[^]]*\]/\"timestamp\": [$(seq -s ', ' ${i}01 ${i}08)]/
		s/\"memory\": [^]]*\]/\"memory\": [$(for _ in 1 2 3 4 5 6 7 8; do echo $((i * 7919 % 1000 + (i > 112 ? 2000000 : 1000000))); done | paste -sd,)]/" >many/$i.json
done
report -o many.html many
first many.html | grep -o 'class=said.*'
summary many.html | grep -o '"headline":"[^"]*","level":"[^"]*"\|"changes":\[[^]]*\]'
