// Memory against input, of real programs: each is recorded with six small inputs, and its need is predicted for 1.3 and for 2 times
// the largest of them, by rtrack-fleet ask with the file. Prints the asks before they are rounded up, as multiples of what was
// needed then; without a line over the input, the ask itself. Programs that are not installed are left out, and named.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Random } from './random.mjs';

const B = process.env.B ?? 'build/release', MB = 1e6;
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-programs-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const inside = (name) => path.join(folder, name);

// -- inputs of so many bytes -------------------------------------------------------------------------

function write(name, bytes, piece, first = '', last = '') {
	const file = inside(name), out = openSync(file, 'w'), random = new Random(bytes);
	let text = first;
	for (let n = 0, i = 0; n < bytes; i++) {
		text += piece(random, i);
		if (text.length < 65536) continue;
		n += writeSync(out, text);
		text = '';
	}
	writeSync(out, text + last);
	closeSync(out);
	return file;
}
const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
const line = (r, i) => `${r.below(1e9)} ${r.pick(words)} ${r.pick(words)} ${i}\n`;
const record = (r, i) => `{"id":${i},"name":"${r.pick(words)}-${r.below(1e6)}","values":[${r.below(1e6)},${r.uniform().toFixed(6)},${r.below(100)}]}`;
const lines = (name, bytes) => write(`${name}.txt`, bytes, line);
const json = (name, bytes) => write(`${name}.json`, bytes, (r, i) => (i ? ',' : '') + record(r, i), '[', ']');
const csv = (name, bytes) => write(`${name}.csv`, bytes, (r, i) => `${i},${r.below(1e6)},${r.uniform().toFixed(6)},${r.pick(words)}\n`, 'id,count,share,word\n');
const bases = (r, n) => Array.from({ length: n }, () => r.pick(['A', 'C', 'G', 'T'])).join('');
const sam = (name, bytes) => write(`${name}.sam`, bytes,
	(r, i) => `read${i}\t0\tchr1\t${1 + r.below(9e6)}\t60\t100M\t*\t0\t0\t${bases(r, 100)}\t${'I'.repeat(100)}\n`, '@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:10000000\n');
function picture(name, bytes) {
	const side = Math.round(Math.sqrt(bytes / 3)), file = inside(`${name}.ppm`), out = openSync(file, 'w'), r = new Random(bytes);
	const row = Buffer.alloc(side * 3);
	writeSync(out, `P6 ${side} ${side} 255\n`);
	for (let y = 0; y < side; y++) writeSync(out, row.map((_, i) => (i + y + r.below(32)) & 255));
	closeSync(out);
	return file;
}

// -- programs ----------------------------------------------------------------------------------------

const installed = (...names) => names.map((n) => ['/usr/bin', '/usr/local/bin', '/bin'].map((d) => path.join(d, n)).find(existsSync)).find(Boolean);
const python = installed('python3'), magick = installed('magick', 'convert-im6.q16');
const counting = '{ n[$1]++ } END { print length(n) }';
// NAME, made by, megabytes of the largest input of those that are learnt from, the command with an input. An input that is not a word
// of the command line is named to the recorder.
const programs = [
	['sort', lines, 24, installed('sort'), (f) => ['--parallel=1', '-S', '1G', '-o', '/dev/null', f]],
	["Python's json", json, 24, python, (f) => ['-c', 'import json, sys; json.load(open(sys.argv[1]))', f]],
	["node's JSON.parse", json, 40, process.execPath, (f) => ['-e', 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))', f]],
	['gzip', lines, 10, installed('gzip'), (f) => ['-kf', f]],
	['xz -9', lines, 4, installed('xz'), (f) => ['-9kf', '-T1', f]],
	['SQLite, import and index', csv, 16, installed('sqlite3'), (f) => [inside('new.db'), '.mode csv', `.import ${f} t`, 'create index i on t(count)']],
	['SQLite, in memory', csv, 16, installed('sqlite3'), (f) => [':memory:', '.mode csv', `.import ${f} t`, 'create index i on t(count)']],
	['samtools sort', sam, 20, installed('samtools'), (f) => ['sort', '-m', '1G', '-o', inside('sorted.bam'), f]],
	['ImageMagick', picture, 12, magick, (f) => [f, '-resize', '50%', inside('small.png')]],
	["R's read.csv", csv, 12, installed('Rscript'), (f) => ['-e', 'x <- read.csv(commandArgs(TRUE)[1]); summary(x)', f]],
	['awk, counting words', lines, 12, installed('awk', 'mawk'), (f) => [counting, f]],
	['wc', lines, 10, installed('wc'), (f) => ['-l', f]],
	["Python's sorted lines", lines, 20, python, (f) => ['-c', 'import sys; len(sorted(open(sys.argv[1])))', f]],
];

