#!/bin/bash
# A long test: only make test-all runs it.
# Every place that shows a mean of CPU use agrees with the kernel's exact CPU time divided by the wall time: five jobs
# of uneven load, at some of three intervals.
. tests/check.sh
cd "$D" || exit 1

# NAME VALUE TRUTH SHARE ROUNDED-TO
near() { check_near "${@:1:4}" "$5 / 2 + 1e-9"; }
burst() { "$T/deed" burn 0.5 /dev/null && sleep 3; }
late() { sleep 3 && "$T/deed" burn 0.5 /dev/null; }
pulses() { for _ in 1 2 3 4 5 6; do "$T/deed" burn 0.15 /dev/null; sleep 0.35; done; }
together() { "$T/deed" burn 1 /dev/null & "$T/deed" burn 0.4 /dev/null; wait; sleep 2; }
storm() { "$T/storm" 200 5 2 /dev/null; sleep 1.5; "$T/deed" hold 64 200 0.5; }
export T
export -f burst late pulses together storm # the command is a shell with these
jobs='burst-0.1 burst-1 late-8 pulses-0.1 together-1 together-8 storm-0.1 storm-8'

# A column of the processes' rows; a total; what the model says of a statistic.
values() { zcat "$1.gz" | grep -o '"process_metrics".*"system_metrics"' | grep -oE "\"$2\":\[[^]]*\]" | grep -oE '[0-9.]+(e-[0-9]+)?'; }
of() { zcat "$1.gz" | grep -oE "\"$2\":[-0-9.e+]+" | head -n 1 | cut -d: -f2; }
now() { grep -oE '"now":\{.*' "$1.json" | grep -oE "\"$2\":\{[^}]*" | head -n 1 | grep -oE "\"$3\":[-0-9.e+]+" | cut -d: -f2; }
# Σ v Δt / Σ Δt, from the rows; the plain mean; the highest.
over_time() { paste <(values "$1" "$2") <(values "$1" timestamp) | awk -v t="$(of "$1" start_time)" '{ s += $1 * ($2 - t); all += $2 - t; t = $2 } END { printf "%.6f", s / all }'; }
plain() { values "$1" "$2" | awk '{ s += $1 } END { printf "%.6f", s / NR }'; }
highest() { values "$1" "$2" | awk '$1 > m { m = $1 } END { printf "%.6f", m }'; }

for a in $jobs; do
	"$B/rtrack-collect" -i "${a#*-}" --no-discover-cloud -o "$a.gz" -- bash -c "${a%-*}" 2>"$a.err" &
done
wait

for a in $jobs; do
	job=${a%-*} i=${a#*-}
	truth=$(echo "$(of "$a" exact_cpu_s) $(of "$a" wall_s)" | awk '{ printf "%.6f", $1 / $2 }')
	low=$(awk "BEGIN { print $truth * 0.99 - 5e-5 }") high=$(awk "BEGIN { print $truth * 1.01 + 5e-5 }")
	"$B/rtrack-report" --offline -o "$a.html" --json "$a.json" --text "$a.txt" -t @snakemake.tsv="$a.tsv" \
		-t @trace.txt="$a.trace" -t @gpu_tracker.json="$a.gt" --fail-if "process_cpu_usage.mean < $low" \
		--fail-if "process_cpu_usage.mean > $high" "$a.gz" 2>/dev/null
	check_that "$job, a row each $i s: the gate's mean is CPU time over wall time" "$? == 0"
	near 'the head of the file' "$(zcat "$a.gz" | grep -oE '"process_cpu_usage":\{[^}]*' | grep -oE '"mean":[0-9.]+' | cut -d: -f2)" "$truth" 0.01 0.0001
	near "the collector's last line" "$(grep -oE '[0-9.]+ cores' "$a.err" | cut -d' ' -f1)" "$truth" 0.01 0.01
	near 'the model' "$(now "$a" process_cpu_usage mean)" "$truth" 0.01 0.01
	near 'the verdict' "$(grep -oE 'kept [0-9.]+ core' "$a.txt" | head -n 1 | cut -d' ' -f2)" "$truth" 0.01 0.01
	near '@snakemake.tsv, mean_load' "$(tail -n 1 "$a.tsv" | cut -f 9)" "$(awk "BEGIN { print 100 * $truth }")" 0.01 0.01
	near '@trace.txt, %cpu' "$(tail -n 1 "$a.trace" | grep -oE '[0-9.]+%' | head -n 1 | tr -d %)" "$(awk "BEGIN { print 100 * $truth }")" 0.01 0.1
	near '@gpu_tracker.json' "$(tr -d ' \n' <"$a.gt" | grep -oE '"combined":\{"max_sum_percent":[^}]*' | grep -oE '"mean_sum_percent":[0-9.]+' | cut -d: -f2)" "$(awk "BEGIN { print 100 * $truth }")" 0.01 0.01
	near 'memory is over time, too' "$(now "$a" process_memory mean)" "$(over_time "$a" memory)" 0.001 1
	near 'and there is one duration' "$(now "$a" timestamp duration)" "$(of "$a" wall_s)" 0 0.011
done

# Other tools take plain means over the rows. Of a job that is idle at its end these are off by half a row at
# most. A machine that is too busy to take each sample in its turn makes rows of uneven length, of which no
# plain mean is right: then once more, three times at most.
uneven() { # FILE: the mean deviation of a row's length, the last row left out, as a share of the interval
	values "$1" timestamp | awk -v t="$(of "$1" start_time)" -v i="$2" '{ d = $1 - t - i; t = $1; last = d < 0 ? -d : d; s += last }
		END { printf "%.4f", (s - last) / NR / i }'
}
for job in burst pulses together; do
	for _ in 1 2 3; do
		"$B/rtrack-collect" -i 0.1 --no-discover-cloud -o plain.gz -- bash -c "$job" 2>/dev/null
		truth=$(echo "$(of plain exact_cpu_s) $(of plain wall_s)" | awk '{ printf "%.6f", $1 / $2 }')
		mean=$(plain plain cpu_usage)
		awk "BEGIN { exit !($mean <= $truth * 1.02 && $mean >= $truth * 0.98) }" && break
	done
	if awk "BEGIN { exit !($(uneven plain 0.1) > 0.02) }"; then
		skip "$job: the plain mean over the rows" 'the machine is too busy to sample on time'
		continue
	fi
	near "$job: the plain mean over $(values plain timestamp | wc -l) rows" "$mean" "$truth" 0.02 0
done

# One thread is one core at most, whatever the kernel's accounts say at the moment of a sample.
"$B/rtrack-collect" -q -i 0.05 --no-discover-cloud -o loop.gz --csv process --csv-file loop.csv -- "$T/deed" burn 1.5 truth
check_that 'no row of one thread is over one core' "$(highest loop cpu_usage) <= 1.01"
near 'and their sum is exact' "$(awk -F, 'NR > 1 { s += $4 + $5 } END { printf "%.6f", s }' loop.csv)" "$(of loop exact_cpu_s)" 0.01 0
echo "1..$n"
