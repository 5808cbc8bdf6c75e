# rtrack.part: of a command, of a followed process and not of the machine alone; names by %j, %r and %N.
R=$(realpath "$B")/rtrack-collect D=$(mktemp -d)
. tests/cli/until_sampled.bash
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
step=(SLURM_JOB_ID=7 SLURM_CLUSTER_NAME=hpc SLURM_STEP_ID=0 SLURM_STEP_NUM_NODES=2 SLURM_STEP_NUM_TASKS=4
	SLURM_PROCID=2 SLURMD_NODENAME=n2)
part() {
	zcat "$1" | grep -o '"part":[^}]*}*,"exit"'
}

echo '# a task of a step'
env "${step[@]}" "$R" -q -o '%j-%r-%N.gz' -- true
ls
part 7-2-n2.gz
echo '# an element of an array'
env SLURM_JOB_ID=9 SLURM_ARRAY_JOB_ID=8 SLURM_ARRAY_TASK_ID=3 SLURMD_NODENAME=n1 "$R" -q -o 'a%a.gz' -- true
part a3.gz
echo '# a job with one part'
env SLURM_JOB_ID=9 SLURM_JOB_NUM_NODES=1 "$R" -q -o one.gz -- true
part one.gz
echo '# a followed process: its environment, not ours'
env "${step[@]}" sleep 60 &
followed=$!
until [ "$(cat /proc/$followed/comm)" = sleep ]; do sleep 0.01; done
env SLURM_PROCID=1 "$R" -q -i 0.1 -p $followed -o 'p%r.gz' &
for _ in $(seq 600); do
	[ -e p2.gz.partial ] && break
	sleep 0.1
done
kill $!
wait $!
kill $followed
part p2.gz
echo '# the machine alone'
until_sampled m2.gz.partial env "${step[@]}" "$R" -q -o 'm%r.gz'
part m2.gz
