// The worked examples of docs/fleet.md, computed from their inputs by the written rules alone, in exact fractions: nothing
// here is shared with the program. tests/services/worked_fleet.test.mjs holds the page against it, and
// tests/unit/fleet/groups/test_fleet_worked.c the program against the page.
// `node tests/worked/fleet_examples.mjs` prints the tables.
import { fileURLToPath } from 'node:url';
import { add, ceil, decimal, floor, fraction, head, larger, less, minus, number, over, row, step, times } from './examples.mjs';

const sum = (v) => v.reduce(add, [0n, 1n]);
const whole = (n) => [BigInt(n), 1n];
const notAbove = (a, b) => !less(b, a);

// -- the rules ---------------------------------------------------------------------------------------

// Nearest rank. runs: [[how many, value], …].
export function percentile(runs, percent) {
	const all = sum(runs.map(([n]) => whole(n)));
	const sorted = [...runs].sort(([, a], [, b]) => (less(a, b) ? -1 : 1));
	let below = [0n, 1n];
	for (const [n, value] of sorted) {
		below = add(below, whole(n));
		if (notAbove(times(all, [BigInt(percent), 100n]), below)) return value;
	}
}

// The ask that costs least, in MiB. runs: [[how many, MiB, killed], …], of which so many were killed for memory with that limit; last:
// the limit that killed the latest runs, or 0. Logarithms and powers are not fractions, so these are plain numbers.
const steps = (mib) => [128, 256, 512, 1024, 2048].find((s) => mib <= s) ?? Math.ceil(mib / 1024) * 1024;
export function memoryAsk(runs, today, growth, last, { lambda = 20, plain = false } = {}) {
	const dead = runs.reduce((sum, [, , k = 0]) => sum + k, 0);
	const all = dead * lambda >= runs.reduce((sum, [n]) => sum + n, 0) ? runs.filter(([, , k]) => k > 0).map(([, mib]) => mib) : [];
	const twice = 2 * Math.max(last, ...all);
	const v = runs.flatMap(([n, mib]) => Array(n).fill(mib)).sort((a, b) => b - a), n = v.length, most = v[0];
	const against = Math.max(today || 0, most), k = Math.min(Math.floor(2 * Math.sqrt(n)), n - 1);
	const tail = Math.max(0.03, v.slice(0, k).reduce((sum, x) => sum + Math.log(x / v[k]), 0) / k);
	const above = (ask) => runs.reduce((sum, [m, mib, k = 0]) => sum + (mib > ask ? m - k : 0), 0);
	const chance = (ask) => (dead + (ask < most ? above(ask) + 0.3 : 0.7 * (ask / most) ** (-1 / tail))) / (n + 0.4);
	const cost = (ask) => ask + lambda * chance(ask) * (ask + against);
	const tried = [...[1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2, 2.5].map((m) => steps(m * most)),
		...v.filter((x) => v.filter((y) => y > x).length * 2 < n).map((x) => steps(1.02 * x))];
	let ask = n < 5 || plain ? steps(1.2 * most) : tried.reduce((a, b) => (cost(b) < cost(a) ? b : a));
	if (n >= 5 && !plain && growth > 1) ask = steps(ask * growth);
	return Math.max(ask, twice > 0 ? steps(twice) : 0);
}

// How many times later runs need what earlier ones did; 1 if that is not clear.
export function growthOf(earlier, later) {
	const [a, b] = [earlier, later].map((runs) => runs.flatMap(([n, mib]) => Array(n).fill(Math.log(mib)))).map((v) => {
		const mean = v.reduce((x, y) => x + y, 0) / v.length;
		return { n: v.length, mean, error: v.reduce((x, y) => x + (y - mean) ** 2, 0) / (v.length - 1) / v.length };
	});
	const up = b.mean - a.mean;
	if (a.n < 2 || b.n < 2 || up < Math.log(1.05) || up <= 3.5 * Math.sqrt(a.error + b.error)) return 1;
	return Math.min(2, Math.exp(up));
}

