#!/bin/bash
# --per-node below a launcher's daemon (tests/live/launcher.c): one recorder, an exact sum, and tasks that do not notice.
. tests/check.sh
cd "$D" || exit 1
export T R D
unset "${!SLURM_@}" "${!OMPI_@}" "${!PMI_@}" "${!MPI_@}" "${!TORCHELASTIC_@}" "${!MV2_@}" "${!PALS_@}" LOCAL_RANK
slurm=SLURM_LOCALID,SLURM_STEP_ID=0
recordings() { find . -maxdepth 1 -name 'a.*.gz' | wc -l; }
value() { zcat a.*.gz | grep -oE "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2; }
clean() { rm -f a.*.gz t.* log statuses go end.*; }

# The recorder, as a task of the launcher: record COUNT VARIABLES COMMAND…
record() {
	clean
	timeout 300 "$T/launcher" statuses "$1" "$2" "$R" -q --no-discover-cloud ${options-} --per-node -o "$D/a.%p.gz" -- "${@:3}" 2>err
}

# Rank 0 ends first and burns most; rank 2 fails; rank 3 ends last. Its parent says who started each.
cat >task.sh <<'S'
rank=${SLURM_LOCALID-0}
echo $PPID >end.$rank.parent
case $rank in
0) exec "$T/deed" burn 0.8 t.0 ;;
1) exec "$T/deed" child 0.5 t.1 ;;
2) "$T/deed" burn 0.3 t.2; exit 3 ;;
3) until [ -s t.0 ] && [ -s t.1 ]; do sleep 0.05; done; sleep 0.5; exec "$T/deed" burn 0.6 t.3 ;;
esac
S
BURN=0.3 record 4 $slurm sh task.sh
check_equal 'one task records its node' "$(recordings)" 1
check_equal 'every task keeps its status' "$(tr '\n' ';' <statuses)" '0 0;1 0;2 3;3 0;'
truth=$(cat t.? | awk '{ s += $1 } END { print s }')
check_near 'the sum over all tasks is exact' "$(cpu_time a.*.gz)" "$truth" 0.01 0.03
check_near 'so it is in the totals' "$(value exact_cpu_s)" "$truth" 0.01 0.03
check_equal 'nothing else is in the sum' "$(value sampled_cpu_difference)" 0
check_that 'the other tasks were started by the launcher' \
	"$(cat end.1.parent) == $(cat end.2.parent) && $(cat end.1.parent) == $(cat end.3.parent)"
check_that 'the first task by the recorder' "$(cat end.0.parent) != $(cat end.1.parent)"
check_equal 'the launcher is not a process of the job' "$(zcat a.*.gz | grep -c "\"pid\":$(cat end.1.parent)[,}]")" 0
# The kernel reports the ends of other processes in the first namespaces only, since Linux 6.6.
told=
has_note() { zcat a.*.gz | grep -q 'How the other tasks of the node ended is not known'; }
has_note || told=1
ends() { zcat a.*.gz | grep -oE '"tasks":\{"n":[^}]*\}' | sed -E 's/.*"n":([0-9]*),"succeeded":([0-9]*),"failed":([0-9]*),"unknown":([0-9]*),"failed_rank":([0-9a-z]*).*/\1 \2 \3 \4 \5/'; }
if [ $told ]; then
	check_equal 'the snapshot has the status of the task that failed, and of how many' "$(value code) $(ends)" '3 4 3 1 0 2'
	record 3 $slurm sh -c 'sleep 1; [ $SLURM_LOCALID = 1 ] && kill -KILL $$; sleep 0.5; [ $SLURM_LOCALID = 2 ] && exit 4; exit 0'
	check_equal 'the first of several that failed counts' "$(value signal) $(ends)" '"KILL" 3 1 2 0 1'
	check_equal 'the tasks keep their statuses' "$(tr '\n' ';' <statuses)" '0 0;1 137;2 4;'
	"$P" --offline -o page.html --text - a.*.gz >text 2>&1
	check_equal 'the report says how many tasks failed, and which was the first' \
		"$(tr -s '\n ' ' ' <text | grep -oE 'The task with local rank 1 was ended by signal KILL|2 of 3 tasks failed, this one first|a user or a scheduler' | tr '\n' ';')" \
		'The task with local rank 1 was ended by signal KILL;2 of 3 tasks failed, this one first;'
	# A child of the daemon that is not a task, and a thread of a task.
	record 2 $slurm sh -c 'sleep 0.5; sh -c "exit 9"; "$T/threads" 2>/dev/null; exit 0'
	check_equal 'processes of tasks that fail do not count' "$(value code) $(ends)" '0 2 2 0 0 null'
	SLURM_STEP_TASKS_PER_NODE='7,3(x2)' SLURM_NODEID=1 record 2 $slurm sh -c 'sleep 0.5'
	check_equal 'a task that was never seen is unknown' "$(value code) $(ends)" 'null 3 2 0 1 null'
