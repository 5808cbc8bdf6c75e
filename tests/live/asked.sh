# What was asked for, in the recordings of made-up jobs: by the environments of schedulers, and by a scontrol that
# answers, is missing, hangs, or prints nonsense. Whatever it does, the job does not notice, and nothing is left behind.
. tests/check.sh
F=$PWD/tests/fixtures/environment
unset RTRACK_ASKED
# launch FIXTURE [OPTION…] COMMAND…: records into a.gz, in that environment alone; $bin comes first in PATH, which may
# be $path
launch() {
	local lines
	mapfile -t lines <"$F/$1.env"
	exec env -i "${lines[@]}" PATH="${path-$bin:$PATH}" D="$D" ASAN_OPTIONS="${ASAN_OPTIONS-}" \
		"$R" -q --no-discover-cloud -o "$D/a.gz" "${@:2}" 2>"$D/err"
}
collect() { (launch "$@"); }
# asked NAME: value source detail share, or null
asked() {
	zcat a.gz | grep -o '"asked":{.*},"part"' | grep -oE "\"$1\":(null|\{[^}]*\})" |
		sed -E 's/^"[a-z_]*"://; s/"(value|source|detail|share)"://g; s/[{}"]//g; s/,/ /g'
}
bin=$D/none
mkdir "$bin"

collect htcondor -- true # its fixture names the ad from here
cd "$D" || exit
check_equal 'HTCondor: CPUs from the ad' "$(asked cpus)" '4 scheduler RequestCpus false'
check_equal 'and memory' "$(asked memory_bytes)" '6442450944 scheduler RequestMemory false'
collect slurm-23.11-sbatch -- true
check_equal 'Slurm: the node of a batch script' "$(asked memory_bytes)" '34359738368 scheduler SLURM_MEM_PER_NODE false'
check_equal 'the time limit' "$(asked time_s)" '14400 scheduler SLURM_JOB_END_TIME false'
check_equal 'the nodes of the job' "$(asked nodes)" '2 scheduler SLURM_JOB_NUM_NODES false'
collect slurm-23.11-srun -- true
check_equal "a task's share of the CPUs" "$(asked cpus)" '4 scheduler SLURM_CPUS_PER_TASK true'
check_equal 'and of the memory' "$(asked memory_bytes)" '17179869184 scheduler SLURM_MEM_PER_NODE true'
collect kubernetes-indexed -- true
check_equal 'Kubernetes: RTRACK_ASKED' "$(asked cpus)" '1.5 environment RTRACK_ASKED false'
collect kubernetes-indexed --asked cpus=2,time=90s -- true
check_equal 'the option wins' "$(asked cpus)" '2 option --asked false'
check_equal 'and leaves the rest' "$(asked memory_bytes)" '4294967296 environment RTRACK_ASKED false'

RTRACK_ASKED=cpus=3,ram=4 "$R" -o a.gz -- sh -c 'exit 7' 2>err
check_equal 'a bad RTRACK_ASKED does not stop the job' $? 7
check 'it is said' grep -q '^rtrack-collect: RTRACK_ASKED: "ram=4" is not one of' err
check 'and noted' sh -c 'zcat a.gz | grep -q "RTRACK_ASKED: ..ram=4.. is not one of"'
check_equal 'what is right in it counts' "$(asked cpus)" '3 environment RTRACK_ASKED false'
RTRACK_ASKED=x "$R" -q -o a.gz -- true 2>err
check 'with --quiet nothing is said' test ! -s err
"$R" --asked cpus=x -o b.gz -- touch ran 2>err
check_equal 'a bad --asked is a usage error' "$? $(ls ran b.gz 2>/dev/null)" '125 '
env -i PATH="$PATH" "$R" -q -o a.gz -- true
check 'without a scheduler: limits or the machine' grep -qE '^[0-9.]+ (limit|machine) ' <(asked cpus; asked memory_bytes)
check_equal 'and no time' "$(asked time_s)" null
rm a.gz
"$R" -q -o a.gz 2>err &
wait_until test -s a.gz.partial
kill -INT $!
wait $!
check 'the machine alone: nothing is asked' sh -c 'zcat a.gz | grep -q "\"asked\":null"'

# Of another process, its environment counts.
mkfifo go
(
	mapfile -t lines <"$F/pbs.env"
	exec env -i "${lines[@]}" /bin/sh -c 'read x' <go
) &
other=$!
exec 4>go
wait_until grep -q PBS_JOBID "/proc/$other/environ"
NCPUS=99 PBS_JOBID=1 "$R" -q -p $other -o a.gz 2>err 4>&- &
p=$!
wait_until test -e a.gz.partial
exec 4>&-
wait $other $p
check_equal "--pid: the process's environment" "$(asked cpus)" '4 scheduler NCPUS false'

