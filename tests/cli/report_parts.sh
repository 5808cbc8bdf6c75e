# Recordings of one job's nodes or tasks are one run; what is missing is said, and no sum is silently short.
R=$(realpath "$B")/rtrack-report PARTS=$PWD/tests/fixtures/parts D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
cp -r "$PARTS/four" "$PARTS/tasks" .

cat >parts.txt <<'T'
{{title}}: {{status.word}}; {{status.text}}
{{#verdict}}
{{id}}, {{level}}: {{text}}
{{/verdict}}
{{#parts}}
{{recorded}}; {{missing}} missing{{#clocks}}; {{clocks}}{{/clocks}}
{{#imbalance}}
imbalance of {{id}}: {{text}}, {{place}} {{most.text}}, mean {{mean.text}}
{{/imbalance}}
{{#tables}}
{{caption}}
{{#rows}}
  {{node}}{{#rank}}.{{rank}}{{/rank}} {{cpu.text}} {{cpu_s.text}} {{memory.text}} {{read.text}} {{wall.text}} exit {{exit}}{{#marks}}, {{.}}{{/marks}}
{{/rows}}
{{/tables}}
{{#charts}}
chart {{id}}: {{summary}}
{{/charts}}
{{/parts}}
advice: {{advice.basis}}{{#advice.items}} {{text}}.{{/advice.items}}
history {{#history}}{{file}} {{status}} {{/history}}
{{#notes}}
note: {{.}}
{{/notes}}
T
report() {
	echo "$ rtrack-report $*"
	"$R" --offline "$@" 2>&1 || echo "status $?"
}
report -t parts.txt four
report -t parts.txt tasks
report -t parts.txt --parts off four | sed -n '1p;/^history/p'
echo '--- the lines for Slurm'
"$R" --offline --json - four | grep -o '#SBATCH[^"]*' | head -1

echo '--- sums of the rows are those of the parts'
sums() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ u += $c["\"process_utime\""]; w += $c["\"process_write_bytes\""]; r += $c["\"system_net_recv_bytes\""] }
	END { printf "%.2f s, %.0f and %.0f bytes\n", u, w, r }'; }
"$R" --offline --csv - four | sums
for n in 1 2 3 4; do "$R" --offline --csv - four/n$n.json | sed "$([ $n = 1 ] || echo 1d)"; done | sums

echo '--- a node was not recorded'
rm four/n3.json
report -t parts.txt --fail-if 'process_cpu_usage.mean > 1' four
report --text - four | grep -A9 '^Nodes and'
report --openmetrics - four | grep -E '^rtrack_(nodes|parts|run_success)'

echo '--- a part alone, one that cannot be read, one twice, and one that is of another job'
report -t parts.txt four/n1.json | sed -n '1,3p'
head -c 3000 four/n2.json >four/n3.json
sed 's,"pid": *[0-9]*,"pid":4242,' four/n1.json >four/copy.json
sed 's/slurm:c1:815:0:0/slurm:c1:814:0:0/' four/n1.json >four/other.json
report -t parts.txt four | grep -vE '^(verdict|memory|cpu|advice|imbalance)'
