# Asked against used: in every output, in the gates, and where nobody asked.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_asked D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/runs"
cp "$RUNS"/*.json "$D/runs" || exit
cd "$D" || exit
unset COLUMNS NO_COLOR

report() {
	SOURCE_DATE_EPOCH=1795260000 "$R" --offline "$@" 2>&1
	echo "status $?"
}
head_of() { sed -n '1,/^  Started/p' "$1"; }

report -o a.html --text a.txt --markdown a.md --openmetrics a.prom -j a.json runs
echo '--- text, wide and narrow'
head_of a.txt
sed -n '/^Usage/,/^  Over time/p' a.txt
COLUMNS=50 "$R" --model a.json --text - | sed -n '/^Asked and used/,/^  Started/p'
echo '--- Markdown'
sed -n '/^| Resource/,/^| Over time/p' a.md
echo '--- OpenMetrics'
grep -E 'rtrack_(asked|unused|efficiency)' a.prom
echo '--- the page: the section after the verdict'
grep -o '<section[^>]* id="[a-z]*"' a.html | grep -o 'id=.*'
grep -A 3 '<tr data-id="cpus">' a.html
grep -A 7 '<tr data-id="process_cpu_usage.mean">' a.html
echo '--- by way of a saved model: the same'
report --model a.json -o b.html --text b.txt --markdown b.md --openmetrics b.prom
for f in html txt md prom; do cmp a.$f b.$f; done

echo '--- gates'
gate() { report -o g.html --fail-if "$1" runs; }
gate 'cpu_efficiency < 20%'
gate 'memory_efficiency < 0.2'
gate 'time_efficiency > 90%'
gate 'gpu_efficiency < 20%'
gate 'process_memory.max > asked * 95%'
gate 'duration > asked * 0.4'
gate 'process_cpu_usage.mean < asked * 20%'
gate 'asked.max > 1'

echo '--- where nobody asked: the whole machine, a limit'
sed 's/"scheduler", "detail": "[A-Z_]*"/"machine", "detail": ""/g; s/"time_s": {[^}]*}/"time_s": null/' runs/now.json >machine.json
sed 's/"machine", "detail": ""/"limit", "detail": "memory.max"/g' machine.json >limit.json
for f in machine limit; do
	report --text $f.txt --fail-if 'cpu_efficiency < 20%' $f.json
	head_of $f.txt
	grep -A 3 '^Usage' $f.txt
done
echo '--- where it is not known what was asked: nothing is said of it, and no gate fails'
sed 's/"asked": {.*}, "part"/"asked": null, "part"/' runs/now.json >old.json
report -o old.html --text old.txt --openmetrics old.prom --fail-if 'cpu_efficiency < 20%' --fail-if 'duration > asked' old.json
head_of old.txt
grep -c 'id="asked"' old.html
grep -cE 'rtrack_(asked|unused|efficiency)' old.prom
echo '--- a task that had too little: its share of the node'
sed 's/"value": 16,/"value": 1,/; s/"value": 68719476736,/"value": 3221225472,/; s/"value": 14400,/"value": 7250,/; s/"share": false/"share": true/g' \
	runs/now.json >task.json
report --text task.txt task.json
head_of task.txt
