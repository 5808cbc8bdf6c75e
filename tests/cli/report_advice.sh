# What to ask for: steps of memory from the peak, cores from the mean, over this run and its history.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

cat >advice.txt <<'T'
{{advice.basis}}
{{#advice.items}}
  {{label}}: {{text}}   {{formula}}
{{/advice.items}}
T
cat >snippets.txt <<'T'
{{#advice.snippets}}
# {{label}}
{{text}}
{{/advice.snippets}}
T
report() { "$R" --offline --arch x86_64 "$@" || echo "status $?"; }

report -t advice.txt -t snippets.txt "$RUNS/now.json"
echo '--- with its history'
report -t advice.txt "$RUNS"
echo '--- by the peak, in MiB'
for mib in 1 106 107 933 1706 1707 2000 10000; do
	echo "{\"process_metrics\": [{\"cpu_usage\": 0.5, \"memory\": $((mib * 1024))}]}" >m.json
	echo "$mib: $(report -t advice.txt m.json | grep Memory:)"
done
echo '--- by the mean cores'
for cores in 0 0.2 0.5 1.5 2.5 2.51 40; do
	echo "{\"process_metrics\": [{\"cpu_usage\": $cores}]}" >m.json
	echo "$cores: $(report -t advice.txt m.json | grep CPUs:)"
done
