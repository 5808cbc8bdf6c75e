# Recordings that lack something: a tag, a column, an end, time itself; and inputs that are not recordings.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
report() {
	echo "$ rtrack-report $*"
	"$R" --offline --now 1795246800 "$@" 2>&1 || echo "status $?"
}
# FILE START TAGS COLUMNS: four samples a second apart, two phases that begin together
recording() {
	printf '{"metadata": {"start_time": %s, "stop_time": %s, "interval": 1}, "rtrack": {"job": {
	"name": "fit", "tags": {%s}}, "exit": {"code": 0, "cause": "exited"},
	"phases": [{"name": "one", "start": %s, "end": %s}, {"name": "both", "start": %s, "end": %s},
	{"name": "i", "start": %s, "end": %s}]}, "process_metrics": {"timestamp": [%s, %s, %s, %s], %s}}\n' \
		"$2" "$(($2 + 4))" "$3" "$2" "$(($2 + 2))" "$2" "$(($2 + 3))" "$(($2 + 3))" "$(($2 + 4))" \
		"$(($2 + 1))" "$(($2 + 2))" "$(($2 + 3))" "$(($2 + 4))" "$4" >"$1"
}
all='"cpu_usage": [1, 2, 1, 0], "memory": [8192, 8192, 4096, 4096], "read_bytes": [0, 0, 0, 0], "write_bytes": [0, 0, 0, 0]'
recording now.json 1795000300 '"batch": "32"' "$all"
recording untold.json 1795000200 '' "$all"
recording no_memory.json 1795000100 '"batch": "8"' '"cpu_usage": [0.01, 0.01, 0.01, 0.01]'
recording ends.json 1795000000 '"batch": "4"' '"cpu_usage": [1, 1, null, null], "memory": [4096, 4096, null, null]'
recording nothing.json 1794999900 '"batch": "2"' '"threads": [1, 1, 1, 1]'
recording reads.json 1795000400 '"batch": "1"' "${all/'"read_bytes": [0'/'"read_bytes": [4096'}"

echo '--- compared'
cat >compare.txt <<'T'
{{#compare.runs}}
{{label}}{{#why}}: {{why}}{{/why}}
{{/compare.runs}}
{{#compare.charts}}
{{summary}}
{{#svg}}{{#lines}}{{line}}
{{/lines}}{{#labels}}{{x}},{{y}} {{text}}
{{/labels}}{{#ticks}}{{text}} {{/ticks}}{{/svg}}
{{/compare.charts}}
T
report --compare -t compare.txt now.json untold.json
report --compare -t compare.txt now.json no_memory.json ends.json
report --compare -t compare.txt nothing.json no_memory.json
recording nothing_else.json 1794999800 '"batch": "4"' '"threads": [1, 1, 1, 1]'
report --compare -t compare.txt nothing.json nothing_else.json
rm nothing_else.json

echo '--- in history: nothing was read before'
echo '{{#trend.measures}}{{label}}: {{text}}{{#svg}}{{#now}} at {{x}},{{y}}{{/now}}{{/svg}}
{{/trend.measures}}' >history.txt
report -t history.txt -c reads.json now.json untold.json
recording latest.json 1795000500 '"batch": "8"' '"cpu_usage": [0.01, 0.01, 0.01, 0.01]'
report -t history.txt -c latest.json now.json untold.json

echo '--- one moment'
cat >one.json <<'J'
{"metadata": {"start_time": 1795000001, "stop_time": 1795000001}, "rtrack": {"processes": {"seen": 1,
"top": [{"name": "sh", "pid": 1, "start": 1795000001, "end": 1795000001, "cpu_s": 0}]}},
"process_metrics": {"timestamp": [1795000001], "cpu_usage": [1]}}
J
echo '{{run.duration.text}}, {{#processes.rows}}{{name}}{{/processes.rows}}:{{#processes.axis}} {{text}}{{/processes.axis}} {{processes.summary}}' >one.txt
report -t one.txt one.json

echo '--- neither a recording, nor a template, nor a place to write to'
mkdir empty
report empty
report ./none
report -t /proc/self/mem now.json
report --gpu GPU-1 -o gpu.html now.json
