#!/bin/bash
# The command runs as it would without rtrack-collect: signals, file descriptors, limits, groups, exit status.
. tests/check.sh
cd "$D" || exit 1


# Each signal reaches the command once.
"$R" -q -o a.gz "$T/catch" log &
p=$!
wait_until has log ready
for s in 'USR1 1' 'USR2 1' 'TERM 1' 'QUIT 1' 'CONT 1' 'USR1 2'; do
	kill -"${s% *}" $p
	wait_until has log "got $s"
done
kill -HUP $p
wait $p
check "the command decides when it ends" test $? = 0
printf 'ready\ngot USR1 1\ngot USR2 1\ngot TERM 1\ngot QUIT 1\ngot CONT 1\ngot USR1 2\ngot HUP 1\n' >expect
check "each signal came once" diff expect log

"$R" -q -o t.gz sleep 60 &
p=$!
# The journal is there after we have taken over the signals.
wait_until has t.gz.partial .
kill -TERM $p
wait $p
check "TERM: status 143" test $? = 143
check "and the snapshot says so" sh -c 'zcat t.gz | grep -q "\"signal\":\"TERM\",\"cause\":\"signaled\""'

# A command that signals its own group does not get it twice by us.
setsid -w "$R" -q -o a.gz -- bash -c 'n=0; trap "n=\$((n + 1))" TERM; kill -TERM 0; sleep 0.3; sleep 0.1; exit $n'
check "kill 0 within the command" test $? = 1

# What the command inherits.
cat >state.sh <<'S'
grep -E '^Sig(Blk|Ign)|^Seccomp|^NoNewPrivs|^CoreDump' /proc/self/status
cut -d' ' -f6- /proc/self/stat | cut -d' ' -f1,2
ls /proc/$$/fd
ulimit -a
env | grep -vE '^(_|RTRACK_MARK)=' | sort
umask
pwd
cat /proc/self/oom_score_adj
S
(trap '' PIPE CHLD USR1; sh state.sh) >direct 2>&1 </dev/null
(trap '' PIPE CHLD USR1; "$R" -q -o a.gz sh state.sh) >under 2>&1 </dev/null
check "mask, dispositions, descriptors, limits, environment" diff direct under
sh state.sh >direct 2>&1 <&-
"$R" -q -o a.gz sh state.sh >under 2>&1 <&-
check "a standard input that is closed stays closed" diff direct under
(trap '' CHLD; "$R" -q -o a.gz -- sh -c 'exit 9')
check "where SIGCHLD was ignored the status is there" test $? = 9
check "a pipe is passed through" test "$(echo text | "$R" -q -o a.gz cat | tr t T)" = TexT
check "an ignored SIGPIPE is ours alone" sh -c '"$0" -q -o a.gz -- sh -c "yes; exit \$?" 2>/dev/null | head -n 1 >/dev/null' "$R"

# The start: 20 times the time of a direct start and 50 ms are plenty, under a sanitizer too, and the best
# of many is as fast as it can be on a machine that others keep busy.
cat >when.sh <<'S'
date +%s%N
S
started() { # COMMAND…: ns until it runs, the best of 20
	local best=999999999 t
	for _ in $(seq 20); do
		t=$(date +%s%N)
		t=$(($("$@" sh when.sh) - t))
		[ $t -lt $best ] && best=$t
	done
	echo $best
}
direct=$(started env) best=$(started "$R" -q -o a.gz)
check "the start is not delayed ($((best / 1000)) us, directly $((direct / 1000)) us)" \
	test $best -lt $((50000000 + 20 * direct))

# Nothing that rtrack does changes the command's fate.
(ulimit -f 8; "$R" -q -i 0.02 -o full.gz -- sh -c 'for i in $(seq 600); do [ -s err ] && break; sleep 0.1
	done; exit 4') 2>err
check "a full disk: the command goes on" test $? = 4
check "and there is one sentence" test "$(wc -l <err)" = 1
check "and a snapshot of what there was" sh -c 'zcat full.gz | grep -q "The recording stopped early"'
mkdir gone
"$R" -q -o gone/a.gz -- sh -c 'rm -r gone; exit 6' 2>err
check "a directory that goes away: the status is the command's" test $? = 6
check "and that is said" grep -q 'gone/a.gz cannot be written' err

# Killed, we leave the journal, and the command runs on.
"$R" -q -i 0.1 -o k.gz -- sh -c 'for i in $(seq 600); do [ -e go ] && break; sleep 0.1; done; echo alive >alive' &
p=$!
wait_until has k.gz.partial .
sleep 0.3
kill -KILL $p
wait $p 2>/dev/null
check "after SIGKILL the journal is there" test -s k.gz.partial
check "and no snapshot" test ! -e k.gz
touch go
wait_until has alive alive
check "and the command ran on" test -s alive
echo "1..$n"
