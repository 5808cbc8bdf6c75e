# Unusual content of a folder: a FIFO, a run from the future.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
mkdir runs
run() { # FILE START
	echo "{\"metadata\": {\"start_time\": $2, \"interval\": 1}, \"rtrack\": {\"job\": {\"name\": \"job\"},
\"exit\": {\"code\": 0}}, \"process_metrics\": {\"timestamp\": [$2.5, $(($2 + 1)).5], \"cpu_usage\": [1, 1]}}" >"$1"
}
echo '{{run.file}}{{#history}}, {{file}}{{^used}} ({{why}}){{/used}}{{/history}}' >t.txt
report() {
	timeout 60 "$R" --offline -t t.txt "$@" 2>&1
	echo "status $?"
}
run runs/a.json 1700000000
run runs/b.json 1700001000
echo '--- a FIFO, a folder, a link that leads nowhere'
mkfifo runs/c.json
exec 3<>runs/c.json # a writer that says nothing
mkdir runs/d.json
report runs
ln -s nowhere runs/e.json
report runs
rm -r runs/[cde].json
mkdir empty
mkfifo empty/a.json
exec 4<>empty/a.json
report empty
echo '--- a run from the year 2100'
run runs/z.json 4102444800
report runs
report runs/z.json runs/b.json
run runs/y.json 4102441200
report runs
report --current runs/z.json runs
report runs/y.json runs/z.json
echo '--- --now moves the clock forward, and never back'
report --now 4102444800 runs
report --now 1 runs/a.json runs/b.json
SOURCE_DATE_EPOCH=1 report runs/a.json runs/b.json
echo '--- a clock that is a little ahead'
run runs/x.json $(($(date +%s) + 3600))
rm runs/[yz].json
report runs
