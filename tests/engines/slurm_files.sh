#!/bin/bash
# The files of Slurm's plugin: one for each job and node, journals on the node's own disk, and what becomes of them when the shared
# folder is gone or full, or the recorder is killed; on a real Slurm of two nodes (tests/engines/slurm.bash).
. tests/check.sh
. tests/engines/slurm.bash
[ "$(id -u)" = 0 ] || skip_all 'only root may start a Slurm'
command -v slurmctld munged >/dev/null || skip_all 'slurm-wlm or munge is not installed'
spank=$(dirname "$R")/rtrack_spank.so
[ -e "$spank" ] || skip_all 'libslurm-dev is not installed'
maker=
clean_up() {
	[ -z "$maker" ] || { kill $maker && umount -l "$S/silent"; } 2>/dev/null
	slurm_stop
}
trap 'exit 130' INT TERM
unset "${!SLURM_@}" "${!SBATCH_@}"
chmod 755 "$D" && cd "$D" || exit 1
check 'a Slurm of two nodes starts' slurm_start || true
[ ${#daemons[@]} = 4 ] || exit 1
mkdir "$S/bin" && cp "$R" "$T/deed" "$S/bin" && cp "$spank" "$S" && export PATH=$S/bin:$PATH
mkdir -m 755 "$S/plugin" && mkdir -m 1777 "$S/out"
today=$(date -u +%F)
# files FOLDER: the files below it, by their paths
files() { (cd "$1" && find . -type f | sed 's|^\./||' | sort | tr '\n' ' '); }
ended() { [ -z "$(files "$S/spool")" ]; } # all that was recorded has been appended
parts() { (cd "$S/parts" 2>/dev/null && find . -name "rtrack-$job.*" | sed "s|^\./||; s|$job|JOB|" | sort | tr '\n' ' '); }
recover() { rtrack-collect --recover "$S/spool" --append-to "$S/plugin"; }

cat >steps.sh <<'J'
#!/bin/bash
srun -N2 -n2 sleep 1
srun -N1 -n1 deed burn 0.2 /dev/null
srun -N1 -n1 sh -c 'exit 3'
true
J
steps() { run_job -N2 -n2 --mem=100M -o steps.out steps.sh && wait_until ended && slurm_parts; }

# -- one file for a job on a node ------------------------------------------------------------------------------------
slurm_plugin interval=0.5
steps
check_equal 'a file for each node, below the user and the day' "$(files "$S/plugin")" "0/$today/$job-n1.json.gz 0/$today/$job-n2.json.gz "
check_equal 'with the script and the steps' "$(parts)" \
	'0/rtrack-JOB.0-n1.json.gz 0/rtrack-JOB.0-n2.json.gz 0/rtrack-JOB.1-n1.json.gz 0/rtrack-JOB.2-n1.json.gz 0/rtrack-JOB.batch-n1.json.gz '
check_equal 'their journals were elsewhere' "$(find "$S/plugin" -name '*.partial*')" ''
"$P" --offline --json one.json -o one.html "$S/plugin/0/$today/$job-n1.json.gz" "$S/plugin/0/$today/$job-n2.json.gz" 2>err
check_equal 'rtrack-report takes the files as their recordings' "$?" 0
slurm_plugin interval=0.5 min=30s
steps
check_equal 'min=30s: short steps are a sum, but for those that failed' "$(parts)" \
	'0/rtrack-JOB.2-n1.json.gz 0/rtrack-JOB.batch-n1.json.gz 0/rtrack-JOB.short-n1.json.gz 0/rtrack-JOB.short-n2.json.gz '
"$P" --offline --text - "$S/plugin/0/$today/$job-n1.json.gz" >text 2>err
check "the report says so" grep -q "$job-n1.json.gz also has 2 steps of less than 30 s, without samples: 0.2" text
slurm_plugin interval=0.5 what=jobs
steps
check_equal 'what=jobs' "$(parts)" \
	'0/rtrack-JOB.2-n1.json.gz 0/rtrack-JOB.batch-n1.json.gz 0/rtrack-JOB.short-n1.json.gz 0/rtrack-JOB.short-n2.json.gz '

# -- journals in a folder for all, as /dev/shm ------------------------------------------------------------------------
mkdir -m 1777 "$S/shm"
echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=$S/plugin journal=$S/none:$S/shm interval=0.5" >"$S/plugstack.conf"
job=$(TMPDIR=/tmp submit --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -o "$S/out/nobody.out" --wrap 'sleep 0.5')
wait_until finished "$job"
check "a user's job is recorded" wait_until test -s "$S/plugin/$(id -u nobody)/$today/$job-n1.json.gz"
rm -rf "$S/plugin/$(id -u nobody)"

# -- journals in a folder that users may not enter --------------------------------------------------------------------
mkdir -m 750 "$S/closed"
for to in "$S/closed:$S/spool $S/plugin" "$S/closed $S/never"; do
	echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=${to#* } journal=${to% *} interval=0.5" >"$S/plugstack.conf"
	job=$(TMPDIR=/tmp submit --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -o "$S/out/nobody.out" --wrap 'srun true')
	wait_until finished "$job"
	check_equal 'the job ended as usual' "$(shown "$job" JobState)" COMPLETED
	[ "$to" != "$S/closed:$S/spool $S/plugin" ] ||
		check "a user's job is recorded in the next folder" wait_until test -s "$S/plugin/$(id -u nobody)/$today/$job-n1.json.gz"
done
check 'without a folder, that is said' wait_until eval \
	'cat "$S"/log/slurmd-*.log | grep -q "no folder of journal=$S/closed is root.s alone, has room and lets users in: steps are not"'
check_equal 'the folder is named once' "$(cat "$S"/log/slurmd-*.log | grep -c "rtrack: user $(id -u nobody) may not enter $S/closed: journals are in $S/spool")" 1
rm -rf "$S/plugin/$(id -u nobody)"

# -- the shared folder is gone ---------------------------------------------------------------------------------------
slurm_plugin interval=0.5
mv "$S/plugin" "$S/away"
run_job -N2 -n2 --mem=100M -o steps.out steps.sh
job2=$(TMPDIR=/tmp submit --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -o "$S/out/nobody.out" --wrap 'sleep 0.5')
wait_until finished "$job2"
nobody=$(id -u nobody)
waiting="0/$today/$job-n1/0.json.gz 0/$today/$job-n1/1.json.gz 0/$today/$job-n1/2.json.gz 0/$today/$job-n1/batch.json.gz 0/$today/$job-n2/0.json.gz $nobody/$today/$job2-n1/batch.json.gz "
check 'without the shared folder, recordings wait' wait_until eval '[ "$(files "$S/spool" | tr " " "\n" | sort | tr "\n" " " | sed "s/^ //")" = "$(tr " " "\n" <<<"$waiting" | sort | tr "\n" " " | sed "s/^ *//")" ]'
check_equal 'the job ended as usual' "$(shown "$job" JobState) $(grep -c 'task 0: Exited' steps.out)" 'COMPLETED 1'
check_equal "it is said once in slurmd's log" "$(cat "$S"/log/slurmd-*.log | grep -c "rtrack: $S/plugin is not there")" 1
check_equal '--recover without it: status 1, and all stay' "$(recover 2>&1 | grep -c stay) $(files "$S/spool" | wc -w)" '3 6'
mv "$S/away" "$S/plugin"
check_equal '--recover brings all of them' "$(recover 2>&1)" "rtrack-collect: brought 6 recordings to $S/plugin"
slurm_parts
check_equal 'to where they belong' "$(files "$S/spool")$(parts)" \
	'0/rtrack-JOB.0-n1.json.gz 0/rtrack-JOB.0-n2.json.gz 0/rtrack-JOB.1-n1.json.gz 0/rtrack-JOB.2-n1.json.gz 0/rtrack-JOB.batch-n1.json.gz '
check_equal 'and to whom' "$(stat -c '%U %a' "$S/plugin/$nobody" "$S/plugin/$nobody/$today/$job2-n1.json.gz" | tr '\n' ' ')" 'nobody 700 nobody 600 '
steps
check_equal 'that it is there again is said, too' "$(cat "$S"/log/slurmd-*.log | grep -c 'rtrack: recordings can be written again')" 1

# -- a full one ------------------------------------------------------------------------------------------------------
if mkdir "$S/full" && mount -t tmpfs -o size=64k,mode=755 tmpfs "$S/full" 2>/dev/null; then
	install -d -m 700 "$S/full/0" && cat /dev/zero >"$S/full/zero" 2>/dev/null
	echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=$S/full journal=$S/spool interval=0.5" >"$S/plugstack.conf"
	run_job -N1 -n1 -o full.out --wrap 'sleep 0.5'
	check 'a full folder: the recording waits' wait_until test -e "$S/spool/0/$today/$job-n1/batch.json.gz"
	check_equal 'the job ended as usual' "$(shown "$job" JobState)" COMPLETED
	rm "$S/full/zero"
	rtrack-collect -q --recover "$S/spool" --append-to "$S/full"
	check_equal 'with room, it is brought' "$(files "$S/spool")$(files "$S/full")" "0/$today/$job-n1.json.gz "
	run_job -N1 -n1 -o full.out --wrap true && wait_until ended # all is well, which is said
	mount -o remount,ro "$S/full"
	run_job -N1 -n1 -o full.out --wrap 'sleep 0.5'
	check 'a read-only one: the recording waits' wait_until test -e "$S/spool/0/$today/$job-n1/batch.json.gz"
	check_equal 'the job ended as usual' "$(shown "$job" JobState)" COMPLETED
	mount -o remount,rw "$S/full"
	rtrack-collect -q --recover "$S/spool" --append-to "$S/full"
	check_equal 'written to again, it has it' "$(files "$S/spool")$(files "$S/full" | grep -c "$job-n1")" 1
	run_job -N1 -n1 -o full.out --wrap true && wait_until ended
	check_equal "each is said once in slurmd's log" "$(cat "$S"/log/slurmd-*.log | sed -n "s|.*rtrack: $S/full is \\([a-z-]*\\):.*|\\1|p" | paste -sd ' ')" 'full read-only'
else
	skip 'a full folder' 'no mount'
fi

# -- one that never answers ------------------------------------------------------------------------------------------
# A FUSE file system without anybody who would answer; when its maker ends, each call fails.
mkdir "$S/silent"
python3 - "$S/silent" <<'P' &
import ctypes, os, sys, time
options = 'fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other' % os.open('/dev/fuse', os.O_RDWR)
if ctypes.CDLL(None).mount(b'silent', sys.argv[1].encode(), b'fuse', 0, options.encode()) == 0:
	time.sleep(600)
P
maker=$!
if wait_until eval '! kill -0 $maker 2>/dev/null || grep -q "$S/silent" /proc/mounts' && kill -0 $maker 2>/dev/null; then
	echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=$S/silent journal=$S/spool interval=0.5 sync=1" >"$S/plugstack.conf"
	job=$(submit -N1 -n1 -o silent.out --wrap 'srun sleep 3')
	# For ten seconds, a process of slurmstepd's, which itself blocks SIGALRM, and its child, which asks.
	stepds() { pgrep -f "slurmstepd: \\[$job\\."; }
	blocks_nothing() { grep -qs '^SigBlk:[[:space:]]0*$' "/proc/$1/status"; }
	asks() {
		local pid parent
		for pid in $(stepds); do
			parent=$(($(ps -o ppid= -p "$pid")))
			blocks_nothing "$pid" && blocks_nothing $parent && stepds | grep -qx $parent && return
		done
		false
	}
	check 'what asks it can be ended by SIGALRM' wait_until asks
	copying() { slurm_processes | xargs -I% grep -hsx rtrack-sync /proc/%/comm; }
	check 'what copies a journal waits' wait_until eval '[ "$(copying | wc -l)" = 2 ]'
	wait_until finished "$job"
	check_equal 'a folder that never answers: the job ended as usual' "$(shown "$job" JobState)" COMPLETED
	check_that 'in its time' "$(shown "$job" RunTime | sed 's/.*://') <= 6"
	check_equal 'one process for each step copies' "$(copying | wc -l)" 2
	check "it is said in slurmd's log" wait_until eval 'grep -q "rtrack: $S/silent does not answer" "$S"/log/slurmd-*.log'
	# One may wait for a call of another process, which no signal ends.
	check 'it has ended, but for one' wait_until eval '[ "$(stepds | wc -l)" -le 1 ]'
	kill $maker && wait $maker
	check 'when calls fail, the recorders end' wait_until eval '! pgrep -f "rtrack-collect.*$S/.*/$job-n1/"'
	check 'and what copies, and asks' wait_until eval '! copying && ! stepds'
	umount -l "$S/silent"
	check_equal "it is said once" "$(cat "$S"/log/slurmd-*.log | grep -c "rtrack: $S/silent ")" 1
	rtrack-collect -q --recover "$S/spool" --append-to "$S/silent"
	check_equal 'and all is brought' "$(files "$S/spool")$(files "$S/silent")$(slurm_parts "$S/silent" && parts | wc -w)" "0/$today/$job-n1.json.gz 2"
	check_that 'of a second at least' "$(process_column "$S/parts/0/rtrack-$job.0-n1.json.gz" timestamp | wc -l) >= 2"
else
	skip 'a folder that never answers' 'no FUSE'
fi

# -- the recorder is killed ------------------------------------------------------------------------------------------
slurm_plugin interval=0.5
job=$(submit -N1 -n1 -o killed.out --wrap "until [ -e '$S/go' ]; do sleep 0.2; done")
journal=$S/spool/0/$today/$job-n1/batch.json.gz.partial
wait_until test -s "$journal"
wait_until larger "$journal" $(($(stat -c %s "$journal") + 5000)) # some samples
check_equal 'one that runs is left' "$(recover 2>&1)$(files "$S/spool")" "0/$today/$job-n1/batch.json.gz.partial "
kill -KILL "$(pgrep -o -f "rtrack-collect.*$S/.*/$job-n1/batch")"
touch "$S/go"
wait_until finished "$job"
check_equal 'the job ended as usual' "$(shown "$job" JobState)" COMPLETED
check_equal '--recover brings what its journal had' "$(recover 2>&1)$(files "$S/spool")" "rtrack-collect: brought 1 recording to $S/plugin"
slurm_parts
check_that 'which is a second at least' "$(process_column "$S/parts/0/rtrack-$job.batch-n1.json.gz" timestamp | wc -l) >= 2"

# -- the node fails ---------------------------------------------------------------------------------------------------
job=$(submit -N1 -n1 -o killed.out --wrap 'srun -n1 sleep 600')
wait_until test -s "$S/spool/0/$today/$job-n1/0.json.gz.partial"
sleep 1.5
left=$(slurm_left | awk '{ print $1 }')
# shellcheck disable=SC2086
kill -KILL $left 2>/dev/null
# What the unit does when the node is up again.
unit=$(sed -n '/^ExecStart=/,/[^\\]$/{ s/^ExecStart=//; s/\\$//; p }' "$OLDPWD/packaging/systemd/rtrack-spool.service" | tr '\n' ' ' |
	sed "s|/var/spool/rtrack|$S/spool|; s|/srv/rtrack|$S/plugin|")
mv "$S/plugin" "$S/away"
check_equal 'the command of rtrack-spool.service fails without the shared folder' "$(sh -c "$unit" >/dev/null 2>&1 || echo "$?")" 1
mv "$S/away" "$S/plugin"
check 'else it succeeds' sh -c "$unit"
slurm_parts
# A recorder that was killed while it wrote has left a temporary file, which goes an hour later.
check_equal 'and brings both recordings' "$(find "$S/spool" -name '*.json.gz*')$(parts)" '0/rtrack-JOB.0-n1.json.gz 0/rtrack-JOB.batch-n1.json.gz '
check_that 'of a second at least' "$(process_column "$S/parts/0/rtrack-$job.0-n1.json.gz" timestamp | wc -l) >= 2"
scancel "$job"
wait_until finished "$job"

# -- it does not come back --------------------------------------------------------------------------------------------
slurm_plugin interval=0.5 sync=1
job=$(submit -N1 -n1 -o killed.out --wrap 'srun -n1 sleep 600')
copy=$S/plugin/0/$today/$job-n1
check 'sync=1: the journals are copied' wait_until test -s "$copy.0.copy.json.gz.partial"
wait_until larger "$copy.0.copy.json.gz.partial" $(($(stat -c %s "$copy.0.copy.json.gz.partial") + 2000))
left=$(slurm_left | awk '{ print $1 }')
# shellcheck disable=SC2086
kill -KILL $left 2>/dev/null
journal=$S/spool/0/$today/$job-n1/0.json.gz.partial
check 'the copy is the beginning of the journal' cmp -n "$(stat -c %s "$copy.0.copy.json.gz.partial")" "$copy.0.copy.json.gz.partial" "$journal"
age=$(($(stat -c %Y "$journal") - $(stat -c %Y "$copy.0.copy.json.gz.partial")))
check_that 'up to the last copy' "$age <= 3"
rm -rf "$S/spool/0/$today/$job-n1"
check_equal 'script and step are one run, which is unfinished' "$("$F" runs --offline --csv - "$copy".*.partial 2>err | grep -c unfinished)" 1
rtrack-collect -q --recover "$copy.0.copy.json.gz.partial" -o copied.json.gz
check_that 'of a second at least' "$(process_column copied.json.gz timestamp | wc -l) >= 2"
rm "$copy".*
scancel "$job"
wait_until finished "$job"

# -- root is nobody there (root_squash) --------------------------------------------------------------------------------
# As a server decides that: root may not write to a folder of another owner.
mkdir -m 755 "$S/squash" && install -d -m 700 -o nobody -g "$(id -g nobody)" "$S/squash/$nobody" && chown daemon "$S/squash"
echo "optional $S/rtrack_spank.so collect=$S/bin/rtrack-collect dir=$S/squash journal=$S/spool interval=0.5" >"$S/plugstack.conf"
kill "${daemons[2]}" && wait "${daemons[2]}" 2>/dev/null
setpriv --bounding-set=-dac_override,-dac_read_search slurmd -D -N "$N1" >/dev/null 2>&1 &
daemons[2]=$!
wait_until nodes_idle
job=$(TMPDIR=/tmp submit -w "$N1" --uid=nobody --gid="$(id -g nobody)" -D "$S/out" -o "$S/out/squash.out" --wrap 'srun sleep 0.5')
wait_until finished "$job"
check 'with root_squash, a user who has a folder is recorded' wait_until eval '[ -z "$(files "$S/spool")" ]'
check_equal 'with script and step' "$(slurm_parts "$S/squash" && parts)" "$nobody/rtrack-JOB.0-n1.json.gz $nobody/rtrack-JOB.batch-n1.json.gz "
run_job -w "$N1" -o squash.out --wrap true
check 'without a folder, the recording waits' wait_until test -e "$S/spool/0/$today/$job-n1/batch.json.gz"
check_equal 'the job ended as usual' "$(shown "$job" JobState)" COMPLETED
check "it is said in slurmd's log" wait_until eval 'grep -q "rtrack: $S/squash can have no folder of root (root_squash?): recordings of root.s jobs stay" "$S"/log/slurmd-*.log'
check_equal 'nothing there is of root' "$(find "$S/squash" -user root)" ''

# -- nothing is left -------------------------------------------------------------------------------------------------
slurm_plugin
check 'no process is left' wait_until eval 'left=$(slurm_left); echo "$left"; [ -z "$left" ]'
echo "1..$n"
