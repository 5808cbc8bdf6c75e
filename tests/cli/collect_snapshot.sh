# What a snapshot contains about the job: blocks and keys in order, secrets redacted, tags, names.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit

job() {
	zcat a.gz | grep -o '"job":{.*"asked"' |
		sed -E 's/"(cwd|host|user|arch)":"[^"]*"/"\1":"…"/g; s/"(cpu_model|host_id|ip|zone|account)":("[^"]*"|null)/"\1":…/g'
}
columns() { # BLOCK: the documented ones; which of rtrack's own there are depends on the machine
	zcat a.gz | grep -o "\"$1_metrics\":{[^}]*}" | grep -o '"[a-z_0-9]*":\[' | tr -d '":[' | paste -sd' ' |
		sed 's/ gpu_utilized .*/ gpu_utilized/'
}
"$R" -q -o a.gz -- sh -c 'exit 0 # --password hunter2' --token=abcdef x "--tag='\"</script>"
zcat a.gz | grep -oE '"(rtrack_row|metadata|server_info|cloud_info|rtrack|job|exit|totals|statistics|process_metrics|system_metrics)":' |
	paste -sd' '
job
# Not every user may make a cgroup.
zcat a.gz | grep -o '"notes":\[[^]]*\]' | sed -E 's/"[^"]*cgroup[^"]*",?//g'
"$R" -q -o a.gz --name 'a "job"' --tag stage=train --tag empty= --no-command -- env PASSWORD=x true
job
"$R" -q -o a.gz -- env PASSWORD=x true
job
zcat a.gz | grep -o '"metadata":.*"start_time"' | sed -E 's/"pid":[0-9]+/"pid":N/'
columns process
columns system
"$R" -q --schema 2 -o a.gz true
columns process
columns system
echo "nulls in them: $(zcat a.gz | grep -o '"process_metrics".*' | sed 's/"gpu_utilized":[^}]*//g' | grep -c null)"