// Four quarters of runs of an hour each. The ask of the first two, tried on the last two; where the largest need × 1.2 did better
// there, that one. A run that was killed fails with any ask.
export function backtest(quarters, asked) {
	const earlier = [...quarters[0], ...quarters[1]], later = [...quarters[2], ...quarters[3]];
	const total = (of) => later.reduce((sum, [n, mib, k = 0]) => sum + of(n, mib, k), 0), runs = total((n) => n);
	const tried = (plain) => {
		const ask = memoryAsk(earlier, asked, growthOf(quarters[0], quarters[1]), 0, { plain });
		const failed = (n, mib, k) => (mib > ask ? n : k);
		return { ask, failed: total(failed), wasted: total((n, mib, k) => {
			const f = failed(n, mib, k);
			return f * ask + (n - f) * (ask - mib);
		}) / 1024 };
	};
	const rule = tried(false), plain = tried(true), lost = runs >= 10 && rule.failed >= plain.failed && rule.wasted > plain.wasted;
	return { runs, lost, askedWasted: total((n, mib, k) => n * asked - (n - k) * mib) / 1024, ...(lost ? plain : rule) };
}

export function memory(runs, today, most, killed, growth) {
	const mib = runs.map(([n, gib, k]) => [n, number(gib) * 1024, k ? number(k) : 0]);
	const ask = memoryAsk(mib, today * 1024, growth, killed * 1024);
	return { proposed: ask / 1024, again: Math.max(most, ask / 1024, ...mib.map(([, v]) => v / 1024)),
		fails: mib.reduce((f, [n, need, k]) => f + (need > ask ? n : k), 0) };
}

const one = [1n, 1n];
export const proposals = {
	cores: (runs) => larger(one, whole(floor(add(percentile(runs, 95), [1n, 2n])))),
	GPUs: (runs) => (runs.some(([, v]) => v[0] > 0n) ? larger(one, whole(ceil(percentile(runs, 95)))) : [0n, 1n]),
	seconds: (runs) => larger(one, whole(ceil(over(times(percentile(runs, 99), fraction('1.2')), whole(60))))),
};

// ask: [CPUs, GiB, GPUs]. machine likewise.
const share = (ask, machine) =>
	ask.map((a, i) => (machine[i][0] > 0n ? over(a, machine[i]) : [0n, 1n])).reduce(larger);
const atMost = (a, b) => (less(b, a) ? b : a);
const withMemory = ([cpus, , gpus], gib) => [cpus, gib, gpus];
const recover = (asked, proposed) => ({ asked, proposed, saved: larger(minus(asked, proposed), [0n, 1n]) });

export function byPrice({ machine, price, ask, hours, proposed, again, most }) {
	const cost = (a, h) => times(times(fraction(price), atMost(share(a, machine), one)), fraction(h));
	return recover(cost(ask, hours), add(cost(proposed, hours), cost(withMemory(proposed, most), again)));
}

export function byRates({ rates, ask, hours, proposed, again, most }) {
	const [cpu, gib, gpu] = rates;
	const cost = (a, h) => times(add(times(a[2], gpu), larger(times(a[0], cpu), times(a[1], gib))), fraction(h));
	return recover(cost(ask, hours), add(cost(proposed, hours), cost(withMemory(proposed, most), again)));
}

// Times with 1, 2, 4 … CPUs as shares of the time; the last is of all more. Between two of them the line over 1 / CPUs.
export function timeAt(at, cpus) {
	let i = 0;
	while (i + 1 < at.length && less([2n * 2n ** BigInt(i), 1n], add(whole(cpus), [1n, 1000n]))) i++;
	if (i + 1 >= at.length) return at[i];
	const low = over(one, whole(2 ** i)), high = over(one, whole(2 ** (i + 1)));
	const share = over(minus(low, over(one, whole(cpus))), minus(low, high));
	return add(at[i], times(minus(at[i + 1], at[i]), share));
}
export function fewest(at, asked, slowdown) {
	const most = times(timeAt(at, asked), add(one, fraction(slowdown)));
	for (let n = 1; n <= 256; n++) if (notAbove(timeAt(at, n), most)) return n;
}

