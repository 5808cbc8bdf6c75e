#!/bin/bash
# A reader of the CSV that stalls costs rows of the CSV and nothing else, and a message says so.
. tests/check.sh
cd "$D" || exit 1

# A row is 600 bytes of the journal and 170 of the CSV, of which the queue and a small pipe hold 69 KB.
now_ms() { echo $(($(date +%s%N) / 1000000)); }
rows() { sed -n 's/^rtrack-collect: \([0-9]*\) rows\?, .*/\1/p' "$1"; }
lost() { sed -n 's/^rtrack-collect: .*: \([0-9]*\) rows\? of the CSV w[a-z]* lost.*/\1/p' "$1"; }
# Its lines are whole and in order, and with those that were lost they are all. The last row may be
# one in the snapshot with the row before it.
complete() { # CSV ERR
	local csv all=$(rows "$2") gone
	gone=$(lost "$2")
	csv=$(awk -F, 'NR == 1 { n = NF } NF != n || (NR > 2 && $1 < last) { bad = 1 } { last = $1 }
		END { print bad ? -1 : NR - 1 }' "$1")
	[ "$csv" -ge 0 ] && [ $((csv + ${gone:-0})) -ge "$all" ] && [ $((csv + ${gone:-0})) -le $((all + 1)) ] ||
		{ echo "# $csv rows of $all, ${gone:-0} lost"; false; }
}

# What is done while a reader stalls, and after it. $p is the recording, with OUT s.gz, errors in err.
during() { # NAME
	wait_until has log ready
	wait_until larger s.gz.partial 320000
	"$T/hear" kill $p 10
	wait_until has log '^10 '
	check "$1: signals arrive" test $? = 0
	before=$(stat -c %s s.gz.partial)
	wait_until larger s.gz.partial $((before + 5000))
	check "$1: samples go on" test $? = 0
	"$T/hear" kill $p 64
	wait_until has log '^64 '
	"$T/hear" kill $p 64
	begin=$(now_ms)
	wait $p
	check "$1: the status is the command's" test $? = 7
	check "$1: the end is not held up" test $(($(now_ms) - begin)) -lt 50000
	check "$1: that rows are lost is said ($(lost err))" test "$(lost err)" -gt 0
	check "$1: the samples are in the snapshot" test "$(rows err)" -gt 480
}
# To be run in the background.
record() { exec "$R" -v -i 0.01 --no-discover-cloud --csv system -o s.gz "$@" -- "$T/hear" log log; }

# -- a pipe, which the command has as well -----------------------------------------------------------
mkfifo out
"$T/stall" go <out >rows.csv &
reader=$!
record >out 2>err &
p=$!
wait_until has log ready
flags=$(awk '/^flags/ { print $2 }' "/proc/$p/fdinfo/1")
during "a pipe"
check "a pipe: its flags are not ours to change" test $((flags & 04000)) = 0
touch go
wait $reader
check "a pipe: whole lines, and the rest is what was said" complete rows.csv err

# Both outputs are the pipe: nobody is told, and nobody is waited for.
rm -f log go err s.gz* rows.csv
"$T/stall" go <out >rows.csv &
reader=$!
record >out 2>&1 &
p=$!
wait_until has log ready
wait_until larger s.gz.partial 320000
"$T/hear" kill $p 64
wait_until has log '^64 '
"$T/hear" kill $p 64
wait $p
check "both outputs: the status is the command's, at once" test $? = 7
touch go
wait $reader
check "both outputs: whole lines" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' rows.csv

# -- a FIFO ------------------------------------------------------------------------------------------
rm -f log go err s.gz* rows.csv
mkfifo fifo
"$T/stall" go <fifo >rows.csv &
reader=$!
record --csv-file fifo 2>err &
p=$!
during "a FIFO"
touch go
wait $reader
check "a FIFO: whole lines, and the rest is what was said" complete rows.csv err

begin=$(now_ms)
"$R" -v -i 0.05 --csv system --csv-file fifo -o n.gz --no-discover-cloud -- sh -c 'sleep 0.3; exit 7' 2>err
check "a FIFO without a reader: the command runs" test $? = 7
check "its rows are lost, and that is said" test "$(lost err)" -ge "$(rows err)"
check "and nobody waits for one" test $(($(now_ms) - begin)) -lt 50000
"$R" -v -i 0.02 --csv system --csv-file fifo -o n.gz --no-discover-cloud -- \
	sh -c 'until [ -e ready ]; do sleep 0.01; done; sleep 0.2' 2>err &
p=$!
wait_until larger n.gz.partial 5000
cat fifo >rows.csv &
reader=$!
touch ready
wait $p $reader
check "a reader that comes late has all rows" complete rows.csv err
check "and none is lost" test -z "$(lost err)"

# -- a terminal that Ctrl-S holds --------------------------------------------------------------------
rm -f log go err s.gz* rows.csv
mkfifo steps
"$T/pty" sh -c 'echo $$ >pid; exec "$@" 2>err' - \
	"$R" -v -i 0.01 --no-discover-cloud --csv system -o s.gz -- "$T/hear" log log <steps >screen &
pty=$!
exec 9>steps
printf 'expect timestamp\nsend \\023\nawait %s/go go\n' "$D" >&9
wait_until has log ready
p=$(cat pid)
wait_until larger s.gz.partial 320000
"$T/hear" kill "$p" 10
wait_until has log '^10 '
check "a terminal: signals arrive" test $? = 0
"$T/hear" kill "$p" 64
wait_until has log '^64 '
"$T/hear" kill "$p" 64
wait_until has err 'rows, '
check "a terminal: the end is not held up" test $? = 0
check "a terminal: that rows are lost is said ($(lost err))" test "$(lost err)" -gt 0
echo go >go
exec 9>&-
wait $pty
check "a terminal: the status is the command's" test $? = 7

# -- nobody stalls -----------------------------------------------------------------------------------
for to in 'pipe' 'socket' 'file'; do
	rm -f rows.csv
	case $to in
	pipe) "$R" -v -i 0.01 --csv process --all-columns -o a.gz --no-discover-cloud -- sleep 1 2>err | cat >rows.csv ;;
	file) "$R" -v -i 0.01 --csv process --all-columns -o a.gz --no-discover-cloud -- sleep 1 2>err >rows.csv ;;
	socket)
		command -v python3 >/dev/null || continue
		python3 -c 'import socket, subprocess, sys
a, b = socket.socketpair()
p = subprocess.Popen(sys.argv[1:], stdout=b)
b.close()
while True:
    text = a.recv(65536)
    if not text: break
    sys.stdout.buffer.write(text)
sys.exit(p.wait())' "$R" -v -i 0.01 --csv process --all-columns -o a.gz --no-discover-cloud -- sleep 1 2>err >rows.csv
		;;
	esac
	check "a $to: all rows" complete rows.csv err
	check "a $to: none is lost" test -z "$(lost err)"
done
echo "1..$n"
