# Recordings that cannot be true: the report says so, and has no length, asks or cost of them; the fleet leaves them out.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report RUN=$PWD/tests/fixtures/runs_asked/now.json D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/runs"
cd "$D/runs" || exit
unset COLUMNS NO_COLOR
cp "$RUN" true.json
sed 's/"cpus": {"value": 16/"cpus": {"value": 1000000000/' "$RUN" >asked.json
sed 's/"exact_cpu_s": 12960.0/"exact_cpu_s": 506881/' "$RUN" >just.json # 7200 s × 64 CPUs × 1.1 + 1 s
sed 's/"exact_cpu_s": 12960.0/"exact_cpu_s": 506882/' "$RUN" >cpu.json
sed 's/"stop_time": 1795247200/"stop_time": 1895247200/' "$RUN" >future.json
for name in true just asked cpu future; do
	sed -i "s/\"host\": \"n1\"/\"host\": \"$name\"/" $name.json # a run of its own
	echo "=== $name"
	"$R" --offline --now 1795260000 --text "$D/$name.txt" --openmetrics "$D/$name.prom" -j "$D/$name.model" $name.json
	sed -n '/cannot be true/,/not shown/p; /It ran for/p; /^Asked and used/p; /^  Duration/p' "$D/$name.txt"
	grep -cE '^rtrack_(asked|unused|efficiency|cost|duration)[a-z_]*\{?.* [0-9]' "$D/$name.prom"
	"$R" --offline --now 1795260000 --fail-if 'duration > 1s' $name.json >/dev/null 2>"$D/err"
	echo "gate: status $?"
	cat "$D/err"
done
echo '=== the fleet of all'
"$F" groups --offline --now 1795260000 --rate-cpu 1 --text - . 2>&1 | sed -n '1,/^$/p; /annot be true/,/^$/p'
