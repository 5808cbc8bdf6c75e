// The table of all benches. Reads rows (spread.h says of what) and prints each, and whether it is over its
// budget; a line of one field begins a part; one that begins with a blank is printed as it is. At the end the growth along each line that was named (its budget is
// x1.1, or the row's last field): the slope of log time on log size by least squares, beside that from each size
// to the next, lowest and highest.

import { createInterface } from 'node:readline';

const lines = new Map();
let overs = 0;

const number = v => (v === '' || Number.isNaN(Number(v)) ? v : Number(v) >= 1e4 ? Number(v).toFixed(0)
	: String(Number(Number(v).toPrecision(4))));

function isOver(ours, ratio, budget) {
	return budget.startsWith('x') ? ratio > Number(budget.slice(1))
		: budget.startsWith('=') && Number(ours) > Number(budget.slice(1));
}

function print(what, unit, bare, ours, ratio = '', low = '', high = '', budget = '') {
	const over = isOver(ours, ratio, budget);
	overs += over;
	console.log(what.padEnd(48), unit.padStart(4), number(bare).padStart(9), number(ours).padStart(9),
		(ratio === '' ? '' : Number(ratio).toFixed(2)).padStart(7),
		(low === '' ? '' : `(${Number(low).toFixed(2)}-${Number(high).toFixed(2)})`).padEnd(13),
		budget.padStart(6), over ? 'over' : '');
}

function slope(points) {
	const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
	const x = mean(points.map(p => p[0])), y = mean(points.map(p => p[1]));
	return points.reduce((sum, p) => sum + (p[0] - x) * (p[1] - y), 0)
		/ points.reduce((sum, p) => sum + (p[0] - x) ** 2, 0);
}

for await (const text of createInterface({ input: process.stdin })) {
	if (!text || text.startsWith(' ')) {
		console.log(text);
		continue;
	}
	const row = text.split('\t'), [what, , , ours, , , , , line, size, budget = 'x1.1'] = row;
	if (row.length === 1) {
		console.log(`\n${what.padEnd(48)}      ${'BARE'.padStart(9)} ${'OURS'.padStart(9)} ${'RATIO'.padStart(7)} `
			+ `${'QUARTILES'.padEnd(13)} BUDGET`);
		continue;
	}
	print(...row.slice(0, 8));
	if (line && Number(ours) > 0)
		lines.set(line, { budget, points: [...(lines.get(line)?.points || []), [Math.log(size), Math.log(ours)]] });
}

console.log(`\n${'GROWTH'.padEnd(48)} ${'EXPONENT'.padStart(32)} ${'STEPS'.padEnd(13)} BUDGET`);
for (const [line, { budget, points }] of lines) {
	const steps = points.slice(1).map((p, i) => (p[1] - points[i][1]) / (p[0] - points[i][0]));
	if (steps.length)
		print(line, '', '', '', slope(points), Math.min(...steps), Math.max(...steps), budget);
}
console.log(`\n${overs} row${overs === 1 ? ' is' : 's are'} over budget (x: of the ratio, =: of ours).`);
