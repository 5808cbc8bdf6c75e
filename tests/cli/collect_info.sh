# --info: what is known of a machine, without a recording.
R=$(realpath "$B")/rtrack-collect F=$MACHINES D=$(mktemp -d)
unset ${!SLURM*} ${!PBS*} ${!LSB*} ${!OMPI*} ${!PMI*} ${!CI*} ${!GITHUB*} ${!GITLAB*} SGE_TASK_ID RANK RTRACK_ASKED AWS_BATCH_JOB_ID
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
try() {
	echo "$ rtrack-collect $*" | sed "s|$F|ROOT|; s|$D|DIR|"
	"$R" "$@" 2>&1
	echo "status $?"
}
mkdir -p m/proc/net m/proc/sys/kernel m/etc
cp "$F/idle-vm/proc/stat" "$F/idle-vm/proc/meminfo" m/proc
echo 0123456789abcdef0123456789abcdef >m/etc/machine-id
printf 'n</script>\033[31m"\047\n' >m/proc/sys/kernel/hostname
printf 'processor\t: 0\nmodel name\t: Example </script> CPU\033[31m\n' >m/proc/cpuinfo
printf 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\neth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\n' >m/proc/net/route
printf 'Local:\n           |-- 192.0.2.2\n              /32 host LOCAL\n' >m/proc/net/fib_trie
try --info --root m --no-discover-cloud
try --info=json --root m --no-discover-cloud
echo 3 >m/proc/sys/kernel/perf_event_paranoid
"$R" --info=json --root m --no-discover-cloud | grep -oE '"processes":(null|.*CAP_PERFMON"},"connector":[a-z]*)'
"$R" --info --root m --no-discover-cloud | grep -A1 Processes
try --info --root "$F/cpus-64" --no-discover-cloud --no-discover-server
try --info=json --root "$F/container-v2" --no-discover-cloud --no-discover-server
try --info=json --root "$F/cloud-gcp" --no-discover-server
"$R" --info=json --root "$F/gpu-amd" --no-discover-cloud | grep -oE '"name":"[^"]*","memory_bytes":[0-9]*' | sort
"$R" --info --root "$F/gpu-amd" --no-discover-cloud | grep GPUs
mkdir empty
try --info=json --root empty --no-discover-cloud
try --info --root none
try --info --gpu GPU-1 --root m
try --info=yaml
try --info -o a.json
try --info -p 1
try --info --mark a
try --info --no-system
echo '--- what is used now, and was so far'
"$R" --once --root "$F/idle-vm" | sed -E 's/"timestamp":[0-9.]+/"timestamp":T/'
"$R" --once --root "$F/gpu-amd" --schema 2 | grep -o '"gpu_.*'
"$R" --once -p $$ --no-children | grep -oE '"(pid|children)":' | tr -d '\n' && echo
try --once -p 4194305
try --once --info
try --once -o a.json
echo '--- what was asked for here'
export SLURM_JOB_ID=5 SLURM_CPUS_ON_NODE=8 SLURM_MEM_PER_NODE=4096 SLURM_JOB_END_TIME=9999999999
"$R" --info --no-discover-cloud --asked gpus=2,time=90m | sed -n '/^Asked/,/^$/p' | grep -v Time
"$R" --info=json --no-discover-cloud --asked memory=1GiB | grep -o '"asked":.*,"gpus"'
ls -A
