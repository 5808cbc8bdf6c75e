#!/bin/bash
# Every signal that can be caught reaches the command once, and ends it as it would without rtrack-collect.
. tests/check.sh
cd "$D" || exit 1


# By kill(2).
"$R" -q --no-discover-cloud -o a.gz "$T/hear" log log &
p=$!
wait_until has log ready
"$T/hear" send $p log
wait $p
check "the command decides when it ends" test $? = 7
for s in $(seq 64) 64; do case $s in 9 | 19) ;; *) echo "$s" ;; esac; done >expect
grep -v ready log | cut -d' ' -f1 | sort -n >got
check "each of 62 signals came once" diff expect got
check "and the recording is whole" sh -c 'zcat a.gz | grep -q "\"code\":7"'

# With a payload: value and sender are kept, in order.
rm -f log
"$R" -q --no-discover-cloud -o a.gz "$T/hear" log log &
p=$!
wait_until has log ready
for v in 11 22 33; do
	echo "40 -1 $v from $("$T/hear" queue $p 40 $v)"
done >expect
wait_until has log ' 33 from'
check "queued signals keep their order, value and sender" diff expect <(grep -v ready log)
"$T/hear" queue $p 10 44 >sender
wait_until has log ' 44 from'
check "so does an ordinary one that was queued" grep -q "^10 -1 44 from $(cat sender)\$" log
"$T/hear" queue $p 64 1 >sender
"$T/hear" queue $p 64 2 >sender
wait $p

# What does not catch them ends by them: the same status as without us.
ignored=$((16#$(sed -n 's/^SigIgn:\t//p' /proc/self/status)))
wrong=
for s in $(seq 64); do
	case $s in
	9 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 28) continue ;; # nothing ends by these, but by KILL
	esac
	# What is ignored from the start stays so: make(1) starts programs with 32 and 33 ignored.
	(((ignored >> (s - 1)) & 1)) && continue
	rm -f k.gz*
	(ulimit -c 0; exec "$R" -q --no-discover-cloud -i 10 -o k.gz -- sleep 60) &
	p=$!
	wait_until has k.gz.partial .
	"$T/hear" kill $p $s
	wait $p
	status=$?
	[ $status = $((128 + s)) ] && [ -s k.gz ] || wrong="$wrong $s:$status"
done 2>/dev/null
check "each ends what does not catch it, with its status, and a snapshot is written ($wrong)" test -z "$wrong"

# A timer that was set before we were executed is the command's, as it is across exec(2).
cat >timer.py <<'P'
import os, signal, sys
signal.alarm(1)
os.execvp(sys.argv[1], sys.argv[1:])
P
if command -v python3 >/dev/null; then
	python3 timer.py "$R" -q -o a.gz -- sleep 60
	check "an alarm that was set before reaches the command" test $? = 142
else
	skip 'an alarm that was set before reaches the command' 'no python3'
fi

# What is ours stays ours: a reader that goes away, limits of a file's size.
"$R" -q -i 0.02 --no-discover-cloud --csv system -o a.gz "$T/hear" log pipe.log 2>err > >(exec head -n 2 >/dev/null) &
p=$!
wait_until has err 'cannot be written'
"$T/hear" kill $p 64
"$T/hear" kill $p 64
wait $p
check "SIGPIPE of our own is not passed on" test "$? $(grep -c '^13 ' pipe.log)" = "7 0"
rm -f err
(ulimit -f 8; exec "$R" -q -i 0.01 --no-discover-cloud -o full.gz "$T/hear" log size.log) 2>err &
p=$!
wait_until has err 'recording stops here'
"$T/hear" kill $p 64
"$T/hear" kill $p 64
wait $p
check "nor is SIGXFSZ" test "$? $(grep -c '^25 ' size.log)" = "7 0"

echo "1..$n"