// -- the examples ------------------------------------------------------------------------------------

const memoryExamples = [
	['runs that are alike', '10 × 1 GiB', 8, 8, 0, 1],
	['large ones: a tenth on top', '40 × 20 GiB', 64, 64, 0, 1],
	['fewer than 5 runs: × 1.2', '3 × 2.6 GiB', 64, 64, 0, 1],
	['one in 100 needs twice as much: it may fail', '99 × 4 GiB, 1 × 9 GiB', 9, 16, 0, 1],
	['not if a failed run costs more: 256 GiB are asked for today', '99 × 4 GiB, 1 × 9 GiB', 256, 256, 0, 1],
	['nor one in 20', '38 × 4 GiB, 2 × 9 GiB', 9, 16, 0, 1],
	['a long tail: more than the largest', '20 × 2 GiB, 8 × 4 GiB, 4 × 8 GiB, 2 × 16 GiB, 1 × 32 GiB', 64, 64, 0, 1],
	['ten were killed at 8 GiB: twice as much', '90 × 5 GiB, 10 × 8 GiB (10 killed)', 8, 8, 0, 1],
	['four of 100 were, and runs have finished since', '96 × 5 GiB, 4 × 8 GiB (4 killed)', 8, 8, 0, 1],
	['the latest were killed there: twice as much', '96 × 5 GiB, 4 × 8 GiB (4 killed)', 8, 8, 8, 1],
	['all were', '3 × 0.5 GiB (3 killed)', 0.5, 0.5, 0.5, 1],
	['what others need is more than twice the limit', '5 × 20 GiB, 1 × 4 GiB (1 killed)', 32, 32, 4, 1],
	['one used more than was asked for', '999 × 1 GiB, 1 × 7 GiB', 2, 2, 0, 1],
	['small ones', '20 × 0.05 GiB', 4, 4, 0, 1],
	['the needs grow by a third', '20 × 3 GiB, 20 × 4 GiB', 16, 16, 0, 1.333],
];
const backtestExamples = [
	['runs that are alike', ['10 × 1 GiB', '10 × 1 GiB', '10 × 1 GiB', '10 × 1 GiB'], 8],
	['they grow', ['10 × 4 GiB', '10 × 5 GiB', '10 × 6 GiB', '10 × 7 GiB'], 16],
	['they grew later', ['10 × 4 GiB', '10 × 4 GiB', '10 × 6 GiB', '10 × 6 GiB'], 16],
	['one is larger than all before', ['20 × 2 GiB', '20 × 2 GiB', '20 × 2 GiB', '19 × 2 GiB, 1 × 6 GiB'], 8],
	['one in ten is killed at 8 GiB', ['9 × 5 GiB, 1 × 8 GiB (1 killed)', '9 × 5 GiB, 1 × 8 GiB (1 killed)', '10 × 5 GiB', '9 × 5 GiB, 1 × 8 GiB (1 killed)'], 8],
	['one in nine needs five times as much: the largest × 1.2 wastes less', ['16 × 4 GiB, 2 × 20 GiB', '16 × 4 GiB, 2 × 20 GiB', '16 × 4 GiB, 2 × 20 GiB', '16 × 4 GiB, 2 × 20 GiB'], 64],
	['fewer than 5 runs to learn from', ['2 × 2 GiB', '2 × 2.2 GiB', '2 × 2 GiB', '2 × 2 GiB'], 8],
];
const percentileExamples = [
	['one of 20 is above the p95', 'cores', '19 × 1.2, 1 × 7'],
	['two are not', 'cores', '18 × 1.2, 2 × 7'],
	['a half goes up', 'cores', '20 × 2.5'],
	['at least one', 'cores', '20 × 0.2'],
	['no run used any', 'GPUs', '100 × 0'],
	['one did, a little', 'GPUs', '99 × 0, 1 × 0.3'],
	['busy with 1.4 GPUs', 'GPUs', '20 × 1.4'],
	['100 s × 1.2 are 2 min', 'seconds', '20 × 100'],
	['101 s are more', 'seconds', '20 × 101'],
	['one of 200 takes longer', 'seconds', '199 × 100, 1 × 500'],
];
const small = [8, 32, 0], large = [64, 256, 4];
const priceExamples = [
	['an eighth would do', small, '0.4', [4, 16, 0], 100, [1, 4, 0], 0, 16],
	['memory decides, CPUs do not matter', small, '0.4', [4, 16, 0], 100, [1, 16, 0], 0, 16],
	['runs that are repeated', small, '0.4', [4, 16, 0], 100, [1, 4, 0], 10, 16],
	['too many of them', small, '0.4', [4, 16, 0], 100, [1, 12, 0], 60, 16],
	['more is needed', small, '0.4', [2, 8, 0], 100, [2, 10, 0], 0, 10],
	['more than the machine has', small, '0.4', [2, 32, 0], 100, [2, 40, 0], 0, 40],
	['GPUs decide', large, '12', [8, 64, 4], 10, [4, 32, 2], 0, 64],
];
const timeExamples = [
	['one thread', large, '4', [16, 16, 0], 100, ['1']],
	['as wide as it is', large, '4', [16, 16, 0], 100, ['15.1', '7.6', '3.85', '1.975', '1.0375', '1']],
	['half of the time on one thread', large, '4', [16, 16, 0], 100, ['8.5', '4.5', '2.5', '1.5', '1', '0.75']],
	['mostly waiting', large, '4', [32, 64, 0], 100, ['1.6', '1.3', '1.15', '1.075', '1.0375', '1']],
	['memory is paid for, so fewer CPUs save nothing', large, '4', [8, 128, 0], 100, ['1.8', '1.4', '1.2', '1.1', '1.05']],
];
const rates = ['0.04', '0.005', '2'];
const rateExamples = [
	['CPUs are the larger part', rates, [8, 16, 0], 100, [2, 8, 0], 0, 16],
	['memory is the larger part', rates, [1, 64, 0], 100, [1, 12, 0], 0, 64],
	['fewer CPUs, but memory stays', rates, [8, 64, 0], 100, [1, 64, 0], 0, 64],
	['GPUs come on top', rates, [8, 16, 2], 100, [8, 16, 1], 0, 16],
	['runs that are repeated', rates, [1, 64, 0], 100, [1, 12, 0], 10, 64],
	['no rate for memory', ['0.04', '0', '0'], [4, 512, 1], 100, [1, 16, 0], 0, 512],
];

