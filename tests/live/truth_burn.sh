# A long test: only make test-all runs it.
# A process that burns CPU time: the sum of its rows is exact, and no row is over one core.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1
for i in $intervals; do
	one_core 'one process that burns 3 s' $i burn 3
done
echo "1..$n"
