# Which run is this run, which are its history, and which of those count.
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
