# A page is an input: alone, in a history, side by side, in a catalog; and other pages say so.
F=$(realpath "$B")/rtrack-fleet R=$(realpath "$B")/rtrack-report PARTS=$PWD/tests/fixtures/parts D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
report() {
	echo "$ rtrack-report $*"
	SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@" 2>&1
	echo "status $?"
}
fleet() {
	echo "$ rtrack-fleet $*"
	SOURCE_DATE_EPOCH=1795246800 "$F" "$@" --offline 2>&1
	echo "status $?"
}
same() { cmp -s "$1" "$2" && echo "$1 and $2 are the same"; }
mkdir recordings pages
run() { # NUMBER: a job that takes a little longer each time, with odd numbers
	sed "s/SECONDS/$1/g; s/PEAK/$((100 + $1))/g" <<'E2'
{"metadata": {"start_time": 179520SECONDS00.125, "stop_time": 179520SECONDS33.4375, "interval": 1, "pid": 7SECONDS,
"track_processes": true, "track_system": true}, "server_info": {"os": "Linux", "vcpus": 8, "memory_mb": 16000, "gpu_count": 0},
"rtrack": {"format": 2, "job": {"name": "job", "argv": ["sh", "job.sh"], "host": "n1", "user": "ann", "tags": {"of": "t"}},
"asked": {"cpus": {"value": 4, "source": "scheduler", "detail": "SLURM_CPUS_ON_NODE", "share": false}},
"machine": {"cpu_model": "Zuse Z3", "host_id": "0f", "ip": "192.0.2.7", "zone": "a", "account": "b"},
"exit": {"code": 0, "signal": null, "cause": "exited"}, "totals": {"wall_s": 33.3125, "utime_s": 9.87654, "stime_s": 1.5}},
"process_metrics": {"timestamp": [179520SECONDS01.5, 179520SECONDS12.25, 179520SECONDS23.75, 179520SECONDS32.875],
"cpu_usage": [0.33333, 1.PEAK7, 0.1, 2.71828], "memory": [1001, PEAK7771, 3e5, 123456.7], "utime": [1, 2, 3, 3.87654],
"stime": [0.5, 0.5, 0.25, 0.25], "read_bytes": [0, 4096, 1e6, 7]},
"system_metrics": {"timestamp": [179520SECONDS01.5, 179520SECONDS12.25, 179520SECONDS23.75, 179520SECONDS32.875],
"cpu_usage": [0.4, 1.5, 0.2, 3], "memory_used": [5e6, 6e6, 6e6, 7e6], "net_recv_bytes": [1, 2, 3, 4]}}
E2
}
for i in 11 12 13 14 15 16; do
	run $i >recordings/r$i.json
	"$R" --offline --now 1795246800 -o pages/r$i.html recordings/r$i.json
done

echo '--- alone: the same numbers'
report --json page.json --text page.txt --markdown page.md --openmetrics page.prom --junit page.xml --csv page.csv pages/r11.html
"$R" --offline --now 1795246800 --json run.json --text run.txt --markdown run.md --openmetrics run.prom --junit run.xml --csv run.csv \
	recordings/r11.json
sed -i 's/"r11\.html"/"r11.json"/' page.json
for kind in json txt md prom xml csv; do same page.$kind run.$kind; done
report -o again.html pages/r11.html
report --json again.json again.html
sed -i 's/"again\.html"/"r11.json"/' again.json
same again.json run.json
report -o model.html --model run.json
same model.html pages/r11.html
report -t <(echo '{{title}} {{run.duration.text}}') pages/r11.html
report --fail-if 'duration > 10s' -t <(echo '{{title}}') pages/r11.html
mv pages/r11.html report.html
report report.html
mv report.html pages/r11.html

