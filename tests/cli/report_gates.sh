# Conditions of --fail-if: when they fail a run, where and how that is shown, and the exit status.
R=$(realpath "$B")/rtrack-report RUNS=$PWD/tests/fixtures/runs_report SCHEMA=$PWD/tests/fixtures/junit.xsd D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
mkdir "$D/runs"
cp "$RUNS"/*.json "$D/runs" || exit
cd "$D" || exit

report() {
	SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@" 2>&1
	echo "status $?"
}
try() {
	echo "$ --fail-if $*"
	report -o a.html --fail-if "$@" runs
}
try 'process_memory.max > 900MiB'
try 'process_memory.max > 1GiB'
try 'duration > history * 1.1'
try 'process_memory.max > history * 1.1'
try 'process_memory.max > limit * 20%'
try 'process_gpu_vram.max > limit'
try 'cost > 1 USD'
try 'process_memory.max > 1GiB' --fail-if 'duration >= 4s' --fail-if 'process_cpu_usage.mean < 50% * limit'
echo '--- the first run of a job'
report -o a.html --fail-if 'duration > history' runs/now.json
echo '--- a machine without GPU, a job without a limit'
cat >bare.json <<'J'
{"server_info": {"vcpus": 4, "memory_mb": 16000, "gpu_count": 0}, "process_metrics": {"timestamp": [1, 2],
"memory": [1000, 2000], "cpu_usage": [1, 1], "gpu_usage": [0, 0], "gpu_vram": [0, 0], "gpu_utilized": [0, 0]}}
J
report -o a.html --fail-if 'process_gpu_usage.max < 10%' --fail-if 'process_gpu_vram.mean < 1GiB' \
	--fail-if 'process_gpu_utilized.max < 1' --fail-if 'system_gpu0_usage.mean < 50%' \
	--fail-if 'process_memory.max < limit * 10%' --fail-if 'wait_disk < 10%' bare.json
echo '--- several outputs, all written before the status says that a gate failed'
report --text a.txt --markdown a.md --openmetrics a.prom --junit a.xml -j a.json -o a.html \
	--fail-if 'duration > 1h' --fail-if 'duration > 4 s' --fail-if 'process_gpu_vram.max > limit' runs
head -n 8 a.txt
head -n 8 a.md
grep rtrack_gate a.prom
cat a.xml
sed -n '/<main /,/class=word/p; /<section id="gates"/,/<.section>/p' a.html
echo '--- from a model that was saved: the same, and no status of its own'
report --model a.json --text b.txt --markdown b.md --openmetrics b.prom --junit b.xml -o b.html
for f in txt md prom xml html; do cmp a.$f b.$f; done
report --model a.json --fail-if 'duration > 1s'
echo '--- with a recording that was left out'
echo '{' >runs/broken.json
try 'duration > 1h'
try 'duration > 1s'
rm runs/broken.json
echo '--- an output that cannot be written'
report --text /dev/full --fail-if 'duration > 1s' runs
echo '--- wrong usage, before any file is read'
rm -f a.html
for gate in 'duratoin > 1s' 'memory.max > 1GiB' 'process_memory > 1GiB' 'duration > 5mn' 'duration > 8GiB' \
	'cpu_efficiency < 20' 'process_threads.max > 50%' 'process_memory.max > 8' 'process_memory.max > 8 Gib' \
	'duration' 'duration > 1s; rm' '' 'cost > 1EUR' \
	'duration > history.p95' $'duration > \e[31m'; do
	"$R" -o a.html --fail-if "$gate" nowhere.json 2>&1
	echo "status $?"
done
many=()
for i in $(seq 65); do many+=(--fail-if "duration > ${i}h"); done
report -o a.html "${many[@]}" runs
ls a.html 2>&1
echo '--- JUnit without gates; a job that failed, one that was killed, one whose end is not told'
report --junit none.xml runs
report --junit failed.xml runs/failed.json
report --junit killed.xml runs/killed.json
cat none.xml failed.xml
grep -c '<failure' killed.xml
echo '{"cloud_info": {"vendor": "aws", "instance_type": "t3.micro"},
"process_metrics": {"timestamp": [1, 2], "cpu_usage": [1, 2]}}' >plain.json
report --junit plain.xml plain.json
cat plain.xml

echo '--- names that attack, beside gates'
evil='</script><script>alert(1)</script><!--\u2028]]>\"'"'"'`\u001b[31m|*_[x](javascript:1)&amp;{{title}}\u0000\ufffe\n::error::x'
named() { # NAME: a recording in which every name is this
	cat <<J
{"rtrack": {"format": 1, "job": {"name": "$1", "argv": ["$1"], "tags": {"$1": "$1"}},
"exit": {"signal": "$1", "cause": "$1"}}, "cloud_info": {"vendor": "$1", "instance_type": "$1"},
"process_metrics": {"timestamp": [1, 2], "cpu_usage": [1, 2]}}
J
}
named plain >plain.json
named "$evil" >evil.json
report -o evil.html --text evil.txt --markdown evil.md --openmetrics evil.prom --junit evil.xml \
	--fail-if 'process_cpu_usage.max>1&&1' plain.json
report -o plain.html --fail-if 'process_cpu_usage.max > 1' plain.json
report -o evil.html --text evil.txt --markdown evil.md --openmetrics evil.prom --junit evil.xml \
	--fail-if 'process_cpu_usage.max > 1' evil.json
for tag in '<script' '<!--' '<section' '<li'; do
	[ "$(grep -ao "$tag" plain.html | wc -l)" = "$(grep -ao "$tag" evil.html | wc -l)" ] || echo "$tag"
done
cat -v evil.xml
cat -v evil.prom | grep rtrack_gate
grep -c $'[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]' evil.html evil.txt evil.md evil.prom evil.xml
grep -c '^::' evil.html evil.txt evil.md evil.prom evil.xml
echo '--- JUnit as its readers want it'
for f in a none failed killed plain evil; do
	if command -v xmllint >/dev/null; then
		xmllint --noout --schema "$SCHEMA" $f.xml 2>&1
	else
		echo "$f.xml validates"
	fi
done