else
	check_equal 'the ends of the others are not known' "$(value code) $(ends)" 'null 4 1 0 3 null'
	skip 'the tasks that fail' 'the kernel does not report them here'
fi

# Nothing is known where the kernel may not be asked.
if "$T/deny" EPERM socket true 2>/dev/null; then
	clean
	timeout 300 "$T/launcher" statuses 3 $slurm "$T/deny" EPERM socket "$R" -q --no-discover-cloud --per-node -o "$D/a.%p.gz" -- \
		sh -c 'sleep 0.5; exit $SLURM_LOCALID' 2>err
	check_equal 'without a socket the ends of the others are unknown' "$(value code) $(ends)" 'null 3 1 0 2 null'
	check 'and a note says why' eval 'zcat a.*.gz | grep -q "other tasks of the node ended is not known: Operation not permitted"'
	"$P" --offline -o page.html --text - a.*.gz >text 2>&1
	check 'so the report does not say finished' eval 'grep -q "how the others ended is not" text && ! grep -q finished text'
else
	skip 'without a socket'
fi

# Tasks that end before the second sample.
BURN=0.3 record 8 $slurm sh -c 'exec "$T/deed" burn 0.1 t.$SLURM_LOCALID'
truth=$(cat t.? | awk '{ s += $1 } END { print s }')
check_near 'short tasks are counted' "$(cpu_time a.*.gz)" "$truth" 0.01 0.05

# A first task that fails ends at once, so that the launcher can end the others.
clean
record 2 $slurm sh -c '[ $SLURM_LOCALID = 0 ] && exit 7; until [ -e go ]; do sleep 0.02; done' &
check 'after a failure the recording does not wait for the other tasks' wait_until eval '[ "$(recordings)" = 1 ]'
touch go
wait $!
check_equal 'the failure is reported' "$(tr '\n' ';' <statuses)" '0 7;1 0;'

# A recorder that waits for the other tasks ends by a signal, with a snapshot.
clean
record 2 $slurm sh -c '[ $SLURM_LOCALID = 0 ] && { echo $PPID >t.recorder; exit 0; }; until [ -e go ]; do sleep 0.02; done' &
wait_until has t.recorder .
wait_until eval '! pgrep -P "$(cat t.recorder)" sh >/dev/null'
check_equal 'after success it records on' "$(recordings)" 0
kill -TERM "$(cat t.recorder)"
check 'TERM ends a recording that waits for other tasks' wait_until eval '[ "$(recordings)" = 1 ]'
touch go
wait $!

# A script that is the task: what comes after the command is not waited for, since others may wait for that.
record 2 $slurm true
clean
timeout 300 "$T/launcher" statuses 2 $slurm sh -c '
	"$R" -q --per-node -o a.1.%p.gz -- "$T/deed" burn 0.2 t.$SLURM_LOCALID
	"$R" -q --per-node -o a.2.%p.gz -- true; touch end.$SLURM_LOCALID
	until [ -e end.0 ] && [ -e end.1 ]; do sleep 0.02; done; exit $((4 + SLURM_LOCALID))' 2>err
