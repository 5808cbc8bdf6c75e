#!/bin/bash
# Staged deaths: each with the right word (rtrack.end.cause) and the right sentence, as the last line on standard error.
# "Not known" is allowed, a wrong cause is not.
. tests/check.sh
limited=
clean_up() {
	local dir
	for dir in $limited; do find "$dir" -depth -type d -exec rmdir {} \; 2>/dev/null; done
}
cd "$D" || exit 1
export TMPDIR=$D

collect() { "$R" --no-discover-cloud --no-discover-server -o a.gz "$@"; }
cause() { zcat a.gz 2>&1 | grep -o '"end":{"cause":"[a-z_]*' | sed 's/.*"//'; }
check_like() { # NAME GOT PATTERN
	# shellcheck disable=SC2053
	if [[ $2 == $3 ]]; then passed "$1"; else failed "$1" "$2"; fi
}
# death NAME CAUSE SENTENCE COMMAND…: the sentence is a pattern of bash; runs the recorder by $as
as=()
death() {
	local said last
	rm -f a.gz
	said=$("${as[@]}" "$R" --no-discover-cloud --no-discover-server -o a.gz "${@:4}" 2>&1 >out)
	last=${said##*$'\n'}
	# shellcheck disable=SC2053
	if [[ $(cause) == $2 && $last == "rtrack-collect: "$3 ]]; then
		passed "$1"
	else
		failed "$1" "$(cause), not $2: $last"
	fi
}
no_oom='and not by the kernel for lack of memory: *the machine counted an OOM kill'
# Another process of this machine may be killed meanwhile, by another test, too.
if [ "$(awk '/^oom_kill /' /proc/vmstat)" = '' ]; then skip_all 'the kernel does not count OOM kills'; fi
not_memory="killed by SIGKILL[,;] *OOM kill*"
events= # whether the kernel reports the ends of processes to us
collect -q sh -c 'sleep 30 & kill -9 $!; wait' && ! zcat a.gz | grep -q '"killed_others":1' || events=1
collect -q true

# -- by itself -------------------------------------------------------------------------------------------------------
death 'well' finished 'finished in *' true
death 'status 1' exited 'ended with status 1*' sh -c 'exit 1'
death 'status 137 by itself is no death' exited 'ended with status 137, as a shell does when SIGKILL has ended a command*' sh -c 'exit 137'
death 'status 127 of a shell' exited 'ended with status 127, as a shell does when a command or the interpreter of a script is not found*' sh -c 'no-such-command 2>/dev/null'
death 'status 124 of another program' exited 'ended with status 124*' sh -c 'exit 124'
death 'status 124 of the command of timeout(1)' exited 'ended with status 124; *' timeout 100 sh -c 'exit 124'
death 'timeout(1)' time_limit 'ended with status 124: timeout(1) ended it because its time was up' timeout 0.2 sleep 30

# -- --end-file ------------------------------------------------------------------------------------------------------
echo old >end.json
collect -q --end-file end.json sh -c '[ -s end.json ] || echo empty >seen; exit 3'
check_equal 'an earlier end is gone while it runs' "$(cat seen)" empty
check_like 'how it ended' "$(cat end.json)" '{"status":3,"signal":null,"cause":"exited","sentence":"Ended with status 3*","by_memory":false,"memory_limit_bytes":null,"memory_peak_bytes":[1-9]*,"memory_ask_bytes":null,"wall_s":*}'
collect -q --end-file missing/end.json touch started 2>err
check_equal 'a place that is not there: the job does not start' "$? $(cat err) $([ -e started ] && echo started)" \
	'125 rtrack-collect: --end-file: cannot write missing/end.json: No such file or directory '
if [ -w /dev/full ]; then
	collect -q --end-file /dev/full sh -c 'exit 4' 2>err
	check_equal 'a full disk changes no status' "$? $(grep -c -- '--end-file: the end could not be written: No space' err)" '4 1'
	mkdir gone
	"$R" -q --no-discover-cloud -o gone/a.gz --end-file /dev/full mv gone away 2>err
	check_equal 'nor hides why there is no recording' "$(grep -c 'samples are.*gone/a.gz.*No such file' err) $(grep -c 'No space' err)" '1 1'
fi

# -- signals ---------------------------------------------------------------------------------------------------------
death 'SIGKILL by itself' killed "$not_memory" sh -c 'kill -9 $$'
death 'SIGKILL from another shell' killed "$not_memory" bash -c 'bash -c "kill -9 $$"; sleep 30'
death 'SIGKILL by timeout(1) within' killed "$not_memory" timeout -s KILL 0.2 sleep 30
death 'SIGTERM by itself' signaled 'ended by SIGTERM; who sent it is not known' sh -c 'kill $$'
# The recorder is a child of this shell: its process is the newest.
sent() { # NAME CAUSE SENTENCE SIGNAL COMMAND…
	local pid said=err
	rm -f a.gz began
	"$R" --no-discover-cloud --no-discover-server -o a.gz "${@:5}" >out 2>err &
	pid=$!
	wait_until test -e began
	sh -c "kill -$4 $pid; sleep 1" &
	wait $pid
	said=$(tail -n 1 err)
	# shellcheck disable=SC2053
	if [ "$(cause)" = "$2" ] && [[ $said == "rtrack-collect: "$3 ]]; then passed "$1"; else failed "$1" "$(cause), not $2: $said"; fi
}
sent 'SIGTERM to the recorder' sent 'ended by SIGTERM from ?*' TERM sh -c 'touch began; exec sleep 30'
sent 'SIGHUP to the recorder' sent 'ended by SIGHUP from ?*' HUP sh -c 'touch began; exec sleep 30'
sent 'SIGTERM that the command takes up' sent 'ended with status 3 * after SIGTERM from ?*' TERM \
	sh -c 'trap "exit 3" TERM; touch began; while :; do sleep 0.1; done'
sent 'a signal that it survives is no cause' exited 'ended with status 1*' WINCH sh -c 'touch began; sleep 1; exit 1'
check_equal 'the sender has a name' "$(zcat a.gz | grep -c '"signals":\[\]')" 1
as=(timeout 2)
death 'timeout(1) around the recorder' sent 'ended by SIGTERM from timeout [(]pid *' sleep 30
as=()
death 'at the end of what was asked for, which nobody enforces' signaled \
	'ended by SIGTERM; who sent it is not known, at * % of the 1 s that were asked for' --asked time=1s sh -c 'sleep 1; kill $$'
now=$(date +%s)
asked=(env SLURM_JOB_ID=7 SLURM_JOB_START_TIME=$((now - 100)) SLURM_JOB_END_TIME="$now")
as=("${asked[@]}")
death 'SIGKILL at the time limit' time_limit "$not_memory, at 10* % of its time limit of 100 s" sh -c 'kill -9 $$'
death 'SIGTERM at the time limit' time_limit 'ended by SIGTERM*, at 10* % of its time limit of 100 s' sh -c 'kill $$'
as=(env SLURM_JOB_ID=7 SLURM_JOB_START_TIME=$((now - 10)) SLURM_JOB_END_TIME=$((now + 3600)))
death 'SIGKILL long before it' killed "$not_memory" sh -c 'kill -9 $$'
as=()

# -- crashes ---------------------------------------------------------------------------------------------------------
death 'SIGSEGV' crash 'ended by SIGSEGV, which stands for invalid memory access*' sh -c 'kill -SEGV $$'
death 'SIGABRT' crash 'ended by SIGABRT, which stands for a program that aborts itself*' sh -c 'ulimit -c 0; kill -ABRT $$'
death 'SIGPIPE' signaled 'ended by SIGPIPE, which stands for output that nothing reads any more' sh -c 'kill -PIPE $$'

# -- a child ---------------------------------------------------------------------------------------------------------
if [ -n "$events" ]; then
	death 'a child that the job may have killed' exited 'ended with status 1;* before that, SIGKILL had ended its process*' \
		sh -c 'sleep 30 & kill -9 $!; wait $!; exit 1'
	death 'a killed child, and a parent that says so' process 'ended with status 137: *SIGKILL had ended its process*' \
		sh -c 'sleep 30 & kill -9 $!; wait $!; exit $?'
	death 'a child that crashed before' exited 'ended with status 1;*1.* s before that, SIGSEGV had ended its process*' \
		sh -c 'sh -c "kill -SEGV \$\$"; sleep 1.1; exit 1'
	death 'the last of two crashes' process 'ended with status 1: *SIGABRT had ended its process*' \
		sh -c 'ulimit -c 0; sh -c "kill -SEGV \$\$"; sleep 0.1; sh -c "kill -ABRT \$\$"; exit 1'
	# Its zombie may be gone, and its exec was long ago, before either is looked at.
	death 'ulimit -f of a child' '@(file_size_limit|process)' 'ended with status 1: *SIGXFSZ had ended its process* a file *reached *limit*ulimit -f)' \
		bash -c '(ulimit -f 10; exec dd if=/dev/zero of=big bs=1k count=100 2>/dev/null); exit 1'
	# The recorder stands still from before the exec until the zombie is gone.
	death 'ulimit -f of a child that set it after a sample' '@(file_size_limit|process)' \
		'ended with status 1: *SIGXFSZ had ended its process* a file *reached *limit*ulimit -f)' bash -c '
			(sleep 0.5; kill -STOP $PPID; ulimit -f 10; exec dd if=/dev/zero of=big bs=1k count=100 2>/dev/null)
			kill -CONT $PPID; exit 1'
	death 'ulimit -f in a shell' file_size_limit 'ended with status 153: *SIGXFSZ had ended its process* a file reached the limit of 10 KiB (ulimit -f)' \
		bash -c 'ulimit -f 10; dd if=/dev/zero of=big bs=1k count=100 2>/dev/null; exit $?'
	death 'SIGXCPU from kill(1) in a child' process 'ended with status 1: *SIGXCPU had ended its process *[0-9])' \
		bash -c 'ulimit -c 0; (kill -XCPU $BASHPID; sleep 1); exit 1'
	death 'SIGKILL of a child that slept for longer than its ulimit -t' process 'ended with status 137: *SIGKILL had ended its process *[0-9])' \
		bash -c '(ulimit -t 1; exec sleep 30) & sleep 1.1; kill -9 $!; wait $! 2>/dev/null; exit $?'
	death 'a child that crashes' process 'ended with status 2: *SIGSEGV had ended its process*' sh -c 'sh -c "kill -SEGV \$\$"; exit 2'
	# Its parent may be gone before the recorder looks.
	death 'nested shells' '@(process|exited)' 'ended with status 137*' \
		sh -c 'sh -c "sh -c \"kill -9 \\\$\\\$\"; exit \$?"; exit $?'
	death 'a pipeline' process 'ended with status 137: *SIGKILL had ended its process*' bash -c 'set -o pipefail; echo x | sh -c "kill -9 \$\$" | cat; exit $?'
	death 'a helper that the job ends' exited 'ended with status 1; *' sh -c 'sleep 30 & kill $!; wait $!; exit 1'
	death 'a writer without a reader' exited 'ended with status 1; *' bash -c 'yes | head -n 1; exit 1'
else
	skip 'deaths of children' 'the kernel does not report the ends of processes here'
fi

# -- limits ----------------------------------------------------------------------------------------------------------
death 'ulimit -t' cpu_limit 'killed by SIGKILL at its limit of 1 s of CPU time (ulimit -t)' bash -c 'ulimit -t 1; while :; do :; done'
death 'ulimit -St' cpu_limit 'ended by SIGXCPU at its limit of 1 s of CPU time (ulimit -t)' bash -c 'ulimit -St 1; while :; do :; done'
death 'SIGXCPU from kill(1) long before the limit' signaled 'ended by SIGXCPU; who sent it is not known' \
	bash -c 'ulimit -c 0; ulimit -St 100; kill -XCPU $$; sleep 1'
check_equal 'its limit' "$(zcat a.gz | grep -o '"cpu_limit_s":[0-9.]*' | tail -n 1)" '"cpu_limit_s":100'
death 'ulimit -f' file_size_limit 'ended by SIGXFSZ because a file reached the limit of 10 KiB (ulimit -f)' \
	bash -c 'ulimit -f 10; exec dd if=/dev/zero of=big bs=1k count=100 2>/dev/null'
death 'SIGXFSZ from kill(1)' signaled 'ended by SIGXFSZ; who sent it is not known. A file could have 10 KiB (ulimit -f)' \
	bash -c 'ulimit -c 0; ulimit -f 10; kill -XFSZ $$; sleep 1'
death '153 where there is a limit of files' exited 'ended with status 153, as a shell does when SIGXFSZ*' bash -c 'ulimit -f 10; exit 153'
if command -v python3 >/dev/null; then
	death 'ulimit -v, a MemoryError' exited 'ended with status 1*. A process of it could have 293 MiB of address space at most (ulimit -v)*' \
		bash -c 'ulimit -v 300000; python3 -c "x = bytearray(10**9)" 2>/dev/null'
	death 'a MemoryError without a limit' exited 'ended with status 1; *' python3 -c 'import sys; sys.stderr = None; raise MemoryError'
fi
rm -f big

# -- disks -----------------------------------------------------------------------------------------------------------
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir small
	as=(unshare -m sh -c 'mount -t tmpfs -o size=4m,nr_inodes=20 none small && cd small && exec "$@"' sh)
	rm -f a.gz
	said=$("${as[@]}" "$R" --no-discover-cloud --no-discover-server -o "$D/a.gz" dd if=/dev/zero of=big bs=64k 2>&1 | tail -n 1)
	check_equal 'a full tmpfs' "$(cause) $said" "disk_full rtrack-collect: ended with status 1 after its disk was full: $D/small had 0 B left"
	rm -f a.gz
	said=$("${as[@]}" "$R" --no-discover-cloud --no-discover-server -o "$D/a.gz" \
		sh -c 'i=0; while : 2>/dev/null >f$i; do i=$((i + 1)); done; exit 4' 2>&1 | tail -n 1)
	check_equal 'no inodes' "$(cause) ${said/status 2/status 4}" "disk_full rtrack-collect: ended with status 4 after its disk was full: $D/small had no inodes left"
	if command -v python3 >/dev/null; then
		rm -f a.gz
		said=$("${as[@]}" "$R" --no-discover-cloud --no-discover-server -o "$D/a.gz" python3 -c 'import mmap
f = open("m", "w+b"); f.truncate(64 << 20); m = mmap.mmap(f.fileno(), 64 << 20)
for i in range(0, 64 << 20, 4096): m[i] = 1' 2>&1 | tail -n 1)
		check_like 'memory of a file on a full tmpfs' "$(cause) ${said/; core dumped/}" "crash *SIGBUS, *. A disk was full then: $D/small had 0 B left"
	fi
	as=(unshare -m sh -c 'mount -t tmpfs -o size=4m none small && cd small && dd if=/dev/zero of=big bs=64k 2>/dev/null; exec "$@"' sh)
	death 'a disk that was full before' exited "ended with status 1*. $D/small had 0 B left, and was full when it began" -o "$D/a.gz" sh -c 'exit 1'
	as=(unshare -m sh -c 'mount -t tmpfs -o size=512k none small && cd small && exec "$@"' sh)
	death 'a small disk' exited 'ended with status 1*; the disks of its working directory, TMPDIR and output had 512 KiB left or more' \
		-o "$D/a.gz" sh -c 'exit 1'
	as=(unshare -m sh -c 'mount -t tmpfs -o size=4m,nr_inodes=20 none small && cd small && exec "$@"' sh)
	rm -f a.gz
	said=$("${as[@]}" "$R" --no-discover-cloud --no-discover-server -o "$D/a.gz" dd if=/dev/zero of=big bs=1M count=4 2>&1 >/dev/null | tail -n 1)
	check_equal 'full, and the job ends well' "$(cause)" finished
	as=()
else
	skip 'a full disk' 'only root may mount a file system'
fi

# -- memory ----------------------------------------------------------------------------------------------------------
# A cgroup of the memory controller below ours: v1 where it is mounted, else v2.
path=$(sed -n 's/^[0-9]*:\([^:]*,\)\?memory\(,[^:]*\)\?:\//\//p' /proc/self/cgroup)
place=$(awk '/ - cgroup .*[, ]memory(,|$)/ { print $5; exit }' /proc/self/mountinfo)
file=memory.limit_in_bytes swap=memory.memsw.limit_in_bytes least=67108864
if [ -z "$path" ]; then
	path=$(sed -n 's/^0::\//\//p' /proc/self/cgroup)
	place=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
	file=memory.max swap=memory.swap.max least=0
fi
limit() { { echo 67108864 >"$1/$file"; } 2>/dev/null && { echo $least >"$1/$swap"; } 2>/dev/null || true; }
dir=$place${path%/}/rtrack_deaths-$$
if [ -n "$place" ] && mkdir "$dir" 2>/dev/null; then
	limited=$dir
	limit "$dir"
	[ "$(cat "$dir/$file")" = 67108864 ] || { rmdir "$dir"; limited=; }
fi
# Whose it was is not known for sure where the whole machine was short of memory, too.
victim='@(1 of its processes|its process tail [(]pid +([0-9])[)])'
ran_out='because *memory*ran out'
if [ -n "$limited" ]; then
	as=(bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$limited")
	death 'memory of its cgroup' oom "killed by the kernel $ran_out: tail had * MiB*" tail /dev/zero
	death 'without a cgroup of its own' oom "killed by the kernel $ran_out: tail had * MiB*" --cgroup off tail /dev/zero
	death 'a shell that reports its child'"'"'s death' oom "ended with status 137 after the kernel killed $victim $ran_out*" \
		sh -c 'tail /dev/zero; exit $?'
	death 'a parent that says 1' oom_process "ended with status 1 after the kernel killed $victim $ran_out*" sh -c 'tail /dev/zero; exit 1'
	death 'a child was killed, and the job ends well' finished 'finished in *' sh -c 'tail /dev/zero; true'
	# The counters alone cannot say whose the kill was where the command ends before the recorder looks.
	death 'SIGKILL after a child was killed for memory' '@(killed|oom_maybe)' "killed by SIGKILL*kernel *killed 1 of its processes *" \
		sh -c 'tail /dev/zero; sleep 1; kill -9 $$'
	death 'SIGKILL long after that' killed 'killed by SIGKILL*earlier, the kernel had killed 1 of its processes *' \
		sh -c 'tail /dev/zero; sleep 7; kill -9 $$'
	death 'SIGKILL, not for memory' killed "$not_memory" sh -c 'kill -9 $$'
	# --oom-status, --end-file: of memory alone.
	ended() { # NAME STATUS BY-MEMORY ASK COMMAND…
		"${as[@]}" "$R" -q --no-discover-cloud --no-discover-server -o a.gz --oom-status 77 --end-file end.json "${@:5}" 2>/dev/null
		check_equal "$1" "$? $(grep -o '"by_memory":[a-z]*\|"memory_ask_bytes":[0-9a-z]*' end.json | sed 's/.*://' | xargs)" "$2 $3 $4"
	}
	ended 'status of memory that ran out' 77 true 134217728 tail /dev/zero
	ended 'status of a parent that says 1' 77 true 134217728 sh -c 'tail /dev/zero; exit 1'
	ended 'status of a parent that goes on' 0 false null sh -c 'tail /dev/zero; true'
	ended 'status of SIGKILL, not for memory' 137 false null sh -c 'kill -9 $$'
	ended 'status 137 of its own' 137 false null sh -c 'exit 137'
	death 'grows' oom "killed by the kernel $ran_out: python3 had * MiB and grew by * MiB a second" python3 -c 'import time
x = []
while True:
	x.append(bytearray(1 << 20))
	time.sleep(0.03)'
	# Of the parent's cgroup: the job has one of its own without a limit, below.
	mkdir "$limited/inner"
	[ $file != memory.max ] || echo +memory >"$limited/cgroup.subtree_control"
	as=(bash -c 'echo $$ >"$0/inner/cgroup.procs" && exec "$@"' "$limited")
	death 'memory of a parent'"'"'s cgroup' oom "killed by the kernel $ran_out*" tail /dev/zero
	# A cgroup of others, one of which is killed.
	as=(bash -c 'echo $$ >"$0/inner/cgroup.procs"; sleep 60 & other=$!; "$@"; kill $other' "$limited")
	death 'a cgroup that others share' oom_maybe 'killed by SIGKILL while the kernel killed 1 process in its cgroup*is not known' --cgroup off tail /dev/zero
	# One that comes into it and is killed, while no process of the job is.
	visit() {
		rm -f began died
		(wait_until test -e began
			bash -c 'echo $$ >"$0/inner/cgroup.procs"; exec tail /dev/zero' "$limited"
			touch died) 2>/dev/null &
	}
	as=(bash -c 'echo $$ >"$0/inner/cgroup.procs" && exec "$@"' "$limited")
	visit
	death 'a visitor of its cgroup is killed' exited 'ended with status 1[;.]*The kernel killed 1 process in its cgroup for lack of memory[;,]*' \
		--cgroup off sh -c 'touch began; while ! [ -e died ]; do sleep 0.05; done; exit 1'
	wait
	visit
	death 'SIGKILL after that' oom_maybe 'killed by SIGKILL while the kernel killed 1 process in its cgroup*is not known' \
		--cgroup off -i 0.1 sh -c 'touch began; while ! [ -e died ]; do sleep 0.05; done; sleep 1; kill -9 $$'
	wait
	rm -f began died
	as=()
	# The job moves itself to a cgroup with a limit: none that the recorder reads counts it.
	death 'memory of another cgroup' killed 'killed by SIGKILL*' bash -c 'echo $$ >"$0/inner/cgroup.procs"; exec tail /dev/zero' "$limited"
else
	skip 'memory' 'no memory limit may be set'
fi

# -- processes -------------------------------------------------------------------------------------------------------
path=$(sed -n 's/^[0-9]*:\([^:]*,\)\?pids\(,[^:]*\)\?:\//\//p' /proc/self/cgroup)
place=$(awk '/ - cgroup .*[, ]pids(,|$)/ { print $5; exit }' /proc/self/mountinfo)
if [ -z "$path" ]; then
	path=$(sed -n 's/^0::\//\//p' /proc/self/cgroup)
	place=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
fi
dir=$place${path%/}/rtrack_pids-$$
if [ -n "$place" ] && mkdir "$dir" 2>/dev/null && limited="$limited $dir" && { echo 20 >"$dir/pids.max"; } 2>/dev/null; then
	as=(bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$dir")
	death 'the limit of its processes' exited 'ended with status 2*. 1 time it got no new process or thread: its cgroup may have 20 (pids.max)' \
		sh -c 'exec 2>/dev/null; i=0; while [ $i -lt 40 ]; do sleep 3 & i=$((i + 1)); done; exit 3'
	as=()
	echo 1000 >"$dir/pids.max"
	as=(bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$dir")
	death 'a limit that was not reached' exited 'ended with status 3; *seen;*left or more' sh -c 'sleep 0.01 & wait; exit 3'
	as=()
else
	skip 'processes' 'no limit of processes may be set'
fi

# -- where the sentence goes -----------------------------------------------------------------------------------------
"$R" -q --no-discover-cloud --no-discover-server -o a.gz sh -c 'exit 9' 2>err
check_equal 'nothing with -q' "$(cat err)" ''
check_equal 'but in the recording' "$(zcat a.gz | grep -o '"cause":"exited","sentence":"Ended with status 9')" '"cause":"exited","sentence":"Ended with status 9'
check_equal 'and its word in the row' "$(zcat a.gz | grep -o '"end_cause":"exited"')" '"end_cause":"exited"'
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	mkdir dev && touch dev/termination-log
	pod() { # TEXT COMMAND…: what the log has then, if it had TEXT
		printf '%s' "$1" >dev/termination-log
		KUBERNETES_SERVICE_HOST=10.0.0.1 unshare -m sh -c 'mount --bind /dev/null dev/termination-log 2>/dev/null; umount dev/termination-log
			for f in null zero urandom; do touch dev/$f; mount --bind /dev/$f dev/$f; done; mount --rbind dev /dev; exec "$@"' sh \
			"$R" -q --no-discover-cloud --no-discover-server -o a.gz "${@:2}" 2>err
		cat dev/termination-log
	}
	check_equal 'the termination log of a pod' "$(pod '' sh -c 'exit 9' | cut -c1-19)" 'Ended with status 9'
	check_equal 'keeps what the job wrote' "$(pod 'mine' sh -c 'exit 9')" mine
	check_equal 'has nothing of a job that ended well' "$(pod '' true)" ''
else
	skip 'the termination log' 'only root may mount'
fi
echo "1..$n"
