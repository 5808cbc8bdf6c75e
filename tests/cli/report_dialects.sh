# Recordings in every dialect, and with little content.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

cat >said.txt <<'T'
{{run.mode}}, {{run.samples}} samples; {{#charts}}{{#known}}{{id}} {{/known}}{{/charts}}
{{#verdict}}
  {{id}}: {{text}}
{{/verdict}}
T
cat >statistics.txt <<'T'
{{{statistics.now}}}
T
say() {
	echo "--- $1"
	"$R" --offline -o page.html -t said.txt "$1" 2>&1
	[ $? = 0 ] || echo "status $?"
}
try() {
	echo "$2" >"$1"
	say "$1"
}

echo '--- one run in all dialects: the same statistics'
for f in "$RUNS"/schema*; do
	"$R" --offline -t statistics.txt "$f"
done | sort -u

try tree-alone.json '{"metadata": {"interval": 1}, "process_metrics": {"timestamp": [1, 2, 3],
	"cpu_usage": [0.5, 1, 1.5], "memory": [1024, 2048, 955392]}, "system_metrics": []}'
try machine-alone.json '{"metadata": {"interval": 1, "track_processes": false}, "process_metrics": null,
	"system_metrics": {"timestamp": [1, 2, 3], "cpu_usage": [0.5, 1, 1.5],
	"memory_used": [1024, 2048, 955392]}}'
try no-metadata.json '{"process_metrics": {"timestamp": [10, 20, 30], "cpu_usage": [1, 1, 1]}}'
try one-row.json '{"process_metrics": [{"timestamp": 10, "cpu_usage": 1, "memory": 1024}]}'
try no-times.json '{"process_metrics": [{"cpu_usage": 1}, {"cpu_usage": 2}]}'
try odd-times.json '{"process_metrics": {"timestamp": [null, 1e308, -5, 30, 10, 20],
	"cpu_usage": [1, 1, 1, 1, 1, 1]}}'
try backwards.json '{"metadata": {"interval": 1}, "process_metrics": {"timestamp": [3, 2, 1],
	"cpu_usage": [1, 2, 3]}}'
try nothing-measured.json '{"process_metrics": {"timestamp": [1, 2], "cpu_usage": [null, null]}}'
try rows.json '{"process_metrics": [{"timestamp": 1, "cpu_usage": 1}, {"cpu_usage": 2, "timestamp": 2},
	{"timestamp": 3}], "metadata": {"interval": 1}}'
