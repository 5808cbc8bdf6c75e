# --now: what the jobs of this user use at this moment, as text and as JSON; whose process is whose job is tried in
# tests/unit/collect/process/test_user_trees.c.
. tests/check.sh
cd "$D" || exit
job= hidden=
clean_up() { [ -z "$job" ] || kill -- -$job $hidden 2>/dev/null; }

# A job on a terminal: a shell that uses a core, and 96 MiB that two processes share, one with a password.
cat >big.py <<'end'
import os, time
b = b"x" * (96 << 20)
os.fork()
open(f"ready.{os.getpid()}", "w").close()
time.sleep(300)
end
cat >job.sh <<'end'
echo $$ >pid
while :; do :; done &
python3 big.py --password hunter2
end
# exec: script starts it by $SHELL, and some shells would stay its parent.
script -qec 'exec bash ./job.sh' /dev/null </dev/null >/dev/null &
two() { [ "$(find . -name 'ready.*' | wc -l)" = 2 ]; }
wait_until two
job=$(cat pid)

now() { "$R" --now --json >now; }
# A member of the job's tree.
of() { node -e 'const all = JSON.parse(require("fs").readFileSync("now")), [job, what] = process.argv.slice(1);
	const t = all.heaviest.find((t) => t.pid == job);
	console.log(eval(what))' "$job" "$1"; }
now
check_equal '--now: status' $? 0
check_equal 'one line of JSON' "$(wc -l <now)" 1
check_equal 'of this user' "$(of all.uid)" "$(id -ru)"
check_that 'measured for half a second; more on a loaded machine' "$(of all.seconds) >= 0.5 && $(of all.seconds) < 60"
check_that 'the processes of the job are in one tree' "$(of t.processes) == 4"
check_that 'age' "$(of t.age_s) >= 0"
check_that 'a part of a core at least' "$(of t.cores) > 0"
check_equal 'the largest process' "$(of t.largest.name)" python3
if [ "$(of t.pss_bytes)" = null ]; then
	skip 'PSS'
	skip 'PSS is below RSS'
else
	check_that 'PSS counts what two share once' "$(of t.pss_bytes) > 96 * 1048576"
	check_that 'RSS twice' "$(of 't.rss_bytes - t.pss_bytes') > 90 * 1048576"
fi
check_equal 'secrets are hidden' "$(of 't.largest.command.replace(/.*python3/, "")')" ' big.py --password ***'
check_equal 'no command lines' "$("$R" --now --json --no-command | grep -c '"command":"')" 0
check_equal 'rtrack-collect is no job' "$(grep -c '"name":"rtrack-collect","command":"[^"]*--now' now)" 0

"$R" --now >text
check 'text' grep -qE "^user $(id -ru): [0-9]+ process(es)? in [0-9]+ trees?: [0-9.]+ [A-Za-z]+ (PSS|RSS), [0-9.]+ cores over [0-9.]+ s$" text
check 'its columns' grep -qx 'PID              MEMORY  CORES        AGE  PROCESSES  COMMAND' text
check 'the largest' grep -qE '^ +largest: [0-9]+ python3, [0-9.]+ MiB (PSS|RSS)$' text
check_equal 'secrets there' "$(grep -c hunter2 text)" 0

# A process that may not be traced has no PSS, which is said, and its tree has RSS.
nobody='--reuid 65534 --regid 65534 --clear-groups'
if [ "$(id -u)" = 0 ] && setpriv $nobody true 2>err; then
	chmod 755 "$D"
	cp "$T/states" "$R" . && R=$D/rtrack-collect
	setpriv $nobody ./states /dev/null 300 hide &
	hidden=$!
	setpriv $nobody sleep 300 &
	hidden="$hidden $!"
	wait_until setpriv $nobody sh -c '! cat /proc/$1/io' sh "${hidden% *}" 2>/dev/null >&2
	setpriv $nobody "$R" --now >text
	check 'no PSS: RSS' grep -qE "^${hidden% *} +[0-9.]+ [KM]iB RSS" text
	check 'and a note' grep -qE '^note: PSS of [0-9]+ process(es)? may not be read: ' text
	hides() { unshare -m sh -c 'mount -t proc -o hidepid=invisible proc /proc 2>/dev/null && '"$1"; }
	if hides "setpriv $nobody test ! -e /proc/1"; then
		hides "setpriv $nobody $R --now" >text
		check 'hidepid is said' grep -qE '^note: /proc hides processes of other users' text
		check 'and the own are there' grep -qE '^user 65534: [1-9]' text
	else
		skip 'hidepid'
		skip 'and the own are there'
	fi
else
	for check in 'no PSS: RSS' 'and a note' 'hidepid' 'and the own are there'; do skip "$check"; done
fi

# /proc of another PID namespace has other processes below the same numbers: none of them is taken for the command.
if unshare -pf true 2>/dev/null; then
	unshare -pf sh -c '"$0" --now; exec "$0" -q -i 0.1 --no-discover-cloud -o ns.gz -- sh -c "sleep 0.3; exit 3"' "$R" >text 2>err
	check_equal '/proc of another namespace: the status is that of the command' $? 3
	check 'what others use is not shown' grep -q 'cannot be seen: /proc is of another PID namespace' err
	check 'nor recorded' eval 'zcat ns.gz | grep -q "cannot be seen: /proc is of another PID namespace" &&
		zcat ns.gz | grep -qE "\"read_bytes\":null,\"written_bytes\":null" && awk "BEGIN { exit !($(cpu_time ns.gz) < 0.3) }"'
else
	skip '/proc of another namespace' 3
fi

"$R" --now --once 2>err
check_equal 'not with --once' $? 125
"$R" --json true 2>err
check_equal '--json needs --now' $? 125
echo "1..$n"
