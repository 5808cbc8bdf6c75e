#!/bin/bash
# A long test: only make test-all runs it.
# Where the time went, of programs whose states are known: each wait of 3 s (2 s under load) within 3 % and the time that a moment of a busy
# machine takes, alone and beside eight that burn; the states add up to the time.
. tests/check.sh
cd "$D" || exit 1
if ! grep -qE '^[0-9]+ [0-9]+ [1-9]' /proc/self/schedstat; then
	skip_all 'this kernel does not report how long a thread ran'
fi
S=3

# Seconds of one state, of the run and by its column; 0 where there is none.
state() { zcat a.gz | grep -oE "\"states\":\{\"seconds\":\{.*\"exact_s\"" | head -n 1 | grep -oE "\"$1\":\{\"value\":[0-9.]+" | grep -oE '[0-9.]+$' || echo 0; }
rows() { process_column a.gz "state_$1" 2>/dev/null | awk '{ s += $1 } END { printf "%.3f", s }'; }
all='cpu cpu_wait throttled memory disk net_disk net lock pipe event sleep stopped unknown'
sum_of() { local s=0 one; for one in "$@"; do s="$s + $(state "$one")"; done; awk "BEGIN { printf \"%.3f\", $s }"; }
record() {
	"$R" -q -o a.gz "$@"
	wall_s=$(zcat a.gz | grep -oE '"wall_s":[0-9.]+' | head -n 1 | cut -d: -f2)
	late_s=$(awk -v wall="$wall_s" '{ s += $2 } END { print wall - s }' truth)
}
late_s=0

# What CPU a machine is short of may be missing in any wait: the time of that is what the states themselves say of it. A
# recorder that is short of it sees the end late, and until then the last wait.
expect() { # NAME SECONDS STATE…
	local name=$1 s=$2 got lost
	shift 2
	got=$(sum_of "$@")
	lost=$(sum_of cpu_wait unknown)
	check_that "$name: $s s are $* ($got s; waited for a CPU or unknown: $lost s)" "$got >= 0.97 * $s - 0.15 - $lost && $got <= 1.03 * $s + 0.15 + $lost + $late_s"
}
whole() { check_that "the states come to the time ($(sum_of $all) of $wall_s s)" "($(sum_of $all) - $wall_s) ^ 2 < 0.02 ^ 2"; }

round() { # WHEN: one recording for each state
	local deed s states
	for deed in sleep lock pool net download pipe child event cpu; do
		record "$T/states" truth $S $deed
		s=$(awk '{ print $2 }' truth)
		case $deed in
		child | pool) states=sleep ;;
		# Of a table of sockets, 256 KiB are read.
		download) states=net; [ "$(wc -c </proc/net/tcp)" -lt 200000 ] || states='net event' ;;
		cpu) states='cpu cpu_wait' ;;
		*) states=$deed ;;
		esac
		expect "$1" "$s" $states
		whole
		[ $deed = cpu ] || check_that 'the column says the same' "($(rows $states) - $(state $states)) ^ 2 < 0.05 ^ 2"
	done
	# One after the other.
	record "$T/states" truth 2 sleep cpu pipe
	expect "$1, in one run" 2 sleep
	expect "$1, in one run" 2 pipe
	whole
}

round alone
# Waits for storage: what the kernel says of the job's own cgroup is the least; the rest of the time it ran.
for deed in disk fsync; do
	record "$T/states" truth $S $deed
	full=$(zcat a.gz | grep -oE '"psi_io_full_s":[0-9.]+' | cut -d: -f2)
	whole
	check_that "$deed: $(sum_of disk net_disk memory) s, of which pressure says ${full:-nothing}" \
		"$(sum_of disk net_disk memory) >= 0.9 * ${full:-0} - 0.05"
	check_that 'with the CPU it is all of the time' "$(sum_of disk net_disk memory cpu cpu_wait) >= 0.9 * $wall_s - 0.2"
	# Of many short waits, none may be seen.
	check "the file has a name" eval 'awk "BEGIN { exit !($(state disk) < 0.5 * $S) }" || zcat a.gz | grep -qF "truth.data"'
done

# A lock of a file is known by its name.
record "$T/states" truth $S flock
expect 'alone, a lock of a file' "$(awk '{ print $2 }' truth)" lock
check 'which has a name' eval "zcat a.gz | grep -qE '\"state\":\"lock\",\"name\":\"[^\"]*/truth.data\"'"
page() { "$P" --offline --keeper-cache '' -o page.html a.gz && grep -c 'Longest waits' page.html; }
check_equal 'the page has a column for it' "$(page)" 1

# What may not be seen is not what it was before.
record "$T/states" truth $S pipe hide
expect 'before it hides' "$(awk 'NR == 1 { print $2 }' truth)" pipe
check_that "hidden: asleep for root, unknown for others ($(state sleep) and $(state unknown) s)" \
	"$([ "$(id -u)" = 0 ] && state sleep || state unknown) + $(state cpu_wait) >= 0.9 * $S - 0.2"
whole

# Stopped from outside.
late_s=0
"$R" -q -o a.gz sh -c 'echo $$ >pid; exec sleep 1.5' &
until [ -s pid ]; do sleep 0.01; done
kill -STOP "$(cat pid)"; sleep $S; kill -CONT "$(cat pid)"
wait
wall_s=$(zcat a.gz | grep -oE '"wall_s":[0-9.]+' | head -n 1 | cut -d: -f2)
expect stopped $S stopped
check_equal 'which the page has not where no wait has a name' "$(page)" 0

# Followed from outside, from when it is in its wait.
"$T/states" truth 4 event & pid=$!
sleep 0.5
"$R" -q -o a.gz -p $pid
wait
wall_s=$(zcat a.gz | grep -oE '"stop_time":[0-9.]+,"duration":[0-9.]+' | grep -oE '[0-9.]+$')
expect followed "${wall_s:-0}" event

# A quota, in cgroup v1: throttled, or if the kernel gives it no CPU anyway, short of one.
quota=/sys/fs/cgroup/cpu/rtrack-states-$$
if mkdir "$quota" 2>/dev/null; then
	echo 100000 >"$quota/cpu.cfs_period_us" && echo 25000 >"$quota/cpu.cfs_quota_us"
	sh -c 'echo $$ >"$0/tasks" && exec "$@"' "$quota" "$R" -q -o a.gz "$T/states" truth "$S" cpu
	wall_s=$(zcat a.gz | grep -oE '"wall_s":[0-9.]+' | head -n 1 | cut -d: -f2)
	expect 'a quota of a quarter' "$(awk '{ print $2 * 0.75 }' truth)" throttled cpu_wait
	held_s=$(awk '$1 == "throttled_time" { printf "%.3f", $2 / 1e9 }' "$quota/cpu.stat")
	check_that "it is called throttled ($(state throttled) s; the kernel: $held_s s)" "$(state throttled) >= 0.7 * $held_s - 0.3 && $(state throttled) <= $held_s + 0.1"
	whole
	for _ in $(seq 100); do rmdir "$quota" 2>/dev/null && break; sleep 0.05; done
else
	skip 'throttled: no cgroup v1 of cpu can be made'
fi

# Beside eight that burn, and that slow down all tests beside this one: shorter waits, of which the same may be missing.
S=2
for _ in $(seq 8); do timeout 300 sh -c 'while :; do :; done' & burners="$burners $!"; done
round 'under load'
kill $burners
echo "1..$n"
