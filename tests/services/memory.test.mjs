// Memory of the next run: what a report says with few runs, with many, and with inputs; and its lines to paste that are
// functions, run by the tools' own languages: Python for Snakemake, JavaScript for CWL, a shell and awk for sbatch.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'yaml';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-memory-'));
after(() => rmSync(folder, { recursive: true }));
const MIB = 1048576;
let files = 0;

// Between 0 and 1, the same in each run.
const noise = (i) => ((Math.sin(i * 12.9898) * 43758.5453) % 1 + 1) % 1;

// A recording of run i: {mib, inputs: {at: bytes}, killed: MiB of its limit}.
function recording(i, { mib, inputs, killed, seconds = 60 }) {
	const name = path.join(folder, `${files++}.json`), at = 1000 + i * 10000;
	writeFileSync(name, JSON.stringify({
		metadata: { interval: 1, start_time: at, stop_time: at + seconds },
		server_info: { vcpus: 8, memory_mb: 65536 },
		rtrack: {
			job: { name: 'align' },
			exit: killed ? { code: null, signal: 9, cause: 'oom' } : { code: 0, cause: 'exited' },
			...(killed ? { limits: { memory_bytes: killed * MIB, memory_from: 'cgroup' } } : {}),
			...(inputs ? { inputs: Object.entries(inputs).map(([place, bytes]) =>
				({ name: `${place}.fq`, bytes, via: 'argument', at: place })) } : {}),
		},
		process_metrics: {
			timestamp: [at + 1, at + 2], cpu_usage: [1, 1], memory: [1024, mib * 1024],
		},
	}));
	return name;
}

function report(names, ...options) {
	const out = path.join(folder, 'out');
	execFileSync(command, ['--offline', '-j', `${out}.json`, '-o', `${out}.html`, '--text', `${out}.txt`, ...options,
		...names]);
	const { advice, asked } = JSON.parse(readFileSync(`${out}.json`, 'utf8'));
	return {
		...advice, asked,
		ask: advice.items.find((item) => item.id === 'memory'),
		say: Object.fromEntries((advice.memory?.sentences ?? []).map((s) => [s.id, s.text])),
		paste: Object.fromEntries(advice.snippets.map((s) => [s.id, s.text])),
		page: readFileSync(`${out}.html`, 'utf8'),
		text: readFileSync(`${out}.txt`, 'utf8'),
	};
}

const alike = (n) => Array.from({ length: n }, (_, i) => recording(i, { mib: 3000 + 60 * noise(i) }));

