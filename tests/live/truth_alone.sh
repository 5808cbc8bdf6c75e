# A long test: only make test-all runs it.
# --no-children: the rows and totals are of the root process alone, however much its children use.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1
# The leak check of a job under a sanitizer is a child of it.
[ -z "$asan" ] || export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"
member() { zcat a.gz | grep -oE "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2; }
for i in 1 0.1; do
	record -i $i --no-children "$T/deed" beside 1 100 5 truth
	check_near "100 children of 5 ms beside 1 s of its own, a row each $i s" "$(cpu)" "$(cat truth)" 0.01
	check_near 'in the snapshot' "$(cpu_time a.gz)" "$(cat truth)" 0.01
	check_near 'in the totals' "$(member exact_cpu_s)" "$(cat truth)" 0.01
	check_near 'for catalogs' "$(member cpu_s)" "$(cat truth)" 0.01
	check_that 'no row is over one core' "$(max cpu_usage) <= 1.01"
	check_equal 'it has no children' "$(process_column a.gz children | sort -u)" 0
	check_equal 'the end is the command'\''s' "$(member code)" 0
	check_equal 'one process is listed' "$(member kept)" 1
	check_equal 'what would have its children is unknown' "$(member max_rss_bytes) $(member ctx_voluntary) $(member cgroup)" \
		'null null null'
	check_equal 'the metadata say so' "$(zcat a.gz | grep -c '"children":false')" 1
done
# One that waits for nobody has its exact account.
record --no-children "$T/deed" burn 0.5 truth
check_near 'without children' "$(member exact_cpu_s)" "$(cat truth)" 0.01
check_that 'and its peak is known' "$(member max_rss_bytes) > 0 && $(member ctx_involuntary) >= 0"
# The kernel reports the CPU time of several threads without that of the children in whole ticks.
record -i 0.1 --no-children "$T/deed" threads 2 50 10 truth
check_near 'two threads beside 50 children of 10 ms' "$(cpu)" "$(cat truth)" 0.02
check_near 'in the totals' "$(member exact_cpu_s)" "$(cat truth)" 0.02
check_that 'both threads are counted' "$(max threads) == 2"
check_equal 'and still no children' "$(process_column a.gz children | sort -u)" 0
record -i 0.1 --no-children "$T/deed" threads 1 0 0 truth
check_near 'two threads without children: exact' "$(member exact_cpu_s)" "$(cat truth)" 0.005
# A process that runs already.
"$T/deed" beside 2 100 5 truth &
record -i 0.1 --no-children -p $!
wait $!
check_that 'a followed process: no more than its own' "$(cpu_time a.gz) <= $(cat truth) * 1.01"
check_that 'and nearly all of it' "$(cpu_time a.gz) >= $(cat truth) * 0.8"
check_equal 'nor has it children' "$(process_column a.gz children | sort -u)" 0
# A command that has ended before the first sample could see more.
record --no-children -- sh -c 'exit 3'
check_equal 'a short one: its status' "$(member code)" 3
check_equal 'and one process' "$(member kept)" 1
echo "1..$n"
