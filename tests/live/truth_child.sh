# A long test: only make test-all runs it.
# A child that burns CPU time and is reaped between two samples: its rows are as exact as those of a process of its
# own.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1
for i in $intervals; do
	one_core 'a child burns 3 s and is reaped' $i child 3
done
echo "1..$n"
