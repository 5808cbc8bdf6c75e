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

echo '--- this run, the average and the peak of its history'
cat >usage.txt <<'T'
{{#usage.rows}}
{{id}}: {{now.text}} | {{#average}}{{average.text}}{{/average}} | {{#peak}}{{peak.text}}{{/peak}}
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
{{label}} {{now.text}}, {{#changed}}CHANGED, {{/changed}}{{word}}{{#level}} ({{level}}){{/level}}{{#text}}, {{text}}{{/text}}; {{lowest.text}}{{#lowest.anchor}} {{lowest.anchor}}{{/lowest.anchor}} to {{highest.text}}; {{#svg}}{{points}} | {{#band}}{{y}}+{{height}}{{/band}} | {{median}} | {{#now}}{{x}},{{y}}{{/now}}{{/svg}}
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
