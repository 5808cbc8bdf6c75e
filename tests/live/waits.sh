#!/bin/bash
# A long test: only make test-all runs it.
# The time that threads waited for a CPU, compared with what they read themselves at their end; and what the verdict
# says of it: a starved job, an idle one, and one that had all the CPU it wanted.
. tests/check.sh
cd "$D" || exit 1
if ! grep -qE '^[0-9]+ [0-9]+ [1-9]' /proc/self/schedstat; then
	skip_all 'this kernel does not report how long a thread waited for a CPU'
fi

says() { check "$1 ($(cat verdict))" grep -qF "$2" verdict; } # NAME, then a part of the verdict
record() { # INTERVAL, then a command
	"$R" -q -o a.gz -i "$@"
	wait_s=$(zcat a.gz | grep -oE '"cpu_wait_s":[0-9.]+' | cut -d: -f2)
	cpu_s=$(zcat a.gz | grep -oE '"exact_cpu_s":[0-9.]+' | cut -d: -f2)
	wall_s=$(zcat a.gz | grep -oE '"wall_s":[0-9.]+' | head -n 1 | cut -d: -f2)
	stop=$(zcat a.gz | grep -oE '"stop_time":[0-9.]+' | cut -d: -f2)
	rows_s=$(process_column a.gz cpu_wait | awk '{ s += $1 } END { printf "%.6f", s }')
	"$B/rtrack-report" --offline -o a.html --text a.txt a.gz
	# One line, as the text is folded.
	tr -s ' \n' ' ' <a.txt >verdict
}

# What they said, and the most that COUNT of them and the one who started them can have waited after.
truth() { read -r said first <truth && most=$(awk "BEGIN { printf \"%.6f\", $said + ($1 + 1) * ($stop - $first) + 0.01 }"); }

# Four that burn on one CPU: they wait three quarters of the time, beside whatever else there is.
cpu=$(taskset -pc $$ | grep -oE '[0-9]+' | tail -n 1)
for of in threads processes; do
	record 0.2 taskset -c "$cpu" "$T/waits" $of 4 3000 truth
	truth 4
	check_that "four $of on one CPU: not more than they waited" "$wait_s <= $most"
	check_that 'nor much less' "$wait_s >= 0.5 * $said && $wait_s > 2"
	# Each row is rounded to 6 decimals, and so is the total.
	check_that 'the rows come to the same' "$rows_s <= $wait_s + 1e-4 && $rows_s >= 0.9 * $wait_s"
	# Where a quota stops them, that is said instead.
	grep -qF 'A CPU limit held it back' verdict || says 'and the verdict says' 'its threads waited at least'
done

record 0.2 sleep 5
check_that 'a sleeping process hardly waits' "$wait_s < 0.5"
if awk "BEGIN { exit !($wait_s < 0.05 * $wall_s) }"; then
	says 'and is called idle, whatever the machine does' 'It was idle most of the time'
fi

# One alone: on a free CPU it waits for nothing, and on a busy one for what it says.
record 0.2 "$T/waits" processes 1 2000 truth
truth 1
check_that 'one burner: not more than it waited' "$wait_s <= $most"
if awk "BEGIN { exit !($most < 0.15 * ($most + $cpu_s)) }"; then
	check "no word on waiting ($(cat verdict))" eval "! grep -qF 'its threads waited' verdict"
fi

# Followed, from when it had waited already: that is not the recording's.
taskset -c "$cpu" "$T/waits" threads 4 4000 truth &
for _ in $(seq 600); do cat /proc/$!/task/*/schedstat 2>/dev/null | awk '{ s += $2 } END { exit !(s > 3e9) }' && break; sleep 0.05; done
followed=$!
waited() { cat /proc/$followed/task/*/schedstat 2>/dev/null | awk '{ s += $2 } END { printf "%.6f", s / 1e9 }'; }
before=$(waited)
"$R" -q -o b.gz -i 0.2 -p $followed &
wait_until test -s b.gz.partial
begun=$(waited) # a busy machine starts it late
wait
rows_s=$(process_column b.gz cpu_wait | awk '{ s += $1 } END { printf "%.6f", s }')
stop=$(zcat b.gz | grep -oE '"stop_time":[0-9.]+' | cut -d: -f2)
truth 4
check_that 'what was waited before is left out' "$rows_s <= $most - $before"
check_that 'and what comes after is not' "$rows_s >= 0.4 * ($said - $begun)"
echo "1..$n"
