# A recording that is killed at any moment is readable up to its last complete sample.
. tests/check.sh
cd "$D" || exit
samples() { "$P" --offline -j - "$1" 2>/dev/null | grep -o '"samples":[0-9]*' | head -n 1 | cut -d: -f2; }

# The journal is looked at while it grows: at every moment it holds what it held before, or more.
readable=0 looked=0 shrunk=0 last=0
"$R" -q -o w.gz -i 0.01 -- sleep 4 &
p=$!
while kill -0 $p 2>/dev/null; do
	if cp w.gz.partial look.partial 2>/dev/null && [ "$(wc -c <look.partial)" -gt 20000 ]; then
		looked=$((looked + 1))
		s=$(samples look.partial)
		[ -n "$s" ] && readable=$((readable + 1))
		[ "${s:-0}" -lt "$last" ] && shrunk=$((shrunk + 1))
		last=${s:-0}
	fi
done
wait $p
check_equal "a growing journal is readable each time ($looked)" $readable $looked
check_equal "and never loses a sample" $shrunk 0

# Killed at a random moment: the collector alone, or the whole tree with it. What a copy of the journal
# held just before is there after it. Every third time the moment may be before the first sample.
lost=0 unclear=0 with=0 pids=
rounds=${RTRACK_ROUNDS:-50}
for i in $(seq "$rounds"); do
	rm -f k.gz* before.partial
	setsid "$R" -q -o k.gz -i 0.01 -- sleep 300 2>/dev/null &
	p=$! pids="$pids $!"
	until [ -s k.gz.partial ] && { [ $((i % 3)) = 0 ] || [ "$(samples k.gz.partial)" ]; }; do
		kill -0 $p || break
	done
	sleep 0.0$((RANDOM % 5))$((RANDOM % 10))
	cp k.gz.partial before.partial
	if [ $((i % 2)) = 0 ]; then kill -KILL $p; else kill -KILL -- -$p; fi
	wait $p 2>/dev/null
	kill -KILL -- -$p 2>/dev/null # the command, where only the collector was killed
	before=$(samples before.partial) after=$(samples k.gz.partial)
	[ "${after:-0}" -ge "${before:-0}" ] || lost=$((lost + 1))
	[ -z "$before" ] || with=$((with + 1))
	if [ -z "$after" ]; then
		"$P" --offline -o none.html k.gz.partial 2>none
		[ $? = 1 ] && [ "$(grep -c '^rtrack-report: .*holds no samples' none)" = "$(wc -l <none)" ] ||
			unclear=$((unclear + 1))
	fi
done
check_equal "killed $rounds times: what was there is there each time" $lost 0
check_equal "which was samples, mostly ($with)" "$([ "$with" -ge $((rounds * 2 / 3)) ] && echo yes)" yes
check_equal "a journal without one is said to hold none" $unclear 0
# The groups that they left, and no other's.
for p in $pids; do find /sys/fs/cgroup -depth -type d -name "rtrack-$p-*" -exec rmdir {} + 2>/dev/null; done

# Where nothing can be written.
mkdir ro
chmod 500 ro
if [ "$(id -u)" = 0 ]; then su=(setpriv --reuid 65534 --regid 65534 --clear-groups); else su=(); fi
chmod 755 .
"${su[@]}" "$R" -o ro/a.gz -- touch ro-ran 2>err
check_equal "a folder that cannot be written: 125, before the start" $? 125
check_equal "in one sentence" "$(wc -l <err)" 1

# A full disk, while it runs: the command goes on, and what was written stays readable.
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
	# The command waits for what is said, at most a minute.
	"$R" -o full/a.gz -i 0.01 -- sh -c 'for i in $(seq 600); do [ -s err ] && break; sleep 0.1; done
		exit 6' 2>err
	check_equal "disk full: the command's status" $? 6
	check_equal "said once" "$(grep -c 'recording stops here' err)" 1
	f=$(ls full/a.gz* | head -n 1)
	check_equal "what was written is readable ($f: $(samples "$f") samples)" \
		"$([ "$(samples "$f")" -gt 50 ] && echo yes)" yes
	umount full
else
	echo "# no tmpfs may be mounted: the full disk is not tried"
fi
echo "1..$n"
