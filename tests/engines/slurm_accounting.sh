#!/bin/bash
# Slurm's accounting as a source: some 200 jobs of all ends on a real Slurm of two nodes with slurmdbd and MariaDB, recorded by the
# plugin, imported, and compared figure by figure with SQL over slurmdbd's own tables.
. tests/check.sh
. tests/engines/slurm.bash
[ "$(id -u)" = 0 ] || skip_all 'only root may start a Slurm'
command -v slurmctld munged slurmdbd mariadbd >/dev/null || skip_all 'slurm-wlm, slurmdbd, munge or mariadb-server is not installed'
command -v sqlite3 >/dev/null || skip_all 'sqlite3 is not installed'
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
mkdir "$S/plugin"

jobs() { submit -o /dev/null -n1 --mem=100 "$@" >>jobs; }
slurm_plugin interval=1
submit -o /dev/null -J het -n1 --mem=100 : -n1 --mem=150 --wrap 'srun --het-group=0,1 deed hold 20 4000 0' >/dev/null
suspended=$(submit -o /dev/null -J suspended -n1 --mem=100 --wrap 'deed hold 20 9000 0')
wait_until eval '[ "$(shown "$suspended" JobState)" = RUNNING ]'
sleep 2
scontrol suspend "$suspended"
sleep 5
scontrol resume "$suspended"
jobs -J timeout -t 1 --wrap 'exec deed hold 20 1000000 0'
jobs -J finished --array=0-15 --wrap 'deed hold 30 2500 0'
jobs -J steps --array=0-5 --mem=150 --wrap 'srun --mem=70 deed hold 40 2500 0; srun deed hold 20 2500 0'
jobs -J oom --array=0-9 --wrap 'deed hold 200 1 0'
jobs -J cancelled --array=0-1 --wrap 'deed hold 10 600000 0'
jobs -J requeued --requeue --wrap 'deed hold 10 8000 0'
requeue=$(tail -n 1 jobs)
submit -o /dev/null -J nodes -N2 -n2 --mem=100 --wrap 'srun deed hold 20 2500 0' >>jobs
wait_until eval '[ "$(shown "$requeue" JobState)" = RUNNING ]'
scontrol requeue "$requeue"
# Without the plugin, they are in the accounting alone; the batch script of those that were submitted before has it.
slurm_plugin
jobs -J short --array=0-119 --wrap true
jobs -J failed --array=0-39 --wrap 'exit 3'
jobs -J crashed --array=0-9 --wrap 'kill -SEGV $$'
jobs -J never --begin=now+1hour --wrap true
cancelled=$(sed -n 5p jobs)
wait_until eval '[ "$(squeue -h -r -t R -n cancelled | wc -l)" = 2 ]'
scancel "$cancelled"
scontrol release "$requeue" 2>/dev/null
scontrol update "jobid=$requeue" StartTime=now 2>/dev/null
for _ in 1 2 3; do wait_until eval '[ "$(squeue -h -r -t R,CG,PD | wc -l)" -le 1 ]' && break; done
wait_until eval '! squeue -h -t CG | grep -q .'
check_equal 'all have ended but the one that waits' "$(squeue -h -o %j)" never

# sql QUERY: over slurmdbd's tables. The numbers of states and resources are slurmdb.h's.
sql() { mariadb --socket="$S/db/s" -u root -N a -e "$1"; }
ran="time_start > 0 and nodelist != 'None assigned'"
tres() { echo "substring_index(substring_index(concat(',', $1), ',$2=', -1), ',', 1)"; }
has() { echo "concat(',', $1) like '%,$2=%'"; }
wait_until eval '[ "$(sql "select count(*) from test_job_table where $ran and time_end = 0")" = 0 ]'
wait_until eval '[ "$(sql "select count(*) from test_step_table where time_end = 0")" = 0 ]'
# The words of the catalog for them.
by_end=$(sql "select case state when 3 then 'finished' when 4 then 'cancelled' when 5 then if(exit_code & 127, 'crash', 'exited')
	when 6 then 'time_limit' when 11 then 'oom' when 1024 then 'requeued' else state end as s, count(*) from test_job_table where $ran
	group by s order by s")

"$F" add --offline --catalog accounted.db --sacct-since 1h >added 2>err
check_equal 'sacct is imported' "$? $(cat err)" '0 '
of() { sqlite3 -separator $'\t' "$1" "$2"; }
count=$(sql "select count(*) from test_job_table where $ran")
check_equal 'some 200 jobs' "$((count >= 190)) $(cat added)" "1 added $count of $count jobs"
check_equal 'jobs by their end' "$(of accounted.db 'select end_cause, count(*) from runs group by 1 order by 1')" "$by_end"
check_equal 'each has an ID of its own, but the components of a job' "$(of accounted.db 'select count(distinct job_id) from runs')" "$((count - 1))"
check_equal 'the second attempt of one job' "$(of accounted.db "select count(*) from runs where job_id like 'slurm/test/$requeue/%'")" 2

# CPU time: the kernel's account, or what was sampled if that is more. sacct prints milliseconds, and of samples seconds.
cpu=$(sql "select sum(greatest(user_sec + sys_sec + (user_usec + sys_usec) / 1e6,
	if($(has tres_usage_in_tot 1), floor($(tres tres_usage_in_tot 1) / 1000), 0),
	if($(has tres_usage_in_max 1), floor($(tres tres_usage_in_max 1) / 1000), 0))) from test_step_table")
