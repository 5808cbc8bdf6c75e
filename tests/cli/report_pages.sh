# A page is an input: alone, in a history, side by side, in a catalog; and what is no such page says so.
R=$(realpath "$B")/rtrack-report D=$(mktemp -d)
trap 'rm -rf "$D"' EXIT
cd "$D" || exit
report() {
	echo "$ rtrack-report $*"
	SOURCE_DATE_EPOCH=1795246800 "$R" --offline "$@" 2>&1
	echo "status $?"
}
same() { cmp -s "$1" "$2" && echo "$1 and $2 are the same"; }
mkdir recordings pages
run() { # NUMBER: a job that takes a little longer each time, with odd numbers
	sed "s/SECONDS/$1/g; s/PEAK/$((100 + $1))/g" <<'E2'
{"metadata": {"start_time": 179520SECONDS00.125, "stop_time": 179520SECONDS33.4375, "interval": 1, "pid": 7SECONDS,
"track_processes": true, "track_system": true}, "server_info": {"os": "Linux", "vcpus": 8, "memory_mb": 16000},
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

echo '--- alone: the same to the byte'
report -o again.html pages/r11.html
same again.html pages/r11.html
report --json model.json --text page.txt --markdown page.md --openmetrics page.prom --junit page.xml pages/r11.html
"$R" --offline --now 1795246800 --text run.txt --markdown run.md --openmetrics run.prom --junit run.xml recordings/r11.json
for kind in txt md prom xml; do same page.$kind run.$kind; done
report -o model.html --model model.json
same model.html pages/r11.html
report -t <(echo '{{title}} {{run.duration.text}}') pages/r11.html
mv pages/r11.html report.html
report report.html
mv report.html pages/r11.html

echo '--- history: the same numbers'
gate='duration > history * 1.0001'
report --text a.txt --json a.json --fail-if "$gate" --current recordings/r16.json recordings
report --text b.txt --json b.json --fail-if "$gate" --current recordings/r16.json pages
same a.txt b.txt
sed -E 's/"(r1[1-5])\.json"/"\1.html"/g' a.json >c.json
same c.json b.json
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
echo '--- what a page does not have'
report --csv x.csv pages/r11.html
report --csv x.csv pages/r11.html pages/r12.html
report --gpu x pages/r11.html
report --ram-unit MB pages/r11.html

echo '--- without its model'
report --no-model -o bare.html recordings/r11.json
report -o x.html bare.html
grep -c 'rtrack-row\|rtrack-model' bare.html
report --no-model --json - recordings/r11.json
echo '--- not ours, damaged, changed on the way'
echo '<!doctype html><title>javadoc</title>' >other.html
report -o x.html other.html
report -o x.html other.html recordings/r11.json
head -c 60000 pages/r11.html >short.html
report -o x.html short.html
sed 's/id="rtrack-model">....../&!/' pages/r11.html >damaged.html
report -o x.html damaged.html
sed 's/id="rtrack-model">....../&Q/' pages/r11.html >damaged.html
report -o x.html damaged.html
{ printf '\357\273\277'; sed 's/$/\r/' pages/r11.html | sed -E 's/(id="rtrack-model">)(.{100})/\1\2\r\n/'; } >windows.html
report --text windows.txt windows.html
same windows.txt page.txt
mkdir javadoc
cp other.html bare.html javadoc
report -o x.html javadoc
cp recordings/r11.json javadoc
report -t <(echo '{{inputs}} {{history}}') javadoc

echo '--- many runs'
mv pages/r16.html .
report --catalog c.db --add pages
report --catalog c.db --add pages
report --catalog c.db --add recordings/r11.json recordings/r12.json pages
report --catalog c.db --add pages recordings
report --catalog c.db --add pages recordings
report --catalog c.db --fleet -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}')
report --fleet -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}') recordings pages
report --fleet -t <(echo '{{#groups.rows}}{{name}} {{runs.text}}{{/groups.rows}}') pages javadoc/other.html bare.html
report --fleet -o fleet.html recordings
report -o fleet2.html --csv - fleet.html
same fleet.html fleet2.html
report -o x.html fleet.html recordings/r11.json

echo '--- on standard input, gzipped, in a store'
"$R" -o piped.html - <pages/r13.html
same piped.html pages/r13.html
cat pages/r13.html | "$R" -o piped.html -
same piped.html pages/r13.html
gzip -nc pages/r13.html >report.html.gz
report -o no.html report.html.gz
AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_REGION=us-east-1 report -o no.html s3://bucket/report.html
