# One folder of runs, one proposal: the page, the comparison, rtrack-fleet ask and the fleet ask for the same, whether their script is a
# recorded input, nobody asked for memory, or a run was killed for it.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
machine='{"value": 17179869184, "source": "machine"}' finished='"code": 0, "cause": "exited"'
# N MEMORY_MIB [ASKED [EXIT]]: 20 samples of a second; half a CPU, on a machine of 4 with 16 GiB
recording() {
	local at=$((1795000000 + 1000 * $1)) i stamps='' cpu='' memory=''
	for i in {1..20}; do
		stamps+=", $((at + i))" cpu+=', 0.5' memory+=", $(($2 * 1024))"
	done
	printf '{"metadata": {"start_time": %d, "stop_time": %d, "interval": 1}, "server_info": {"vcpus": 4, "memory_mb": 16384},
	"rtrack": {"job": {"name": "fit"}, "asked": {"cpus": {"value": 4, "source": "machine"}, "memory_bytes": %s},
	"inputs": [{"name": "fit.py", "bytes": 700, "via": "argument", "at": "1"}], "exit": {%s}},
	"process_metrics": {"timestamp": [%s], "cpu_usage": [%s], "memory": [%s]}}\n' "$at" "$((at + 20))" \
		"${3-$machine}" "${4-$finished}" \
		"${stamps#, }" "${cpu#, }" "${memory#, }" >"runs/$1.json"
}
now='--now 1795246800'
echo '{{#advice.items}}{{id}} {{value}} {{/advice.items}}{{#asked.trial}}{{runs}} runs, {{failed}} failed{{/asked.trial}}' >job.txt
echo '{{#groups.rows}}cpu {{proposed.cpus.value}} memory {{proposed.memory.text}} {{would_fail_text}}{{/groups.rows}}' >fleet.txt
all() {
	echo "--- $1"
	"$R" --offline $now -t job.txt runs
	"$R" --offline $now --compare -t job.txt runs
	"$F" ask --input 1K --for slurm runs
	"$F" groups --offline $now -t fleet.txt runs
}
mkdir runs
needs=(0 2400 810 840 1500 830 870 1100 850 820 900)
for i in {1..10}; do recording "$i" ${needs[i]}; done
all 'their script is their input, and the machine is what they had'
asked='{"value": 8589934592, "source": "option"}'
for i in {1..10}; do recording "$i" ${needs[i]} "$asked"; done
all 'they asked for 8 GiB'
limit='{"value": 3221225472, "source": "limit"}'
for i in {1..10}; do recording "$i" ${needs[i]} "$limit"; done
all 'a limit of 3 GiB'
recording 3 3072 "$limit" '"signal": "KILL", "cause": "oom"'
all 'and one was killed there'
recording 4 1500 '{"value": 1125899906842624, "source": "option"}'
all 'one asked for a pebibyte, which cannot be true'
rm runs/*
needs=(0 10470 9640 8670 11130 10415 11490 10054 11529 9681 11647)
for i in {1..10}; do recording "$i" ${needs[i]}; done
all 'near a step: a catalog knows their needs to 1 %'
echo '--- as metrics'
$R --offline $now --openmetrics - runs | grep '^rtrack_recommended'
echo '--- a trace: the page of a workflow and that of groups'
awk 'BEGIN { OFS = "\t"; print "task_id", "hash", "process", "name", "status", "exit", "submit", "start", "realtime", "%cpu", "peak_rss", "cpus", "memory"
	split("7224 7587 7848 8174 7004 6632 7439 6687 8542 8311", mib, " ")
	for (i = 1; i <= 10; i++)
		print i, "aa/" 100000 + i, "FIT", "FIT (" i ")", "COMPLETED", 0, 1795000000000 + i * 1000000,
			1795000000000 + i * 1000000, 300000 + i * 20000, "210.0", mib[i] * 1048576, 4, 11377 * 1048576 }' >trace.txt
echo '{{#processes.rows}}{{proposed}}{{/processes.rows}}' >pipeline.txt
echo '{{#groups.rows}}{{proposed.cpus.value}} CPUs, {{proposed.memory.text}}, {{proposed.time.text}}{{/groups.rows}}' >fleet.txt
$F pipeline --offline $now -t pipeline.txt trace.txt
$F groups --offline $now -t fleet.txt trace.txt
$F ask --input 1K --for slurm trace.txt
