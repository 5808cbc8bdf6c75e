#!/bin/bash
# The command is stopped, by anyone: rtrack-collect stops and continues with it, so that job control works as usual.
. tests/check.sh
cd "$D" || exit 1
export PS1='go> ' R

state() { cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null; }
in_state() { [ "$(state "$1")" = "$2" ]; }
is_there() { [ -s "$1" ]; }
noted() { zcat "$1" | grep -oE 'The command was stopped [0-9]+ times?, for [0-9.]+ s in all[^"]*'; }

# -- under a shell -----------------------------------------------------------------------------------
dialogue "kill -STOP \$\$: the shell has its prompt, fg, and on" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o stop.gz bash -c 'kill -STOP \$\$; echo o""n; exit 5'\n
expect Stopped
expect go>
send fg\n
expect on
send echo status=\$?\n
expect status=5
send exit\n
S
check "which the snapshot says" test "$(noted stop.gz | cut -d, -f1)" = 'The command was stopped 1 time'
dialogue "so with SIGTSTP to itself alone" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz bash -c 'kill -TSTP \$\$; echo o""n; exit 5'\n
expect Stopped
send fg\n
expect on
send echo status=\$?\n
expect status=5
send exit\n
S
dialogue "one in the background that reads the terminal, and says why it stopped" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz sh -c 'read x; echo "got:\$x"; exit 5' &\n
expect go>
await $D/a.gz.partial r
send while ! jobs -l | grep Stop; do sleep 0.1; done\n
expect Stopped (tty input)
send fg\n
expect sh -c
send hello\n
expect got:hello
send echo status=\$?\n
expect status=5
send exit\n
S
dialogue "stopped and continued twice" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o twice.gz bash -c 'kill -STOP \$\$; kill -STOP \$\$; exit 5'\n
expect Stopped
send fg\n
expect Stopped
send fg; echo status=\$?\n
expect status=5
send exit\n
S
check "which is reported as well" test "$(noted twice.gz | cut -d, -f1)" = 'The command was stopped 2 times'
dialogue "one recording within another" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz -- "\$R" -q -o b.gz bash -c 'kill -STOP \$\$; exit 5'\n
expect Stopped
send fg; echo status=\$?\n
expect status=5
send exit\n
S
dialogue "a stopped job is killed" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o killed.gz bash -c 'kill -STOP \$\$; exit 5'\n
expect Stopped
send kill %%\n
send while [ -e killed.gz.partial ]; do sleep 0.05; done; exit\n
S
check "by that signal" sh -c 'zcat killed.gz | grep -q "\"signal\":\"TERM\""'

# A command in a process group of its own, of which the terminal does not know.
# timeout(1) sends what it gets to its group once more. A file, since Ctrl-C empties the terminal.
dialogue "Ctrl-C reaches a command that made a group" 0 "$R" -q -o a.gz timeout 60 "$T/catch" log <<'S'
await log ready
send \003
await log got INT 1
send \003
await log got INT 2
send \003
S
dialogue "and Ctrl-Z and fg do" 0 bash --norc --noprofile -i <<S
send "\$R" -q -o a.gz timeout 60 sh -c 'echo run""ning; while ! [ -e go ]; do sleep 0.05; done; exit 5'\n
expect running
send \032
expect Stopped
send touch go; fg; echo status=\$?\n
expect status=5
send exit\n
S

# -- without a terminal ------------------------------------------------------------------------------
# Starts a command that writes its number to pid and stops itself, and waits for both to be stopped.
stopped() {
	rm -f pid ran ./*.gz*
	setsid -w "$R" -q --no-discover-cloud -o a.gz -- sh -c 'echo $$ >pid.new; mv pid.new pid; kill -STOP $$; echo ran >ran; exit 6' &
	shell=$!
	wait_until is_there pid
	job=$(cat pid)
	p=$(ps -o ppid= -p "$job" | tr -d ' ')
	wait_until in_state "$job" T && wait_until in_state "$p" T
}
stopped
check "both are stopped" test "$(state "$p") $(state "$job")" = 'T T'
kill -CONT "$p"
wait $shell
check "SIGCONT to us alone continues both" test "$? $(cat ran)" = '6 ran'
stopped
kill -CONT "$job"
wait $shell
check "so does SIGCONT to the command alone, as the collector notices" test "$? $(cat ran)" = '6 ran'
check "and it says how long it was stopped" test -n "$(noted a.gz)"
stopped
kill -KILL "$job"
wait $shell
check "a command that is killed while it is stopped" test $? = 137
stopped
watcher=$(cat "/proc/$p/task/$p/children")
watcher=${watcher/$job/}
check "there is one process that watches" test "$(cat /proc/$((watcher))/comm)" = rtrack-watch
kill -KILL "$p"
wait $shell 2>/dev/null
wait_until test ! -e /proc/$((watcher))
check "and it ends with us" test $? = 0
kill -KILL "$job" 2>/dev/null

# A stop is a gap: no sample counts as late, no row has more CPU than there is, and all of it is there.
rm -f pid
# On a busy machine some are late while the command runs, which it therefore does for a short time.
setsid -w "$R" -q -i 0.05 -o gap.gz -- sh -c 'echo $$ >pid.new; mv pid.new pid; i=0
	while [ $i -lt 100000 ]; do i=$((i + 1)); done; kill -STOP $$; i=0
	while [ $i -lt 100000 ]; do i=$((i + 1)); done' &
shell=$!
wait_until is_there pid
wait_until in_state "$(cat pid)" T
sleep 2
kill -CONT "$(cat pid)"
wait $shell
zcat gap.gz >gap.json
skipped=$(grep -oE '[0-9]+ samples? w[a-z]* skipped' gap.json | cut -d' ' -f1)
check "the 40 samples that a stop leaves out are not called late (${skipped:-0} are)" test "${skipped:-0}" -lt 36
check "the stop is as long as it was" sh -c \
	'grep -o "stopped 1 time, for [0-9.]*" gap.json | awk "{ exit !(\$5 >= 2 && \$5 < 60) }"'
check "no row has more than one core" sh -c 'grep -o "\"process_metrics\".*\"system_metrics\"" gap.json |
	grep -oE "\"cpu_usage\":\[[^]]*\]" | grep -oE "[0-9]+\.?[0-9]*" | awk "\$1 > 1.6 { bad++ } END { exit bad > 0 || NR < 3 }"'

# A process that is followed, and not ours, may be stopped without us.
sleep 60 &
other=$!
"$R" -q -i 0.02 --csv process --csv-file rows.csv -o p.gz -p $other &
p=$!
wait_until is_there rows.csv
kill -STOP $other
wait_until in_state $other T
before=$(wc -l <rows.csv)
more() { [ "$(wc -l <rows.csv)" -gt $((before + 5)) ]; }
wait_until more
check "with --pid the recording goes on while the process is stopped" test $? = 0
kill -KILL $other
wait $other 2>/dev/null
wait $p
check "until its end" test $? = 0
echo "1..$n"
