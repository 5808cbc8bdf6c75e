# Thousands of signals reach the recorder, and system calls are interrupted again and again: no row is lost, no
# message appears, the recorder does not spin, and the exit status is the command's.
. tests/check.sh
preload badio
cd "$D" || exit 1
[ -z "$asan" ] || so= # a sanitizer must be the first that is loaded
export R
# LeakSanitizer stops a process by a SIGSTOP, which a SIGCONT takes away: it would wait for ever.
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0

# Whether a recording has the rows that its duration makes: all but 12, for a busy machine may start and end it late.
rows() { # FILE INTERVAL
	"$P" --offline --csv - "$1" | cut -d, -f1 | tail -n +2 >times
	zcat "$1" | grep -o '"duration":[0-9.]*' | head -n 1 | cut -d: -f2 >took
	grep -o '[0-9]* skipped' err | cut -d' ' -f1 >skipped
	awk -v interval="$2" 'FILENAME == "took" { took = $1 } FILENAME == "skipped" { skipped = $1 }
		FILENAME == "times" { rows++; if ($1 < last) bad = "not in order"; last = $1 }
		END { if (rows + skipped < took / interval - 12) bad = rows " rows and " skipped " skipped in " took " s"
			print bad ? bad : "all" }' took skipped times
}

# -- signals ---------------------------------------------------------------------------------------
# The command makes noise of its own: each of its processes is a SIGCHLD, and orphans are ours.
cat >job <<'END'
for i in $(seq 100); do
	(sleep 0.01 & exec true)
	sleep 0.01
done
sleep 0.5
exit 7
END
rm -f log
# Every tenth poll is interrupted, and counted so.
BADIO=poll:EINTR:/10 BADIO_LOG=$D/log LD_PRELOAD=$so "$R" -v -i 0.02 --no-discover-cloud -o a.gz -- sh job 2>err &
p=$!
until [ -s a.gz.partial ]; do kill -0 $p || break; sleep 0.01; done
"$T/hail" $p 100000 >sent
wait $p
check_equal 'signals, a thousand a second: status' $? 7
check_equal 'they were many' "$([ "$(cat sent)" -gt 300 ] && echo yes)" yes
check_equal 'nothing is said but the end' "$(grep -c '^rtrack-collect: \(ended with\|[0-9]* rows\)' err) $(wc -l <err)" '3 3'
check_equal 'no row is lost' "$(rows a.gz 0.02)" all
if [ -n "$so" ]; then
	# Each wakes it once at most; so does each row, each process that ends, and each line of the marks.
	most=$(($(cat sent) + 2 * $(wc -l <times) + 1000))
	check_equal 'nobody spins' "$([ $(($(grep -c poll log) * 10)) -le $most ] && echo yes || echo "$(grep -c poll log)0 polls")" yes
fi

# A process that is followed, and the machine alone, end by a signal of theirs and by no other.
for how in "-p $$" ''; do
	"$R" -v -i 0.02 --no-discover-cloud $how -o b.gz 2>err &
	p=$!
	until [ -s b.gz.partial ]; do kill -0 $p || break; sleep 0.01; done
	"$T/hail" $p 300 >sent
	kill -INT $p
	wait $p
	check_equal "signals at a recording ${how:+of a process}: status" $? 0
	check_equal 'all were sent before its end' "$(cat sent)" 300
	check_equal 'no row is lost there' "$(rows b.gz 0.02)" all
done

# -- calls -----------------------------------------------------------------------------------------
if [ -n "$so" ]; then
	storm='read:EINTR:/3 pread:EINTR:/3 write:EINTR:/2 pwrite:EINTR:/2 fsync:EINTR:/2 poll:EINTR:/2
		wait:EINTR:/2 sleep:EINTR:/2 close:EINTR:/2 lock:EINTR:/2 ftruncate:EINTR:/2'
	storm=$(echo $storm)
	rm -f log
	BADIO=$storm BADIO_LOG=$D/log LD_PRELOAD=$so timeout 60 "$R" -v -i 0.02 --no-discover-cloud --csv process --csv-file a.csv \
		-o c.gz -- sh -c '"$R" --mark one
		until [ "$(wc -l <a.csv)" -gt 12 ]; do sleep 0.05; done; echo out; exit 7' >out 2>err
	check_equal 'calls that are interrupted: status and output' "$? $(cat out)" '7 out'
	check_equal 'nothing is said but the end' "$(grep -c '^rtrack-collect: \(ended with\|[0-9]* rows\)' err) $(wc -l <err)" '3 3'
	check_equal 'no row is lost' "$(rows c.gz 0.02)" all
	check_equal 'its CSV is whole' "$(awk -F, 'NR == 1 { n = NF } NF != n { bad++ } END { print (NR > 10) + 0, bad + 0 }' a.csv)" '1 0'
	check_equal 'and its phase is there' "$(zcat c.gz | grep -c '"phases":\[{"name":"one"')" 1
	check_equal 'and there were many of them' "$([ "$(wc -l <log)" -gt 100 ] && echo yes)" yes
	P() { "$P" --offline --now 1795246800 -o "$1.html" -j "$1.json" --text "$1.txt" --csv "$1.csv" c.gz; }
	P calm
	BADIO=$storm LD_PRELOAD=$so P stormy
	check_equal 'a report: status' $? 0
	check_equal 'the same' "$(for x in html json txt csv; do cmp calm.$x stormy.$x; done)" ''
fi
echo "1..$n"
