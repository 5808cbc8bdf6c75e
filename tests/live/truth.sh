#!/bin/bash
# What is recorded, against what is known to have happened.
B=$(realpath "$B") R=$B/rtrack-collect T=$B/tests/live D=$(mktemp -d) n=0
trap 'rm -rf "$D"' EXIT
cd "$D" || exit 1
cpus=$(grep -c '^cpu[0-9]' /proc/stat)

check() { # NAME, then a condition for awk
	n=$((n + 1))
	if awk "BEGIN { exit !($2) }"; then echo "ok $n - $1"; else echo "not ok $n - $1 ($2)"; fi
}
near() { # NAME A B SHARE
	check "$1" "$2 >= $3 * (1 - $4) && $2 <= $3 * (1 + $4)"
}
record() { "$R" -q -o a.gz --csv process --all-columns --csv-file a.csv "$@"; }
cell() { awk -F, -v c="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i; next } { print $at }' a.csv; }
sum() { cell "$1" | awk '{ s += $1 } END { printf "%.6f", s }'; }
max() { cell "$1" | awk '$1 > m { m = $1 } END { printf "%.6f", m }'; }
cpu() { echo "$(sum utime) $(sum stime)" | awk '{ printf "%.6f", $1 + $2 }'; }
# A column of the snapshot, its highest row, and the sum of two.
snapshot() { zcat a.gz | grep -o '"process_metrics".*"system_metrics"' | grep -oE "\"$1\":\[[^]]*\]" | grep -oE '[0-9.]+' | sed 's/.*://'; }
snapshot_max() { snapshot "$1" | awk '$1 > m { m = $1 } END { printf "%.6f", m }'; }
snapshot_cpu() { { snapshot utime && snapshot stime; } | awk '{ s += $1 } END { printf "%.6f", s }'; }
total() { zcat a.gz | grep -o '"totals":{[^}]*}' | grep -oE "\"$1\":[0-9.]+" | head -n 1 | cut -d: -f2; }

# CPU seconds beyond one core, summed over the rows of three columns on standard input.
beyond_one() { awk '$3 > 1 { s += ($1 + $2) * (1 - 1 / $3) } END { printf "%.6f", s }'; }
# One process after the other is busy: no row of theirs is a burst. A moment that is stolen from us, or
# from them, moves a little into the next row: then once more, three times at most. A burst is one
# each time; and what the rows sum up to holds each time.
one_core() { # NAME INTERVAL DEED S
	local beyond i
	for i in 1 2 3; do
		record -i "$2" "$T/deed" "$3" "$4" truth
		near "$1, a row each $2 s, as CSV" "$(cpu)" "$(cat truth)" 0.005
		near 'and in the snapshot' "$(snapshot_cpu)" "$(cat truth)" 0.005
		beyond=$(printf '%s\n' "$(paste <(cell utime) <(cell stime) <(cell cpu_usage) | beyond_one)" \
			"$(paste <(snapshot utime) <(snapshot stime) <(snapshot cpu_usage) | beyond_one)" |
			sort -g | tail -n 1)
		awk "BEGIN { exit !($beyond <= 0.01 * $4) }" && break
	done
	check 'and no row is over one core' "$beyond <= 0.01 * $4"
}

for i in 1 0.1; do
	one_core 'one process that burns 5 s' $i burn 5
done

for i in 1 0.05; do
	record -i $i "$T/storm" 2000 5 2 truth
	near "2,000 processes of 5 ms, a row each $i s" "$(cpu)" "$(cat truth)" 0.01
	near 'and in the snapshot' "$(snapshot_cpu)" "$(cat truth)" 0.01
	check 'and no row is over the number of CPUs' "$(max cpu_usage) <= $cpus && $(snapshot_max cpu_usage) <= $cpus"
done

for i in 1 0.1; do
	one_core 'a child burns 5 s and is reaped' $i child 5
done

record -i 0.2 "$T/deed" daemon 0.6 end truth
near 'a daemon stays counted while the command lives' "$(cpu)" "$(cat truth)" 0.05
record -i 0.2 --wait-all "$T/deed" daemon 1.5 0.2 truth
near 'and after it, where that is asked' "$(cpu)" "$(cat truth)" 0.02

# 300 ms that fall between two samples.
record -i 2 "$T/deed" hold 1024 300 2.5
near '1 GiB for 300 ms is the peak' "$(total peak_rss_bytes)" $((1 << 30)) 0.02
check 'which a sample after it told already' "$(zcat a.gz | grep -o '"processes":.*' | grep -oE '"peak_rss_bytes":[0-9]+' | head -n 1 | cut -d: -f2) >= 2 ^ 30"

for name in 'a b c d e' 'x) R 1 (y' ') S 1 1 1'; do
	record -i 0.1 "$T/deed" name "$name" 0.5 truth
	near "a process called '$name'" "$(cpu)" "$(cat truth)" 0.02
	check 'is told by its name' "$(zcat a.gz | grep -cF "\"name\":\"$name\"") == 1"
done

# A file system in memory writes nothing.
fs=$(stat -f -c %T .)
record -i 0.5 "$T/deed" write 100
check '100 MiB that a child wrote' "\"$fs\" == \"tmpfs\" || ($(sum write_bytes) >= 95 * 1048576 && $(sum write_bytes) <= 105 * 1048576)"

record -i 0.1 "$T/deed" unwaited 50 10
check 'children that nobody waits for are said to be missing' "$(zcat a.gz | grep -c 'SIGCHLD') == 1"
check 'and no row is negative' "$(cell utime | awk '$1 < 0' | wc -l) == 0"

# Thousands of short processes: the table has an end, and so has our memory.
cat >many.sh <<'S'
for i in $(seq 30); do
	for k in $(seq 100); do sleep 0.1 & done
	wait
	[ $i != 10 ] || : >early
done
S
hwm() { grep VmHWM "/proc/$1/status" | tr -dc 0-9; }
record -i 0.02 -- bash -c 'exec bash many.sh' &
collector=$!
until [ -e early ]; do sleep 0.05; done
early=$(hwm $collector)
while kill -0 $collector 2>/dev/null; do
	late=$(hwm $collector 2>/dev/null || echo "$late")
	sleep 0.05
done
zcat a.gz >a.json
check 'thousands of processes are seen' "$(grep -oE '"seen":[0-9]+' a.json | cut -d: -f2) > 2000"
check 'the table of them has an end' "$(grep -oE '"top":\[[^]]*' a.json | grep -o '"pid"' | wc -l) <= 400"
check 'and our memory does not grow' "${late:-0} <= $early + 300"
echo "1..$n"
