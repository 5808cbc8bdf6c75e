#!/bin/bash
# Interactive programs on a terminal: keys, job control, hang-up.
. tests/check.sh
cd "$D" || exit 1
export PS1='go> ' LESS= PAGER= R T
rm -f log log2


# Without a command: what is recorded, where, and how to stop it, but only on a terminal.
dialogue "the machine: what, where, how to stop" 0 "$R" --no-discover-cloud -o m.json.gz <<'S'
expect rtrack-collect: recording the machine to m.json.gz; stop with Ctrl-C
send \003
expect stopped after
expect next: rtrack-report -o report.html m.json.gz
S
sleep 1000 &
dialogue "a process: what, where, how to stop" 0 "$R" --no-discover-cloud -o p.json.gz -p $! <<S
expect rtrack-collect: recording process $! to p.json.gz until it ends; Ctrl-C stops the recording
send \003
expect no longer followed
S
dialogue "nothing with --quiet" 0 "$R" -q --no-discover-cloud -o q.json.gz -p $! <<S
await q.json.gz.partial p
sleep 200
send \003
S
check_equal 'not a word' "$(grep -c -e recording -e next: screen)" 0
kill $!
timeout -s INT 0.5 "$R" --no-discover-cloud -o f.json.gz 2>err
check_equal 'nor where standard error is a file' "$(grep -c -e recording -e next: err)" 0

dialogue "Ctrl-C comes once" 0 "$R" -q -o a.gz "$T/catch" <<'S'
expect ready
send \003
expect got INT 1
sleep 300
send \003
expect got INT 2
sleep 300
send \003
expect got INT 3
S
dialogue "Ctrl-C ends what does not catch it" 130 "$R" -q -o a.gz sleep 20 <<'S'
sleep 500
send \003
S
dialogue "Ctrl-\\ comes once" 0 "$R" -q -o a.gz "$T/catch" <<'S'
expect ready
send \034
expect got QUIT 1
send \003
expect got INT 1
send \003
expect got INT 2
send \003
expect got INT 3
S
dialogue "a hang-up comes, where we lead the session" 0 "$R" -q -o a.gz "$T/catch" log <<'S'
await log ready
hangup
S
check 'once' test "$(grep -c 'got HUP 1' log)" = 1

dialogue "Ctrl-Z, fg, and on" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz sh -c 'echo run""ning; exec cat'\n
expect running
send \032
expect Stopped
send fg\n
expect cat
sleep 300
send hello\n
expect hello
expect hello
send \004
sleep 300
send echo status=\$?\n
expect status=0
send exit\n
S
dialogue "Ctrl-Z, bg, kill" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz "\$T/catch" log2\n
await log2 ready
send \032
expect Stopped
send bg\n
await log2 got CONT
send kill %%\n
await log2 got TERM
send kill -HUP %%\n
await log2 got HUP
send wait; exit\n
S
check 'signals to the job' eval "grep -q 'got TERM' log2 && grep -q 'got HUP' log2"
dialogue "an interactive shell within" 7 "$R" -q -o a.gz bash --norc --noprofile -i <<'S'
expect go>
send sh -c 'echo run""ning; exec sleep 20'\n
expect running
send \032
expect Stopped
send kill %%; exit 7\n
sleep 200
send exit 7\n
S
if command -v less >/dev/null; then
	seq 2000 >numbers
	dialogue "less" 0 "$R" -q -o a.gz less numbers <<'S'
expect 20
send G
expect 2000
send g
expect 1
send q
S
fi
if command -v top >/dev/null; then
	dialogue "top, which stops itself" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz top\n
expect PID
sleep 500
send \032
expect Stopped
send fg\n
expect PID
sleep 200
send q
expect go>
send echo status=\$?\n
expect status=0
send exit\n
S
fi
if command -v vi >/dev/null; then
	dialogue "vi" 0 "$R" -q -o a.gz vi written <<'S'
expect ~
send itext\033:wq\n
S
	check 'and it wrote' grep -q text written
fi
echo "1..$n"
