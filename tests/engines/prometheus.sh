#!/bin/bash
# The numbers of the fleet page in a real Prometheus: Debian's node_exporter reads the file, Debian's Prometheus scrapes it, and
# each query of the dashboard (packaging/grafana/rtrack.json) gives data.
. tests/check.sh
. tests/engines/free_ports.bash
command -v prometheus prometheus-node-exporter promtool >/dev/null || skip_all 'prometheus or prometheus-node-exporter is not installed'
[ -x "$B/tests/bench/fleet_make" ] || skip_all 'fleet_make is not built'
dashboard=$PWD/packaging/grafana/rtrack.json
servers=()
clean_up() { [ ${#servers[@]} = 0 ] || { kill "${servers[@]}" && wait "${servers[@]}"; } 2>/dev/null; }
trap 'exit 130' INT TERM
cd "$D" || exit 1
mkdir text data
check '400 recordings' "$B/tests/bench/fleet_make" 400 runs
# A name that must be escaped, and one that another group has after that.
cp "$(find runs -name '*.gz' | head -n 1)" odd.json.gz
gzip -dc odd.json.gz | sed -E '0,/"name":"[^"]*"/s//"name":"odd \\"name\\" \\\\ é"/' | sed -E 's/"id":"[^"]*"/"id":"odd"/' | gzip >runs/000/odd.json.gz && rm odd.json.gz
page() { "$F" groups --rate-cpu 0.04 --rate-memory 0.005 --rate-gpu 0.6 --json fleet.json --openmetrics text/rtrack.prom runs 2>err; }
check 'the page of them' page
check_equal 'promtool finds nothing wrong' "$(promtool check metrics <text/rtrack.prom 2>&1)" ''

port=$(free_ports 2) || exit 1
cat >prometheus.yml <<C
global: {scrape_interval: 1s}
scrape_configs:
  - {job_name: node, static_configs: [{targets: ['127.0.0.1:$port']}]}
C
prometheus-node-exporter --web.listen-address="127.0.0.1:$port" --collector.disable-defaults --collector.textfile \
	--collector.textfile.directory="$D/text" >exporter.log 2>&1 &
servers+=($!)
prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$((port + 1))" >prometheus.log 2>&1 &
servers+=($!)
get() { curl -sS --get --max-time 10 "http://127.0.0.1:$((port + 1))/api/v1/$1" "${@:2}" 2>/dev/null; }
scraped() { get query --data-urlencode 'query=rtrack_fleet_runs' | grep -q '"value"'; }
wait_until scraped || cat prometheus.log exporter.log
check_equal 'node_exporter takes the file without an error' \
	"$(curl -sS "http://127.0.0.1:$port/metrics" | grep -E '^node_textfile_(scrape_error|mtime_seconds)' | sed -E 's,"[^"]*/,",; s/ [0-9.e+]{5,}$/ TIME/' | paste -sd ' ')" \
	'node_textfile_mtime_seconds{file="rtrack.prom"} TIME node_textfile_scrape_error 0'

# Every number of the model is in Prometheus, and is the same. Prometheus keeps an empty label as none.
cat >compare.mjs <<'J'
import { readFileSync } from 'node:fs';
const [url, model, dashboard] = process.argv.slice(2);
const get = async (path, params) => {
	const answer = await (await fetch(`${url}/api/v1/${path}?${new URLSearchParams(params)}`)).json();
	if (answer.status !== 'success') throw Error(`${path} ${JSON.stringify(params)}: ${answer.error}`);
	return answer.data;
};
const key = (name, labels) => JSON.stringify([name, Object.entries(labels).sort()]);
if (dashboard) {
	const board = JSON.parse(readFileSync(dashboard)), empty = [];
	const filled = expr => expr.replaceAll('$instance', '.*').replaceAll('$group', '.*');
	let n = 0;
	for (const panel of board.panels)
		for (const { expr } of panel.targets) {
			const { result } = await get('query', { query: filled(expr) });
			if (!result.some(r => Number.isFinite(Number(r.value[1])))) empty.push(expr);
			n++;
		}
	for (const v of board.templating.list.filter(v => v.type === 'query')) {
		const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(filled(v.query.query));
		if (!(await get(`label/${label}/values`, { 'match[]': selector })).length) empty.push(v.name);
		n++;
	}
	console.log(n, empty.join('; '));
} else {
	const { result } = await get('query', { query: '{__name__=~"rtrack_.*"}' });
	const there = new Map(result.map(r => {
		const { __name__, instance, job, ...labels } = r.metric;
		return [key(__name__, labels), Number(r.value[1])];
	}));
	let same = 0;
	const other = [];
	for (const f of JSON.parse(readFileSync(model)).openmetrics)
		for (const s of f.samples) {
			const k = key(f.name + s.suffix, Object.fromEntries(s.labels.map(l => [l.key, l.value])));
			if (there.get(k) === s.value) same++;
			else other.push(`${k}: ${there.get(k)}, not ${s.value}`);
			there.delete(k);
		}
	console.log(same > 200 ? 'many' : same, other.join('; '), [...there.keys()].join('; '));
}
J
url=http://127.0.0.1:$((port + 1))
check_equal 'Prometheus has each number of the model, and no other' "$(node compare.mjs "$url" fleet.json 2>&1)" 'many  '
runs=$(node -e 'const m = JSON.parse(require("fs").readFileSync("fleet.json")); console.log(m.groups.rows.reduce((n, r) => n + r.runs.value, 0))')
check_equal 'the runs are those of the groups of the page' \
	"$(get query --data-urlencode 'query=sum(rtrack_fleet_runs)' | grep -oE '"[0-9]+"\]' | tr -d '"]')" "$runs"

# -- the dashboard ---------------------------------------------------------------------------------------------------
check_equal 'each query of the dashboard gives data' "$(node compare.mjs "$url" fleet.json "$dashboard" 2>&1)" "$(grep -c '"expr"\|"definition"' "$dashboard") "
check_equal 'its panels lie beside each other, and have their own numbers' "$(node -e '
	const { panels } = JSON.parse(require("fs").readFileSync(process.argv[1]));
	const cells = new Set(), bad = [];
	for (const { id, gridPos: g } of panels)
		for (let y = g.y; y < g.y + g.h; y++)
			for (let x = g.x; x < g.x + g.w; x++)
				if (x >= 24 || cells.has(`${x} ${y}`)) bad.push(id);
				else cells.add(`${x} ${y}`);
	console.log(new Set(panels.map(p => p.id)).size === panels.length, bad.length);' "$dashboard")" 'true 0'
check_equal 'the data source is a variable everywhere' "$(grep -o '"uid": "[^"]*"' "$dashboard" | sort -u | paste -sd ' ')" \
	"$(printf '"uid": "${DS_PROMETHEUS}" "uid": "rtrack-fleet"')"

# -- a page that is made again while it is scraped -------------------------------------------------------------------
scrape() { curl -sS "http://127.0.0.1:$port/metrics"; }
seen() {
	for _ in {1..40}; do scrape | grep -E '^(rtrack_fleet_runs|node_textfile_scrape_error)'; done | sort -u | paste -sd ' '
}
(for _ in {1..6}; do page; done) &
check_equal 'a scrape never sees half a file' "$(seen)" "node_textfile_scrape_error 0 rtrack_fleet_runs $runs"
wait $!
echo "1..$n"
