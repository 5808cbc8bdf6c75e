#!/bin/bash
# The plugin on what most clusters run: a real Slurm of two nodes with task/cgroup, proctrack/cgroup and accounting
# (tests/engines/slurm.bash). Slurm's own word for each job is that of sacct.
. tests/check.sh
. tests/hooks/recipe.bash
. tests/engines/slurm.bash
[ "$(id -u)" = 0 ] || skip_all 'only root may start a Slurm'
command -v slurmctld munged slurmdbd mariadbd >/dev/null || skip_all 'slurm-wlm, slurmdbd, munge or mariadb-server is not installed'
[ -w /sys/fs/cgroup/memory/cgroup.procs ] || [ -w /sys/fs/cgroup/cgroup.procs ] || skip_all 'cgroups may not be made here'
spank=$(dirname "$R")/rtrack_spank.so
[ -e "$spank" ] || skip_all 'libslurm-dev is not installed'
clean_up() { slurm_stop; }
trap 'exit 130' INT TERM
unset "${!SLURM_@}" "${!SBATCH_@}"
chmod 755 "$D" && cd "$D" || exit 1
check 'a Slurm with cgroups and accounting starts' slurm_start cgroup || true
[ ${#daemons[@]} = 6 ] || exit 1
mkdir "$S/bin" && cp "$R" "$T/deed" "$S/bin" && cp "$spank" "$S" && export PATH=$S/bin:$PATH
mkdir "$S/plugin" && mkdir -m 1777 "$S/out"
other=$(id -u nobody)

# fields FILE… : one line for each recording: cause, status, oom_kills, memory limit, memory asked, its source
fields() {
	node -e 'for (const f of process.argv.slice(1)) { const r = JSON.parse(require("zlib").gunzipSync(require("fs").readFileSync(f))).rtrack;
		console.log([r.exit.cause, r.exit.code, r.totals?.cgroup?.oom_kills, r.limits?.memory_bytes, r.asked?.memory_bytes?.value,
			r.asked?.memory_bytes?.detail].join(" ")); }' "$@" 2>&1
}
numbered() { sort | uniq -c | tr -s ' \n' ' '; }
recorded() { # COUNT JOB: waits for its recordings, which are written after Slurm has forgotten the step
	wait_until eval "slurm_parts; [ \"\$(find '$S/parts' -name 'rtrack-$2.*.json.gz' | wc -l)\" -ge $1 ]"
	find "$S/parts" -name "rtrack-$2.*.json.gz" | sort
}
states() { sacct -X -n -P -o State -j "$1" | numbered; }

# why FILE: the recording's two causes and its sentence
why() {
	node -e 'const r = JSON.parse(require("zlib").gunzipSync(require("fs").readFileSync(process.argv[1]))).rtrack;
		console.log(r.exit.cause, r.end?.cause, r.end?.sentence);' "$1" 2>&1
}
state_of() { sacct -n -P -o State -j "$1" 2>/dev/null | cut -d' ' -f1; }
check_like() { # NAME GOT PATTERN
	# shellcheck disable=SC2053
	if [[ $2 == $3 ]]; then passed "$1"; else failed "$1" "$2"; fi
}

# -- memory ----------------------------------------------------------------------------------------------------------
# The last command succeeds, and so does the script; to Slurm, the job is OUT_OF_MEMORY.
slurm_plugin interval=1
job=$(submit --mem=150 --array=0-9 -o array.%a --wrap 'deed hold 60 1 0; deed hold 400 1 0; echo done')
wait_until finished "$job"
wait_until eval '[ "$(states "$job")" = " 10 OUT_OF_MEMORY " ]'
check_equal 'ten jobs that Slurm calls OUT_OF_MEMORY' "$(states "$job") $(cat array.* | grep -c done)" ' 10 OUT_OF_MEMORY  10'
wait_until eval '[ "$(find "$S/plugin/0" -name "*.json.gz" | wc -l)" = 10 ]'
slurm_parts
check_equal 'the plugin has their OOM kills and their limit' "$(fields "$S"/parts/0/*.json.gz | numbered)" \
	' 10 oom 0 1 157286400 157286400 SLURM_MEM_PER_NODE '
"$F" groups --offline --json fleet.json -o fleet.html "$S/plugin" 2>err
check_equal 'the fleet page: ten runs out of memory' \
	"$(node -e 'const row = JSON.parse(require("fs").readFileSync("fleet.json")).groups.rows[0]; console.log(row.runs.value, row.oom.value)' 2>&1)" '10 10'
one=$(find "$S/plugin/0" -name '*.json.gz' | head -n 1)
"$P" --offline --json one.json -o one.html "$one" 2>err
check_equal 'the page of one: failed' "$(node -e 'console.log(JSON.parse(require("fs").readFileSync("one.json")).status.word)' 2>&1)" failed

# Ends at its real limit, a minute or more from now; the rest of the test runs meanwhile.
limited=$(submit -w $N2 -n1 --mem=20 -t 1 -o limited.out --wrap 'srun rtrack-collect -q -o limited.gz sh -c "sleep 1000"')

job=$(submit -n2 -N2 --mem=300 -o steps.out --wrap 'srun --mem=150 sh -c "[ \$SLURM_PROCID = 0 ] && sleep 1 || deed hold 250 1 0; true"; true')
wait_until finished "$job"
mapfile -t files < <(recorded 3 "$job")
check_equal 'a step of two nodes: the limit of the step, and who was killed' "$(fields "${files[@]}" | cut -d' ' -f1-4 | numbered)" \
	' 1 exited 0 0 157286400 1 exited 0 0 314572800 1 oom 0 1 157286400 '

# Without the plugin: task 1 is in a cgroup beside that of the recorder.
srun -n2 -N1 --mem=150 rtrack-collect -q --per-node -o node.gz sh -c '[ $SLURM_PROCID = 0 ] && sleep 1 || deed hold 400 1 0; true' 2>/dev/null
check_equal 'rtrack-collect --per-node sees the kills of the other tasks' "$(fields node.gz | cut -d' ' -f1-4)" 'oom 0 1 157286400'
job=$((job + 1))

# What no variable has: srun --mem, and the cluster's DefMemPerCPU.
srun --mem=500 true
srun -c2 true
check_equal 'memory asked by srun and by DefMemPerCPU' "$(fields $(recorded 1 $((job + 1))) $(recorded 1 $((job + 2))) | cut -d' ' -f5 | tr '\n' ' ')" \
	'524288000 419430400 '
srun -c2 rtrack-collect -q -o direct.gz sleep 1
check_equal 'also without the plugin' "$(fields direct.gz | cut -d' ' -f5-)" '419430400 scontrol show job'

# -- again, with more memory: docs/recipes.md ------------------------------------------------------------------------
recipe slurm-again | sed 's/=4G/=150M/' >job.sbatch
printf '#!/bin/sh\necho asked >>again\nexec deed hold 250 1 0\n' >work.sh && chmod +x work.sh
job=$(submit -o again.out job.sbatch)
wait_until eval '[ "$(cat again 2>/dev/null | wc -l)" = 2 ]'
wait_until eval 'finished "$job" && finished $((job + 1)) && ! state_of $((job + 1)) | grep -q -e RUNNING -e PENDING'
check_equal 'a job that submits itself again with what it lacked' \
	"$(state_of "$job" | head -n 1) $(state_of $((job + 1)) | head -n 1) $(shown $((job + 1)) MinMemoryNode)" 'OUT_OF_MEMORY COMPLETED 300M'

# -- why it ended ----------------------------------------------------------------------------------------------------
# staged NAME SLURM INSIDE OUTSIDE COMMAND [DO]: a step whose command rtrack-collect records, and the plugin records from outside.
# SLURM: its word for the step; INSIDE and OUTSIDE: patterns of why; INSIDE none: the recorder is killed as well. DO, once the file
# began is there.
staged() {
	local files
	rm -f began in.gz*
	job=$(submit -n1 --mem=150 -o staged.out --wrap "srun rtrack-collect -q -o in.gz bash -c '$5'; true")
	[ -z "${6-}" ] || { wait_until test -e began && eval "$6"; }
	wait_until finished "$job"
	wait_until eval '! state_of "$job" | grep -q -e RUNNING -e PENDING'
	mapfile -t files < <(recorded 2 "$job")
	check_equal "$1: Slurm's word" "$(state_of "$job.0")" "$2"
	if [ "$3" = none ]; then
		check_equal "$1: no recording from inside" "$(ls in.gz* 2>&1)" in.gz.partial
	else
		check_like "$1: from inside" "$(why in.gz)" "$3"
	fi
	check_like "$1: from outside" "$(why "${files[0]}")" "$4"
}
hold='touch began; exec sleep 1000'
ran_out='the kernel killed @(1 of its processes|its process ?*) because the memory of its Slurm @(step|job), 150 MiB, ran out*. Slurm calls that OUT_OF_MEMORY.'
staged 'exit 1' FAILED 'exited exited Ended with status 1*' 'exited exited Ended with status 1*' 'exit 1'
staged 'exit 137 by itself' FAILED 'exited exited Ended with status 137, as a shell does*' 'exited exited Ended with status 137, as a shell does*' 'exit 137'
# The kernel says who the victim is, or that is seen from its being alone.
staged 'memory of the command' OUT_OF_MEMORY 'oom oom Killed by * the memory of its Slurm @(step|job), 150 MiB, ran out*' "oom oom Ended with status 137 after $ran_out" 'exec deed hold 400 1 0'
staged 'memory of a child, status 0' OUT_OF_MEMORY "oom oom_process Ended with status 0, but $ran_out" "oom oom_process Ended with status 0, but $ran_out" 'deed hold 400 1 0; true'
staged 'memory of a child, status 1' OUT_OF_MEMORY "oom oom_process Ended with status 1 after $ran_out" "oom oom_process Ended with status 1 after $ran_out" 'deed hold 400 1 0; exit 1'
staged 'SIGKILL by itself' FAILED 'signaled killed Killed by SIGKILL*' 'exited exited Ended with status 137, as a shell does*' 'kill -9 $$'
staged 'scancel --signal=KILL of the step' CANCELLED none 'signaled killed Killed by SIGKILL*' "$hold" 'scancel --signal=KILL $job.0'
staged 'scancel --signal=USR1 of the step' FAILED 'signaled sent Ended by SIGUSR1 from slurmstepd (pid *).' 'exited exited Ended with status 138, as a shell does*' "$hold" 'scancel --signal=USR1 $job.0'
staged 'scancel' FAILED 'signaled sent Ended by SIGTERM from slurmstepd (pid *).' 'exited exited Ended with status 143, as a shell does*' "$hold" 'scancel $job'
staged 'scancel, and SIGTERM is ignored' CANCELLED none 'signaled killed Killed by SIGKILL*' 'trap "" TERM; touch began; while :; do sleep 0.1; done' 'scancel $job'

# -- the end of a step -----------------------------------------------------------------------------------------------
# Nothing waits for the recorder. Again, as a busy machine delays steps without a plugin, too.
for _ in 1 2 3 4; do
	job=$(submit -o twelve.out --wrap 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do srun deed burn 0.02 /dev/null; done')
	wait_until finished "$job"
	! grep -q disabled twelve.out || continue
	break
done
check_equal 'twelve steps in a row are not held up' "$(grep -c disabled twelve.out)" 0
mapfile -t files < <(recorded 13 "$job")
check_equal 'each has its recording' ${#files[@]} 13
node -e 'for (const f of process.argv.slice(1)) { const r = JSON.parse(require("zlib").gunzipSync(require("fs").readFileSync(f))).rtrack_row;
	if (r.name === "deed") console.log(r.cpu_s >= 0.02 && r.cpu_s < 0.2 && r.memory_peak_bytes > 0 && r.wall_s > 0.9 * r.cpu_s ? "ok" : JSON.stringify(r)); }' "${files[@]}" >short 2>&1
check_equal 'with what the step used, however short' "$(numbered <short)" ' 12 ok '

# -- jobs that start again -------------------------------------------------------------------------------------------
cat >again.sh <<'J'
#!/bin/bash
touch "began.$SLURM_JOB_ID.${SLURM_RESTART_COUNT-0}"
[ -n "$SLURM_RESTART_COUNT" ] || { srun true; scontrol requeue $SLURM_JOB_ID; sleep 1000; }
srun true
J
again=()
for node in $N1 $N2; do
	job=$(submit --requeue -w $N1 -o again.out again.sh)
	again+=("$job")
	wait_until test -e "began.$job.0"
	wait_until eval '[ "$(shown "$job" JobState)" = PENDING ]'
	scontrol update jobid="$job" NodeList=$node
	scontrol update jobid="$job" StartTime=now
done
for job in "${again[@]}"; do wait_until finished "$job"; done
check_equal 'requeued on the same node: nothing is overwritten' "$(recorded 4 "${again[0]}" | xargs -n1 basename | sed "s/${again[0]}/JOB/; s/$N1/N1/; s/$N2/N2/" | tr '\n' ' ')" \
	'rtrack-JOB.0-N1.json.gz rtrack-JOB.batch-N1.json.gz rtrack-JOB.r1.0-N1.json.gz rtrack-JOB.r1.batch-N1.json.gz '
mapfile -t files < <(recorded 4 "${again[1]}")
check_equal 'on another node' "$(basename -a "${files[@]}" | sed "s/${again[1]}/JOB/; s/$N1/N1/; s/$N2/N2/" | tr '\n' ' ')" \
	'rtrack-JOB.0-N1.json.gz rtrack-JOB.batch-N1.json.gz rtrack-JOB.r1.0-N2.json.gz rtrack-JOB.r1.batch-N2.json.gz '
check_equal 'and the attempts are two runs, each a script and its step' "$("$F" groups --offline --json again.json -o again.html "${files[@]}" 2>&1
	node -e 'console.log(JSON.parse(require("fs").readFileSync("again.json")).groups.rows.reduce((n, row) => n + row.runs.value, 0))')" 2

# -- containment -----------------------------------------------------------------------------------------------------
cat >"$S/bin/scontrol" <<J
#!/bin/bash -p
PATH=/usr/bin:/bin
{ stat -c %U /proc/\$\$/mem; tr '\\0' '\\n' </proc/\$PPID/environ | cut -d= -f1 | sort; echo "\$SLURM_CONF"; } >$S/out/scontrol.said 2>&1
J
cat >user.sh <<'J'
recorder=$(pgrep -o -f "rtrack-collect.*--pid $PPID --") # not a child that it has just forked
stat -c %U /proc/$recorder /proc/$recorder/mem
cat /proc/$recorder/environ >/dev/null 2>&1; echo "environ $?"
grep -c job_ /proc/$recorder/cgroup
J
chmod 755 "$S/bin/scontrol"
slurm_plugin interval=1 scontrol="$S/bin/scontrol"
as_other() { TMPDIR=/tmp run_job --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -t 5 "$@"; }
cp user.sh "$S/out"
as_other -o "$S/out/user.out" --export=ALL,SLURM_CONF=/evil --wrap ". ./user.sh; sleep 0.5"
check_equal 'nobody can attach to the recorder, which is in no cgroup of the job' "$(tr '\n' ' ' <"$S/out/user.out")" 'nobody root environ 1 0 '
check_equal 'nor to scontrol, whose configuration is that of slurmd' "$(sed -n '1p;$p' "$S/out/scontrol.said" | tr '\n' ' ')" "root $SLURM_CONF "
recorded 1 "$job" >/dev/null # it is written after the job has ended
check_equal 'the folder and the recording are the user'"'"'s' \
	"$(stat -c '%U %a' "$S/plugin/$other" "$S/plugin/$other"/*-*/"$job-"*.json.gz 2>&1 | tr '\n' ' ')" 'nobody 700 nobody 600 '
mv "$S/plugin/$other" "$S/moved"
mkdir -m 777 "$S/out/target" && ln -s "$S/out/target" "$S/plugin/$other"
as_other -o "$S/out/link.out" --wrap 'sleep 0.3; echo fine'
check_equal 'no link is followed' "$(cat "$S/out/link.out") $(find "$S/out/target" "$S/plugin" -name "$job-*")" 'fine '
rm "$S/plugin/$other" && mkdir -m 777 "$S/plugin/$other"
chown daemon "$S/plugin/$other"
as_other -o "$S/out/owner.out" --wrap 'sleep 0.3; echo fine'
check_equal 'nor is a folder of another used' "$(cat "$S/out/owner.out") $(find "$S/plugin" -name "rtrack-$job.*")" 'fine '

# -- the time limit --------------------------------------------------------------------------------------------------
wait_until finished "$limited"
wait_until eval '! state_of "$limited" | grep -q -e RUNNING -e PENDING'
check_equal 'at its time limit: Slurm'"'"'s word' "$(state_of "$limited" | head -n 1)" TIMEOUT
check_like 'from inside' "$(why limited.gz)" 'signaled time_limit Ended by SIGTERM from slurmstepd (pid *), at 1?? % of its time limit of 60 s.'
mapfile -t files < <(recorded 2 "$limited")
check_like 'from outside, of the batch script' "$(why "${files[1]}")" 'signaled time_limit Ended by SIGTERM; who sent it is not known, at 1?? % of its time limit of 60 s.'

# -- nothing is left -------------------------------------------------------------------------------------------------
slurm_plugin
check 'no process is left' wait_until eval 'left=$(slurm_left); echo "$left"; [ -z "$left" ]'
check 'no cgroup of a job is left' wait_until eval 'left=$(slurm_cgroups | grep /job_); echo "$left"; [ -z "$left" ]'
folder=$S
slurm_stop
check 'the daemons end' test ! -e "$folder"
check_equal 'and no cgroup of them is left' "$(slurm_cgroups)" ''
S=''
echo "1..$n"
