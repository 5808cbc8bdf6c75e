# Recordings of a part: the root process alone, the machine alone while a job ran, the job without its machine, or
# nothing of what the machine is.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
job='"timestamp": [1795000001, 1795000002, 1795000003, 1795000004], "children": [0, 0, 0, 0], "utime": [1, 0, 0, 1],
	"stime": [0, 0, 0, 0], "cpu_usage": [1, 0, 0, 1], "memory": [8192, 8192, 4096, 4096], "main_cpu_usage": [1, 0, 0, 1],
	"main_rss": [9000, 9000, 9000, 9000], "rss": [9000, 9000, 9000, 9000], "threads": [1, 1, 1, 1], "main_threads": [1, 1, 1, 1]'
machine='"timestamp": [1795000001, 1795000002, 1795000003, 1795000004], "utime": [4, 4, 4, 4], "stime": [0, 0, 0, 0],
	"cpu_usage": [4, 4, 4, 4], "memory_used": [2000000, 2000000, 2000000, 2000000]'
server='"os": "Linux", "vcpus": 4, "memory_mb": 8192, "gpu_count": 0, "gpu_names": [], "gpu_name": "", "allocation": "unknown"'
# FILE METADATA SERVER PROCESS SYSTEM
recording() {
	printf '{"metadata": {"version": 1, "pid": 7, "start_time": 1795000000, "stop_time": 1795000004, "interval": 1, %s},
	"server_info": {%s}, "rtrack": {"format": 1, "job": {"name": "fit", "argv": ["fit"], "cwd": "/w", "host": "n1"},
	"machine": {"cpu_model": "A </script> CPU", "host_id": "00ff", "ip": "192.0.2.2", "zone": "z-1", "account": "12"},
	"exit": {"code": 0, "signal": null, "cause": "exited"}},
	"cloud_info": {"vendor": "aws", "instance_type": "m5.large", "region": "eu-west-1"},
	"process_metrics": {%s}, "system_metrics": {%s}}\n' "$2" "$3" "$4" "$5" >"$1"
}
all='"track_processes": true, "track_system": true, "discover_server": true'
recording alone.json "\"children\": false, $all" "$server" "$job" "$machine"
recording no_job.json '"children": true, "track_processes": false, "discover_server": true' "$server" '' "$machine"
recording no_machine.json '"children": true, "track_system": false, "discover_server": true' "$server" "$job" ''
recording no_server.json '"children": true, "discover_server": false' \
	'"os": "", "vcpus": 0, "memory_mb": 0, "gpu_count": 0, "gpu_names": [], "gpu_name": ""' "$job" "$machine"
for name in alone no_job no_machine no_server; do
	echo "=== $name"
	"$R" --offline --now 1795246800 --text - $name.json
done
echo '=== for other tools'
for name in alone no_job; do
	"$R" --offline -t @gpu_tracker.json $name.json | tr -d ' \n' | grep -oE '"max_ram".*"max_gpu_ram"|"cpu_util.*"main_threads":[^}]*' | head -n 3
	"$R" --offline -t @snakemake.tsv $name.json
done
echo '=== the machine card'
"$R" --offline -o page.html alone.json && grep -oE '<dt>(CPU model|IP address|Host ID|Zone|Account) *<dd>[^<]*' page.html
echo '=== whose the figures at the head are'
for name in alone no_job; do
	"$R" --offline -j - $name.json | grep -o '"tiles":\[[^]]*' | grep -o '"label":"[^"]*"' | paste -sd' '
done
