// The worked examples of docs/fleet.md, computed from their inputs by the written rules alone, in exact fractions: nothing
// here is shared with the program. tests/services/worked_fleet.test.mjs holds the page against it, and
// tests/unit/report/fleet/test_fleet_worked.c the program against the page.
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

// runs: [[how many, GiB], …]; killed: the limit that killed the latest runs, or 0.
export function memory(runs, most, killed) {
	const needs = runs.map(([, need]) => need);
	const p99 = percentile(runs, 99), margin = times(p99, fraction('1.2'));
	const mib = step(times(larger(times(fraction(killed), whole(2)), margin), whole(1024)));
	const proposed = [mib, 1024n];
	return { margin, proposed, again: larger(needs.reduce(larger, most), proposed),
		fails: runs.reduce((f, [n, need]) => f + (less(proposed, need) ? n : 0), 0) };
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

// -- the examples ------------------------------------------------------------------------------------

const memoryExamples = [
	['runs that are alike', '10 × 1 GiB', 8, 0],
	['just a step: 2.5 GiB × 1.2 are 3 GiB', '3 × 2.5 GiB', 64, 0],
	['and a little more', '3 × 2.6 GiB', 64, 0],
	['one in 100 is above the p99', '99 × 4 GiB, 1 × 9 GiB', 16, 0],
	['two in 100 are not', '98 × 4 GiB, 2 × 9 GiB', 16, 0],
	['ten were killed at 8 GiB, and runs have finished since', '90 × 5 GiB, 10 × 8 GiB', 8, 0],
	['the latest were killed there: twice as much', '90 × 5 GiB, 10 × 8 GiB', 8, 8],
	['all were', '3 × 0.5 GiB', 0.5, 0.5],
	['what others need is more than twice the limit', '5 × 20 GiB, 1 × 4 GiB', 32, 4],
	['one used more than was asked for', '199 × 1 GiB, 1 × 7 GiB', 2, 0],
	['small ones', '20 × 0.05 GiB', 4, 0],
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

export const memoryTable = () => table(
	['example', 'runs', 'largest ask', 'the latest killed at', 'p99 × 1.2', 'proposed', 'would fail', 'again with'], 2,
	memoryExamples.map(([name, runs, most, killed]) => {
		const m = memory(runsOf(runs), fraction(most), killed);
		return [name, runs, `${most} GiB`, killed ? `${killed} GiB` : '–', gib(m.margin), bold(gib(m.proposed)), bold(m.fails),
			gib(m.again)];
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

export const rateTable = () => table(
	['example', 'rates', 'asked', 'hours', 'proposed', 'again', 'A_max', 'cost', 'proposed cost', 'recoverable'], 2,
	rateExamples.map(([name, rate, ask, hours, proposed, again, most]) => [name, rate.join(', '), amounts(ask), hours,
		amounts(proposed), again, `${most} GiB`, ...moneyCells(byRates({ rates: fractions(rate), ask: fractions(ask), hours,
			proposed: fractions(proposed), again, most: fraction(most) }))]));

export const tables = [memoryTable, percentileTable, priceTable, rateTable];

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tables.map((t) => t()).join('\n\n'));
