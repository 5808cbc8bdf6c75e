# Phases are marked in the job, by --mark and through the FIFO, by many processes at once; and survive a kill.
. tests/check.sh
cd "$D" || exit
export R
names() { zcat "$1" | grep -o '"phases":[^]]*\]' | grep -o '"name":"[^"]*"' | cut -d'"' -f4; }

unset RTRACK_MARK
check "--mark outside of a recording does nothing, and succeeds" "$R" --mark load
check "an empty name is refused" sh -c '! "$R" --mark " "'
check "two lines are refused" sh -c '! "$R" --mark "a
b"'

"$R" -q -o a.gz -- sh -c '"$R" --mark load; echo train >"$RTRACK_MARK"; cd /; "$R" --mark "load"; "$R" --mark "load end"; "$R" --mark "no end"'
check "marks, in their order, repeated" test "$(names a.gz | tr '\n' ' ')" = 'load train load '
check "an end of another phase is noted" sh -c 'zcat a.gz | grep -q "1 mark ended a phase"'
check "the FIFO is gone afterwards" test -z "$(find . -name '.rtrack-mark*')"

"$R" -q -o b.gz -- bash -c 'for i in $(seq 100); do "$R" --mark "phase $i" & done; for i in $(seq 101 200); do echo "phase $i" >"$RTRACK_MARK" & done; wait'
check "200 marks at once: each is there once" test "$(names b.gz | sort -u | wc -l) $(names b.gz | wc -l)" = '200 200'

"$R" -q -o c.gz -- bash -c 'head -c 200000 /dev/zero | tr "\0" x >"$RTRACK_MARK"; echo >"$RTRACK_MARK"; echo after >"$RTRACK_MARK"; sleep 0.1'
check "a flood without a newline is passed over" test "$(names c.gz)" = after

RTRACK_MARK=$D/gone check "a recording that is gone is said" sh -c '! "$R" --mark x'
mkfifo dead
RTRACK_MARK=$D/dead check "nobody who reads: it does not hang" sh -c 'timeout 60 "$R" --mark x; test $? = 1'

# A process that runs already: who started the recorder knows its PID, and so the path.
sleep 60 &
s=$!
"$R" -q -o pid.gz --pid $s &
p=$!
wait_until test -e pid.gz.partial
check "--pid: the FIFO is there when the journal is" test -p ".rtrack-mark-$p"
check "--pid: a mark by its path" env RTRACK_MARK=".rtrack-mark-$p" "$R" --mark outside
kill -TERM $p
check "--pid: the recording ends" wait $p
kill $s
check "--pid: the phase is in it" test "$(names pid.gz)" = outside
check "--pid: the FIFO is gone afterwards" test ! -e ".rtrack-mark-$p"

# As PID 1 of two PID namespaces in one folder: each has its own marks.
if unshare -pf --mount-proc true 2>/dev/null; then
	mkfifo one two
	unshare -pf --mount-proc "$R" -q -o one.gz sh -c 'echo >one; read x <two; "$R" --mark first' &
	first=$!
	unshare -pf --mount-proc "$R" -q -o two.gz sh -c 'read x <one; "$R" --mark second; echo >two'
	wait $first
	check "two collectors of one PID: the first one's marks" test "$(names one.gz)" = first
	check "and the second one's" test "$(names two.gz)" = second
	check "no FIFO is left" test -z "$(find . -name '.rtrack-mark*')"
else
	skip all 'no PID namespaces can be had'
fi

# What a killed collector left is removed by the next and by --recover; nothing else is.
true &
dead=$! && wait $dead
leave() { mkfifo ".rtrack-mark-$dead" ".rtrack-mark-$dead.2" ".rtrack-mark-${dead}x" ".rtrack-mark-$$"; }
rest() { find . -name '.rtrack-mark-*' | sort | tr '\n' ' '; }
kept=$(printf '%s\n' "./.rtrack-mark-$$ " "./.rtrack-mark-${dead}x " | sort | tr -d '\n')
leave
"$R" -q -o a.gz true
check "FIFOs of dead collectors are swept, those of the living stay" test "$(rest)" = "$kept"
rm -f .rtrack-mark-*
echo data >".rtrack-mark-$dead"
"$R" -q -o a.gz true
check "a file of that name stays" grep -q data ".rtrack-mark-$dead"
rm -f .rtrack-mark-*

# Killed, and recovered.
# The name of the second mark is whole in its record alone, not in the command line.
"$R" -q -o k.gz -i 0.05 -- sh -c '"$R" --mark begin; sleep 0.6; "$R" --mark la"ter"; exec sleep 60' &
p=$!
marked() { grep -aqs later k.gz.partial && "$P" --offline -j - k.gz.partial >json 2>&1; }
wait_until marked
check "a journal that is being written is left alone" sh -c '! "$R" --recover k.gz.partial'
kill -STOP $p # else it might see the end of its command
pkill -KILL -P $p
kill -KILL $p
wait $p 2>/dev/null
check "no snapshot is there" test ! -e k.gz
check "the journal reads as a recording" "$P" --offline -o k.html k.gz.partial
check "its FIFO was left" test -p ".rtrack-mark-$p"
check "it is recovered" "$R" --recover k.gz.partial
check "and the FIFO is gone" test ! -e ".rtrack-mark-$p"
check "and the journal is gone" test ! -e k.gz.partial
check "with its phases" test "$(names k.gz | tr '\n' ' ')" = 'begin later '
check "as a run that is not finished" sh -c "\"$P\" --offline -j - k.gz | grep -q '\"word\":\"unfinished\"'"
check "a snapshot is not a journal" sh -c '! "$R" --recover k.gz -o other.gz'
printf 'rtrack-journal 1\n{}' >bad.partial
check "a torn journal is refused, and stays" sh -c '! "$R" --recover bad.partial; test -e bad.partial'
echo "1..$n"
