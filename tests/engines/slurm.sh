#!/bin/bash
# Recordings of jobs of a real Slurm: two nodes on this host (tests/engines/slurm.bash).
. tests/check.sh
. tests/engines/slurm.bash
[ "$(id -u)" = 0 ] || skip_all 'only root may start a Slurm'
command -v slurmctld munged >/dev/null || skip_all 'slurm-wlm or munge is not installed'
clean_up() { slurm_stop; }
trap 'exit 130' INT TERM
unset "${!SLURM_@}" "${!SBATCH_@}"
chmod 755 "$D" && cd "$D" || exit 1
check 'a Slurm of two nodes starts' slurm_start || true
[ ${#daemons[@]} = 4 ] || exit 1
# Jobs of another user must reach the programs.
mkdir "$S/bin" && cp "$R" "$T/deed" "$S/bin" && export PATH=$S/bin:$PATH
mkdir -m 1777 "$S/out"
mkdir -m 755 "$S/plugin"

# field FILE PATH: a value of a snapshot, as JSON.
field() {
	zcat "$1" | node -e 'const s = JSON.parse(require("fs").readFileSync(0));
		const v = process.argv[1].split(".").reduce((o, k) => o?.[k], s); console.log(JSON.stringify(v ?? null))' "$2" \
		2>/dev/null || echo 'no snapshot'
}
cpu_sum() { # FILE…
	local file
	for file; do cpu_time "$file" && echo; done | awk '{ s += $1 } END { printf "%.3f", s }'
}
script() { # FILE: standard input is the body of a batch script
	{ echo '#!/bin/bash' && cat; } >"$1"
}
recordings() { find . -maxdepth 1 -name "$1" | sort; }

# -- --per-node: 2 s on one rank and 1 s on the three others ---------------------------------------------------------
script four.sh <<'J'
srun rtrack-collect -q --per-node -i 0.5 -o "four.$SLURM_JOB_ID.%p.gz" -- sh -c '
	cat /proc/$PPID/comm >four.parent.$SLURM_PROCID
	exec deed burn $([ $SLURM_PROCID = 0 ] && echo 2 || echo 1) four.truth.$SLURM_PROCID'
J
run_job -N2 -n4 --mem=500M -t 10 -o four.out four.sh
mapfile -t files < <(recordings "four.$job.*.gz")
check_equal 'two nodes: two recordings' ${#files[@]} 2
check_equal 'one collector for each node' "$(sort four.parent.? | uniq -c | tr -s ' \n' ' ')" ' 2 rtrack-collect 2 slurmstepd '
check_near '5 s of CPU time in total' "$(cpu_sum "${files[@]}")" 5 0.01
check_equal 'the job ends well' "$(shown "$job" JobState) $(cat four.out)" 'COMPLETED '
for file in "${files[@]}"; do
	check_near 'the exact total is the sum of the rows' "$(field "$file" rtrack.totals.exact_cpu_s)" "$(cpu_time "$file")" 0 0.01
	check_equal 'it is a part of two nodes and four tasks' \
		"$(for key in covers nodes task tasks; do field "$file" "rtrack.part.$key"; done | tr '\n' ' ')" '"node" 2 null 4 '
	check_equal 'what was asked for' \
		"$(for key in cpus memory_bytes time_s nodes tasks; do field "$file" "rtrack.asked.$key.value"; done | tr '\n' ' ')" \
		'2 524288000 600 2 4 '
done
check_equal 'both nodes are named' "$(for file in "${files[@]}"; do field "$file" rtrack.part.node; done | sort | tr '\n' ' ')" '"n1" "n2" '
check_equal 'and belong to one job' "$(for file in "${files[@]}"; do field "$file" rtrack.part.job; done | sort -u | grep -c '"')" 1

# The page of both: what one command of a user shows.
value() { # MODEL PATH
	node -e 'const v = process.argv[2].split(".").reduce((o, k) => o?.[k], JSON.parse(require("fs").readFileSync(process.argv[1])));
		console.log(JSON.stringify(v ?? null))' "$1" "$2" 2>/dev/null || echo 'no model'
}
values() { # MODEL PATH…
	local path
	for path in "${@:2}"; do value "$1" "$path"; done | tr '\n' ' '
}
"$P" --offline -o four.html --json four.json "${files[@]}"
check_equal 'one page of two nodes' "$? $(values four.json parts.recorded parts.missing)" '0 "2 nodes" 0 '
check_near 'with the CPU time of both' \
	"$(node -e 'console.log(JSON.parse(require("fs").readFileSync("four.json")).parts.tables[0].rows.reduce((sum, row) => sum + row.cpu_s.value, 0))')" 5 0.01
check_near 'the imbalance of 3 s and 2 s' "$(value four.json parts.imbalance.0.ratio)" 1.2 0.01
check_equal 'on the first node' "$(value four.json parts.imbalance.0.place)" '"n1"'
check_equal 'what was asked for, of both' "$(values four.json asked.rows.0.asked.value asked.rows.1.asked.value asked.rows.2.asked.value)" \
	'4 1048576000 600 '
"$P" --offline -o four.html --json four.json "${files[0]}" 2>four.missing
check_equal 'without one of them, the page says so' "$? $(values four.json parts.recorded parts.missing)" '0 "1 of 2 nodes" 1 '
check_equal 'and so does the command' "$(grep -c '1 of 2 nodes' four.missing)" 1

# The same as a user who may not read slurmstepd's files.
script user.sh <<'J'
srun rtrack-collect -q --per-node -o "$OUT/user.%p.gz" -- deed burn 0.5 "$OUT/user.truth"
J
OUT=$S/out TMPDIR=/tmp run_job --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -N1 -n2 -o "$S/out/user.log" user.sh
check_equal 'another user: one recording' "$(find "$S/out" -name 'user.*.gz' | wc -l) $(cat "$S/out/user.log")" '1 '
check_near 'with 1 s of CPU time' "$(cpu_sum "$S"/out/user.*.gz)" 1 0.02
check_equal 'which is his' "$(stat -c '%U %a' "$S"/out/user.*.gz)" 'nobody 600'

# -- statuses --------------------------------------------------------------------------------------------------------
script fail.sh <<'J'
srun rtrack-collect -q --per-node -o fail.1.gz -- sh -c 'sleep 1; exit $((SLURM_PROCID * 3))' 2>/dev/null
echo $?
for recorder in '' 'rtrack-collect -q --per-node -o fail.2.gz --'; do
	srun --kill-on-bad-exit $recorder sh -c '[ $SLURM_PROCID = 1 ] && exec sleep 1000; exit 5' 2>/dev/null
	echo $?
done
J
run_job -N1 -n2 -o fail.out fail.sh
check_equal 'tasks keep their statuses' "$(sed 1q fail.out)" 3
check_equal 'a first task that fails ends the step as it does without a recorder' "$(sed -n 3p fail.out)" "$(sed -n 2p fail.out)"
# The kernel reports other processes' ends since Linux 6.6, and in the first namespaces only.
told=1
[ "$(field fail.1.gz rtrack.tasks.unknown)" = 0 ] || told=
check_equal 'the recordings have the status of the task that failed' \
	"$(field fail.1.gz rtrack.exit.code) $(field fail.2.gz rtrack.exit.code)" "$([ "$told" ] && echo 3 || echo null) 5"
script second.sh <<'J'
srun rtrack-collect -q --per-node -o "second.%N.gz" -- sh -c 'sleep 1; [ $SLURM_PROCID != 3 ] || kill -KILL $$; sleep 1' 2>/dev/null
J
run_job -N2 -n4 -o second.out second.sh
"$P" --offline -o second.html --json second.json second.n1.gz second.n2.gz
if [ "$told" ]; then
	check_equal 'the second task of the second node fails: Slurm, the recording, the page' \
		"$(shown "$job" JobState) $(field second.n1.gz rtrack.exit.code) $(field second.n2.gz rtrack.exit.signal) $(value second.json status.word)" \
		'FAILED 0 "KILL" "killed"'
	check_equal 'the nodes have how many' "$(value second.json parts.tables.0.rows | grep -oE '"exit":"[^"]*"' | sort | tr '\n' ' ')" \
		'"exit":"0" "exit":"signal KILL (1 of 2 tasks)" '
else
	check_equal 'it is not called finished' "$(value second.json status.word)" '"unknown"'
fi

# -- recipes without a change of the job -----------------------------------------------------------------------------
cat >first-line.sh <<'J'
#!/usr/bin/env -S rtrack-collect -q -o first-line.gz -- /bin/bash
#SBATCH --job-name=first-line
#SBATCH --ntasks=1
deed burn 0.5 first-line.truth
echo "$SLURM_JOB_NAME"
exit 4
J
run_job -o first-line.out first-line.sh
check_equal 'the first line of a batch script' "$(cat first-line.out) $(shown "$job" ExitCode) $(field first-line.gz rtrack.exit.code)" 'first-line 4:0 4'
check_equal 'and names the job' "$(field first-line.gz rtrack.job.name)" '"first-line"'
check_near 'records the script' "$(cpu_sum first-line.gz)" 0.5 0.01 0.03

script plain.sh <<'J'
srun rtrack-collect -q -o "plain.%p.gz" -- sh -c '
	echo $PPID >plain.collector.$SLURM_PROCID
	exec deed burn 0.3 plain.truth.$SLURM_PROCID'
J
run_job -N2 -n4 -o plain.out plain.sh
check_equal 'srun rtrack-collect: one recording for each task' "$(recordings 'plain.*.gz' | wc -l) $(cat plain.out)" '4 '

script array.sh <<'J'
rtrack-collect -q -o 'array-%j-%a.gz' -- sh -c 'deed burn 0.1 array.truth.$SLURM_ARRAY_TASK_ID; [ $SLURM_ARRAY_TASK_ID != 5 ]'
J
run_job --array=0-7 -o array.out array.sh
check_equal 'eight elements of an array' "$(recordings 'array-*.gz' | grep -c -- '-[0-7].gz')" 8
check_equal 'one of which failed' "$(for file in array-*.gz; do field "$file" rtrack.exit.code; done | sort | uniq -c | tr -s ' \n' ' ')" ' 7 0 1 1 '
check_equal 'they belong to one array' \
	"$(for file in array-*.gz; do field "$file" rtrack.part.array.job; done | sort -u | wc -l) $(for file in array-*.gz; do field "$file" rtrack.part.array.index; done | sort | tr -d '\n')" \
	'1 01234567'
"$F" pipeline --offline -o array.html --json array.json array-*.gz
check_equal 'they are one page: the array, its tasks, its process' \
	"$? $(values array.json run.workflow tiles.0.text tiles.0.note processes.rows.0.name processes.rows.0.tasks.value | sed 's/-[0-9a-f]\{8\}"/"/')" \
	'0 "Slurm" "8" "1 failed, 0 retried" "sh" 8 '
check_equal 'the elements have their numbers' \
	"$(node -p 'JSON.parse(require("fs").readFileSync("array.json")).timeline.rows.map(({ name }) => name.replace(/-[0-9a-f]{8}/, "")).sort().join(" ")')" \
	"$(printf 'sh[%s] ' 0 1 2 3 4 5 6 7 | sed 's/ $//')"

# -- jobs that Slurm ends --------------------------------------------------------------------------------------------
script long.sh <<'J'
srun rtrack-collect -q --per-node -o "long.$SLURM_JOB_ID.${SLURM_RESTART_COUNT-0}.gz" -- sh -c '
	touch "long.$SLURM_JOB_ID.${SLURM_RESTART_COUNT-0}.$SLURM_PROCID"; exec sleep 1000'
J
begun() { [ -e "long.$1.$2.0" ] && [ -e "long.$1.$2.1" ] && [ -s "long.$1.$2.gz.partial" ]; }
job=$(submit -N1 -n2 -o long.out long.sh)
wait_until begun "$job" 0
sleep 1.2 # a regular sample
scancel "$job"
check 'scancel ends the job' wait_until finished "$job"
check_equal 'its recording names the signal' "$(field "long.$job.0.gz" rtrack.exit.signal) $(shown "$job" JobState)" '"TERM" CANCELLED'
check_equal 'and its sender' "$(field "long.$job.0.gz" rtrack.end.cause) $(field "long.$job.0.gz" rtrack.end.sentence | sed 's/pid [0-9]*/pid/')" \
	'"sent" "Ended by SIGTERM from slurmstepd (pid)."'
check_that 'and is complete' "$(field "long.$job.0.gz" rtrack.totals.wall_s) > 1.2"

job=$(submit -N1 -n2 -t 1 -o long.out long.sh)
wait_until begun "$job" 0
scontrol update jobid="$job" EndTime=now+1
check 'the time limit ends the job' wait_until finished "$job"
check_equal 'its recording names the signal, too' "$(field "long.$job.0.gz" rtrack.exit.signal) $(shown "$job" JobState)" '"TERM" TIMEOUT'
check_equal 'the time that was asked for' "$(field "long.$job.0.gz" rtrack.asked.time_s.value)" 60

job=$(submit -N1 -n2 --requeue -o long.out long.sh)
wait_until begun "$job" 0
scontrol requeue "$job"
wait_until test -e "long.$job.0.gz"
wait_until eval '[ "$(shown "$job" JobState)" = PENDING ]'
scontrol update jobid="$job" StartTime=now
check 'a job that is requeued starts again' wait_until begun "$job" 1
scancel "$job"
wait_until finished "$job"
check_that 'its recordings are of two jobs' \
	"\"$(field "long.$job.0.gz" rtrack.part.job | tr -d '"')\" != \"$(field "long.$job.1.gz" rtrack.part.job | tr -d '"')\""

# Slurm itself ends a job that uses more memory than it asked for. (A kill by the kernel needs task/cgroup; the tests of
# the collector's own OOM detection are in tests/live/cgroup.sh.)
script memory.sh <<'J'
srun rtrack-collect -q --per-node -i 0.2 -o memory.gz -- deed hold 400 100000 0
J
run_job -N1 -n1 --mem=100 -o memory.out memory.sh
check_equal 'a job over its memory is ended' "$(shown "$job" JobState)" FAILED
rtrack-collect -q --recover memory.gz.partial
check_that 'its journal has what it used' "$(field memory.gz rtrack.statistics.process_memory.max) > 100 * 1024"

# -- the plugin ------------------------------------------------------------------------------------------------------
spank=$(dirname "$R")/rtrack_spank.so
if [ -e "$spank" ]; then cp "$spank" "$S"; else skip 'the plugin' 'libslurm-dev is not installed'; fi
script plugin.sh <<'J'
echo out; echo err >&2
srun sh -c 'deed burn $([ $SLURM_PROCID = 0 ] && echo 2 || echo 1) /dev/null; exit $((SLURM_PROCID % 2 * 6))'
exit 4
J
# recorded COUNT: waits for the recordings of $job, which are written after Slurm has forgotten the step.
recorded() { wait_until eval 'slurm_parts; [ "$(find "$S/parts" -name "rtrack-$job.*" | wc -l)" -ge '"$1"' ]'; }
# What a user can see of a job.
seen() { echo "$(shown "$job" ExitCode) $(sed 's/^srun: error: n\([12]\): task.*/failed \1/' plugin.out | sort | tr '\n' ' ')"; }
plugin_job() {
	local began=$EPOCHREALTIME
	run_job -N2 -n4 --mem=500M -o plugin.out "$@" plugin.sh
	took_s=$(awk "BEGIN { print $EPOCHREALTIME - $began }")
}
if [ -e "$S/rtrack_spank.so" ]; then
	plugin_job
	usual_s=$took_s usual=$(seen)
	slurm_plugin default=on interval=0.5
	plugin_job
	recorded 3
	files=("$S/parts/0/rtrack-$job".*)
	check_equal 'the plugin records every step' "$(basename -a "${files[@]}" | sed "s/$job/JOB/" | tr '\n' ' ')" \
		'rtrack-JOB.0-n1.json.gz rtrack-JOB.0-n2.json.gz rtrack-JOB.batch-n1.json.gz '
	check_equal 'the job looks as without it' "$(seen)" "$usual"
	check_equal 'under the names of the command and the script' \
		"$(for file in "${files[@]}"; do field "$file" rtrack.job.name; done | tr '\n' ' ')" '"sh" "sh" "plugin.sh" '
	check_near '5 s of CPU time in total' "$(cpu_sum "$S/parts/0/rtrack-$job".0-*)" 5 0.01 0.03
	check_equal 'with the statuses' "$(for file in "${files[@]}"; do field "$file" rtrack.exit.code; done | tr '\n' ' ')" '6 6 4 '
	check_equal 'nodes, tasks and what was asked for' \
		"$(for key in part.covers part.node part.nodes part.tasks asked.cpus.value asked.memory_bytes.value; do field "${files[0]}" "rtrack.$key"; done | tr '\n' ' ')" \
		'"node" "n1" 2 4 2 524288000 '
	TMPDIR=/tmp run_job --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -o "$S/out/nobody.out" --wrap 'deed burn 0.5 /dev/null'
	recorded 1
	check_equal "the file is the user's" "$(stat -c '%U %a' "$S/plugin/$(id -u nobody)" "$S/plugin/$(id -u nobody)"/*-*/"$job-n1.json.gz" | tr '\n' ' ')" 'nobody 700 nobody 600 '
	check_near 'and has what his job used' "$(cpu_sum "$S/parts/$(id -u nobody)/rtrack-$job.batch-n1.json.gz")" 0.5 0.02 0.03
	# Slurm's own kill at the limit, without a cgroup (OverMemoryKill).
	# Slurm does not wait for the recorder of a step that it kills.
	killed() { recorded 2; field "$S/parts/0/rtrack-$job.0-n1.json.gz" "rtrack.exit.$1"; }
	run_job -N1 -n1 --mem=100 -o memory.out --wrap 'srun deed hold 400 100000 0'
	check_equal 'OverMemoryKill is an end by memory' "$(killed cause) $(killed signal)" '"oom" "KILL"'
	check_equal 'and says so' "$(field "$S/parts/0/rtrack-$job.0-n1.json.gz" rtrack.end.sentence | cut -d: -f1)" \
		'"Killed by its launcher because it used more than its 100 MiB of memory'
	run_job -N1 -n1 --mem=100 -o memory.out --wrap 'srun sh -c "deed hold 20 0 0; kill -KILL \$\$"'
	check_equal 'another kill is none' "$(killed cause)" '"signaled"'
	plugin_job --rtrack=no
	check_equal '--rtrack=no' "$(seen) $(find "$S/plugin" "$S/spool" -name "$job-*" | wc -l)" "$usual 0"
	slurm_plugin default=off
	plugin_job --rtrack
	recorded 3
	check_equal 'default=off and --rtrack' "$(seen) $(find "$S/parts" -name "rtrack-$job.*" | wc -l)" "$usual 3"
	plugin_job
	check_equal 'default=off' "$(seen) $(find "$S/plugin" "$S/spool" -name "$job-*" | wc -l)" "$usual 0"

	# A recorder that fails in any way.
	# shellcheck disable=SC2016
	printf '#!/bin/sh\nkill -STOP $$\n' >"$S/bin/stops"
	printf '#!/bin/sh\nexit 125\n' >"$S/bin/fails"
	chmod 755 "$S/bin/stops" "$S/bin/fails"
	mkdir "$S/full" && mount -t tmpfs -o size=64k,mode=1777 tmpfs "$S/full" 2>/dev/null &&
		cat /dev/zero >"$S/full/zero" 2>/dev/null
	for how in collect="$S/bin/none" collect="$S/bin/stops" collect="$S/bin/fails" dir=/proc/none dir="$S/full" journal=/proc/none interval=no; do
		# Of an argument that is given twice the first counts.
		echo "optional $S/rtrack_spank.so $how collect=$S/bin/rtrack-collect dir=$S/plugin journal=$S/spool" >"$S/plugstack.conf"
		plugin_job
		check_equal "$(sed "s|$S/||" <<<"$how"): the job does not notice" "$(seen)" "$usual"
		check_that 'and takes about as long' "$took_s < 1.5 * $usual_s + 3"
	done
	for pid in $(slurm_left | awk '/stops/ { print $1 }'); do kill -KILL "$pid" 2>/dev/null; done
	slurm_plugin
fi

# -- what the next input needs, in a submit command -------------------------------------------------------------------
mkdir ask
for i in 1 2 3 4 5 6; do
	printf '{"rtrack_row":{"id":"%s","scope":"process","name":"align","start":%s,"wall_s":%s,"samples":99,"status":"exited","code":0,"cpu_s":100,"memory_peak_bytes":%s,"asked_cpus":1,"vcpus":2,"machine_memory_bytes":8589934592,"input_bytes":%s,"input_sizes":"--reads=%s"}}\n' \
		"$i" $((1795000000 + i * 4000)) $((100 + i * 10)) $((100000000 + i * 30000000)) "${i}0000000" "${i}0000000" >"ask/$i.json"
done
truncate -s 35M reads.fq
script small.sh <<'J'
echo "$SLURM_MEM_PER_NODE"
J
# shellcheck disable=SC2046
run_job $("$F" ask --input reads.fq --for slurm ask || echo --mem=1G) -o small.out small.sh
check_equal 'a job asks for what its input needs' "$(cat small.out) $(shown "$job" TimeLimit) $(shown "$job" JobState)" '256 00:04:00 COMPLETED'
# shellcheck disable=SC2046
run_job $("$F" ask --input reads.fq --for slurm --where name=nobody ask 2>/dev/null || echo --mem=100M) -o small.out small.sh
check_equal 'and for the rest where nothing is known' "$(cat small.out)" 100

# -- nothing is left -------------------------------------------------------------------------------------------------
check 'no process is left' wait_until eval 'left=$(slurm_left); echo "$left"; [ -z "$left" ]'
# Of the collectors that gave their command a cgroup. Others, of tests beside this one, come and go, and may have the same number.
cgroups_left() { find /sys/fs/cgroup -type d \( -false $(printf -- '-o -name rtrack-%s-* ' $(cat plain.collector.?)) \) 2>/dev/null; }
check 'no cgroup is left' wait_until eval 'left=$(cgroups_left); echo "$left"; [ -z "$left" ]'
folder=$S
slurm_stop
check 'the daemons end' test ! -e "$folder"
S=''
echo "1..$n"
