#!/bin/bash
# The upper bound of a job's memory is not below the truth where processes lived that no sample saw. How narrow it is
# depends on the load: test_unseen_bound.c.
. tests/check.sh
# A sanitizer keeps memory that was freed.
[ ! -x build/release/tests/live/spike ] || T=$PWD/build/release/tests/live
cd "$D" || exit 1

bound() { zcat "$1.gz" | grep -oE '"memory":\{[^}]*\}' | head -n 1 | grep -oE "\"$2\":[0-9]+" | cut -d: -f2 | awk '{ printf "%.4f", $1 / 1048576 }'; }
record() { # NAME COMMAND…: with samples of 0.2, 1 and 7 seconds
	local i
	for i in 0.2 1 7; do
		"$R" -i $i --cgroup off --no-discover-cloud -o "$1-$i.gz" -- "${@:2}" 2>"$1-$i.err" &
	done
}
# The bounds as a sentence has them: where they are clearly apart.
peak() { # LOW HIGH
	awk -v low="$1" -v high="$2" 'function mib(v) { return v < 10 ? sprintf("%.1f MiB", v) : sprintf("%.0f MiB", v) }
		BEGIN { print (high == "" ? "at least " : "") mib(low) (high > low * 1.1 && high > low + 16 ? " to " mib(high) : "") }'
}
# NAME TRUTH WHAT [known]: in MiB. RSS is counted in batches. known: there is an upper one where the kernel reports each process.
check_bounds() {
	local i low high none # an empty one: not known
	for i in 0.2 1 7; do
		none=1e9
		[ -z "${4-}" ] || ! zcat "$1-$i.gz" | grep -q '"source":"events"' || none=0
		low=$(bound "$1-$i" peak_bytes) high=$(bound "$1-$i" peak_at_most_bytes)
		check_that "$3, -i $i: $low to ${high:-?} MiB" "$low <= $2 * 1.03 + 6 && ${high:-$none} >= $2 * 0.99"
		check_equal 'the recorder says the same' "$(sed -nE 's/.*peak memory ([^;]*);.*/\1/p' "$1-$i.err")" "$(peak "$low" "$high")"
	done
}

one=(fork hold 30 tell await ,)
record sequence "$T/spike" nap 0.3 storm 10 touch 60 0.02 , nap 0.3
record together "$T/spike" nap 0.3 "${one[@]}" "${one[@]}" "${one[@]}" await await await tell tell tell wait
wait
record zombies "$T/spike" nap 0.3 "${one[@]}" "${one[@]}" "${one[@]}" await await await tell tell tell nap 0.6
record copies "$T/spike" hold 40 nap 0.4 fork dirty tell await , fork dirty tell await , await await tell tell wait
wait
record holds "$T/spike" hold 100 nap 0.6 fork await , dirty tell wait
record ignored "$T/spike" nap 0.3 ignore "${one[@]}" "${one[@]}" await await tell tell nap 0.6
wait

check_bounds sequence 60 'children one after the other' known
check_bounds together 90 'children at once' known
check_bounds zombies 90 'children that nobody waits for'
check_bounds copies 120 'children that copy what they inherited'
check_bounds holds 200 'a parent that copies what its child holds'
check_bounds ignored 60 'children of a parent that ignores SIGCHLD'
echo "1..$n"