check_equal 'two commands of a script that is the task' "$(tr '\n' ';' <statuses) $(recordings)" '0 4;1 5; 2'

# The launchers.
for variables in OMPI_COMM_WORLD_LOCAL_RANK,SLURM_LOCALID=0 MPI_LOCALRANKID,SLURM_LOCALID=0 \
	MV2_COMM_WORLD_LOCAL_RANK PALS_LOCAL_RANKID \
	LOCAL_RANK,TORCHELASTIC_RUN_ID=x LOCAL_RANK,TORCHELASTIC_RUN_ID=x,OMPI_COMM_WORLD_LOCAL_RANK=0; do
	record 3 "$variables" true
	check_equal "${variables%%,*} is a local rank" "$(recordings) $(tr '\n' ';' <statuses)" '1 0 0;1 0;2 0;'
done
record 2 SLURM_LOCALID true
check_equal 'SLURM_LOCALID without a step is none' "$(recordings)" 2
record 2 $slurm no-such-command
check_equal 'a command that is not found' "$(tr '\n' ';' <statuses)" '0 127;1 127;'
clean
"$R" -q --per-node -o a.1.gz -- sh -c 'exit 6' 2>err
check_equal 'without a launcher it records as usual' "$? $(recordings)" '6 1'
"$R" --per-node >/dev/null 2>err
check_equal 'without a command it is refused' "$? $(grep -c -- '--per-node needs a command or --pid' err)" '125 1'

# Two recorders with the same number below one parent, as of two launches: neither waits for the other, also where the
# launcher has said that there are two tasks.
for tasks in '' 2; do
	clean
	both=()
	for i in 1 2; do
		(export SLURM_STEP_ID=0 SLURM_LOCALID=0 ${tasks:+SLURM_NTASKS=$tasks}
			exec "$R" -q --no-discover-cloud --per-node -o "$D/a.$i.gz" -- sleep 0.3) &
		both+=($!)
	done
	wait_until eval '! kill -0 "${both[@]}"' 2>/dev/null
	kill -KILL "${both[@]}" 2>/dev/null
	wait
	check_equal "two recorders of one number end${tasks:+, of $tasks tasks}" "$(recordings)" 2
done

# A launcher's daemon is followed from outside.
clean
export slurm
# What it used since the last sample is gone with it: its parent must not reap it before the recorder has seen its end.
BURN=0.3 sh -c '"$T/launcher" statuses 3 $slurm sh -c "until [ -e go ]; do sleep 0.02; done; exec \"\$T/deed\" burn 0.4 t.\$SLURM_LOCALID" &
	echo $! >daemon; exec sleep 300' &
parent=$!
wait_until eval '[ "$(pgrep -P "$(cat daemon)" | wc -l)" = 4 ]' 2>/dev/null
"$R" -q --per-node -o a.1.gz -p "$(cat daemon)" 2>err &
recorder=$!
wait_until test -s a.1.gz.partial
sleep 0.3 # a first sample
touch go
wait $recorder
check_equal 'the daemon of --pid ends the recording' "$? $(recordings)" '0 1'
kill $parent
wait $parent 2>/dev/null
check_near 'its tasks are counted' "$(value exact_cpu_s)" "$(cat t.? | awk '{ s += $1 } END { print s }')" 0.01 0.05

# The children of a process that starts no tasks.
if [ $told ]; then
	clean
	sh -c 'until [ -e go ]; do sleep 0.05; done; (exit 3); sleep 0.2; sh -c "exit 4"; exit 0' &
	child=$!
	"$R" -q --no-discover-cloud --per-node -o a.1.gz -p $child 2>err &
	recorder=$!
	wait_until test -s a.1.gz.partial
	touch go
	wait $child $recorder
	check_that 'children of --pid: how many failed, and no status' \
		"\"$(ends | cut -d' ' -f3-)\" == \"2 0 null\" && \"$(value code)\" == \"null\""
else
	skip 'children of --pid' 'the kernel does not report them here'
fi

echo "1..$n"
