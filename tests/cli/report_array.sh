# The elements of a job array: their spread, what was asked and proposed, failures, outliers, repeats.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# INDEX SECONDS MEMORY_MIB [EXIT [ATTEMPT [ASKED [FILE]]]]: a recording of three samples; the start says
# attempts apart.
ASKED='"memory_bytes": {"value": 4294967296, "source": "scheduler", "detail": "SLURM_MEM_PER_NODE"},
"time_s": {"value": 1800, "source": "scheduler", "detail": "scontrol"}'
element() {
	local at=$((1795000000 + $1 + 10000 * ${5:-0}))
	printf '{"metadata": {"interval": 60, "start_time": %d, "stop_time": %d}, "server_info": {"vcpus": 8,
	"memory_mb": 65536}, "rtrack": {"job": {"name": "align", "argv": ["./align.sh"]}, "asked": {%s},
	"part": {"job": "slurm/c1/%d/batch/%d", "node": "n1", "covers": "node", "nodes": 1,
	"array": {"job": "slurm/c1/700", "index": %d}}, "exit": {%s}},
	"process_metrics": {"timestamp": [%d, %d, %d], "cpu_usage": [1.5, 1.9, 1.%d], "memory": [1024, %d, 2048]}}\n' \
		"$at" "$((at + $2))" "${6-$ASKED}" "$((700 + $1))" "${5:-0}" "$1" \
		"${4:-"\"code\": 0, \"cause\": \"exited\""}" "$((at + 60))" "$((at + 120))" "$((at + $2))" \
		"$(($1 % 9))" "$(($3 * 1024))" >"${7:-element-$1-${5:-0}.json}"
}
OOM='"signal": "KILL", "cause": "oom"'
element 0 600 1200
element 1 620 1250
element 2 610 1180
element 3 200 900 '"code": 2, "cause": "exited"'
element 4 590 1220
element 5 1450 2100
element 6 605 1210
element 7 630 1190
element 8 615 1230
element 9 300 3900 "$OOM"
element 11 100 500 '"code": 1, "cause": "exited"'
element 11 640 1260 '"code": 0, "cause": "exited"' 1

cat >array.txt <<'T'
{{#array}}{{#known}}
{{job}}, element {{index}}; {{recorded}} recorded, {{finished}} finished
{{summary}}
{{basis}}
{{#spread}}
{{label}} of {{n}}: {{min.text}} | {{median.text}} | {{p95.text}} | {{max.text}} | now {{now.text}}
{{/spread}}
{{#histograms}}
{{title}}: {{summary}}{{#remark}} REMARK {{remark}}{{/remark}}
{{#rows}}
  {{text}}: {{count}}{{#has_apart}} + {{apart}}{{/has_apart}}
{{/rows}}
{{#svg}}
  {{#lines}}[{{text}} at {{share}}% {{anchor}}{{#beyond}} beyond{{/beyond}}] {{/lines}}ticks{{#ticks_x}} {{text}}={{share}}%{{/ticks_x}}
{{/svg}}
{{/histograms}}
{{#failed}}
not finished: {{index}}{{#this}} (this){{/this}} {{ended}}, {{duration.text}}, {{#at_least}}at least {{/at_least}}{{memory.text}}, {{file}}
{{/failed}}
{{#outliers}}
outlier: {{index}}{{#measures}}, {{text}}{{#factor}} {{factor}}{{/factor}}{{/measures}}
{{/outliers}}
{{outliers_why}}
{{/known}}{{^known}}
no array
{{/known}}{{/array}}
{{#verdict}}
{{level}} {{id}}: {{text}}
{{/verdict}}
{{trend.listing}}
{{#advice.items}}
ask {{id}}: {{formula}}
{{/advice.items}}
{{advice.basis}}
T
report() {
	echo "$ rtrack-report $*"
	"$R" --offline --now 1796000000 -t array.txt "$@" 2>&1 || echo "status $?"
}
report .
echo '--- an element alone, and a run of no array'
report element-0-0.json
sed 's/"array": {[^}]*}/"array": null/' element-1-0.json >none.json
report --current none.json element-0-0.json element-2-0.json | grep -E 'array|average'
echo '--- two elements that are all the same, and nothing asked'
mkdir same && cd same || exit
element 0 300 512 '' 0 '"memory_bytes": {"value": 8589934592, "source": "machine", "detail": "MemTotal"}'
element 1 300 512 '' 0 '"memory_bytes": null'
cp ../array.txt .
report --current element-0-0.json .
report --current element-1-0.json . | grep REMARK
echo '--- none finished'
mkdir ../none && cd ../none || exit
for i in 1 2 3; do element "$i" 60 100 '"signal": "TERM", "cause": "signal"'; done
cp ../array.txt .
report .
echo '--- the text and the Markdown of the array'
cd .. || exit
"$R" --offline --now 1796000000 --text all.txt .
sed -n "/^ *Job array/,/^ *Usage/p" all.txt
"$R" --offline --now 1796000000 --markdown all.md . && sed -n '/elements of this array/,/^| Used/p' all.md
echo '--- a thousand elements'
mkdir many && cd many || exit
for i in $(seq 0 999); do
	if [ $((i % 9)) = 4 ]; then
		element "$i" $((300 + i * 7 % 90)) 700 '"code": 3, "cause": "exited"'
	else
		element "$i" $((300 + i * 7 % 90)) $((1000 + i * 13 % 400 + (i % 97 == 0) * 2000))
	fi
done
"$R" --offline --now 1796000000 -o many.html .
grep -o 'Element[^,]* did not finish, and [0-9]* more' many.html
grep -o 'and [0-9]* more</caption>' many.html | sort | uniq -c
[ "$(wc -c <many.html)" -lt 400000 ] && echo 'a small page'
