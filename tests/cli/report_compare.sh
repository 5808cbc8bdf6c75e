# Runs compared: their labels, differences and phases.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

# FILE START SECONDS CORES MEMORY_KB BATCH CODE: so many samples, half of them of each phase
recording() {
	local half=$(($3 / 2)) t='' c='' m=''
	for i in $(seq "$3"); do t="$t,$(($2 + i))" c="$c,$4" m="$m,$5"; done
	printf '{"metadata": {"start_time": %d, "stop_time": %d, "interval": 1}, "rtrack": {"job": {
	"name": "fit", "tags": {"same": "1", "batch": "%s"}}, "exit": {"code": %d, "cause": "exited"},
	"phases": [{"name": "load", "start": %d, "end": %d}, {"name": "fit <%s>", "start": %d, "end": %d}]},
	"process_metrics": {"timestamp": [%s], "cpu_usage": [%s], "memory": [%s], "write_bytes": [%s]}}\n' \
		"$2" "$(($2 + $3))" "$6" "$7" "$2" "$(($2 + half))" "$6" "$(($2 + half))" "$(($2 + $3))" \
		"${t#,}" "${c#,}" "${m#,}" "${m#,}" >"$1"
}
recording now.json 1795000300 10 2 2048 32 0
recording slow.json 1795000200 20 1 1024 16 0
recording dead.json 1795000100 4 4 512 8 1

cat >compare.txt <<'T'
{{^compare.known}}
nothing is compared
{{/compare.known}}
{{#compare.known}}
{{#compare.runs}}
{{label}}{{#this}} (this){{/this}} = {{file}}, {{status}}{{#why}}: {{why}}{{/why}}
{{/compare.runs}}
{{compare.left_out}} left out
{{#compare.charts}}
{{summary}}
{{#svg}}{{#lines}}{{line}} [{{dash}}]
{{/lines}}{{#labels}}{{x}},{{y}} {{text}} {{leader}}
{{/labels}}{{/svg}}
{{/compare.charts}}
{{#compare.rows}}
{{label}}:{{#values}} | {{text}}{{#mark}} {{mark}}{{/mark}}{{#level}} ({{level}}){{/level}}{{#difference_text}} {{difference_text}}{{/difference_text}}{{#percent_text}} {{percent_text}}{{/percent_text}}{{/values}}
{{/compare.rows}}
{{#compare.phases.rows}}
{{name}}, in {{runs}}
{{#measures}}
  {{label}}: {{min.text}} to {{max.text}}, mean {{mean.text}}, sd {{sd.text}}:{{#values}} | {{text}}{{#mark}} {{mark}}{{/mark}}{{/values}}
{{/measures}}
{{/compare.phases.rows}}
{{/compare.known}}
T
compare() {
	echo "$ rtrack-report $*"
	"$R" --offline -t compare.txt "$@" 2>&1 || echo "status $?"
}
compare now.json slow.json
compare --compare now.json
compare --compare .

echo '--- the verdict, text and Markdown say the differences'
for n in 2 3; do
	"$R" --offline --now 1795000400 --compare --text - $(ls -r -- *.json | head -n $n) | sed -n '/^  + /,/^  Started/p'
done
"$R" --offline --now 1795000400 --compare --markdown - . | sed -n '/^Comparison/,/^| Used/p'

echo '--- names'
cat >compare.txt <<'T'
{{#compare.runs}}[{{label}}] {{/compare.runs}}
T
compare --compare --name first --name second slow.json now.json dead.json
compare --compare --name '' --name '<b>&' slow.json now.json
compare --compare --name a --name b now.json
compare --compare -c slow.json --name mine .
compare --name a now.json
compare --compare --model x.json
sed 's/"batch": "16"/"batch": "32"/' slow.json >same.json
compare --compare now.json same.json

echo '--- ten at most'
mkdir many && for i in $(seq 10 22); do recording "many/$i.json" "17950$i"000 4 1 "$i" 1 0; done
echo '{{#compare.runs}}{{label}} {{/compare.runs}}and {{compare.left_out}}' >compare.txt
compare --compare many

echo '--- nothing in the page comes alive'
"$R" --offline --compare --name '"><script>x' -o page.html now.json slow.json
grep -c '<script>x' page.html
grep -o '&lt;script&gt;x' page.html | sort -u
