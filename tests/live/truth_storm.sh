# A long test: only make test-all runs it.
#
# Thousands of processes that live and die between two samples: their CPU time is all there.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1
cpus=$(grep -c '^cpu[0-9]' /proc/stat)
for i in 1 0.05; do
	record -i $i "$T/storm" 1000 5 2 truth
	check_near "1,000 processes of 5 ms, a row each $i s" "$(cpu)" "$(cat truth)" 0.01
	check_near 'and in the snapshot' "$(cpu_time a.gz)" "$(cat truth)" 0.01
	check_that 'and no row is over the number of CPUs' "$(max cpu_usage) <= $cpus && $(snapshot_max cpu_usage) <= $cpus"
done
echo "1..$n"
