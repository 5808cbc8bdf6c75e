// The companions of the report, each held against the rules of its format, for an ordinary recording and
// for one in which every string is an attack.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from './openmetrics.mjs';

const command = path.resolve(`${process.env.B ?? 'build/release'}/rtrack-report`);
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-faces-'));
after(() => rmSync(folder, { recursive: true }));

const environment = { ...process.env };
for (const name of ['COLUMNS', 'NO_COLOR', 'SOURCE_DATE_EPOCH', 'RTRACK_KEEPER_URL'])
	delete environment[name];

// -- what goes in -------------------------------------------------------------------------------------
const two = JSON.parse(readFileSync('tests/fixtures/runs_faces/two-gpus.json', 'utf8'));

const ATTACKS = [
	'::error file=a::b', '##[error]x', '##vso[task.complete]', '##teamcity[x]',
	'@team a@b.org', '#1 GH-2 !3 &4 %5 ~6 ^alert#7 $8', 'http://evil.example irc://evil www.evil.example',
	'a | b || c', '<img src=x onerror=alert(1)>', '</sub><script>alert(1)</script><!--',
	'[x](javascript:alert(1)) ![i](http://a)', '`code` **bold** _it_ ~~gone~~ $x^2$', ':tada: :+1:',
	'/close', '=cmd|\' /C calc\'!A0', '+1+1', '-1', '@SUM(1)', 'a"b\\c\\n', 'a\tb\nc\rd\u2028e',
	'\u001b]0;pwned\u0007\u001b[31m\u009b31m', '\u202egnp.exe', '{{title}} {{{charts}}}', '---', '===', '# EOF',
	'"} 1\nevil_metric 1', '{+a+} [-b-]', '\u0000end', 'x'.repeat(3000), '@'.repeat(3000),
];

let turn = 0;
const attack = text => `${ATTACKS[turn++ % ATTACKS.length]} ${text}`;

// Every string of the recording becomes an attack, but for those that are words of the format.
function poison(value, key = '') {
	if (typeof value === 'string')
		return ['cause', 'uuid', 'implementation'].includes(key) ? value : attack(value);
	if (Array.isArray(value))
		return typeof value[0] === 'number' ? value : value.map(v => poison(v));
	if (value && typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, poison(v, k)]));
	return value;
}

function poisoned(round) {
	turn = round;
	const recording = poison(two);
	recording.rtrack.job.tags = Object.fromEntries(ATTACKS.map(a => [a, a]));
	recording.rtrack.notes = ATTACKS;
	recording.rtrack.job.argv = ATTACKS;
	recording.cloud_info = { vendor: ATTACKS[round], instance_type: ATTACKS[round], region: ATTACKS[round] };
	recording.rtrack.job.name = ATTACKS[round];
	return recording;
}

function write(name, recording) {
	const file = path.join(folder, `${name}.json`);
	writeFileSync(file, JSON.stringify(recording));
	return file;
}

// All faces of one run at once: {markdown, text, openmetrics, csv, 'gpu_tracker.json', …}.
function faces(name, recording, ...options) {
	const out = face => path.join(folder, `${name}.${face}`);
	const ours = ['gpu_tracker.json', 'snakemake.tsv', 'trace.txt'];
	const named = ['output', 'json', 'markdown', 'text', 'openmetrics', 'csv'];
	const args = [...named.flatMap(f => [`--${f}`, out(f)]), ...ours.flatMap(f => ['-t', `@${f}=${out(f)}`])];
	execFileSync(command, ['--offline', '--now', '1795246800', ...args, ...options, write(`run-${name}`, recording)],
		{ env: environment });
	return Object.fromEntries([...named, ...ours].map(f => [f, readFileSync(out(f), 'utf8')]));
}

const ordinary = faces('ordinary', two);
const hostile = ATTACKS.map((_, i) => faces(`hostile-${i}`, poisoned(i)));
const all = [ordinary, ...hostile];

