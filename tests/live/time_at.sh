# What jobs of known shape would take with other numbers of CPUs: bounds that hold on a busy machine as well.
. tests/check.sh
cd "$D" || exit
record() { # NAME COMMAND...
	"$R" -q -i 0.1 --no-discover-cloud -o "$1.gz" -- "${@:2}" >/dev/null 2>&1
}
# The expression has the row's `time_at` as t[1], t[2], t[3] … (with 1, 2, 4 … CPUs, as shares of the time that the run took),
# and that time as wall_s.
holds() { # NAME EXPRESSION
	local wall_s
	wall_s=$(zcat "$1.gz" | grep -oE '"wall_s":[0-9.]+' | head -n 1 | cut -d: -f2)
	zcat "$1.gz" | grep -o '"time_at":\[[^]]*\]' | head -1 | tr -dc '0-9.,' | awk -F, -v wall_s="$wall_s" "{ split(\$0, t, \",\"); ok = ($2) } END { exit !ok }"
}

record serial "$T/deed" burn 1 "$D/truth"
check "one thread is as fast with one CPU as with many" holds serial 't[1] <= t[9] * 1.25'
record sleeper sh -c 'sleep 0.5; "$0" burn 0.2 truth; sleep 0.5' "$T/deed"
check "a job that sleeps takes its sleep with any CPUs" holds sleeper 't[9] * wall_s > 0.8'
cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//') # one of those that it may use
# Beside many others the four are seldom seen at once: then once more, three times at most.
wide='t[2] < t[1] * 0.8 && t[3] < t[2] * 0.9'
for _ in 1 2 3; do
	record wide taskset -c "$cpu" sh -c 'for i in 1 2 3 4; do "$0" burn 0.5 truth & done; wait' "$T/deed"
	! holds wide "$wide" || break
done
check "four at once on one CPU: with two it takes less, with four still less" holds wide "$wide"
check "and with more no less" holds wide 't[9] >= t[3] * 0.6'
echo "1..$n"
