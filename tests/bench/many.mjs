// Many runs: the fleet page from plain files, beside DuckDB's documented query (docs/queries.md) over the same files, and
// from a catalog. Rows for table.mjs.
//
//   node many.mjs FOLDER    FOLDER: for its files, more than 1 GB. SCALE=0.1 for a tenth of all sizes.
//
// DuckDB's time is that of its query alone, ours is that of the whole process, from its start to its end. Files and databases
// are in the page cache: "cold" is without a catalog.

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.argv[2];
const B = process.env.B;
const scale = Number(process.env.SCALE ?? 1);
const size = n => Math.max(1, Math.round(n * scale));
const FEW = 40; // samples, where their number does not matter: they are made faster
const at = name => join(dir, name);

function run(command, ...args) {
	const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
	if (status !== 0)
		throw new Error(`${command} ${args.join(' ')}: ${error ?? `status ${status}`}\n${stderr}`);
	return { stdout, stderr };
}

// What a command takes: ms, and KiB at the peak of it alone and of the largest process that it started.
function peaks(...command) {
	const { stdout, stderr } = run(`${B}/tests/bench/peaks`, ...command);
	const [wall, cpu, alone, child] = stdout.trim().split(' ').map(Number);
	return { wall, cpu, alone, child, stderr };
}

const make = (...args) => run(`${B}/tests/bench/fleet_make`, ...args.map(String));
const fleet = (verb, ...args) => peaks(`${B}/rtrack-fleet`, verb, ...args);
const page = (...from) => fleet('groups', '--offline', '--rate-cpu', '0.04', '--rate-memory', '0.005', '-o', at('fleet.html'),
	...from);

function duckdb(folder) {
	const took = peaks('node', 'tests/engines/duckdb/query.mjs', folder);
	return { ...took, wall: Number(took.stderr.trim().split('\n').at(-1)) * 1000 };
}

function quartiles(values) {
	const v = [...values].sort((a, b) => a - b);
	return [v[Math.floor(v.length / 4)], v[Math.floor(v.length / 2)], v[v.length - 1 - Math.floor(v.length / 4)]];
}

const median = values => quartiles(values)[1];
const most = (list, key) => Math.max(...list.map(x => x[key]));
const times = (n, what) => Array.from({ length: n }, what);

// Fields of a row: spread.h.
function row(what, unit, bare, ours, budget = '', ...line) {
	console.log([what, unit, bare, ours, '', '', '', budget, ...line].join('\t'));
}

function beside(what, bare, ours, budget) {
	const [low, middle, high] = quartiles(ours.map((x, i) => x / bare[i]));
	console.log([what, 'ms', median(bare), median(ours), middle, low, high, budget].join('\t'));
}

function memory(what, took) {
	row(`${what}, RSS`, 'MiB', '', most(took, 'alone') / 1024, '=64');
	if (most(took, 'child'))
		row(`${what}, RSS of a worker`, 'MiB', '', most(took, 'child') / 1024, '=64');
}

function pageSize(what) {
	row(`${what}, size`, 'KB', '', statSync(at('fleet.html')).size / 1000, '=1000');
}

function files(n) {
	const runs = at('runs'), what = `${n} recordings: the page`, walls = list => list.map(x => x.wall);
	make(n, runs);
	const turns = times(3, () => [duckdb(runs), page(runs)]);
	const bare = turns.map(t => t[0]), ours = turns.map(t => t[1]);
	beside(`${what}, beside DuckDB`, walls(bare), walls(ours), 'x1');
	row(`${what}, CPU time`, 'ms', median(bare.map(x => x.cpu)), median(ours.map(x => x.cpu)));
	row(`${what}, RSS of DuckDB`, 'MiB', most(bare, 'alone') / 1024, '');
	memory(what, ours);
	const add = fleet('add', '--catalog', at('runs.db'), runs);
	const again = times(3, () => fleet('add', '--catalog', at('runs.db'), runs));
	row(`${n} recordings: add, of each`, 'µs', '', add.wall * 1000 / n);
	row(`${n} recordings: add again, of each`, 'µs', '', median(walls(again)) * 1000 / n);
	const kept = bare.map(() => page('--catalog', at('runs.db')));
	beside(`${what}, from the catalog`, walls(bare), walls(kept), 'x0.1');
	rmSync(runs, { recursive: true });
}

