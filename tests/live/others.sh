# Recordings that belong to other people and may not be read: left out, counted, and no error; one's own are one.
. tests/check.sh
cd "$D" || exit
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || skip_all 'one user cannot have files of another one'
as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
chmod 755 "$D"
"${as[@]}" test -x "$P" -a -r . || skip_all 'another user cannot run it here'
# recording FILE START: a minute on a CPU
recording() {
	printf '{"rtrack_row":{"id":"%s","scope":"job","name":"fit","user":"ann","host":"n1","start":%s,"wall_s":60,"samples":60,"status":"finished","code":0,"oom_kills":0,"cpu_s":60,"cores_mean":1,"cores_peak":1,"memory_mean_bytes":1000000,"memory_peak_bytes":1000000,"asked_cpus":1,"asked_memory_bytes":8000000,"vcpus":4,"machine_memory_bytes":64000000},"metadata":{"version":1,"pid":1,"start_time":%s,"stop_time":%s,"interval":1},"server_info":{"vcpus":4,"memory_mb":64},"process_metrics":{"timestamp":[%s,%s],"cpu_usage":[1,1],"memory":[900,900]},"system_metrics":{}}\n' \
		"$1" "$2" "$2" $(($2 + 60)) $(($2 + 30)) $(($2 + 60)) >"$1"
}
mkdir -p runs/closed runs/named home
recording runs/mine.json 1795000000
recording runs/readable.json 1795001000
recording runs/secret-1.json 1795002000
recording runs/secret-2.json 1795003000
recording runs/closed/a.json 1795004000
recording runs/named/b.json 1795005000
recording home/c.json 1795006000
ln -s "$D/home/c.json" runs/link.json
chmod 600 runs/secret-*.json
chmod 700 runs/closed home
chmod 744 runs/named # its names can be listed, and no more
chown 65534 runs/mine.json
mkdir out
chown 65534 out

fleet() { # SOURCE…
	"${as[@]}" "$F" groups --offline --now 1795100000 --json out/f.json "$@" 2>err
	echo $?
}
left() { node -e 'const m = JSON.parse(require("fs").readFileSync("out/f.json")); console.log(m.left_out.known, m.left_out.rows.filter(r => r.id === "others").map(r => r.why).join(), m.inputs.length)'; }
check_equal 'a fleet with files of others' "$(fleet runs)" 0
check_equal 'says nothing about single ones' "$(cat err)" ''
check_equal 'but how many' "$(left)" 'true 4 recordings and 1 folder belong to other people and may not be read. 0'
"${as[@]}" "$F" groups --offline --now 1795100000 -o out/f.html --text out/f.txt runs
check 'on the page, too' has out/f.html '4 recordings and 1 folder belong to other people'
check 'and in the text' has out/f.txt 'Of other people'
check_equal 'into a catalog' "$("${as[@]}" "$F" add --catalog out/c.db runs 2>&1; echo $?)" \
	'added 2 of 2 recordings; 4 recordings and 1 folder belong to other people and may not be read
0'
check_equal 'where nothing else is' "$(fleet runs/secret-1.json runs/closed; cat err)" \
	'1
rtrack-fleet: runs/secret-1.json and others: no recordings there: 1 recording and 1 folder belong to other people and may not be read'
check_equal 'what to ask for' "$("${as[@]}" "$F" ask --input runs/mine.json runs/closed 2>&1)" \
	'rtrack-fleet: there is no recording of such a run: nothing is known of what to ask for; 1 folder belongs to other people and may not be read'
check_equal 'a job' "$("${as[@]}" "$F" job 12345 -o out/job.html runs/closed 2>&1)" \
	'rtrack-fleet: no recording is of job 12345; 1 folder belongs to other people and may not be read'
chmod 000 runs/mine.json
check_equal 'a file of one'\''s own is an error' "$(fleet runs)" 4
check_equal 'with its sentence' "$(cat err)" "rtrack-fleet: $D/runs/mine.json: Permission denied"
check_equal 'and alone in the list' "$(left)" 'true 4 recordings and 1 folder belong to other people and may not be read. 1'
check_equal 'for root all can be read' "$("$F" groups --offline --now 1795100000 --json out/root.json runs 2>&1; echo $?)" 0

# A list of runs.
chmod 600 runs/mine.json
"${as[@]}" "$F" runs --offline --now 1795100000 --text out/list.txt runs 2>err
check_equal 'a list of runs: its status' $? 0
check 'and its last lines' has out/list.txt '4 recordings and 1 folder belong to other people'

# The report of one run.
one() { "${as[@]}" "$P" --offline --now 1795100000 --text out/one.txt -o out/one.html "$@" 2>err; echo $?; }
check_equal 'the report of one' "$(one runs)" 0
check_equal 'says how many' "$(cat err)" 'rtrack-report: 3 recordings belong to other people and may not be read'
check 'in its text' has out/one.txt '3 recordings belong to other people and may not be read'
check 'and on its page' has out/one.html '3 recordings belong to other people and may not be read'
check_equal 'with none of one'\''s own' "$(one runs/secret-1.json home; cat err)" \
	'1
rtrack-report: 1 recording and 1 folder belong to other people and may not be read
rtrack-report: no recording to report on: those that are there belong to other people'
chmod 000 runs/mine.json
check_equal 'and with one that is, but cannot be read' "$(one runs)" 4
check 'which is named' has err 'mine.json: Permission denied'
echo "1..$n"
