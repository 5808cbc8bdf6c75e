#!/bin/bash
# The peak of a job's memory is known where it lies between two samples: the lower bound is never above the truth, the
# upper one never below it, and everything that shows a peak shows the same one.
. tests/check.sh
# A sanitizer keeps memory that was freed, and its check for leaks shares all of it with a second process.
[ ! -x build/release/tests/live/spike ] || T=$PWD/build/release/tests/live
cd "$D" || exit 1

head_of() { zcat "$1.gz" | grep -oE '"memory":\{"peak_bytes":[^}]*\}' | head -n 1; }
bound() { head_of "$1" | grep -oE "\"$2\":[0-9]+" | cut -d: -f2 | awk '{ printf "%.1f", $1 / 1048576 }'; }
word() { head_of "$1" | grep -oE '"peak_known":"[a-z]+' | cut -d'"' -f4; }
record() { # NAME INTERVAL WORDS…: at the same time as others
	local name=$1 interval=$2
	shift 2
	"$B/rtrack-collect" -q -i "$interval" --cgroup off --no-discover-cloud -o "$name.gz" -- "$T/spike" "$@" &
}
# NAME TEXT PART
check_has() { case $2 in *"$3"*) passed "$1" ;; *) failed "$1" "no '$3' in: ${2:0:300}" ;; esac; }
# NAME LEAST TRUTH WHAT: the lower bound is about LEAST at least, both enclose the TRUTH (MiB). Programs and their libraries
# take some MiB; the kernel counts RSS in batches.
check_peak() {
	local low high # an empty one: how large processes were that no sample saw is not known
	low=$(bound "$1" peak_bytes) high=$(bound "$1" peak_at_most_bytes)
	high=${high:-1e9}
	echo "# $1: $low to $high MiB ($(word "$1")), truth about $3"
	check_that "$4: the lower bound is not too low" "$low >= $2 * 0.97"
	check_that 'nor above the truth' "$low <= $3 * 1.02 + 6"
	check_that 'and the upper bound is not below it' "$high >= $3 * 0.99"
}

record own 7 nap 1.3 touch 415 0.2 nap 6.5
record child 7 nap 1.3 fork touch 415 0.2 , wait nap 6.5
record short 1 nap 0.65 touch 301 0.15 nap 0.8
record two 4 fork await touch 200 0.1 tell nap 2 , nap 4.5 touch 200 0.1 tell await wait
record both 4 nap 4.3 fork await hold 200 tell nap 0.3 drop nap 5 , hold 200 tell await drop wait
record beside 0.5 fork hold 200 tell await , await nap 2 touch 150 0.1 nap 2 tell wait
record turns 4 fork hold 200 nap 4.5 drop tell nap 0.5 await hold 200 nap 1 , await touch 200 0.1 tell wait
wait
record frees 1 hold 300 nap 1.3 fork drop nap 2 , wait
record grandchild 1 hold 300 nap 1.3 fork fork drop nap 2 , , wait nap 2
record storm 0.2 hold 300 nap 0.7 storm 150 nap 0.01 drop nap 0.01 , wait
record copies 0.5 hold 100 nap 1 fork dirty tell nap 3 , await nap 3 wait
record shares 4 share 200 nap 1.2 fork nap 3.5 look nap 4 , fork nap 8 , wait
record execs 1 hold 300 nap 1.3 exec nap 0.3 touch 100 0.1 exec nap 1.2
wait

check_peak own 415 417 'a spike of the process itself between two samples'
check_peak child 415 417 'a spike of a child that no sample saw'
check_peak short 301 303 'a spike of 0.15 s'
check_peak two 200 201 'two processes with spikes one after the other, in one interval'
check_peak both 200 400 'two processes whose memory overlaps, or does not'
check_peak beside 350 351 'a spike beside a process that sleeps'
check_peak turns 200 202 'a process that frees its memory for that of another'
check_peak frees 300 302 'a child that frees what it inherited'
check_peak grandchild 300 302 'a grandchild that does'
check_peak storm 300 302 'many children of a large process'
check_peak copies 100 200 'a child that copies what it inherited'
check_peak shares 200 202 'shared memory that a child reads'
check_peak execs 300 302 'programs that replace each other'

# One number everywhere.
"$B/rtrack-report" --offline -o own.html --json own.json --text own.txt --markdown own.md --openmetrics own.om own.gz \
	--fail-if 'process_memory.max > 100MiB' 2>own.err
check_equal 'a gate knows the peak' $? 3
check_has 'and says it' "$(cat own.err)" 'Peak memory (PSS) 416 MiB is above 100 MiB'
"$B/rtrack-report" --offline -o again.html --fail-if 'process_memory.max_sampled > 100MiB' own.gz 2>/dev/null
# On a busy machine a late sample may meet the spike.
check_equal 'and another one the peak of the samples' $? \
	"$(process_column own.gz memory | awk '$1 > 102400 { above = 3 } END { print above + 0 }')"
if has own.txt 'was short of CPU'; then # the verdict of a busy machine
	skip 'the verdict' 'it was short of CPU'
else
	check_has 'the verdict' "$(tr -s ' \n' ' ' <own.txt)" 'The job used at most 416 MiB of memory'
fi
check_has 'the proposal' "$(cat own.txt)" 'and 512 MiB of memory'
check_has 'OpenMetrics' "$(cat own.om)" "statistic=\"max\"} $(head_of own | grep -oE '[0-9]+' | head -n 1)"
check_has 'the row' "$(zcat own.gz | head -c 2048)" "\"memory_peak_bytes\":$(head_of own | grep -oE '[0-9]+' | head -n 1),\"memory_peak_known\":\"$(word own)\""
"$B/rtrack-report" --offline -o third.html --json third.json own.html 2>/dev/null
peak_of() { grep -oE '"process_memory":\{[^}]*"max":[0-9.]+' "$1" | grep -oE '"max":[0-9.]+' | sort -u; }
check_equal 'a page as an input' "$(peak_of third.json)" "$(peak_of own.json)"

# 122000 may be 122e3.
row_of() { grep -oE '"((machine_memory|memory_mean|memory_peak)_bytes|cpu_s|wall_s)":[0-9.e]+' | awk -F: '{ printf "%s:%.15g\n", $1, $2 }' | sort -u; }
for part in $(zcat own.gz | head -c 2048 | row_of); do check_has "the page's row: $part" "$(row_of <own.json)" "$part"; done

# Six such runs in a fleet.
mkdir runs
for i in 1 2 3 4 5 6; do
	"$B/rtrack-collect" -q -i 0.5 --no-discover-cloud --asked memory=4GiB --name spiky -o "runs/$i.json.gz" -- \
		"$T/spike" nap 2.1 touch 415 0.05 nap 3.6 &
done
wait
"$B/rtrack-fleet" groups --offline -o fleet.html --text fleet.txt runs 2>/dev/null
check_has 'a fleet proposes enough' "$(cat fleet.txt)" '512 MiB'

# Memory that no sample saw is never 0.
"$B/rtrack-collect" -q --no-discover-cloud -o tiny.gz -- "$T/spike" touch 13 0
check_that 'a job of some ms has a peak' "$(bound tiny peak_bytes) >= 13"
echo "1..$n"