function manyFiles(n) {
	make('--samples', FEW, n, at('runs'));
	const took = page(at('runs'));
	row(`${n} recordings: the page`, 'ms', '', took.wall);
	memory(`${n} recordings: the page`, [took]);
	rmSync(at('runs'), { recursive: true });
}

function rows(n) {
	make('--samples', FEW, '--catalog', at('rows.db'), n, '/runs');
	const took = times(3, () => page('--catalog', at('rows.db'))), what = `${n} rows: the page`;
	row(what, 'ms', '', median(took.map(x => x.wall)), n === 1000000 ? '=2000' : '',
		'the fleet page, against rows', n, 'x1.05');
	memory(what, took);
	pageSize(what);
	rmSync(at('rows.db'));
}

function groups(n) {
	make('--samples', FEW, '--groups', n, '--catalog', at('rows.db'), 4 * n, '/runs');
	const took = page('--catalog', at('rows.db'));
	row(`${n} groups: the page`, 'ms', '', took.wall);
	memory(`${n} groups: the page`, [took]);
	pageSize(`${n} groups: the page`);
	rmSync(at('rows.db'));
}

// What sacct -P prints of jobs with a batch script and one step: three lines each.
function writeAccounting(file, lines) {
	const out = openSync(file, 'w');
	let text = 'JobID|JobIDRaw|Cluster|User|Account|State|ExitCode|Submit|Start|End|ElapsedRaw|TimelimitRaw|ReqTRES|NNodes|NTasks|TotalCPU|MaxRSS|TRESUsageInTot|JobName\n';
	for (let i = 0; i * 3 < lines; i++) {
		const start = 1750000000 + i * 20, wall = 600 + i * 7919 % 3000, end = start + wall, id = 1000000 + i;
		const times = `${start - 60}|${start}|${end}|${wall}`, cpu = `00:${String(10 + i % 50)}:00.123`, rss = (100 + i * 31 % 900) * 1024;
		text += `${id}|${id}|hpc|user${i * 31 % 200}|lab${i % 20}|COMPLETED|0:0|${times}|120|cpu=4,mem=8G,node=1|1|||||job${i * 7919 % 2000}\n`;
		for (const [step, k] of [['batch', 20], ['0', 1]])
			text += `${id}.${step}|${id}.${step}|hpc||lab${i % 20}|COMPLETED|0:0|${times}|||1|1|${k === 1 ? cpu : '00:00.100'}|` +
				`${Math.round(rss / k)}K|cpu=00:10:00,mem=${Math.round(rss / k)}K|${step}\n`;
		if (text.length > 1 << 20) {
			writeSync(out, text);
			text = '';
		}
	}
	writeSync(out, text);
	closeSync(out);
}

function accounting(n) {
	const file = at('sacct.txt'), db = at('accounting.db'), what = `${n} lines of sacct`;
	writeAccounting(file, n);
	const took = fleet('add', '--offline', '--catalog', db, file);
	row(`${what}: into SQLite`, 'ms', '', took.wall, n === 1000000 ? '=10000' : '');
	memory(`${what}: into SQLite`, [took]);
	row(`${what}: again`, 'ms', '', fleet('add', '--offline', '--catalog', db, file).wall);
	row(`${what}: the page`, 'ms', '', page('--catalog', db).wall);
	rmSync(db);
	rmSync(file);
}

files(size(10000));
manyFiles(size(100000));
[10000, 100000, 1000000].forEach(n => rows(size(n)));
groups(size(50000));
accounting(size(1000000));
