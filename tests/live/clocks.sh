# A long test: only make test-all runs it.
# Clocks are set, the machine sleeps, the collector is stopped: times ascend, rates are right, and a gap is a gap.
. tests/check.sh
preload clock
cd "$D" || exit 1
cpus=$(grep -c '^cpu[0-9]' /proc/stat)

times() { awk -F, 'NR > 1 { print $1 }' a.csv; }
gaps() { times | awk -v s="$1" 'NR > 1 && $1 - last > s { n++ } { last = $1 } END { print n + 0 }'; }
meta() { grep -oE "\"$1\":-?[0-9.]+" a.json | head -n 1 | cut -d: -f2; }
said() { grep -c "$1" a.json; }
record() { # CLOCKS COMMAND…
	rm -f a.* go
	CLOCK=$1 CLOCK_FROM=$D/go LD_PRELOAD=$so "$R" -i 0.1 --no-discover-cloud --csv process --csv-file a.csv -o a.gz \
		-- sh -c ': >go; exec "$@"' - "${@:2}" 2>err
	status=$?
	zcat a.gz >a.json
	"$P" --offline -o a.html -j r.json a.gz 2>>err
}
# What holds whatever the clocks do.
holds() { # NAME [SECONDS]
	check_that "$1: status" "$status == 0"
	check_that "$1: times never fall" "$(times | awk '$1 < last { n++ } { last = $1 } END { print n + 0 }') == 0"
	# What the shell that started it used is not part of the truth.
	check_that "$1: CPU time is all there" "$(cpu_time a.gz) >= 0.98 * $(cat truth) && $(cpu_time a.gz) <= 1.02 * $(cat truth) + ${2:-0}"
	check_that "$1: no rate is nonsense" "$(awk -F, 'NR > 1 && ($6 < 0 || $6 > c) { n++ } END { print n + 0 }' c="$cpus" a.csv) == 0"
	check_that "$1: the end is the start and how long it was" \
		"($(meta stop_time) - $(meta start_time) - $(meta duration)) ^ 2 < 0.02 ^ 2"
	check_that "$1: rows lie within" "$(times | head -n 1) >= $(meta start_time) && $(times | tail -n 1) <= $(meta stop_time) + 0.001"
	check_that "$1: no process ends before it begins" \
		"$(grep -o '"start":[0-9.]*,"end":[0-9.]*' a.json | tr -c '0-9.\n' ' ' | awk '$2 < $1 - 0.02 { n++ } END { print n + 0 }') == 0"
	check_that "$1: nor does the report show less than nothing" "$(grep -c '"value":-' r.json) == 0 && $(sed 's/<script[^>]*>[^<]*//g' a.html | grep -c 'NaN') == 0"
}

if [ -n "$asan" ]; then
	skip 'clocks that are set' 'a sanitizer must be the first that is loaded'
	so=
else
	record 'set:0.3:3600 slew:0:500' "$T/storm" 30 20 1 truth
	holds 'the clock set forward, and slewed'
	check_that 'the run lasts as long as it did' "$(meta duration) < 600 && $(gaps 600) == 0"
	check_that 'it is said' "$(said 'clock was set forward by as much as 3600 s')"
	record 'set:0.2:-3600 set:0.4:3600 slew:0:500' "$T/storm" 30 20 1 truth
	holds 'the clock set back, and forward again'
	check_that 'the run lasts as long as it did' "$(meta duration) < 600 && $(gaps 600) == 0"
	check_that 'it is said' "$(said 'clock was set back by as much as 3600 s')"
	record 'sleep:0.35:10800.05' "$T/storm" 120 20 1 truth
	holds 'asleep for three hours'
	check_that 'they are part of the run' "$(meta duration) > 10800 && $(meta duration) < 11400"
	# On a busy machine a single row may be before the gap, which is no line.
	before=$(times | awk 'NR > 1 && $1 - last > 10000 { exit } { n++; last = $1 } END { print n }')
	check_that 'and one gap' \
		"$(gaps 10000) == 1 && ($before < 2 || $(grep -o '<path [^>]*d="M0 [^"]*M[0-9]' a.html | wc -l) > 0)"
	check_that 'rows after it lie on the grid of the time awake' "$(times | awk -v s="$(meta start_time)" '{
		gap += NR > 1 && $1 - last > 10000
		near += gap && ($1 - s - 0.048) * 10 % 1 < 0.5; # 2 ms: times are rounded
		 after += gap; last = $1 } END { print near, ">", after / 2 }')"
	mean=$(sed -n 's/.* \([0-9.]*\) cores on average.*/\1/p' err)
	check_that 'the mean is of the time that it was awake' "$mean > 0.01"
	check_that 'and so it is in the report' "($mean - $(grep -o '"now":.*' r.json | grep -oE '"process_cpu_usage":\{"mean":[0-9.]+' | head -n 1 | cut -d: -f3)) ^ 2 <= 0.0151 ^ 2"
	check_that 'it is said' "$(said 'was suspended, 10800 s in all')"
	check_that 'nothing was skipped for it' "$(said 'skipped') <= $(said 'woken too late')"
	record 'sleep:0.2:60 sleep:0.3:0.2 set:0.4:-5' "$T/storm" 30 20 1 truth
	holds 'asleep twice, and set'
	check_that 'it is said' "$(said 'was suspended, 60 s in all') && $(said 'set back by as much as 5 s')"
	record 'slew:0:500' "$T/deed" burn 0.2 truth
	check_that 'a clock that is slewed alone is nothing to say' "$(said 'clock was set\|suspended') == 0"
fi

# The command stops the collector, and goes on itself.
record '' bash -c 'sleep 0.4; kill -STOP $PPID; "$0" 30 20 1 truth; sleep 1; kill -CONT $PPID; sleep 0.35' "$T/storm"
holds 'the collector was stopped' 0.2
check_that 'that is one gap' "$(gaps 0.7) == 1"
check_that 'the row after it is the mean of all of it, and no burst follows' \
	"$(times | sed '$d' | awk 'NR > 1 && $1 - last > 0.7 { at = NR } at && NR > at && $1 - last < 0.009 { n++ } { last = $1 } END { print n + 0 }') == 0"
check_that 'it is said' "$(said 'skipped: rtrack-collect was woken too late')"
echo "1..$n"