// -- the tables --------------------------------------------------------------------------------------

const runsOf = (text) => text.split(/[;,] (?=\d+ ×)/).map((part) => {
	const [n, ...values] = part.match(/[\d.]+/g);
	return [Number(n), ...values.map(fraction)];
});
const gib = (q) => `${decimal(q, 3)} GiB`;
const amounts = ([c, m, g]) => `${c} CPU${c === 1 ? '' : 's'}, ${m} GiB, ${g} GPU${g === 1 ? '' : 's'}`;
const table = (names, numbers, rows) => [...head(names, numbers), ...rows.map(row)].join('\n');
const bold = (text) => `**${text}**`;

const plain = (v, digits) => String(Number(v.toFixed(digits)));
export const memoryTable = () => table(
	['example', 'runs', 'asked, mean', 'largest ask', 'the latest killed at', 'growth', 'proposed', 'would fail', 'again with'], 2,
	memoryExamples.map(([name, runs, today, most, killed, growth]) => {
		const m = memory(runsOf(runs), today, most, killed, growth);
		return [name, runs, `${today} GiB`, `${most} GiB`, killed ? `${killed} GiB` : '–', growth,
			bold(`${m.proposed} GiB`), bold(m.fails), `${m.again} GiB`];
	}));

export const backtestTable = () => table(
	['example', 'quarters', 'asked', 'learnt ask', 'tried', 'failed', 'wasted', 'wasted as asked'], 2,
	backtestExamples.map(([name, quarters, asked]) => {
		const mib = quarters.map((text) => runsOf(text).map(([n, gib, k]) => [n, number(gib) * 1024, k ? number(k) : 0]));
		const t = backtest(mib, asked * 1024), few = mib[0].concat(mib[1]).reduce((sum, [n]) => sum + n, 0) < 5;
		const rest = few ? ['–', '–', '–', '–', '–'] : [bold(`${t.ask / 1024} GiB`), t.runs, bold(t.failed),
			bold(`${plain(t.wasted, 3)} GiB-h`), `${plain(t.askedWasted, 3)} GiB-h`];
		return [name, quarters.join('; '), `${asked} GiB`, ...rest];
	}));