// -- the rules ----------------------------------------------------------------------------------------
// No control character but the newline, and none that turns the direction of writing.
function clean(text, but = '') {
	const found = [...text].filter(c => /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(c) && c !== but);
	assert.deepEqual(found, []);
}

// What would be markup at its place, in CommonMark or on GitHub or GitLab.
const MARKUP = [
	/[\\`[\]|~$<@]/, /(?<! )\*|\*(?! )/, /(?<![a-z\d])_|_(?![a-z\d])/i, /&(?=[a-z\d#])/i, /[!%^](?=[a-z\d"])/i,
	/(?:^|[\s#])#|#(?=\d)/, /^\s*(?:[-+](?=\s|$|[-+])|[>=*]|\d{1,9}[.)](?:\s|$))/, /www\./i, /::|:\/\//, /[{[][+-]/,
];
// Nothing but text, once what is escaped is taken away.
function isPlain(text) {
	const rest = text
		.replace(/\\[!-/:-@[-`{-~]/g, '·')
		.replace(/&(?:amp|lt|gt|#96|#64|#58|#47|#8203);/g, '·');
	for (const markup of MARKUP)
		assert.doesNotMatch(rest, markup, text);
}

function markdownOf(text) {
	assert.ok(Buffer.byteLength(text) <= 65536);
	clean(text);
	const tables = [];
	for (const line of text.split('\n')) {
		const cells = line.match(/^\| (.*) \|$/)?.[1].split(' | ');
		if (line === '' || /^\|(?::?-+:?\|)+$/.test(line) || line === '| Ask for next time | | Why |')
			continue;
		if (cells) {
			cells.forEach(cell => isPlain(cell.replace(/^\*\*(.*)\*\*$/, '$1')));
			tables.push(cells);
		} else if (line.startsWith('<sub>')) {
			isPlain(line.slice('<sub>'.length, -'</sub>'.length));
		} else {
			const [, own, value] = line.match(/^(### |- )(.*)$/) ?? [];
			assert.ok(own, `a line that is not ours: ${line}`);
			isPlain(own === '### ' ? value.replace(/: [a-z]+$/, '') : value);
		}
	}
	return tables;
}

const DOCUMENTED = {
	// gpu_tracker, "ResourceUsage" and the classes in it
	gpu_tracker: {
		max_ram: { unit: '', system_capacity: 0, system: 0, main: 'rss', descendants: 'rss', combined: 'rss' },
		max_gpu_ram: { unit: '', system_capacity: 0, system: 0, main: 0, descendants: 0, combined: 0 },
		cpu_utilization: {
			system_core_count: 0, n_expected_cores: 0, system: 'percent', main: 'percent',
			descendants: 'percent', combined: 'percent',
			main_n_threads: 0, descendants_n_threads: 0, combined_n_threads: 0,
		},
		gpu_utilization: { system_gpu_count: 0, n_expected_gpus: 0, gpu_percentages: 'percent' },
		compute_time: { unit: '', time: 0 },
	},
	rss: { total_rss: 0, private_rss: 0, shared_rss: 0 },
	percent: { max_sum_percent: 0, max_hardware_percent: 0, mean_sum_percent: 0, mean_hardware_percent: 0 },
	// Snakemake, the benchmark file
	snakemake: ['s', 'h:m:s', 'max_rss', 'max_vms', 'max_uss', 'max_pss', 'io_in', 'io_out', 'mean_load', 'cpu_time'],
	// Nextflow, the default fields of the trace file
	nextflow: ['task_id', 'hash', 'native_id', 'name', 'status', 'exit', 'submit', 'duration', 'realtime', '%cpu',
		'peak_rss', 'peak_vmem', 'rchar', 'wchar'],
};

// The same keys in the same order; numbers may be null.
function hasShape(value, shape, at) {
	shape = typeof shape === 'string' && shape ? DOCUMENTED[shape] : shape;
	if (typeof shape !== 'object')
		return assert.ok(value === null || typeof value === typeof shape, `${at}: ${value}`);
	assert.deepEqual(Object.keys(value), Object.keys(shape), at);
	for (const key of Object.keys(shape))
		hasShape(value[key], shape[key], `${at}.${key}`);
}

function cellsOf(tsv, documented) {
	clean(tsv, '\t');
	const [head, row, end, ...more] = tsv.split('\n').map(line => line.split('\t'));
	assert.deepEqual(head, documented);
	assert.equal(row.length, documented.length);
	assert.deepEqual([end, more], [[''], []]);
	return Object.fromEntries(row.map((cell, i) => [documented[i], cell]));
}

function csvOf(text) {
	clean(text);
	const [head, ...rows] = text.trimEnd().split('\n');
	assert.match(head, /^"[ -!#-~]+"(?:,"[ -!#-~]+")*$/);
	const names = head.slice(1, -1).split('","');
	assert.equal(new Set(names).size, names.length);
	const number = /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)?$/;
	return rows.map(row => {
		const cells = row.split(',');
		assert.equal(cells.length, names.length);
		cells.forEach(cell => assert.match(cell, number));
		return Object.fromEntries(cells.map((cell, i) => [names[i], cell]));
	});
}

const width = line => [...line.normalize('NFC').replace(/[\u200b\u0300-\u036f]/g, '')].length;

function textOf(text, columns) {
	clean(text);
	for (const line of text.split('\n')) {
		assert.ok(width(line) <= columns, `${width(line)} columns: ${line}`);
		assert.doesNotMatch(line, /^\s*::|##/);
	}
}

// -- the tests ----------------------------------------------------------------------------------------
describe('formats, for an ordinary and for hostile recordings', () => {
	it('OpenMetrics', () => {
		for (const f of all) {
			const families = parse(f.openmetrics);
			assert.deepEqual(Object.keys(families), Object.keys(parse(ordinary.openmetrics)));
			for (const { samples } of Object.values(families))
				for (const { labels } of samples)
					for (const value of Object.values(labels))
						assert.ok(Buffer.byteLength(value) <= 256 + 3, value);
		}
	});
	it('Markdown', () => {
		for (const f of all)
			assert.deepEqual(markdownOf(f.markdown).map(cells => cells.length),
				markdownOf(ordinary.markdown).map(cells => cells.length));
	});
	it('text', () => {
		for (const f of all)
			textOf(f.text, 80);
	});
	it('gpu_tracker', () => {
		for (const f of all)
			hasShape(JSON.parse(f['gpu_tracker.json']), 'gpu_tracker', '');
	});
	it('Snakemake and Nextflow', () => {
		for (const f of all) {
			cellsOf(f['snakemake.tsv'], DOCUMENTED.snakemake);
			cellsOf(f['trace.txt'], DOCUMENTED.nextflow);
		}
	});
	it('CSV', () => {
		for (const f of all)
			assert.equal(f.csv, ordinary.csv);
		csvOf(ordinary.csv);
	});
});

describe('numbers', () => {
	it('the model has them all', () => {
		const m = JSON.parse(ordinary.json);
		const row = cellsOf(ordinary['snakemake.tsv'], DOCUMENTED.snakemake);
		assert.deepEqual(Object.values(row), Object.values(m.snakemake));
		assert.deepEqual(Object.values(cellsOf(ordinary['trace.txt'], DOCUMENTED.nextflow)), Object.values(m.nextflow));
		const { table, ...dictionary } = m.gpu_tracker;
		assert.deepEqual(JSON.parse(ordinary['gpu_tracker.json']), dictionary);
		for (const r of table)
			for (const cell of [r.label, r.main, r.descendants, r.combined, r.system])
				assert.ok(ordinary.text.includes(cell), cell);
		const told = Object.values(parse(ordinary.openmetrics)).flatMap(f => f.samples.map(s => s.value));
		assert.deepEqual(told, m.openmetrics.flatMap(f => f.samples.map(s => s.value)));
		for (const r of m.usage.rows)
			assert.ok(ordinary.text.includes(r.now.text) && ordinary.markdown.replace(/\\/g, '').includes(r.now.text));
	});
	it('the CSV is what was recorded, row by row', () => {
		const rows = csvOf(ordinary.csv);
		// the machine's rows are a quarter of a second late, and one more
		assert.deepEqual(rows.map(r => Number(r.timestamp)), two.system_metrics.timestamp);
		for (const [scope, metrics] of [['system', two.system_metrics], ['process', two.process_metrics]])
			for (const [name, column] of Object.entries(metrics)) {
				const cells = rows.map(r => r[`${scope}_${name}`]);
				if (name !== 'timestamp')
					assert.deepEqual(cells, rows.map((_, i) => String(column[i] ?? '')), name);
			}
	});
	it('--bytes and --human-names', () => {
		const bytes = csvOf(faces('bytes', two, '--bytes').csv);
		assert.deepEqual(bytes.map(r => r.process_memory), ['921600', '2867200', '1945600', '']);
		assert.equal(bytes[0].system_disk_space_used_gb, String(20 * 2 ** 30));
		const named = csvOf(faces('named', two, '--human-names').csv);
		assert.deepEqual(Object.values(named[0]), Object.values(csvOf(ordinary.csv)[0]));
		assert.deepEqual(Object.keys(named[0]).slice(0, 5),
			['Timestamp', 'System processes', 'System CPU time (user)', 'System CPU time (system)', 'System CPU usage']);
	});
	it('units and expected cores', () => {
		const f = faces('units', two, '--ram-unit', 'bytes', '--gpu-ram-unit', 'megabytes', '--time-unit', 'minutes',
			'--expected-cores', '2', '--gpu', 'GPU-a');
		const g = JSON.parse(f['gpu_tracker.json']);
		assert.equal(g.max_ram.combined.total_rss, 3072000);
		assert.equal(g.max_gpu_ram.unit, 'megabytes');
		assert.equal(g.cpu_utilization.combined.max_hardware_percent, 150);
		assert.equal(g.gpu_utilization.gpu_percentages.mean_sum_percent, 25);
		assert.match(f.text, /RSS, peak \(bytes\) +1536000 +2662400 +3072000 +4096000000/);
		assert.match(f.text, /CPU, mean \(% of 2 cores\)/);
	});
});

// script(1) gives it a terminal of its own; the command's bytes come out with \r\n.
function onTerminal(columns, env) {
	const line = `stty cols ${columns}; '${command}' --offline --text - '${write('terminal', two)}'`;
	const r = spawnSync('script', ['-qec', line, '/dev/null'],
		{ env: { ...environment, TERM: 'xterm', SHELL: '/bin/sh', ...env }, encoding: 'utf8' });
	assert.equal(r.status, 0, r.stderr);
	return r.stdout.replaceAll('\r\n', '\n');
}

describe('a terminal', () => {
	const colours = /\x1b\[(?:0|1|31|32|33)m/g;
	it('has colour and its own width', () => {
		for (const columns of [40, 50, 132]) {
			const text = onTerminal(columns, { COLUMNS: '200' });
			assert.match(text, /^\x1b\[1malign\x1b\[0m: \x1b\[31mfailed\x1b\[0m\n/);
			textOf(text.replace(colours, ''), columns);
		}
	});
	it('has no colour where none is wanted', () => {
		for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
			textOf(onTerminal(50, env), 50);
	});
	it('is not there: $COLUMNS where it is sane, else 80', () => {
		const wide = (columns) => {
			const text = execFileSync(command, ['--offline', '--text', '-', write('pipe', two)],
				{ env: { ...environment, COLUMNS: columns }, encoding: 'utf8' });
			clean(text);
			return Math.max(...text.split('\n').map(width));
		};
		assert.ok(wide('40') <= 40);
		assert.ok(wide('120') > 80);
		for (const bad of ['0', '-5', 'wide', '1e9', '']) {
			const w = wide(bad);
			assert.ok(w > 60 && w <= 80, `${bad}: ${w}`);
		}
	});
});
