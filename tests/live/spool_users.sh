# Recordings that wait in the spool: a user who disturbs what brings his own keeps nobody else's from being brought, and it is said.
. tests/check.sh
[ "$(id -u)" = 0 ] || skip_all 'only root brings recordings of several users'
cd "$D" || exit
chmod 755 .
bad=$(id -u daemon) good=$(id -u nobody)
mkdir dir spool
"$R" -q --no-discover-cloud -o a.json.gz -- true
for user in "$bad" "$good"; do
	mkdir -p "spool/$user/2026-11-29/7-n1" "dir/$user/2026-11-29"
	cp a.json.gz "spool/$user/2026-11-29/7-n1/0.json.gz"
	touch "dir/$user/2026-11-29/7-n1.json.gz"
	chown -R "$user" "spool/$user" "dir/$user"
done
waits=spool/$bad/2026-11-29/7-n1/0.json.gz

# While its file is locked, what brings it waits, and is a process of the user.
exec 9<"dir/$bad/2026-11-29/7-n1.json.gz"
flock 9
"$R" --recover spool --append-to dir >out 2>err 9<&- & brings=$!
has_child() { read -r child <"/proc/$brings/task/$brings/children"; [ -n "$child" ]; } # no end of line
wait_until has_child
kill -KILL "$child"
wait "$brings"
check_equal 'the status' $? 1
check 'the user is named' grep -q "spool/$bad: not all of it was brought" err
check 'the recording stays' test -s "$waits"
check "another user's is brought" test -s "dir/$good/2026-11-29/7-n1.json.gz"
exec 9<&-

"$R" --recover spool --append-to dir >out 2>err
check_equal 'the next time, it is brought' "$?:$([ -e "$waits" ] || echo gone)" 0:gone
