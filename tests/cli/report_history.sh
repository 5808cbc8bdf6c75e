# Which input is the current run, which are its history, and which of the history count.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
cp "$RUNS"/*.json . || exit

cat >history.txt <<'T'
{{run.file}}, {{status.word}}; history of {{usage.history_runs}}, {{usage.left_out}} left out
{{#history}}
  {{start.text}} {{file}}, {{status}}{{^used}}: {{why}}{{/used}}
{{/history}}
T
report() {
	echo "$ rtrack-report $*"
	"$R" --offline -t history.txt "$@"
	[ $? = 0 ] || echo "status $?"
}
report now.json
report .
report now.json earlier-1.json earlier-2.json failed.json killed.json
report killed.json earlier-2.json now.json failed.json earlier-1.json
report --history 1 .
report --history 0 .
report --current failed.json .
report --current ./earlier-2.json .
report --current earlier-1.json
report --status failed --current now.json .
report . now.json ./now.json
report --current nowhere.json . 2>&1

echo '--- this run, the median and the peak of its history'
cat >usage.txt <<'T'
{{#usage.rows}}
{{id}}: {{now.text}} | {{#median}}{{median.text}}{{/median}} | {{#peak}}{{peak.text}}{{/peak}}
{{/usage.rows}}
T
"$R" --offline -t usage.txt .

echo '--- the trend of a job, and runs of others beside it'
mkdir job && cd job || exit
# NAME BATCH START SECONDS CODE MEMORY_KB: a recording of one sample
recording() {
	printf '{"metadata": {"start_time": %d, "stop_time": %s}, "rtrack": {"job": {"name": "%s",
	"argv": ["./%s"], "tags": {"batch": "%s"}}, "exit": {"code": %d, "cause": "exited"}},
	"process_metrics": {"timestamp": [%d], "cpu_usage": [2], "memory": [%d],
	"read_bytes": [4096], "write_bytes": [0]}}\n' \
		"$3" "$(($3 + $4))" "$1" "$1" "$2" "$5" "$(($3 + 1))" "$6" >"$1-$3.json"
}
recording fit 32 1795000000 100 0 1024
recording fit 32 1795000100 110 0 1024
recording fit 64 1795000200 120 0 1024
recording fit 32 1795000300 999 1 1024
recording sort 32 1795000400 5 0 1024
recording fit 32 1795000500 160 0 1100
cat >trend.txt <<'T'
{{trend.group}}: {{trend.runs}} runs. {{trend.listing}}
{{#trend.measures}}
{{label}} {{now.text}}, {{#changed}}CHANGED, {{/changed}}{{word}}{{#level}} ({{level}}){{/level}}{{#distance}}, {{distance}}{{/distance}}{{#text}}; {{text}}{{/text}}; {{lowest.text}}{{#lowest.anchor}} {{lowest.anchor}}{{/lowest.anchor}} to {{highest.text}}; {{#svg}}{{#points}}{{x}},{{y}}{{#crossed}}x{{/crossed}} {{/points}}| {{#parts}}{{from}}-{{to}},{{y}} {{/parts}}| {{#now}}{{x}},{{y}}{{/now}}{{/svg}}
{{/trend.measures}}
{{#history}}
  {{anchor}} {{file}}{{^used}}: {{why}}{{/used}}
{{/history}}
T
trend() {
	echo "$ rtrack-report $*"
	"$R" --offline -t trend.txt "$@" 2>&1 || echo "status $?"
}
trend .
trend --group-by name,tag:batch .
trend --group-by tag:batch --history 2 .
trend --group-by tag:batch --history 1 . | grep '^Duration'
trend --current fit-1795000300.json .
trend --current sort-1795000400.json .
trend --group-by nmae .
trend --group-by tag: .
trend --name a .

echo '--- more runs than a table has room for'
for i in $(seq 250); do recording many 1 "$((1796000000 + 60 * i))" "$((50 + i % 7))" 0 1024; done
cat >count.txt <<'T'
{{trend.listing}} {{trend.rest}}
{{#trend.measures}}
{{label}}: {{runs}} runs, {{lowest.text}}{{#lowest.anchor}} at {{lowest.anchor}}{{/lowest.anchor}} to {{highest.text}}
{{/trend.measures}}
T
"$R" --offline --now 1797000000 -t count.txt -o many.html .
echo "$(grep -c '<tr id="run-' many.html) rows, $(grep -o 'href="#run-[^"]*"' many.html | sort -u | wc -l) links"
grep -o 'Older runs that are not drawn: [^<]*' many.html | uniq

echo '--- a change that stays: the verdict, the list, the gates and the commits'
mkdir ../since && cd ../since || exit
# START MEMORY_KB COMMIT
run_of() {
	printf '{"metadata": {"start_time": %d, "stop_time": %d}, "rtrack": {"job": {"name": "fit",
	"labels": {"git.commit": "%s"}}, "exit": {"code": 0, "cause": "exited"}},
	"process_metrics": {"timestamp": [%d], "cpu_usage": [2], "memory": [%d]}}\n' \
		"$1" "$(($1 + 100))" "$3" "$(($1 + 1))" "$2" >"fit-$1.json"
}
for i in $(seq 30); do
	run_of $((1795000000 + 1000 * i)) $(((100000 + i * 7 % 5 * 700) * (i > 22 ? 12 : 10) / 10)) \
		"$(printf 'c0ffee%02d%032d' $(((i + 1) / 2)) 0)"
done
echo '{{#verdict}}{{level}} {{id}}: {{text}}
{{/verdict}}{{#trend.changes}}{{label}} {{direction}} {{percent}} ({{least_percent}} to {{most_percent}}), {{runs}} runs, {{commit}}: {{text}}
{{/trend.changes}}' >changes.txt
"$R" --offline -t changes.txt . | grep -E 'history|Peak'
"$R" --offline --openmetrics /dev/stdout . | grep change_points
"$R" --offline --text /dev/null --fail-if 'changed(process_memory.max)' --fail-if 'changed(cpu_s)' \
	--fail-if contended --fail-if 'process_memory.max > history * 1.2' . 2>&1
echo "status $?"
"$R" --bisect . 2>&1
echo "status $?"
"$R" --bisect -c fit-1795020000.json . 2>&1
echo "status $?"
"$R" --bisect fit-179500*.json 2>&1
echo "status $?"

echo '--- contended runs are not compared with, and are not compared'
mkdir ../contended && cd ../contended || exit
# START SECONDS CONTENDED_SECONDS
run_of() {
	printf '{"metadata": {"start_time": %d, "stop_time": %d}, "rtrack": {"job": {"name": "fit"},
	"exit": {"code": 0, "cause": "exited"}, "time_at": {"samples": 9, "wall_s": %d,
	"unknown_s": 0, "cpu_s": 9, "judged_s": %d, "contended_s": %d, "stolen_s": 0,
	"idle_s": [0, 0, 0], "widths": []}},
	"process_metrics": {"timestamp": [%d], "cpu_usage": [2], "memory": [1024]}}\n' \
		"$1" "$(($1 + $2))" "$2" "$2" "$3" "$(($1 + 1))" >"fit-$1.json"
}
for i in $(seq 4); do run_of $((1795000000 + 1000 * i)) $((100 + i)) 0; done
run_of 1795009000 500 400
run_of 1795010000 110 0
cat >compared.txt <<'T'
{{#usage.rows}}
{{id}}: {{now.text}} | {{#median}}{{median.text}}{{/median}} | {{#peak}}{{peak.text}}{{/peak}}
{{/usage.rows}}
{{#tiles}}{{#note}}{{id}}: {{text}}, {{note}}
{{/note}}{{/tiles}}{{#verdict}}{{id}}: {{text}}
{{/verdict}}{{#trend.measures}}{{label}} {{now.text}}, {{word}}{{#distance}}, {{distance}}{{/distance}}
{{/trend.measures}}
{{#trend.cannot_tell}}history: {{trend.cannot_tell}}{{/trend.cannot_tell}}
T
for run in 1795010000 1795009000; do
	"$R" --offline -t compared.txt --fail-if 'duration > history.max' -c "fit-$run.json" . 2>&1 |
		grep -E 'uration|cpu_usage|memory|history|contended'
done
echo '--- but with --compare they are'
"$R" --offline -t compared.txt --compare fit-1795009000.json fit-1795004000.json | grep -E '^(compare|contended)'