describe('memory without inputs:', () => {
	it('with four runs nothing is said, and the formula is the one of the peak', () => {
		const r = report(alike(4));
		assert.equal(r.memory, null);
		assert.match(r.ask.formula, /^step\(30\d\d\.\d\d MiB peak × 1\.2 = /);
		assert.doesNotMatch(r.page, /price of safety/);
	});
	it('with twelve runs: what a failure is worth, the picture, its table, the record', () => {
		const r = report(alike(12));
		assert.equal(r.memory.by, 'rule');
		assert.match(r.ask.formula, /^the step A with the lowest A \+ 20 × P × \(A \+ 30\d\d\.\d\d MiB\), from 12 runs/);
		assert.match(r.say.price, /costs least, if a run that fails is worth 20 runs/);
		assert.match(r.say.record, /^Of 11 runs, each predicted from those before it, 11 would have fitted, .* unused on average; the time was within 1% for half of them\.$/);
		assert.match(r.page, /The price of safety/);
		assert.match(r.text, /Of 11 runs, each predicted/);
		assert.equal(r.memory.price.rows[0].label, 'proposed');
		assert.equal(r.memory.price.rows[0].ask.value, r.ask.value * MIB);
		assert.ok(r.memory.price.svg.curves[0].points.split(' ').length > 10);
		assert.equal(r.memory.input, null);
	});
	it('careful asks for no less than thrifty', () => {
		const names = Array.from({ length: 40 }, (_, i) => recording(i, { mib: 500 * (1 - noise(i)) ** -0.7 }));
		const asks = ['thrifty', 'balanced', 'careful'].map((risk) => report(names, '--risk', risk).ask.value);
		assert.ok(asks[0] <= asks[1] && asks[1] < asks[2], asks);
		assert.equal(report(names).ask.value, asks[1]);
	});
	it('--history 0: this run alone', () => assert.equal(report(alike(12), '--history', '0').memory, null));
	it("resource-tracker's numbers stay", () => {
		const r = report(Array.from({ length: 12 }, (_, i) => recording(i, { mib: 10000 })));
		assert.equal(r.resource_tracker.memory, 12288);
		assert.equal(r.ask.value, 11264);
		assert.equal(r.say.resource_tracker, "By resource-tracker's rule it would be 12288 MiB.");
	});
	it('an earlier run that was killed since which none finished', () => {
		const names = [...alike(6), recording(7, { mib: 4000, killed: 4096 }), recording(8, { mib: 2900, killed: 3072 })];
		const r = report(names);
		assert.equal(r.ask.value, 8192);
		assert.match(r.ask.formula, /the limit that killed the latest runs, × 2/);
		// Later than the run that is reported on: it is not known yet.
		assert.equal(report(names, '--current', names[5]).ask.value, 4096);
	});
});

describe('memory over the input:', () => {
	const of = (i) => Math.round((100 + 900 * noise(i)) * MIB);
	const names = Array.from({ length: 12 }, (_, i) => recording(i, {
		mib: 14 + 5.9 * of(i) / MIB + 3 * noise(i + 50), inputs: { '--in': of(i), 3: Math.round(3e9 * noise(i + 9)) },
		seconds: Math.round(10 + of(i) / MIB),
	}));
	const r = report(names), x = of(11);
	it('the line is found over the right one of two inputs', () => {
		assert.equal(r.memory.by, 'input');
		assert.match(r.say.input, /^Memory is 5\.9 × the input of --in \+ 1\d\.\d MiB, from 12 runs\. For an input of /);
		assert.match(r.say.tested, /^Each predicted from the others, 0 of 12 runs would have failed; the next fails with at most 22%\.$/);
		assert.equal(r.memory.for_input.value, x);
		const need = 14 + 5.9 * x / MIB;
		assert.ok(r.ask.value >= need && r.ask.value <= Math.ceil(need * 1.15 / 1024) * 1024, `${r.ask.value}, ${need}`);
		assert.match(r.ask.formula, /^step\(1\.1 × \(1\d\.\d\d MiB \+ 5\.\d+ × 839 MiB of input /);
		assert.equal(r.memory.input.rows.length, 12);
		assert.match(r.page, /Memory over the input/);
	});
	it('the time limit follows it, too', () => {
		const minutes = r.items.find((item) => item.id === 'time');
		assert.match(minutes.formula, /by the input at most, × 1\.5 = /);
		assert.ok(minutes.value * 60 >= 10 + x / MIB);
	});
	it('what this input needs is not tried on runs with others', () => assert.equal(r.asked.trial, null));

	// What each tool asks for, in MiB, with an input of so many bytes.
	const tools = {
		snakemake(bytes) {
			const [, lambda] = /mem_mb=(lambda .*?),?$/m.exec(r.paste.snakemake);
			const p = spawnSync('python3', ['-c', `
class F:
    size = ${bytes}
class I(list):
    size = ${bytes}
f = ${lambda}
print(f(None, I([F()]), 1), f(None, I([F()]), 2))`], { encoding: 'utf8' });
			const [one, two] = p.stdout.trim().split(' ').map(Number);
			assert.ok(Number.isInteger(one) && two === 2 * one, p.stderr);
			return one / 1.048576;
		},
		nextflow(bytes) {
			const [, least, line] =
				/1\.MB \* task\.attempt \* Math\.max\((\d+), Math\.ceil\(([-\d.e+ ]+ \* )\[reads\]\.flatten\(\)\*\.size\(\)\.max\(\)\) as long\)/.exec(r.paste.nextflow);
			assert.match(r.paste.nextflow, /^process \{\n {4}withName: 'align' \{\n/);
			assert.match(r.paste.nextflow, /maxRetries = 2/);
			return Math.max(least, Math.ceil(eval(line + bytes)));
		},
		wdl(bytes) {
			const [, least, line] = /memory: "~\{max\((\d+), ceil\(([-\d.e+ ]+ \* )size\(reads\)\)\)\} MiB"/.exec(r.paste.wdl);
			return Math.max(least, Math.ceil(eval(line + bytes)));
		},
		cwl(bytes) {
			const { requirements } = parse(r.paste.cwl, { strict: true });
			const [, script] = /^\$\((.*)\)$/.exec(requirements.ResourceRequirement.ramMin);
			return new Function('inputs', `return ${script}`)({ reads: { class: 'File', size: bytes } });
		},
		sbatch(bytes) {
			const file = path.join(folder, 'a reads.fq'), fake = path.join(folder, 'sbatch');
			writeFileSync(file, '');
			truncateSync(file, bytes);
			writeFileSync(fake, '#!/bin/sh\nprintf "%s\\n" "$@"\n');
			chmodSync(fake, 0o755);
			const out = execFileSync('sh', ['-c', r.paste.sbatch, 'sh', file],
				{ encoding: 'utf8', env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } }).split('\n');
			assert.equal(out[3], file);
			return Number(/^--mem=(\d+)M$/.exec(out[0])[1]);
		},
	};
	const python = spawnSync('python3', ['-c', '']).status === 0;
	for (const [id, ask] of Object.entries(tools))
		it(`lines to paste that are functions: ${id}`, { skip: id === 'snakemake' && !python && 'no python3' }, () => {
			for (const row of r.memory.input.rows) {
				const mib = ask(row.input.value), least = Math.min(row.ask.value, 1.1 * row.memory.value) / MIB;
				assert.ok(mib >= least && mib < 1.1 * least + 100, `${row.input.text}: ${mib}, ${least}`);
			}
			assert.ok(ask(1900 * MIB) >= 1.1 * 5.9 * 1900);
			assert.ok(ask(0) > 0);
		});
});
