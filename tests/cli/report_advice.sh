# Recommendations: memory in steps above the peak, cores from the mean, over this run and its history.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

cat >advice.txt <<'T'
{{advice.basis}}
{{#advice.items}}
  {{label}}: {{text}}   {{formula}}
{{/advice.items}}
{{#advice.confidence}}
  Confidence: {{word}}. {{text}}
{{/advice.confidence}}
{{#advice.notes}}
  {{level}}: {{text}}
{{/advice.notes}}
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
report -t snippets.txt "$RUNS"
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
echo '--- where memory ran out at 256 MiB, and where a CPU quota held it back'
cat >m.json <<'T'
{"metadata": {"interval": 1, "start_time": 10, "stop_time": 40},
"rtrack": {"exit": {"signal": "KILL", "cause": "oom"}, "limits": {"cpus": 0.5, "cpus_from": "cpu.max",
"cpus_quota": 0.5, "memory_bytes": 268435456, "memory_from": "memory.max"}},
"process_metrics": {"timestamp": [11, 12, 13], "cpu_usage": [0.5, 0.5, 0.5], "memory": [1024, 2048, 102400]},
"system_metrics": {"timestamp": [11, 12, 13], "cpu_usage": [1, 1, 1], "throttled": [0.5, 0.5, 0.5]}}
T
report -t advice.txt m.json
echo '--- the same by the formulas of resource-tracker'
report --rules resource-tracker -t advice.txt m.json