// Its peak and its input, as recorded into a folder of the program's.
function measure(place, make, bytes, program, args) {
	const input = make(`${place}-${bytes}`, bytes), out = path.join(inside(place), `${bytes}.json`), words = args(input);
	const named = words.includes(input) ? [] : ['--input', input];
	rmSync(inside('new.db'), { force: true });
	const { status, stderr } = spawnSync(`${B}/rtrack-collect`, ['-i', '0.25', ...named, '-o', out, '--', program, ...words],
		{ stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
	if (status !== 0) throw new Error(`${place}: status ${status}: ${stderr}`);
	const { rtrack_row: row } = JSON.parse(readFileSync(out, 'utf8'));
	if (row.input_bytes !== statSync(input).size) throw new Error(`${place}: its input is recorded as ${row.input_bytes} bytes`);
	return { x: row.input_bytes, y: row.memory_peak_bytes, input, out };
}

const shares = [0.15, 0.3, 0.45, 0.6, 0.8, 1], further = [1.3, 2];
function correlation(points) {
	const mean = (v) => v.reduce((a, b) => a + b, 0) / v.length, mx = mean(points.map((p) => p.x)), my = mean(points.map((p) => p.y));
	const sum = (f) => points.reduce((a, p) => a + f(p.x - mx, p.y - my), 0);
	return sum((x, y) => x * y) ** 2 / (sum((x) => x * x) * sum((x, y) => y * y));
}
// Before rounding up, by the same functions; and what the program says.
function askFor(place, learnt, { x, input }) {
	const list = learnt.map((p) => `${p.x}:${p.y}`).join(' '), needs = learnt.map((p) => `nan:${p.y}`).join(' ');
	const answer = (text) => execFileSync(`${B}/tests/services/advice_cli`, { input: `${text}\n`, encoding: 'utf8' }).split(' ').map(Number);
	const said = execFileSync(`${B}/rtrack-fleet`, ['ask', '--input', input, '--for', 'shell', inside(place)], { encoding: 'utf8' });
	const asked = Number(/ASK_MEMORY_MIB=(\d+)/.exec(said)[1]) * 1048576;
	const [usable, , b, r2, , ask] = answer(`fit ${x} ${list}`);
	return usable ? { asked, ask, b, r2 } : { asked, ask: answer(`advice 50 nan ${needs}`)[0] };
}

const skipped = [], counts = { asks: 0, covered: 0, linear: 0, near: 0 };
console.log(` ${'MEMORY AGAINST INPUT'.padEnd(26)} ${'largest'.padStart(9)} ${'need'.padStart(9)} ${'bytes a byte'.padStart(12)} ${'r²'.padStart(7)}`
	+ further.map((f) => `ask/need × ${f}`.padStart(16)).join(''));
for (const [name, make, megabytes, program, args] of programs) {
	if (!program) {
		skipped.push(name);
		continue;
	}
	const place = name.replace(/\W/g, '');
	mkdirSync(inside(place));
	const points = [...shares, ...further].map((s) => measure(place, make, s * megabytes * MB, program, args));
	points.slice(shares.length).forEach(({ out }) => rmSync(out));
	const learnt = points.slice(0, shares.length), later = points.slice(shares.length);
	// Linear if all of it lies on a line, and the input matters.
	const isLinear = correlation(points) > 0.99 && points.at(-1).y > 1.5 * points[0].y;
	const asks = later.map((p) => ({ ...askFor(place, learnt, p), y: p.y }));
	for (const { asked, ask, y } of asks) {
		counts.asks++;
		counts.covered += asked >= y;
		counts.linear += isLinear;
		counts.near += isLinear && ask <= 1.3 * y;
	}
	const { b, r2 } = asks[0], largest = learnt.at(-1);
	console.log(` ${name.padEnd(26)} ${`${(largest.x / MB).toFixed(1)} MB`.padStart(9)} ${`${(largest.y / MB).toFixed(0)} MB`.padStart(9)} `
		+ `${(b ?? NaN).toFixed(2).replace('NaN', '–').padStart(12)} ${(r2 ?? NaN).toFixed(4).replace('NaN', '–').padStart(7)}`
		+ asks.map(({ asked, ask, y, b: slope }) => `${slope ? (ask / y).toFixed(2) : `${asked / 1048576} MiB`}${asked < y ? ' FAILS' : ''}`.padStart(16)).join('') + (isLinear ? '  linear' : ''));
}
if (skipped.length) console.log(` not installed: ${skipped.join(', ')}`);
console.log();
const row = (...cells) => console.log(cells.join('\t'));
row(`asks that are too small, of ${counts.asks}`, '', '', counts.asks - counts.covered, '', '', '', '=0');
row(`over 30 % too much, of ${counts.linear} of linear programs`, '', '', counts.linear - counts.near, '', '', '', '=0');