echo '--- history: the same numbers'
gate='duration > history * 1.0001'
report --text a.txt --markdown a.md --json a.json --fail-if "$gate" --current recordings/r16.json recordings
report --text b.txt --markdown b.md --fail-if "$gate" --current recordings/r16.json pages
same a.txt b.txt
same a.md b.md
echo '--- a page and its recording are one run'
report --json d.json --fail-if "$gate" --current recordings/r16.json recordings pages
same a.json d.json
report --json e.json --fail-if "$gate" --current pages/r16.html recordings pages
same a.json e.json
echo '--- pages alone, with a gate'
report --fail-if 'duration > 10s' -t <(echo '{{title}}, {{trend.runs}} runs, {{run.file}}: {{#charts}}{{id}} {{/charts}}') pages
report --current pages/r16.html -t <(echo '{{#server.facts}}{{id}} {{text}}, {{/server.facts}}{{#cloud.facts}}{{id}} {{text}}, {{/cloud.facts}}') pages
echo '--- an output in a folder is not read'
report -o pages/r16.html -t <(echo '{{trend.runs}} runs, {{run.file}}') pages
echo '--- side by side'
report --compare -t <(echo '{{#compare.runs}}{{label}} from page: {{from_page}}
{{/compare.runs}}{{#compare.charts}}{{summary}}
{{/compare.charts}}') recordings/r13.json pages/r14.html
echo '--- of a long run it has the overview'
long() { # SAMPLES
	awk -v n="$1" 'function column(name, scale) {
		printf "\"%s\":[", name
		for (i = 0; i < n; i++)
			printf "%s%.4f", i ? "," : "", scale < 0 ? 1795200000 + i : scale * (1 + (i * 7919) % 997 / 997)
		printf "]"
	}
	BEGIN {
		printf "{\"metadata\":{\"start_time\":1795199999,\"stop_time\":%d,\"interval\":1,\"pid\":7},", 1795200000 + n
		printf "\"rtrack\":{\"format\":2,\"job\":{\"name\":\"long\",\"host\":\"n1\"},\"phases\":["
		printf "{\"name\":\"a\",\"start\":1795200010,\"end\":1795200100},{\"name\":\"b\",\"start\":1795200100,\"end\":1795200400}]},"
		printf "\"process_metrics\":{"; column("timestamp", -1); printf ","; column("cpu_usage", 1); printf ","
		column("memory", 1e5); printf ","; column("read_bytes", 1000); printf "},\"system_metrics\":{"
		column("timestamp", -1); printf ","; column("cpu_usage", 1.5); printf ","; column("memory_used", 5e5); print "}}"
	}'
}
long 5000 >long.json
report -o long.html --text long.txt --openmetrics long.prom long.json
report -o long2.html --text long2.txt --openmetrics long2.prom long.html
same long.txt long2.txt
join -j 1 <(cut -d' ' -f1,2 long.prom) <(cut -d' ' -f1,2 long2.prom) | awk '!/^#/ && ($2 - $3) ^ 2 > ($2 * 1e-6) ^ 2 { print "other:", $0 }'
report --csv x.csv long.html
report --csv x.csv long.html pages/r12.html
report --gpu x long.html
report --ram-unit megabytes -t @gpu_tracker.json=long.gpu long.json
report --ram-unit megabytes -t @gpu_tracker.json=long2.gpu long.html
diff <(grep max_ram long.gpu) <(grep max_ram long2.gpu) && echo 'the same memory'
echo '--- an earlier version, or no room for the recording: what its row says'
for i in 11 12 13 14 15; do
	sed '/id="rtrack-recording"/d' pages/r$i.html >row.html && mkdir -p rows && mv row.html rows/r$i.html
done
report -o x.html rows/r11.html
report --compare -o x.html rows/r11.html recordings/r16.json
report -t <(echo '{{trend.runs}} runs{{#history}}; {{file}} {{status}} {{duration.text}}{{/history}}') --fail-if "$gate" --current recordings/r16.json rows
report -t <(echo '{{trend.runs}} runs{{#history}}; {{file}} {{status}} {{duration.text}}{{/history}}') --current recordings/r16.json pages
report -t <(echo '{{trend.runs}} runs') --current recordings/r16.json rows pages recordings
echo '--- without its recording'
report --no-model -o bare.html recordings/r11.json
report -o x.html bare.html
grep -c 'rtrack-row\|rtrack-recording' bare.html
report --no-model --json - recordings/r11.json
echo '--- not ours, damaged, changed on the way'
echo '<!doctype html><title>javadoc</title>' >other.html
report -o x.html other.html
report -o x.html other.html recordings/r11.json
head -c 3000 pages/r11.html >short.html
report -o x.html short.html
sed 's/id="rtrack-recording">....../&!/' pages/r11.html >damaged.html
report -o x.html damaged.html
sed 's/id="rtrack-recording">....../&Q/' pages/r11.html >damaged.html
report -o x.html damaged.html
{ printf '\357\273\277'; sed 's/$/\r/' pages/r11.html | sed -E 's/(id="rtrack-recording">)(.{100})/\1\2\r\n/'; } >windows.html
report --text windows.txt windows.html
same windows.txt page.txt
mkdir javadoc
cp other.html bare.html javadoc
report -o x.html javadoc
cp recordings/r11.json javadoc
report -t <(echo '{{inputs}} {{history}}') javadoc

echo '--- many runs'
mv pages/r16.html .
fleet add --catalog c.db pages
fleet add --catalog c.db pages
fleet add --catalog c.db recordings/r11.json recordings/r12.json pages
fleet add --catalog c.db pages recordings
fleet add --catalog c.db pages recordings
fleet groups --catalog c.db -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}')
fleet groups -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}') recordings pages
fleet groups -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}') pages javadoc/other.html bare.html
fleet groups -o fleet.html recordings
report -o fleet2.html fleet.html
report -o x.html fleet.html recordings/r11.json

echo '--- of several recordings: it counts in a history, if they are not there'
ln -s "$PARTS/four" four
report -o four.html four
report -o x.html four.html
report -t <(echo '{{#parts}}{{recorded}}{{/parts}}, {{^trend.known}}1 run{{/trend.known}}') four.html four
NAME=$(grep -ho '"name": *"[^"]*"' four/*.json | head -n 1)
sed "s|\"name\": \"job\"|$NAME|" recordings/r16.json >other.json
report -t <(echo '{{trend.runs}} runs{{#history}}; {{file}} {{duration.text}}{{/history}}') --current other.json four.html other.json

echo '--- on standard input, gzipped, in a store'
report --text r13.txt recordings/r13.json
report --text piped.txt - <pages/r13.html
same piped.txt r13.txt
cat pages/r13.html | report --text piped.txt -
same piped.txt r13.txt
gzip -nc pages/r13.html >report.html.gz
report -o no.html report.html.gz
AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=us-east-1 report -o no.html s3://bucket/report.html
