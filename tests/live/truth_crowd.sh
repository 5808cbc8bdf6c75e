# Thousands of processes one after the other: the table of them has an end, and so has the recorder's memory.
. tests/check.sh
. tests/live/truth.bash
cd "$D" || exit 1

cat >many.sh <<'S'
for i in $(seq 30); do
	for k in $(seq 100); do sleep 0.1 & done
	wait
	[ $i != 10 ] || : >early
done
S
hwm() { grep VmHWM "/proc/$1/status" | tr -dc 0-9; }
record -i 0.02 -- bash -c 'exec bash many.sh' &
collector=$!
until [ -e early ]; do sleep 0.05; done
early=$(hwm $collector)
while kill -0 $collector 2>/dev/null; do
	late=$(hwm $collector 2>/dev/null || echo "$late")
	sleep 0.05
done
zcat a.gz >a.json
check_that 'thousands of processes are seen' "$(grep -oE '"tree":[^[]*' a.json | grep -oE '"n":[0-9]+' | cut -d: -f2) > 2000"
check_that 'samples know of the largest' "$(grep -o '{"row":' a.json | wc -l) <= 400"
check_that 'and our memory does not grow' "${late:-0} <= $early + 300"
echo "1..$n"