check_equal 'CPU seconds, to a millisecond for each step' "$(of accounted.db "select sum(cpu_s) <= $cpu + 1e-6 and
	sum(cpu_s) >= $cpu - 1e-3 * $(sql 'select count(*) from test_step_table'), count(cpu_s) from runs")" "1	$count"
# A peak below 4 MiB may be that of slurmstepd alone, before the program began: it is unknown then.
rss=$(sql "select id_job, max($(tres tres_usage_in_tot 2)) from test_job_table join test_step_table using (job_db_inx)
	where job_name in ('finished', 'timeout', 'cancelled') group by job_db_inx having max($(tres tres_usage_in_tot 2) + 0) > 4 << 20
	order by id_job")
check_equal 'the peak of memory of each job of one step' "$(of accounted.db "select cast(replace(replace(job_id, 'slurm/test/', ''), '/0', '')
	as integer) as id, printf('%d', memory_peak_bytes) from runs where name in ('finished', 'timeout', 'cancelled') and memory_peak_bytes > 4 << 20 order by id")" "$rss"
check_equal 'of several steps: more than the largest, less than all' "$(of accounted.db "select min(memory_peak_bytes) > 40 << 20,
	max(memory_peak_bytes) < 70 << 20 from runs where name = 'steps'")" '1	1'
check_equal 'what was asked for, of several nodes for each' "$(of accounted.db "select name, asked_cpus, asked_memory_bytes / 1048576, asked_time_s, nodes from runs
	where name in ('timeout', 'nodes') order by name")" "nodes	1.0	100.0		2.0
timeout	1.0	100.0	60.0	1.0"
check_equal 'wall seconds' "$(of accounted.db 'select printf("%d", sum(wall_s)) from runs')" \
	"$(sql "select sum(time_end - time_start - time_suspended) from test_job_table where $ran")"
check_equal 'elements of arrays belong together' "$(of accounted.db "select count(distinct workflow_run), count(*) from runs
	where name in ('finished', 'failed')")" '2	56'

# The JSON of the same.
sacct -D -a --json -S now-1hours >jobs.json 2>err
"$F" add --offline --catalog json.db jobs.json >added 2>err
check_equal 'the same jobs as JSON' "$(of json.db 'select count(*), printf("%d", sum(wall_s)) from runs')" \
	"$(of accounted.db 'select count(*), printf("%d", sum(wall_s)) from runs')"
check_equal 'with the same ends and peaks' "$(of json.db 'select job_id, end_cause, memory_peak_bytes from runs order by 1' | sum)" \
	"$(of accounted.db 'select job_id, end_cause, memory_peak_bytes from runs order by 1' | sum)"

# Recorded and accounted: one run, with the end of the accounting.
"$F" add --offline --catalog both.db "$S/plugin" --sacct-since 1h >added 2>err
check_equal 'a job that is recorded as well is one run' "$(of both.db "select count(distinct job_id) from runs")" "$((count - 1))"
check_equal 'a heterogeneous job is one run, each node with its ask' "$(of both.db "select count(distinct joined), min(joined <> ''),
	min(asked_memory_bytes) / 1048576, max(asked_memory_bytes) / 1048576 from runs where name = 'het'")" '1	1	100.0	150.0'
check_equal 'the time while a job was suspended does not count' "$(of both.db "select origin, wall_s <= $(sql "select time_end - time_start - time_suspended
	from test_job_table where job_name = 'suspended'") + 2, $(sql "select time_suspended >= 4 from test_job_table where job_name = 'suspended'")
	from runs where name = 'suspended'")" 'recorded+sacct	1	1'
check_equal 'recorded jobs have the end of the accounting' "$(of both.db "select count(*) > 0, count(distinct end_cause) from runs
	where origin = 'recorded+sacct' and name = 'oom'")" '1	1'
echo "1..$n"
