// Models of fleets, invented here in the shape of docs/fleet_model.md. As a program: node fleets.mjs GROUPS writes one.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { textOf } from '../../assets/fleet_text.js';

const GIB = 2 ** 30;
const START = 1793491200, DAYS = 30, NOW = START + DAYS * 86400;
const KEPT = 9200, SHOWN = 200, OPENED = 20, CHANGES = 3;
const NAMES = ['align', 'train', 'call_variants', 'sort_bam', 'fastqc', 'assemble', 'simulate', 'render', 'export', 'etl_orders',
	'nightly-build', 'backtest', 'dock ligands', 'fit', 'merge', 'index', 'compress', 'quantify', 'report', 'segment'];

// Noise of 0 to 1, the same each time.
const noise = (seed, i) => ((Math.imul(i + 1, 2654435761) ^ Math.imul(seed + 7, 2246822519)) >>> 0) / 2 ** 32;
const quantity = (unit, value) => ({ value, unit, text: textOf(unit, value) });
const time = unix => {
	const iso = new Date(unix * 1e3).toISOString();
	return { unix, iso: `${iso.slice(0, 19)}Z`, text: `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` };
};
const digits = v => (v === null ? null : Number(v.toPrecision(4)));
const sum = list => list.reduce((a, b) => a + b, 0);

// The rows of fleet_model_columns.def that the groups made here have; what is called a change or a share has that as its unit.
const NAMES_OF_UNITS = { COUNT: 'count', CORES: 'cores', SECONDS: 's', BYTES: 'bytes', GPUS: 'GPUs', MONEY: 'USD', CORE_HOURS: 'core-hours',
	GIB_HOURS: 'GiB-hours', GPU_HOURS: 'GPU-hours', MACHINE_HOURS: 'machine-hours' };
