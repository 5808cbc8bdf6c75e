# A recording that is killed at any moment is readable up to its last whole sample.
R=$(realpath "$B")/rtrack-collect P=$(realpath "$B")/rtrack-report D=$(mktemp -d) n=0
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
check() {
	n=$((n + 1))
	if [ "$2" = "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1 ($2, not $3)"; fi
}
samples() { "$P" --offline -j - "$1" 2>/dev/null | grep -o '"samples":[0-9]*' | cut -d: -f2; }

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
check "a growing journal is readable each time ($looked)" $readable $looked
check "and never loses a sample" $shrunk 0

# Killed at a random moment: the collector alone, or the whole tree with it.
lost=0
rounds=${RTRACK_ROUNDS:-150}
for i in $(seq "$rounds"); do
	rm -f k.gz*
	setsid "$R" -q -o k.gz -i 0.01 -- sleep 2.25 2>/dev/null &
	p=$!
	sleep 0.$((RANDOM % 10 + 10))
	if [ $((i % 2)) = 0 ]; then kill -KILL $p; else kill -KILL -- -$p; fi
	wait $p 2>/dev/null
	pkill -KILL -f '^sleep 2.25$'
	# 0.05 s and more at 100 samples a second.
	s=$(samples k.gz.partial)
	[ "${s:-0}" -ge 1 ] || lost=$((lost + 1))
done
check "killed $rounds times: samples are there each time" $lost 0
find /sys/fs/cgroup -depth -type d -name 'rtrack-*' -exec rmdir {} + 2>/dev/null

# Where nothing can be written.
mkdir ro
chmod 500 ro
if [ "$(id -u)" = 0 ]; then su=(setpriv --reuid 65534 --regid 65534 --clear-groups); else su=(); fi
chmod 755 .
"${su[@]}" "$R" -o ro/a.gz -- touch ro-ran 2>err
check "a folder that cannot be written: 125, before the start" $? 125
check "in one sentence" "$(wc -l <err)" 1

# A full disk, while it runs: the command goes on, and what was written stays readable.
if [ "$(id -u)" = 0 ] && mkdir full && mount -t tmpfs -o size=64k tmpfs full 2>/dev/null; then
	"$R" -o full/a.gz -i 0.01 -- sh -c 'sleep 2.5; exit 6' 2>err
	check "disk full: the command's status" $? 6
	check "said once" "$(grep -c 'recording stops here' err)" 1
	f=$(ls full/a.gz* | head -n 1)
	check "what was written is readable ($f: $(samples "$f") samples)" \
		"$([ "$(samples "$f")" -gt 50 ] && echo yes)" yes
	umount full
else
	echo "# no tmpfs may be mounted: the full disk is not tried"
fi
echo "1..$n"
