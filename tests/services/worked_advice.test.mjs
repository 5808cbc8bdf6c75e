// The rules that predict, three ways: the document's tables, an independent script (tests/worked/advice_examples.mjs), and
// the program: its functions (advice_cli) on the examples and on 10,000 cases that nobody looked at, hostile ones too, and
// rtrack-report on recordings with the examples' numbers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { inputs, needs as needKinds } from '../bench/advice/needs.mjs';
import { Random } from '../bench/advice/random.mjs';
import { advise, failBound, fit, fits, memories, memoryAsk, GIB, proposedCpus, risks, tables, timeAt, times } from '../worked/advice_examples.mjs';

const command = `${process.env.B ?? 'build/release'}/tests/services/advice_cli`;
const text = (x) => (Number.isFinite(x) ? String(x) : Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf');
const read = (word) => Number(word.replace(/^-?nan$/, 'NaN').replace('inf', 'Infinity'));
function answers(cases) {
	const out = execFileSync(command, { input: `${cases.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1 << 28 });
	return out.trimEnd().split('\n').map((line) => line.split(' ').map(read));
}
const isNear = (got, want, most = 1e-9) => Object.is(got, want) || Math.abs(got - want) <= most * Math.abs(want);
const near = (got, want, what) => assert.ok(isNear(got, want), `${what()}: ${got}, not ${want}`);

describe('the document', () => {
	const doc = readFileSync('docs/advice.md', 'utf8');
	for (const table of tables)
		it(`has the ${table.name} that the script computes`, () => assert.ok(doc.includes(`\n\n${table()}\n`), table()));
});

// -- what the program is asked, and what is wanted of it ---------------------------------------------

const ruleCase = ({ needs, killed = [], today = NaN, lambda = risks.balanced }) => `rule ${lambda} ${text(today)} `
	+ needs.map((b, i) => (killed[i] ? `${text(b / 2)}!${text(b)}` : text(b))).join(' ');
const ruleWant = ({ needs, killed = [], today = NaN, lambda }) => memoryAsk(needs, { today, lambda, more: killed, ahead: true });
// Two asks may cost the same but for the last digit.
function ruleAgrees([ask, , growth, , weak], want, what) {
	if (!isNear(ask, want.ask) && want.costOf && isNear(want.costOf(ask), want.costOf(want.ask), 1e-12)) return;
	near(ask, want.ask, what);
	if (want.weak === false) near(growth, want.growth, what);
	assert.equal(weak, want.weak === false ? 0 : 1, `weak: ${what()}`);
}

const fitCase = ({ points, x }) => `fit ${text(x)} ${points.map((p) => `${text(p.x)}:${text(p.y)}${p.more ? '!' : ''}`).join(' ')}`;
function fitAgrees([usable, a, b, r2, bound, ask, guess], { points, x }, what) {
	const want = fit(points);
	assert.equal(usable, Number(want.usable), what());
	if (!want.usable) return;
	for (const [got, expected] of [[a, want.a], [b, want.b], [r2, want.r2], [bound, want.bound], [ask, want.ask(x)]])
		assert.ok(isNear(got, expected, 1e-6) || Math.abs(got - expected) < 1e-6 * Math.max(...points.map((p) => p.y || 0)), `${got}, not ${expected}: ${what()}`);
	assert.equal(guess, Number(want.isGuess(x)), what());
}

const ways = ['nothing', 'plain', 'rule', 'input'];
const adviceCase = ({ points, x, lambda }) => `advice ${lambda ?? 0} ${text(x)} ${points.map((p) =>
	`${text(p.x)}:${p.more ? `${text(p.y / 2)}!${text(p.y)}` : text(p.y)}`).join(' ')}`;
function adviceAgrees([ask, by], { points, x, lambda }, what) {
	const want = advise(points, x, { lambda });
	assert.equal(ways[by], want.by, what());
	near(ask, want.ask, what);
}

const timeCase = ({ samples, cpus }) => `time ${text(cpus)} ${samples.map((s) => [s.h, s.c, s.w ?? 0, s.b ?? NaN,
	s.b ?? Math.max(s.c / s.cpus, (s.thread ?? 0) / s.h), s.b ?? 1].map(text).join(',')).join(' ')}`;
function timeAgrees(got, { samples, cpus }, what) {
	const isBusy = samples.some((one) => one.c > 0), want = isBusy ? timeAt(samples, cpus) : { s: NaN, least: NaN, most: NaN };
	[want.s, want.least, want.most].forEach((expected, i) => near(got[i], expected, what));
}

it('the examples', () => {
	memories.forEach((e) => {
		const killed = e.more;
		ruleAgrees(answers([ruleCase({ ...e, killed })])[0], ruleWant({ ...e, killed }), () => e.name);
	});
	fits.forEach((e) => fitAgrees(answers([fitCase(e)])[0], e, () => e.name));
	for (const cpus of [1, 2, 4, 8, 16])
		times.forEach((e) => timeAgrees(answers([timeCase({ ...e, cpus })])[0], { ...e, cpus }, () => `${e.name}, ${cpus} CPUs`));
});

// -- cases that nobody looked at ---------------------------------------------------------------------

const random = new Random(20261123);
const hostile = [NaN, 0, -1, Infinity, -Infinity, 1e18, 1e-5, 1, 2 ** 50];
const kinds = [
	(n) => Array(n).fill(1e8 * Math.exp(6 * random.uniform())),
	(n, s = random.uniform()) => random.list(n, () => 2e9 * Math.exp(s * random.normal())),
	(n, alpha = 0.5 + 2 * random.uniform()) => random.list(n, () => 2e9 * random.pareto(alpha)),
	(n, more = 3 * random.uniform()) => random.list(n, (i) => 1e9 * (1 + (more * i) / n) * (1 + 0.05 * random.normal())),
	(n) => random.list(n, () => random.pick([1, 2, 4, 8]) * GIB),
	(n) => random.list(n, () => (random.uniform() < 0.3 ? random.pick(hostile) : 1e9 * random.uniform())),
];
const aRule = () => {
	const needs = random.pick(kinds)(Math.floor(300 * random.uniform() ** 3)), often = random.uniform() < 0.3 ? 0.2 : 0;
	return {
		needs, lambda: random.pick(Object.values(risks)),
		killed: needs.map((b) => b > 0 && b < 1e17 && random.uniform() < often),
		today: random.uniform() < 0.1 ? random.pick(hostile) : random.pick([NaN, 1e10 * random.uniform()]),
	};
};
const aFit = () => {
	const slope = 8 * random.uniform(), noise = random.pick([0, 0.01, 0.2]), n = random.below(40), same = random.uniform() < 0.05;
	const points = random.list(n, () => {
		const x = same ? 1e9 : 1e8 * Math.exp(3 * random.uniform()), y = (2e8 + slope * x) * (1 + noise * random.normal());
		return { x, y, more: random.uniform() < 0.05 };
	});
	if (random.uniform() < 0.2) points.push({ x: random.pick(hostile), y: random.pick(hostile), more: random.uniform() < 0.3 });
	return { points, x: random.uniform() < 0.1 ? random.pick([0, 1, 1e12]) : 1e8 * Math.exp(4 * random.uniform()) };
};
// Jobs of the kinds of tests/bench/advice/needs.mjs, some runs killed; with inputs, of some of them unknown.
const anAdvice = () => {
	const isByInput = random.uniform() < 0.4, make = random.pick(Object.values(isByInput ? inputs : needKinds));
	const often = random.uniform() < 0.2 ? 0.1 : 0, hidden = random.uniform() < 0.2 ? 0.3 : 0;
	const points = make(random, 1 + random.below(60), random.uniform(), random.uniform()).map((v) => (isByInput ? v : [NaN, v]))
		.map(([x, y]) => ({ x: random.uniform() < hidden ? NaN : Math.round(x * GIB), y: Math.round(y * GIB), more: random.uniform() < often }));
	return { points, x: isByInput ? points.at(-1).x : NaN, lambda: random.pick([undefined, 5, 20, 50]) };
};
// Widths at the bounds of the classes in which the program adds samples up; there its sums are exact.
const aTime = () => {
	const cpus = random.pick([1, 2, 4, 8, 16]), known = random.uniform() < 0.5;
	const samples = random.list(2 + random.below(30), () => {
		const h = random.pick([0.25, 1, 10]);
		if (random.uniform() < 0.2) return { h, c: 0, cpus, b: known ? 0 : undefined };
		const width = random.pick([1, 1.25, 1.5, 2, 3, 4, 8, 16]), b = known ? random.pick([0.25, 0.5, 1]) : 1;
		const c = Math.min(cpus, width) * b;
		return { h, c, w: width * b - c, cpus, thread: known ? 0 : h, b: known ? b : undefined };
	});
	return { samples, cpus: random.pick([1, 2, 4, 8, 16]) };
};
const shown = (line) => line.slice(0, 200);

for (const [name, how, make, toCase, agrees] of [
	['memory without inputs', 4000, aRule, ruleCase, (got, e, what) => ruleAgrees(got, ruleWant(e), what)],
	['memory with inputs', 3000, aFit, fitCase, fitAgrees],
	['what is asked for in the end', 1000, anAdvice, adviceCase, adviceAgrees],
	['time against CPUs', 2000, aTime, timeCase, timeAgrees],
])
	it(`${how} cases of ${name}`, () => {
		const made = random.list(how, make), lines = made.map(toCase);
		answers(lines).forEach((got, i) => agrees(got, made[i], () => shown(lines[i])));
	});

it('what n runs show', () => {
	const made = random.list(200, () => [random.below(20), 20 + random.below(400)]);
	answers(made.map(([k, n]) => `bound ${k} ${n}`)).forEach(([got], i) =>
		assert.ok(Math.abs(got - failBound(...made[i])) < 1e-6, `${made[i]}: ${got}, not ${failBound(...made[i])}`));
});

// -- the report --------------------------------------------------------------------------------------

const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-worked-advice-'));
after(() => rmSync(folder, { recursive: true }));

// Run i of a job: {x, y, more}, and what was asked for.
function recording({ x, y, more }, i, today) {
	const at = 1e9 + i * 1000;
	return {
		metadata: { interval: 1, start_time: at, stop_time: at + 100 },
		server_info: { vcpus: 8, memory_mb: 1e9 },
		rtrack: {
			job: { name: 'align' },
			...(today ? { asked: { memory_bytes: { value: today, source: 'option', detail: '--asked', share: false } } } : {}),
			...(x >= 0 ? { inputs: [{ name: 'reads.fq', bytes: x, via: 'argument', at: '1' }] } : {}),
			exit: more ? { code: null, signal: 9, cause: 'oom' } : { code: 0, cause: 'exited' },
			...(more ? { limits: { memory_bytes: y, memory_from: 'cgroup' } } : {}),
		},
		process_metrics: { timestamp: [at + 50, at + 100], cpu_usage: [1, 1], memory: [1024, more ? y / 2048 : y / 1024] },
	};
}
function reported(name, points, today, ...options) {
	const runs = path.join(folder, name.replace(/\W+/g, '-')), out = `${runs}.out.json`;
	mkdirSync(runs);
	points.forEach((p, i) => writeFileSync(path.join(runs, `${i}.json`), JSON.stringify(recording(p, i, today))));
	execFileSync(`${process.env.B ?? 'build/release'}/rtrack-report`, ['--offline', '-j', out, ...options, runs]);
	const { items, memory } = JSON.parse(readFileSync(out, 'utf8')).advice;
	return { ask: items.find((item) => item.id === 'memory').value * 1048576, by: memory?.by };
}

describe('what a report asks for:', () => {
	for (const e of memories)
		it(e.name, () => {
			const points = e.needs.map((b, i) => ({ x: NaN, y: Math.round(b / 4096) * 4096, more: !!e.more?.[i] }));
			const risk = Object.keys(risks).find((r) => risks[r] === e.lambda);
			const want = advise(points, NaN, e), got = reported(e.name, points, e.today, ...(risk ? ['--risk', risk] : []));
			assert.equal(got.ask, want.ask);
			if (got.by) assert.equal(got.by, want.by);
		});
	for (const e of fits)
		it(e.name, () => {
			// For the input of the newest run.
			const points = e.points.map(({ x, y, more }) => ({ x: Math.round(x), y: Math.round(y / 4096) * 4096, more: !!more }));
			const want = advise(points, points.at(-1).x, {}), got = reported(`${e.name}, by input`, points);
			assert.equal(got.ask, want.ask);
			if (got.by) assert.equal(got.by, want.by);
		});
});

describe('how long a report says it would take:', () => {
	for (const e of times.filter(({ samples }) => samples.every((s) => !s.thread)))
		it(e.name, () => {
			const start = 1e9, n = e.samples.length, column = (f) => e.samples.map(f);
			const isKnown = e.samples.some((s) => s.b !== undefined);
			const timestamp = column((_, i) => start + i + 1), name = path.join(folder, e.name.replace(/\W+/g, '-'));
			writeFileSync(`${name}.json`, JSON.stringify({
				metadata: { interval: 1, start_time: start, stop_time: start + n },
				server_info: { vcpus: e.samples[0].cpus, memory_mb: 65536 },
				rtrack: { asked: { cpus: { value: e.asked, source: 'option', detail: '--asked', share: false } }, exit: { code: 0, cause: 'exited' } },
				process_metrics: {
					timestamp, cpu_usage: column((s) => s.c), cpu_wait: column((s) => s.w ?? 0), memory: column(() => 1024),
					...(isKnown && { state_cpu: column((s) => s.b ?? 0), state_cpu_wait: column(() => 0), state_sleep: column((s) => 1 - (s.b ?? 0)) }),
				},
				system_metrics: { timestamp, cpu_usage: column((s) => s.c) },
			}));
			execFileSync(`${process.env.B ?? 'build/release'}/rtrack-report`, ['--offline', '-j', `${name}.out.json`, `${name}.json`]);
			const { time_at: found, advice } = JSON.parse(readFileSync(`${name}.out.json`, 'utf8'));
			for (const row of found.rows) near(row.time.value, timeAt(e.samples, row.cpus).s, () => `${row.cpus} CPUs`);
			assert.ok(found.rows.some((row) => row.cpus === e.asked || row.cpus > 1 || e.asked === 1));
			assert.equal(advice.items.find((item) => item.id === 'cpu').value, proposedCpus(e.samples, e.asked));
		});
});
