# What truth*.sh share: recordings of deeds whose CPU time is known (tests/live/deed.c), and sums over their rows.
intervals='1 0.1'
record() { "$R" -q -o a.gz --csv process --all-columns --csv-file a.csv "$@"; }
# A column of the CSV, its sum and its highest row.
cell() { awk -F, -v c="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i; next } { print $at }' a.csv; }
sum() { cell "$1" | awk '{ s += $1 } END { printf "%.6f", s }'; }
max() { cell "$1" | awk '$1 > m { m = $1 } END { printf "%.6f", m }'; }
cpu() { echo "$(sum utime) $(sum stime)" | awk '{ printf "%.6f", $1 + $2 }'; }
snapshot_max() { process_column a.gz "$1" | awk '$1 > m { m = $1 } END { printf "%.6f", m }'; }

# CPU seconds beyond one core, summed over the rows of three columns on standard input.
beyond_one() { awk '$3 > 1 { s += ($1 + $2) * (1 - 1 / $3) } END { printf "%.6f", s }'; }
snapshot_rows() { paste <(process_column a.gz utime) <(process_column a.gz stime) <(process_column a.gz cpu_usage); }
# One process after the other is busy, so no row of theirs may be over one core. A moment in which the collector
# or the process has no CPU moves a little into the next row: then the recording is repeated, three times at most.
# A real burst shows each time; and the sum of the rows is right each time.
one_core() { # NAME INTERVAL DEED S
	local beyond
	for _ in 1 2 3; do
		record -i "$2" "$T/deed" "$3" "$4" truth
		check_near "$1, a row each $2 s, as CSV" "$(cpu)" "$(cat truth)" 0.005
		check_near 'and in the snapshot' "$(cpu_time a.gz)" "$(cat truth)" 0.005
		beyond=$(printf '%s\n' "$(paste <(cell utime) <(cell stime) <(cell cpu_usage) | beyond_one)" \
			"$(snapshot_rows | beyond_one)" | sort -g | tail -n 1)
		awk "BEGIN { exit !($beyond <= 0.01 * $4) }" && break
	done
	check_that 'and no row is over one core' "$beyond <= 0.01 * $4"
}