export const percentileTable = () => table(['example', 'of', 'runs', 'percentile', 'proposed'], 3,
	percentileExamples.map(([name, of, runs]) => {
		const v = runsOf(runs), p = percentile(v, of === 'seconds' ? 99 : 95);
		const unit = { cores: 'CPUs', GPUs: 'GPUs', seconds: 'min' }[of];
		return [name, of, runs, decimal(p, 3), bold(`${number(proposals[of](v))} ${unit}`)];
	}));

const moneyCells = ({ asked, proposed, saved }) => [decimal(asked, 4), decimal(proposed, 4), bold(decimal(saved, 4))];
const fractions = (v) => v.map(fraction);

export const priceTable = () => table(
	['example', 'machine', 'per hour', 'asked', 'hours', 'proposed', 'again', 'A_max', 'cost', 'proposed cost', 'recoverable'], 2,
	priceExamples.map(([name, machine, price, ask, hours, proposed, again, most]) => [name, amounts(machine), price,
		amounts(ask), hours, amounts(proposed), again, `${most} GiB`, ...moneyCells(byPrice({ machine: fractions(machine),
			price, ask: fractions(ask), hours, proposed: fractions(proposed), again, most: fraction(most) }))]));

export const timeTable = () => table(
	['example', 'machine', 'per hour', 'asked', 'hours', 'times with 1, 2, 4 … CPUs', 'proposed', 'longer', 'cost', 'proposed cost',
		'recoverable'], 2,
	timeExamples.map(([name, machine, price, ask, hours, at]) => {
		const t = at.map(fraction), cpus = fewest(t, ask[0], '0.1'), longer = over(timeAt(t, cpus), timeAt(t, ask[0]));
		const cost = (a, h) => times(times(fraction(price), share(fractions(a), fractions(machine))), h);
		const money = recover(cost(ask, fraction(hours)), cost([cpus, ask[1], ask[2]], times(fraction(hours), longer)));
		return [name, amounts(machine), price, amounts(ask), hours, at.join(', '), bold(`${cpus} CPU${cpus === 1 ? '' : 's'}`),
			bold(decimal(longer, 4)), ...moneyCells(money)];
	}));

export const rateTable = () => table(
	['example', 'rates', 'asked', 'hours', 'proposed', 'again', 'A_max', 'cost', 'proposed cost', 'recoverable'], 2,
	rateExamples.map(([name, rate, ask, hours, proposed, again, most]) => [name, rate.join(', '), amounts(ask), hours,
		amounts(proposed), again, `${most} GiB`, ...moneyCells(byRates({ rates: fractions(rate), ask: fractions(ask), hours,
			proposed: fractions(proposed), again, most: fraction(most) }))]));

export const tables = [memoryTable, backtestTable, percentileTable, priceTable, timeTable, rateTable];

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tables.map((t) => t()).join('\n\n'));
