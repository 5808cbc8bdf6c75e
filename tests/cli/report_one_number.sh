# One number for one thing: a run's mean cores, peak memory and duration are the same text wherever the page, the summaries and the
# list of runs show them.
R=$(realpath "$B")/rtrack-report F=$(realpath "$B")/rtrack-fleet T=$PWD/tests/fixtures D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
# QUANTITY, PLACE, TEXT, separated by tabs
cat >places.txt <<'END'
{{#tiles}}
{{id}}	the head	{{text}}
{{/tiles}}
{{#usage.rows}}
{{id}}	Usage	{{now.text}}
{{/usage.rows}}
{{#asked.rows}}
asked.{{id}}	Asked and used	{{used.text}}
{{/asked.rows}}
{{#charts}}{{#series}}
{{id}}.mean	the chart	{{digest.mean.text}}
{{id}}.max	the chart	{{digest.max.text}}
{{/series}}{{/charts}}
{{#trend.measures}}
{{id}}	History	{{now.text}}
{{/trend.measures}}
{{#compare.rows}}
{{id}}	Comparison	{{#values}}{{text}}	{{/values}}
{{/compare.rows}}
{{#array.spread}}
{{id}}	Array	{{now.text}}
{{/array.spread}}
END
echo '{{#runs.rows}}cpu	rtrack-fleet runs	{{cpus_used.text}}
duration	rtrack-fleet runs	{{wall.text}}
{{/runs.rows}}' >fleet.txt
# The names that places have for a quantity of the job; what is not measured has no text to compare.
same() {
	awk -F '\t' -v run="$1" '
	BEGIN {
		name["cpu"] = name["asked.cpus"] = name["process_cpu_usage.mean"] = "mean cores"
		name["memory"] = name["asked.memory"] = name["process_memory.max"] = "peak memory"
		name["duration"] = name["asked.time"] = "duration"
	}
	!($1 in name) || $3 == "" || $3 ~ /not measured/ { next }
	{ q = name[$1]; n++ }
	!(q in text) { text[q] = $3; place[q] = $2 }
	text[q] != $3 { printf "%s: %s is %s in %s, %s in %s\n", run, q, text[q], place[q], $3, $2; wrong = 1 }
	END { exit wrong || !n }'
}
check() { # NAME FILE…
	local name=$1
	shift
	"$R" --offline -t places.txt "$@" >at 2>/dev/null || echo "$name: no report"
	same "$name" <at
}
# The kernel counted more CPU time than the samples saw, and memory is known between bounds.
recording() { # CPU_S MOST_BYTES
	echo '{"metadata": {"start_time": 1795000000, "stop_time": 1795000010, "interval": 5}, "server_info": {"vcpus": 4, "memory_mb": 16384},
	"rtrack": {"format": 1, "job": {"name": "a"}, "exit": {"code": 0, "cause": "exited"}, "totals": {"exact_cpu_s": '"$1"'},
	"memory": {"peak_bytes": 1073741824, "peak_at_most_bytes": '"$2"', "peak_known": "bound"},
	"asked": {"cpus": {"value": 4, "source": "option"}, "memory_bytes": {"value": 4294967296, "source": "option"}, "time_s": {"value": 60, "source": "option"}}},
	"process_metrics": {"timestamp": [1795000005, 1795000010], "cpu_usage": [0.5, 1.5], "utime": [2.5, 7.5], "stime": [0, 0], "memory": [102400, 512000]},
	"system_metrics": {"timestamp": [1795000005, 1795000010], "cpu_usage": [0.5, 1.5], "memory_used": [502400, 912000]}}'
}
i=0
for most in 1073741824 4294967296 null; do
	for cpu_s in 10 10.4 12 19; do
		recording $cpu_s $most >"$((i += 1)).json"
		check "$cpu_s s, at most $most" $i.json
		"$F" runs --offline -t fleet.txt $i.json 2>&1 >>at
		same "$cpu_s s, many runs" <at
	done
done
echo '--- one of them'
grep -E '^(cpu|memory|duration|asked|process_(cpu_usage.mean|memory.max))' at
echo '--- all recordings'
check history --compare "$T"/runs_report
grep -c -e Comparison -e History at
check parts "$T"/parts/four
for file in "$T"/runs*/*.json "$T"/parts/*/*.json; do
	check "${file#"$T"/}" "$file"
done