# -- scontrol -------------------------------------------------------------------------------------------------------
fake() { # NAME, script as standard input: the next recordings find it first
	bin=$D/$1
	mkdir "$bin"
	{ printf '#!/bin/bash\n' && cat; } >"$bin/scontrol"
	chmod +x "$bin/scontrol"
}
ended() { ! kill -0 "$1" 2>/dev/null || [ "$(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null)" = Z ]; }
seen() { zcat a.gz | grep -o '"kept":[0-9]*' | head -n 1 | cut -d: -f2; }
us() { echo "${EPOCHREALTIME/[.,]/}"; }
# A busy machine makes everything slower, never faster: the quickest of 30 counts.
quickest() { # LIMIT_MS COMMAND…, which prints ms
	local best=999999 took
	for _ in {1..30}; do
		took=$("${@:2}")
		[ "$took" -ge $best ] || best=$took
		[ $best -ge "$1" ] || break
	done
	echo $best
}

fake good <<END
echo "\$*" >$D/args
cat >$D/stdin
ls /proc/self/fd | tr '\n' ' ' >$D/fds
echo error >&2
cat "$F/slurm-22.05-sbatch.scontrol"
END
# Again, if the machine is so busy that a second is too little for scontrol.
for _ in {1..9}; do
	collect slurm-22.05-sbatch -- sleep 1 <<<'for the job'
	[ "$(asked time_s)" = null ] || break
done
check_equal 'the time limit from scontrol' "$(asked time_s)" '600 scheduler scontrol show job false'
check_equal 'it was asked about this job' "$(cat args)" 'show job -o 1'
check 'it got no input of the job' test ! -s stdin
check_equal 'and no descriptor' "$(cat fds)" '0 1 2 3 '
check 'nothing of it is printed' test ! -s err
check_equal 'it is not a process of the job' "$(seen)" 1
grep -v SLURM_MEM "$F/slurm-22.05-sbatch.env" >srun.env # as after srun --mem=500M
F=$D collect srun -- sleep 1
check_equal 'memory that no variable has' "$(asked memory_bytes)" '524288000 scheduler scontrol show job false'
rm args
collect slurm-23.11-sbatch -- sleep 0.5
check 'nobody asks if the variables have it' test ! -e args
collect slurm-22.05-sbatch --asked time=2h -- sleep 0.5
check 'or the user said it' test ! -e args

path=$D/none collect slurm-22.05-sbatch -- /bin/sleep 0.3
check_equal 'without scontrol: unknown' "$? $(asked time_s)" '0 null'
fake garbage <<'END'
head -c 100000 /dev/urandom
END
collect slurm-22.05-sbatch -- sleep 0.5
check_equal 'nonsense: unknown' "$? $(asked time_s)" '0 null'

# A scontrol that hangs, with a child that uses CPU time.
fake hanging <<'END'
trap '' TERM INT HUP ALRM
(while :; do :; done) &
echo $! >"$D/child.pid"
echo $$ >"$D/hanging.pid"
wait
sleep 1000
END
gone() {
	wait_until larger hanging.pid 0 && wait_until ended "$(cat hanging.pid)" && wait_until ended "$(cat child.pid)" &&
		rm hanging.pid child.pid
}
collect slurm-22.05-sbatch -- sleep 2.5
check_equal 'a scontrol that hangs: unknown' "$(asked time_s)" null
check 'it was ended, and its child' gone
check_equal 'they are not processes of the job' "$(seen)" 1
check_that "their CPU time is not the job's" "$(zcat a.gz | grep -o '"exact_cpu_s":[0-9.]*' | cut -d: -f2) < 0.5"
# The command ends as soon as scontrol hangs. Once more, if scontrol is so slow to start that its time is up before.
for _ in 1 2 3 4 5; do
	collect slurm-22.05-sbatch -- bash -c 'for i in {1..99}; do [ ! -s "$D/hanging.pid" ] || exit 0; sleep 0.01; done'
	[ ! -s hanging.pid ] || break
done
check 'they do not outlive a short recording' gone
for _ in 1 2 3 4 5; do
	launch slurm-22.05-sbatch -- sleep 5 &
	for _ in {1..99}; do
		[ -s hanging.pid ] || sleep 0.02
	done
	[ ! -s hanging.pid ] || break
	wait $!
done
kill -KILL $!
wait $! 2>/dev/null
check 'nor one whose recorder is killed' gone
began() {
	local from
	from=$(us)
	collect slurm-22.05-sbatch -- bash -c 'echo ${EPOCHREALTIME/[.,]/} >"$D/began"'
	echo $((($(cat began) - from) / 1000))
}
lasted() {
	local from
	from=$(us)
	collect slurm-22.05-sbatch -- true
	echo $((($(us) - from) / 1000))
}
ms=$(quickest 500 began)
check_that 'the start is not delayed' "$ms < 500"
ms=$(quickest 700 lasted)
check_that 'nor the end' "$ms < 700"
echo "1..$n"
