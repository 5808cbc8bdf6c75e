// The worked examples of the states of several threads in docs/snapshot.md, computed by the written rules alone, in
// exact fractions: nothing here is shared with the recorder. tests/unit/collect/waits/test_wait_worked.c holds the
// table against it. `node tests/worked/states_examples.mjs` prints the table.
import { fileURLToPath } from 'node:url';
import { add, decimal, fraction, head, larger, less, minus, row, times } from './examples.mjs';

const order = ['cpu', 'cpu_wait', 'throttled', 'memory', 'disk', 'net_disk', 'net', 'lock', 'pipe', 'event', 'sleep', 'stopped',
	'unknown'];
const zero = fraction(0), one = fraction(1);
const atMost = (a, b) => (less(b, a) ? b : a);

// Of one second: seconds of each state of each thread → [state, value, least, most], of those that have any.
export function states(threads) {
	let before = { value: zero, least: zero, most: zero };
	const shares = threads.map((t) => Object.fromEntries(t.map(([state, s]) => [state, fraction(s)])));
	return order.map((state, k) => {
		// In this state or in one before it.
		const upTo = shares.map((of) => order.slice(0, k + 1).reduce((sum, name) => add(sum, of[name] ?? zero), zero));
		const none = upTo.reduce((product, c) => times(product, minus(one, c)), one);
		const now = state === 'unknown' ? { value: one, least: one, most: one } : {
			value: minus(one, none), least: upTo.reduce(larger, zero), most: atMost(upTo.reduce(add, zero), one) };
		// Not more than the threads were in it.
		const own = state === 'unknown' ? one : shares.reduce((sum, of) => add(sum, of[state] ?? zero), zero);
		const of = [state, minus(now.value, before.value), larger(minus(now.least, before.most), zero),
			atMost(minus(now.most, before.least), own)];
		before = now;
		return of;
	}).filter(([, , , most]) => less(zero, most));
}

const examples = [
	['one thread', [[['cpu', '0.25'], ['disk', '0.75']]]],
	['it waits for its child', [[['child', '1']], [['net', '1']]]],
	['both wait: the first in the order', [[['sleep', '1']], [['disk', '1']]]],
	['a busy one beside ten that sleep', [[['cpu', '1']], ...Array(10).fill([['sleep', '1']])]],
	['they may overlap, or take turns', [[['cpu', '0.5'], ['lock', '0.5']], [['cpu', '0.5'], ['lock', '0.5']]]],
	['one waits for a CPU, perhaps while the other runs', [[['cpu', '0.4'], ['sleep', '0.6']], [['cpu_wait', '0.5'], ['sleep', '0.5']]]],
	['three readers', Array(3).fill([['cpu', '0.2'], ['disk', '0.3'], ['pipe', '0.5']])],
	['one ran for a part, nobody after', [[['cpu', '0.3'], ['pipe', '0.2']]]],
	['four that mostly run', Array(4).fill([['cpu', '0.75'], ['event', '0.25']])],
];

const seconds = ([state, s]) => `${state} ${s}`;
const cell = (threads) => {
	const texts = threads.map((t) => t.map(seconds).join(', '));
	return [...new Set(texts)].map((t) => {
		const n = texts.filter((u) => u === t).length;
		return n > 1 ? `${n} × (${t})` : t;
	}).join('; ');
};
const bounded = ([state, value, least, most]) => `${state} ${decimal(value, 4)} (${decimal(least, 4)} to ${decimal(most, 4)})`;

export const statesTable = () => [...head(['example', 'each thread', 'the job (bounds)'], 3),
	...examples.map(([name, threads]) => row([name, cell(threads), states(threads).map(bounded).join(', ')]))].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(statesTable());