const ABSENT = /^(mostly|ends|longer|growth|backtest\..*)$/;
const COLUMNS = [...readFileSync(new URL('../../fleet/groups/fleet_model_columns.def', import.meta.url), 'utf8')
	.matchAll(/^COLUMN\(\w+,\s+"([^"]*)",\s+"([^"]*)",\s+"([^"]*)",\s+(\w+),\s+(\w+),/gm)].filter(([, id]) => !ABSENT.test(id))
	.map(([, id, label, head, unit, kind]) => ({ id, label, head: head || label, kind: kind === 'TEXT' ? 'text' : 'number',
		unit: kind === 'NUMBER' ? NAMES_OF_UNITS[unit] : kind === 'TEXT' ? '' : kind.toLowerCase() }));
const UNITS = Object.fromEntries(COLUMNS.map(({ id, unit }) => [id, unit]));

// The numbers of group i; the first are the largest.
function numbers(i, options) {
	const at = seed => noise(seed, i);
	const runs = i % 37 === 36 ? 1 + Math.floor(i / 37) % 4 : Math.max(1, Math.round(4000 * (0.3 + at(1)) / (1 + i) ** 0.7));
	const wall = 60 * 10 ** (2 * at(2)), asked = 2 ** Math.floor(6 * at(3)), memory = 2 ** (1 + Math.floor(7 * at(4))) * GIB;
	const used = asked * (0.08 + 0.9 * at(5)), p50 = memory * (0.05 + 0.7 * at(6)), gpus = options.gpus && i % 3 === 0 ? 1 + i % 4 : null;
	const p95 = Math.min(memory, p50 * (1.05 + 0.2 * at(7))), max = Math.min(memory, p95 * 1.1);
	const cpus = Math.min(asked, Math.max(1, Math.round(used * 1.1))), steps = 2 ** Math.max(0, Math.floor(Math.log2(max / GIB)) - 2) * GIB;
	const ask = Math.min(memory, Math.ceil(max * 1.2 / steps) * steps), hours = runs * wall / 3600;
	const cost = hours * Math.max(asked * 0.04, memory / GIB * 0.005), then = hours * Math.max(cpus * 0.04, ask / GIB * 0.005);
	const unasked = i % 31 === 30;
	return { runs, failed: Math.floor(runs * at(8) * 0.1), oom: Math.floor(runs * Math.max(0, at(9) - 0.8) * 0.1),
		counted: Math.ceil(runs * 0.9), wall_p50: wall, wall_p95: wall * (1.1 + at(10)), cpus_asked: asked, cpus_used: used,
		memory_asked: unasked ? null : memory, memory_p50: p50, memory_p95: p95, memory_max: max, gpus_asked: gpus,
		gpus_used: gpus && gpus * at(11), cores_unused: hours * (asked - used),
		memory_unused: unasked ? null : hours * (memory - p50 * 0.7) / GIB, gpus_unused: gpus && gpus * (1 - at(11)) * hours,
		money: options.money ? cost : null, recoverable: options.money ? Math.max(0, cost - then) : null,
		machine_hours: cost / 1.5, machine_recoverable: Math.max(0, cost - then) / 1.5,
		'proposed.cpus': cpus, 'proposed.memory': unasked ? null : ask, 'proposed.gpus': gpus && 1,
		'proposed.time': Math.ceil(wall * 2.6 / 60) * 60, would_fail: Math.floor(runs * Math.max(0, at(12) - 0.7) * 0.01),
		unknown: 0, fail_at_most: Number((1 - 0.05 ** (1 / runs)).toPrecision(2)),
		confidence: runs < 5 ? 'weak' : runs < 20 ? 'fair' : 'good', trend: i % 4 ? (at(13) - 0.4) * 0.6 : runs < 9 ? null : 0 };
}

const nameOf = i => (i < NAMES.length ? NAMES[i] : `${NAMES[Math.floor(NAMES.length * noise(20, i))]}_${i.toString(36)}`);
const gib = v => v / GIB;

// A round step of which at most six are below the top.
function stepOf(top) {
	const power = 10 ** Math.floor(Math.log10(top / 6));
	return [1, 2, 5, 10].map(v => v * power).find(v => top / v <= 6);
}

const ticks = (top, scale, text = String) => Array.from({ length: Math.floor(top / stepOf(top)) + 1 }, (_, i) =>
	({ share: digits(100 * i * stepOf(top) / top), at: i * stepOf(top) * scale, text: text(Number((i * stepOf(top)).toPrecision(3))) }));

function histogram(id, title, unit, scale, suffix, low, high, lines) {
	const n = 14, top = Math.max(high, ...lines.map(({ value }) => value)) * 1.06;
	const counts = Array.from({ length: n }, (_, i) => Math.round(400 * Math.exp(-(((i - 4) / 3) ** 2)) * (0.6 + noise(4, i))));
	const most = Math.max(...counts) * 1.15, edge = i => low + (high - low) * i / n;
	return { id, title, of: 'Runs', has_apart: id === 'memory', apart_label: 'killed because memory ran out',
		summary: `${title} of ${sum(counts)} runs. ${lines.map(line => line.text).join('. ')}.`, remark: '',
		rows: counts.map((count, i) => ({ text: `${textOf(unit, edge(i))} to ${textOf(unit, edge(i + 1))}`, from: edge(i), to: edge(i + 1),
			count, apart: i === n - 1 && id === 'memory' ? 2 : 0 })),
		svg: { left: 44, axis: 36, height: 214, bottom: 186, foot: 204,
			ticks_x: ticks(top / scale, scale, v => (v ? `${v} ${suffix}` : '0')).map(({ share, text }) => ({ share, text })),
			ticks_y: ticks(most, 1).map(({ at, text }, i) => ({ y: digits(190 - 136 * at / most), text, line: i ? digits(186 - 136 * at / most) : null })),
			bars: counts.map((count, i) => ({ share: digits(100 * edge(i) / top), width: digits(92 * (high - low) / n / top),
				y: digits(186 - 136 * count / most), height: digits(136 * count / most), apart: i === n - 1 && id === 'memory' })),
			lines: lines.map(({ value, text }, i) => ({ share: digits(100 * value / top), text, y: 4 + 18 * i, label: 14 + 18 * i, beyond: false,
				anchor: 'end', dx: -5, dash: i ? '2 3' : '8 4' })) } };
}

function scatterOf(v) {
	const points = Array.from({ length: 60 }, (_, i) => {
		const wall = v.wall_p50 * (0.6 + noise(31, i)), memory = v.memory_p50 * (0.7 + 0.2 * noise(32, i) + 0.3 * wall / v.wall_p50);
		return [digits(wall), digits(memory), 1 + Math.floor(30 * noise(33, i) ** 4), i % 29 === 28 ? 1 : 0];
	});
	const right = Math.max(...points.map(p => p[0])) * 1.06, top = Math.max(...points.map(p => p[1])) * 1.2;
	return { summary: 'Longer runs need more memory.', points, svg: { left: 60, axis: 52, height: 214, top: 10, bottom: 186, foot: 204,
		ticks_x: ticks(right / 60, 60, m => (m ? `${m} min` : '0')).map(({ share, text }) => ({ share, text })),
		ticks_y: ticks(gib(top), GIB, g => (g ? `${g} GiB` : '0')).map(({ at, text }, i) => ({ y: digits(190 - 176 * at / top), text,
			line: i ? digits(186 - 176 * at / top) : null })),
		dots: points.map(([wall, memory, runs, oom]) => ({ share: digits(100 * wall / right), y: digits(186 - 176 * memory / top),
			r: digits(2 + Math.sqrt(runs) / 1.5), oom: oom > 0 })), lines: v.memory_asked && v.memory_asked < top ? [{ text: `Asked ${textOf('bytes', v.memory_asked)}`,
			y: digits(186 - 176 * v.memory_asked / top), label: digits(182 - 176 * v.memory_asked / top), dash: '8 4' }] : [] } };
}

function detailOf(name, v) {
	const [cpus, memory] = [`${v['proposed.cpus']} CPUs`, textOf('bytes', v['proposed.memory'])];
	return { pictures: true, formulas: [{ label: 'Memory', text: `step(max(${textOf('bytes', v.memory_p95)} p99 × 1.2, least cost at ${memory})) = ${memory}` },
		{ label: 'CPUs', text: `max(1, round(${textOf('cores', v.cpus_used)} mean cores, p95 over runs)) = ${cpus}` },
		{ label: 'Time', text: `${textOf('s', v.wall_p95)} p99 × 1.2 = ${textOf('s', v['proposed.time'])}` }],
	histograms: [histogram('memory', 'Peak memory', 'bytes', GIB, 'GiB', v.memory_p50 * 0.8, v.memory_max, [
		...v.memory_asked ? [{ value: v.memory_asked, text: `Asked ${textOf('bytes', v.memory_asked)}` },
			{ value: v['proposed.memory'], text: `Proposed ${memory}` }] : []]),
	histogram('wall', 'Duration', 's', 60, 'min', v.wall_p50 * 0.7, v.wall_p95, [{ value: v['proposed.time'], text: `Proposed ${textOf('s', v['proposed.time'])}` }])],
	scatter: scatterOf(v),
	worst: Array.from({ length: 5 }, (_, i) => ({ source: `/data/runs/2026-11/${name}-${i}.json.gz`, host: `n${i + 1}`, user: 'ann',
		start: time(START + 86400 * i), wall: quantity('s', v.wall_p95), cpus: quantity('cores', v.cpus_used / 2), cpus_asked: quantity('cores', v.cpus_asked),
		memory: quantity('bytes', v.memory_p50 / 2), memory_asked: quantity('bytes', v.memory_asked), oom: i === 3, report: i ? null : `runs/2026-11/x-${i}.html` })),
	newest: Array.from({ length: 20 }, (_, i) => ({ shown: i < 3, source: `2026-11/${name}-${i}.json.gz`, start: time(NOW - 3600 * i).text.slice(0, 16),
		wall: quantity('s', v.wall_p50), memory: quantity('bytes', v.memory_p50), end: i === 2 ? 'its time was up' : 'finished',
		level: i === 2 ? 'bad' : '', report: i ? null : `runs/2026-11/y-${i}.html` })),
	runs_command: `rtrack-fleet runs --where name=${name} -o runs.html /data/runs`,
	snippets: [['slurm', 'Slurm', `#SBATCH --cpus-per-task=${v['proposed.cpus']}\n#SBATCH --mem=${Math.round(gib(v['proposed.memory']) * 1024)}M`],
		['kubernetes', 'Kubernetes', `resources:\n  requests:\n    cpu: "${v['proposed.cpus']}"\n    memory: ${Math.round(gib(v['proposed.memory']))}Gi`]]
		.map(([id, label, text]) => ({ id, label, text })) };
}

function rowOf(i, name, v, options) {
	const q = id => quantity(UNITS[id], v[id]);
	const bar = (used, asked) => (used !== null && asked ? String(Math.min(100, Math.round(100 * used / asked))) : null);
	const parts = [`${v['proposed.cpus']} CPU${v['proposed.cpus'] === 1 ? '' : 's'}`, ...v['proposed.memory'] ? [textOf('bytes', v['proposed.memory'])] : [],
		...v['proposed.gpus'] ? [`${v['proposed.gpus']} GPU`] : [], textOf('s', v['proposed.time'])];
	const row = { anchor: `group-${i + 1}`, name };
	for (const { id } of COLUMNS.slice(1, 22))
		row[id] = q(id);
	for (const id of ['machine_hours', 'machine_recoverable'])
		row[id].text = row[id].text.replace(' machine-hours', '');
	const arrow = (asked, used) => (asked === null ? '–' : `${textOf('count', asked)} → ${used.toFixed(2)}`);
	row.cpus_text = arrow(v.cpus_asked, v.cpus_used);
	row.gpus_text = arrow(v.gpus_asked, v.gpus_used);
	row.opens = i < OPENED && options.details !== false;
	Object.assign(row, { cpu_share: bar(v.cpus_used, v.cpus_asked), memory_share: bar(v.memory_p95, v.memory_asked),
		gpu_share: bar(v.gpus_used, v.gpus_asked),
		proposed: { cpus: q('proposed.cpus'), memory: q('proposed.memory'), gpus: q('proposed.gpus'), time: q('proposed.time'), text: parts.join(', ') },
		would_fail: q('would_fail'), would_fail_text: `${textOf('count', v.would_fail)} of ${textOf('count', v.counted)}`,
		fail_at_most: { value: 100 * v.fail_at_most, text: textOf('share', v.fail_at_most), unit: '%' }, confidence: { word: v.confidence, level: { weak: 'warn', fair: 'info', good: 'good' }[v.confidence] },
		trend: { text: textOf('change', v.trend), level: v.trend >= 0.05 ? 'warn' : v.trend <= -0.05 ? 'good' : '', path: v.trend === null ? null
			: `M0 ${digits(10 + 20 * v.trend)}${Array.from({ length: 11 }, (_, k) => `L${digits((k + 1) * 80 / 11)} ${digits(10 + 20 * v.trend * (1 - (k + 1) / 5.5) + 3 * (noise(40 + i, k) - 0.5))}`).join('')}` },
		report: i % 2 ? `runs/2026-11/run-${i}.html` : null, detail: i < OPENED && options.details !== false ? detailOf(name, v) : null });
	return row;
}

function daysOf() {
	const day = (series, i) => series.base * (0.6 + 0.3 * Math.sin(i / 2 + series.seed) + 0.2 * noise(series.seed, i));
	const charts = [['runs', 'Runs at once', 'count', [['running', 'Runs', 240]]], ['cores', 'Cores', 'cores', [['asked', 'Asked', 1800], ['used', 'Used', 640]]],
		['memory', 'Memory', 'GiB', [['asked', 'Asked', 9000], ['used', 'Used', 2800]]],
		['failures', 'Failed runs', 'count', [['failed', 'Failed', 30], ['oom', 'Killed because memory ran out', 8]]]]
		.map(([id, title, unit, all], k) => {
			const series = all.map(([name, label, base], j) => ({ id: name, label, base, seed: 9 * k + j,
				colour: ['#b9500a', '#0b62b5'][j], dash: ['7 4', ''][j] }));
			const top = Math.max(...series.flatMap(s => Array.from({ length: DAYS }, (_, i) => day(s, i)))) * 1.1;
			const y = v => digits(196 - 174 * v / top);
			const marks = ticks(top, 1);
			return { id, title, unit, summary: `${title}: ${series.map(s => `${s.label} ${textOf('count', s.base)}`).join(', ')} on average.`,
				key: series.map(({ label, colour, dash }) => ({ label, colour, dash })),
				svg: { height: 240, left: 76, right: 652, top: 22, bottom: 196, plot_width: 576, axis: 68, scale: 1, foot: 214,
					grid: marks.slice(1).map(({ at }) => `M76 ${y(at)}h576`).join(''), ticks_y: marks.map(({ at, text }) => ({ y: y(at) + 4, text })),
					ticks_x: [0, 7, 14, 21, 28].map(d => ({ x: 76 + 576 * d / DAYS, share: digits(100 * d / DAYS), text: `${d + 1} Nov` })),
					lines: series.map(s => ({ colour: s.colour, dash: s.dash,
						line: Array.from({ length: DAYS }, (_, i) => `${i ? 'L' : 'M'}${digits(576 * (i + 0.5) / DAYS)} ${digits(y(day(s, i)) - 22)}`).join('') })) },
				head: series.map(({ label }) => label),
				table: Array.from({ length: 10 }, (_, i) => ({ time: time(START + i * 3 * 86400).iso.slice(0, 10), values: series.map(s => ({ text: textOf('count', day(s, i * 3)) })) })) };
		});
	return { known: true, text: '30 days, from 1 to 30 November 2026, UTC', charts };
}

// The sum of groups that are not listed: of `groups` in all, some are known here.
function restOf(all, groups, money) {
	const of = (unit, id, more) => quantity(unit, sum(all.map(({ v }) => v[id] ?? 0)) + more);
	const hidden = groups - all.length;
	return groups > 0 ? { label: `The other ${textOf('count', groups)} groups`, groups: quantity('count', groups), runs: of('count', 'runs', 2 * hidden),
		cores_unused: of('core-hours', 'cores_unused', hidden / 9), memory_unused: of('GiB-hours', 'memory_unused', hidden / 4),
		machine_hours: of('machine-hours', 'machine_hours', hidden / 99), machine_recoverable: of('machine-hours', 'machine_recoverable', hidden / 300),
		money: money ? of('USD', 'money', hidden / 100) : quantity('USD', null), recoverable: money ? of('USD', 'recoverable', hidden / 300) : quantity('USD', null) } : null;
}

const NOTHING = { known: false, text: 'There are no runs of more than one day.', charts: [] };

export function pack(table, money = true, gpus = true) {
	const columns = table.columns.map((column, i) => ({ ...column, i })).filter(({ unit }) => unit !== (money ? 'machine-hours' : 'USD')
		&& (gpus || !unit.startsWith('GPU')));
	return gzipSync(JSON.stringify({ columns: columns.map(({ id, label, unit, head }) => [id, label, unit, head]),
		values: columns.map(({ i }) => table.rows.map(row => row[i])) }), { level: 9 }).toString('base64');
}

// A fleet of so many groups; `money`: prices are known, `names`: the names of the first groups, `packed`: for a script.
export function fleet(total, { money = true, gpus = true, names = [], packed = true, details = true } = {}) {
	const options = { money, gpus, details }, kept = Math.min(total, KEPT);
	const all = Array.from({ length: kept }, (_, i) => ({ name: names[i] ?? nameOf(i), v: numbers(i, options) }))
		.sort((a, b) => (money ? b.v.recoverable - a.v.recoverable : b.v.machine_recoverable - a.v.machine_recoverable));
	const sumOf = id => sum(all.map(({ v }) => v[id] ?? 0));
	const rows = all.slice(0, SHOWN).map(({ name, v }, i) => rowOf(i, name, v, options));
	const table = { columns: COLUMNS, rows: all.map(({ name, v }, i) => COLUMNS.map(({ id, kind }) => (id === 'name' ? name
		: id === 'report' ? i % 2 ? `runs/2026-11/run-${i}.html` : null : kind === 'text' ? v[id] : digits(v[id])))) };
	const use = (used, asked) => `${textOf('count', Math.round(100 * used / asked))}% used`;
	const cores = sum(all.map(({ v }) => v.cpus_asked * v.runs * v.wall_p50 / 3600));
	const memory = sum(all.map(({ v }) => gib(v.memory_asked ?? 0) * v.runs * v.wall_p50 / 3600));
	const saved = sumOf('recoverable'), hours = sumOf('machine_recoverable');
	const period = { known: true, first: time(START), last: time(NOW), text: '1 to 30 November 2026, 30 days' };
	const count = v => textOf('count', v);
	const changes = all.slice(0, CHANGES).map(({ name, v }, i) => ({ rank: i + 1, name, anchor: `group-${i + 1}`,
		text: `${name}: ask ${textOf('bytes', v['proposed.memory'])} instead of ${textOf('bytes', v.memory_asked)}, and ${v['proposed.cpus']} CPUs instead of ${v.cpus_asked}`,
		saves: money ? quantity('USD', v.recoverable) : quantity('machine-hours', v.machine_recoverable),
		share: `${count(Math.round(100 * v.machine_recoverable / hours))}% of what is recoverable`,
		basis: `From ${count(v.counted)} runs, none of which would have failed` }));
	const runs = sumOf('runs');
	return {
		format: 'rtrack-fleet', version: 1, generator: { name: 'rtrack-report', version: '0.1.0', integration: null },
		generated: time(NOW), title: 'Fleet', period, source: `${count(runs)} recordings in /data/runs`, filters: [], has_filters: false,
		group_by: ['job'], group_head: 'Job',
		tiles: [{ id: 'runs', label: 'Runs', text: count(runs), note: `${count(sumOf('failed'))} failed` },
			{ id: 'groups', label: 'Groups', text: count(total), note: '' },
			{ id: 'cores', label: 'Core-hours asked', text: count(cores), note: use(cores - sumOf('cores_unused'), cores) },
			{ id: 'memory', label: 'GiB-hours asked', text: count(memory), note: use(memory - sumOf('memory_unused'), memory) },
			...money ? [{ id: 'money', label: 'Cost', text: textOf('USD', sumOf('money')), note: '' },
				{ id: 'recoverable', label: 'Recoverable', text: textOf('USD', saved), note: `${count(Math.round(100 * saved / sumOf('money')))}% of the cost` }] : []],
		verdict: [{ id: 'used', level: 'warn', text: `Of ${count(cores)} core-hours asked, ${use(cores - sumOf('cores_unused'), cores)}.` },
			...money ? [{ id: 'recoverable', level: 'warn', text: `${textOf('USD', saved)} of ${textOf('USD', sumOf('money'))} can be recovered by asking for less.` }]
				: [{ id: 'money', level: 'info', text: 'No price is known, so nothing is said about money; --rate-cpu and --rate-memory give rates.' }],
			{ id: 'left_out', level: 'info', text: '1,203 runs are left out of these numbers.' }],
		changes, has_changes: true, changes_text: 'These 3 changes save much in 30 days.', has_money: money, has_machine_hours: !money,
		money_basis: money ? 'Prices per hour of the machine types, times the larger share of what was asked.' : '', attribution:
			money ? 'Prices and server data: Spare Cores Navigator, CC BY-SA 4.0, retrieved 2026-11-21 07:53:20 UTC' : '',
		groups: { known: total > 0, total, shown: rows.length, text: total > rows.length ? `The ${count(rows.length)} groups with most to recover, of ${count(total)}`
			: total > 1 ? `All ${count(total)} groups` : 'One group', others: restOf(all.slice(SHOWN), total - Math.min(total, SHOWN), money), rest: restOf([], total - kept, money),
			has_gpus: gpus, has_money: money, has_machine_hours: !money, rows, table, packed: packed ? pack(table, money, gpus) : null },
		days: total > 1 ? daysOf() : NOTHING,
		left_out: { known: true, text: '1,203 runs are not in the numbers of the groups.', rows: [['no_ask', 'Nothing asked', 'Nobody said what they asked for.', 800],
			['short', 'Too short', 'Fewer than 10 samples say too little.', 301], ['failed', 'Failed', 'They failed for another reason than memory.', 102],
			['unfinished', 'Unfinished', 'The recording has no end.', 0]].map(([id, label, why, n]) => ({ id, label, why, runs: quantity('count', n),
			cores: quantity('core-hours', id === 'no_ask' ? null : n * 1.7), memory: quantity('GiB-hours', id === 'no_ask' ? null : n * 4.2) })) },
		gates: { known: false }, inputs: [], has_inputs_left_out: false,
	};
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	process.stdout.write(JSON.stringify(fleet(Number(process.argv[2] ?? 20), JSON.parse(process.argv[3] ?? '{}'))));
