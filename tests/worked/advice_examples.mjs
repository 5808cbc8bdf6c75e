// The rules of docs/advice.md that predict, a second time: time against CPUs, what a run costs on a server, how much memory
// to ask for, and how such asks did. Nothing here is shared with the program that tests/services/worked_advice.test.mjs
// holds against it. `node tests/worked/advice_examples.mjs` prints the tables of the document.
import { fileURLToPath } from 'node:url';
import { head, row } from './examples.mjs';

export const MIB = 1048576, GIB = 1024 * MIB;
const sum = (v) => v.reduce((a, b) => a + b, 0);
const mean = (v) => sum(v) / v.length;
const isNeed = (b) => Number.isFinite(b) && b > 0;

// The next of 128, 256, 512, 1024, 2048 MiB, then whole GiB; in bytes; at most 2^60.
export const step = (bytes) => MIB * ([128, 256, 512, 1024, 2048].find((s) => bytes <= s * MIB)
	?? Math.min(Math.ceil(bytes / GIB) * 1024, 2 ** 40));

// -- time against CPUs -------------------------------------------------------------------------------

// Of one sample: seconds h, cores used c and waited for w, the share b in which a thread could run: what takes no CPU, and the rest.
const asleep = ({ h, c }, b) => (c > 0 ? (1 - b) * h : h);
const onCpus = ({ h, c }, d, b, cpus) => (c > 0 ? (c * h) / Math.min(cpus, d / b) : 0);

// The bounds of b: what is known of it, else at least c / C and the share of the busiest thread, at most 1 and c + w.
export function shares({ h, c, w = 0, cpus, thread = 0, b }) {
	if (b !== undefined) return [b, b];
	const most = Math.min(1, c + w);
	return [Math.min(most, Math.max(c / cpus, thread / h)), most];
}

// {s, least, most} seconds on so many free CPUs. At most, half of what waited for a CPU waits for something else; the time on
// CPUs is a tenth less, or more.
export function timeAt(samples, cpus) {
	const of = samples.map((one) => ({ one, w: one.w ?? 0, b: shares(one) }));
	const s = sum(of.map(({ one, w, b }) => asleep(one, b[1]) + onCpus(one, one.c + w, b[1], cpus)));
	const least = sum(of.map(({ one, w, b }) => asleep(one, b[1]) + 0.9 * onCpus(one, one.c + w, b[1], cpus)));
	const most = sum(of.map(({ one, w, b }) => asleep(one, b[0]) + 1.1 * onCpus(one, Math.max(one.c + w / 2, b[0]), b[0], cpus)));
	return { s, least, most };
}

// The smallest number of CPUs with which it takes at most 1 + slowdown times as long as on so many as were asked for; if it was
// short of CPU, at least as many as it would have used on average without its waits.
export function proposedCpus(samples, asked, slowdown = 0.1) {
	const slow = (n) => timeAt(samples, n).s > (1 + slowdown) * timeAt(samples, asked).s;
	const all = sum(samples.map((s) => s.h)), used = sum(samples.map((s) => s.c * s.h)), waited = sum(samples.map((s) => (s.w ?? 0) * s.h));
	const left = timeAt(samples, Infinity).s, isShort = all - left >= 0.05 * all && waited >= 0.2 * (waited + used);
	let n = 1;
	while (n < asked && slow(n)) n++;
	return isShort ? Math.max(n, Math.ceil(used / left)) : n;
}

// -- time and money on a server ----------------------------------------------------------------------

// The speed of a core: that of one busy core as long as half of the vCPUs are enough, else its share of all of them.
const speed = ({ vcpus, best1, bestn }, cores) => (cores <= vcpus / 2 ? best1 : bestn / vcpus);
const billing = { aws: [60, 1], gcp: [60, 1], azure: [300, 1], alicloud: [600, 1] };

// T: what needs no CPU stays, the rest by the speeds here and there.
export function serverRun({ samples, cores, here, there }) {
	const idle = sum(samples.map((one) => asleep(one, shares(one)[1])));
	const ratio = speed(here, cores) / speed(there, cores);
	const seconds = idle + (timeAt(samples, there.vcpus).s - idle) * (ratio > 0 && ratio < Infinity ? ratio : 1);
	const [least, increment] = billing[there.vendor] ?? [3600, 3600];
	const billed = Math.ceil(Math.max(seconds, least) / increment) * increment;
	return { seconds, cost: (there.price / 3600) * seconds, alone: (there.price / 3600) * billed };
}

// Those that no other one beats in both time and cost, the fastest first.
export const frontier = (runs) => runs
	.filter((r) => !runs.some((o) => o !== r && o.seconds <= r.seconds && o.cost <= r.cost
		&& (o.seconds < r.seconds || o.cost < r.cost)))
	.sort((a, b) => a.seconds - b.seconds);

// -- memory without inputs ---------------------------------------------------------------------------

export const risks = { thrifty: 5, balanced: 20, careful: 50 };
const factors = [1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2, 2.5];

// The later half of the runs over the earlier one, of logarithms; with an odd number, the middle run is in the later.
export function growth(needs) {
	const half = Math.floor(needs.length / 2), logs = needs.map(Math.log);
	const parts = [logs.slice(0, half), logs.slice(half)];
	if (half < 2) return 1;
	const [a, b] = parts.map(mean);
	const squares = parts.map((p) => sum(p.map((x) => (x - mean(p)) ** 2)) / (p.length - 1) / p.length);
	const error = Math.sqrt(sum(squares));
	const ratio = Math.exp(b - a);
	return ratio >= 1.05 && b - a > 3.5 * error ? Math.min(2, ratio) : 1;
}

// The limit twice which is asked for: of the latest runs, if they were killed; of all, if one of λ runs was killed.
// runs: [{y, more}], more: it was killed with the limit y.
export function killedAt(runs, lambda) {
	const limits = runs.filter((q) => q.more).map((q) => q.y);
	const later = runs.slice(runs.findLastIndex((q) => !q.more) + 1).map((q) => q.y);
	return Math.max(0, ...(limits.length * lambda >= runs.length ? limits : later));
}

// What stands for a need: the middle of its bucket, which begins at 0.001 × 1.01^k; the largest need for those in its own.
function bucketed(need, largest) {
	const bucket = (b) => Math.floor(Math.log(b / 1e-3) / Math.log(1.01));
	return bucket(need) === bucket(largest) ? largest : 1e-3 * 1.01 ** (bucket(need) + 0.5);
}

// needs: bytes, in their order, runs that were killed with their limit; more: which were. For the next run, by buckets; or ahead,
// for many runs.
export function memoryAsk(needs, { today = 0, lambda = risks.balanced, more = [], ahead = false } = {}) {
	const given = needs.map((y, i) => ({ y, more: !!more[i] })).filter((q) => isNeed(q.y)).slice(ahead ? 0 : -200);
	const last = given.map((q) => q.y), n = last.length, killed = killedAt(given, lambda);
	const runs = given.map((q) => (ahead ? q : { ...q, y: bucketed(q.y, Math.max(...last)) }));
	const sorted = runs.map((q) => q.y).sort((a, b) => a - b);
	const m = sorted[n - 1], B = Math.max(isNeed(today) ? today : 0, m);
	if (!n) return { ask: NaN };
	// Whatever is asked for, a run that was killed counts as one that fails.
	const dead = runs.filter((q) => q.more).length, above = (A) => runs.filter((q) => !q.more && q.y > A).length;
	if (n < 5) return { ask: step(Math.max(1.2 * m, 2 * killed)), growth: 1, weak: true };
	const k = Math.min(Math.floor(2 * Math.sqrt(n)), n - 1);
	const h = Math.max(0.03, mean(sorted.slice(n - k).map((x) => Math.log(x / sorted[n - k - 1]))));
	const chance = (A) => (dead + (A < m ? above(A) + 0.3 : 0.7 * (A / m) ** (-1 / h))) / (n + 0.4);
	const cost = (A) => A + lambda * chance(A) * (A + B);
	const tried = [...sorted.slice(Math.floor(n / 2)).map((x) => 1.02 * x), ...factors.map((f) => f * m)].map(step);
	const best = tried.reduce((a, b) => (cost(b) < cost(a) ? b : a));
	const g = ahead ? growth(last) : 1, recent = ahead ? 0 : Math.max(...last.slice(-5));
	const ask = step(Math.max(best * g, 1.1 * recent, 2 * killed));
	return { ask, growth: g, tail: h, chance: chance(ask), weak: false, best, costOf: cost };
}

// -- memory with inputs ------------------------------------------------------------------------------

// points: {x, y, more}; more: it was killed with the limit y.
export function fit(points) {
	const p = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y) && x >= 0 && y >= 0);
	const whole = p.filter((q) => !q.more), n = whole.length;
	if (n < 5) return { n, usable: false };
	const mx = mean(whole.map((q) => q.x)), my = mean(whole.map((q) => q.y));
	const sxx = sum(whole.map((q) => (q.x - mx) ** 2)), sxy = sum(whole.map((q) => (q.x - mx) * (q.y - my)));
	const syy = sum(whole.map((q) => (q.y - my) ** 2)), b = sxy / sxx, a = my - b * mx;
	const v = (x) => 1 / n + (x - mx) ** 2 / sxx;
	const r2 = (sxy * sxy) / (sxx * syy);
	// A run without which all others have the same input, but for rounding, cannot be predicted from them.
	const missed = whole.map((q) => (1 - v(q.x) > 1e-9 ? (q.y - (a + b * q.x)) / (1 - v(q.x)) : NaN));
	// A run that was killed lifts the line to its limit at least.
	const lifted = p.filter((q) => q.more).map((q) => (q.y - (a + b * q.x)) / Math.sqrt(1 + v(q.x)));
	const bound = Math.max(0, ...missed, ...lifted);
	const xs = whole.map((q) => q.x), ys = whole.map((q) => q.y);
	const usable = b > 0 && r2 >= 0.3 && missed.every(Number.isFinite);
	const ask = (x) => {
		const plain = Math.max(Math.min(...ys), 1.1 * (a + b * x + bound * Math.sqrt(1 + v(x))));
		const seen = x >= Math.min(...xs) && x <= Math.max(...xs);
		return seen ? Math.min(plain, 1.2 * Math.max(...p.map((q) => q.y))) : plain;
	};
	// It bends upwards: the runs with the largest inputs, three and a quarter of all, are above the line.
	const below = whole.filter((q) => q.y - (a + b * q.x) <= 0.001 * q.y).map((q) => q.x);
	const bends = usable && whole.filter((q) => q.x > Math.max(...below)).length >= Math.max(3, n / 4);
	return { n, a, b, r2, bound, usable, ask, bends, isGuess: (x) => x > (bends ? 1 : 2) * Math.max(...xs) };
}

// With an input x: by the line if it may be used, else without inputs, carefully.
export function memoryAskWithInput(points, x, options = {}) {
	const line = fit(points);
	if (line.usable) return { ask: step(line.ask(x)), line };
	return memoryAsk(points.map((q) => q.y), { ...options, more: points.map((q) => q.more), lambda: risks.careful });
}

// -- which of these is used --------------------------------------------------------------------------

const plainAsk = (points, lambda) => step(Math.max(1.2 * Math.max(...points.map((q) => q.y)), 2 * killedAt(points, lambda)));

// Each run from those before it, where isTried says so; a run that was killed fails, whatever was asked for.
function track(points, askFor, isTried = () => true) {
	const t = { runs: 0, failed: 0, wasted: 0 };
	for (let i = 1; i < points.length; i++) {
		const { x, y, more } = points[i], before = points.slice(0, i);
		if (!isTried(before, x)) continue;
		const ask = askFor(before, x), fails = more || ask < y;
		t.runs++;
		t.failed += fails;
		t.wasted += fails ? ask : ask - y;
	}
	return t;
}
const isWorse = (a, plain) => a.runs >= 10 && a.failed >= plain.failed && a.wasted > plain.wasted;

// What is asked for in the end: {ask, by}. points: {x: NaN where unknown, y, more}, in their order.
export function advise(all, x, { lambda: risk, today } = {}) {
	const points = all.filter((q) => isNeed(q.y)).slice(-200), n = points.length;
	if (!n) return { ask: NaN, by: 'nothing' };
	const line = fit(points), known = points.filter((q) => !q.more && !Number.isNaN(q.x)).map((q) => q.x);
	const lambda = risk ?? (known.length >= 5 && new Set(known).size > 1 ? risks.careful : risks.balanced);
	const byRule = (p) => memoryAsk(p.map((q) => q.y), { lambda, today, more: p.map((q) => q.more) }).ask;
	const byLine = (p, input) => step(Math.max(fit(p).ask(input), 2 * killedAt(p, 0)));
	const hasLine = (p, input) => !Number.isNaN(input) && fit(p).usable;
	const plain = (p) => plainAsk(p, lambda), ask = byRule(points), other = plain(points), hasRecord = n > 5;
	if (line.usable && !Number.isNaN(x)) {
		const isLost = hasRecord && isWorse(track(points, byLine, hasLine), track(points, plain, hasLine));
		return isLost ? { ask: other, by: 'plain' } : { ask: byLine(points, x), by: 'input' };
	}
	if (n < 5) return { ask: other, by: 'plain' };
	const isLost = hasRecord && lambda <= risks.balanced && ask !== other && isWorse(track(points, byRule), track(points, plain));
	return isLost ? { ask: other, by: 'plain' } : { ask, by: 'rule' };
}

// -- how asks did ------------------------------------------------------------------------------------

// The later half, learnt on the earlier one.
export function backTest(needs, options = {}) {
	const half = Math.floor(needs.length / 2), { ask } = memoryAsk(needs.slice(0, half), { ...options, ahead: true });
	const later = needs.slice(half), failed = later.filter((x) => x > ask).length;
	return { ask, runs: later.length, failed, unused: sum(later.map((x) => Math.max(0, ask - x))) };
}

// The chance of a failure of which k or fewer of n come with 5 %: Clopper and Pearson, one-sided, by bisection.
export function failBound(k, n) {
	if (k >= n) return 1;
	let low = k / n, high = 1;
	for (let i = 0; i < 200; i++) {
		const p = (low + high) / 2;
		let log = n * Math.log1p(-p), cdf = Math.exp(log);
		for (let j = 1; j <= k; j++) {
			log += Math.log((n - j + 1) / j) + Math.log(p) - Math.log1p(-p);
			cdf += Math.exp(log);
		}
		if (cdf > 0.05) low = p;
		else high = p;
	}
	return (low + high) / 2;
}

// -- the examples ------------------------------------------------------------------------------------

const ten = (s) => Array.from({ length: 10 }, () => ({ h: 1, cpus: 16, ...s }));
export const times = [
	{ name: 'one thread, all of the time', asked: 4, samples: ten({ c: 1, b: 1 }) },
	{ name: 'eight threads', asked: 16, samples: ten({ c: 8, b: 1 }) },
	{ name: 'eight threads in half of each second', asked: 16, samples: ten({ c: 4, b: 0.5 }) },
	{ name: 'the same, but nobody knows in which part of it', asked: 16, samples: ten({ c: 4 }) },
	{ name: 'and its busiest thread had 0.4 s', asked: 16, samples: ten({ c: 4, thread: 0.4 }) },
	{ name: 'four threads that had 2 CPUs', asked: 2, samples: ten({ c: 2, w: 2, cpus: 2, b: 1 }) },
	{ name: 'nine seconds one thread, a second 16', asked: 16, samples: [...ten({ c: 1, b: 1 }).slice(1), ...ten({ c: 16, b: 1 }).slice(9)] },
	{ name: 'half of the time asleep', asked: 8, samples: [...ten({ c: 0 }).slice(5), ...ten({ c: 3, b: 1 }).slice(5)] },
];

const gib = (v) => v.map((x) => x * GIB);
const killedHere = (i) => Array.from({ length: i + 1 }, (_, k) => k === i);
const twenty = [31, 28, 30, 33, 29, 32, 30, 27, 31, 30, 29, 34, 31, 28, 30, 32, 29, 31, 30, 33];
export const memories = [
	{ name: 'four runs: too few', needs: gib([30, 31, 29, 30]) },
	{ name: 'twenty that are alike', needs: gib(twenty) },
	{ name: 'the same, thrifty', needs: gib(twenty), lambda: risks.thrifty },
	{ name: 'the same, careful', needs: gib(twenty), lambda: risks.careful },
	{ name: 'the same, where 500 GiB are asked for today', needs: gib(twenty), today: 500 * GIB },
	{ name: 'all equal', needs: gib(Array(20).fill(60)) },
	{ name: 'one of 100 needs 40 GiB', needs: gib([...Array(60).fill(4), 40, ...Array(39).fill(4)]) },
	{ name: 'one of 100 needs 40 GiB, thrifty', needs: gib([...Array(60).fill(4), 40, ...Array(39).fill(4)]), lambda: risks.thrifty },
	{ name: 'a heavy tail', needs: gib([...Array(40).keys()].map((i) => 2 * ((((i * 7) % 40) + 0.5) / 40) ** -0.8)) },
	{ name: 'it has come down', needs: gib([...Array(20).fill(60), ...Array(20).fill(20)]) },
	{ name: 'it needed as much long ago, and grows again', needs: gib([...Array(5).fill(50), ...Array(100).fill(10), 30, 47, 49]) },
	{ name: 'it grows', needs: gib([...Array(20).keys()].map((i) => 40 + 2 * i)) },
	{ name: 'twenty that are alike, and the latest was killed at 40 GiB', needs: gib([...twenty, 40]), more: killedHere(20) },
	{ name: 'one of 21 was killed there before: of λ runs less than one', needs: gib([40, ...twenty]), more: killedHere(0) },
	{ name: 'one of 20 was: twice its limit', needs: gib([40, ...twenty.slice(1)]), more: killedHere(0) },
	{ name: 'one of 21 was, careful', needs: gib([40, ...twenty]), more: killedHere(0), lambda: risks.careful },
	{ name: 'one of four was', needs: gib([30, 40, 29, 30]), more: killedHere(1) },
];

const line = (v) => v.map(([x, y, more]) => ({ x: x * GIB, y: y * GIB, more }));
const linear = [[1, 6.1], [2, 11.9], [0.5, 3.2], [3, 18.1], [1.5, 9.1], [2.5, 15]];
export const fits = [
	{ name: 'six times its input', points: line(linear), x: 2 * GIB },
	{ name: 'an input larger than any before', points: line(linear), x: 4 * GIB },
	{ name: 'a smaller one', points: line(linear), x: 0.1 * GIB },
	{ name: 'one was killed at 24 GiB', points: line([...linear, [3.5, 24, true]]), x: 4 * GIB },
	{ name: 'the input does not matter', points: line([[1, 4], [2, 4.2], [3, 3.9], [4, 4.1], [5, 4]]), x: 2 * GIB },
	{ name: 'four runs: too few', points: line(linear.slice(0, 4)), x: 2 * GIB },
];

// -- the tables --------------------------------------------------------------------------------------

const digits = (n) => String(Number(n.toPrecision(4)));
const inGib = (b) => `${digits(b / GIB)} GiB`;
const range = ({ s, least, most }) => `${digits(s)} s (${digits(least)} to ${digits(most)})`;
const needsOf = (v) => {
	const s = [...v].sort((a, b) => a - b), [low, mid, high] = [s[0], s[Math.ceil(s.length / 2) - 1], s.at(-1)];
	return `${v.length}, ${low === high ? inGib(low) : `${digits(low / GIB)} to ${inGib(high)}, median ${digits(mid / GIB)}`}`;
};
const riskName = (l = risks.balanced) => Object.keys(risks).find((r) => risks[r] === l);
const percent = (p) => `${digits(100 * p)} %`;

export const timeTable = () => [
	...head(['example', 'took', 'CPUs asked for', '1 CPU', '2 CPUs', '4 CPUs', '8 CPUs', '16 CPUs', 'proposed'], 1),
	...times.map((e) => row([e.name, `${sum(e.samples.map((s) => s.h))} s`, e.asked,
		...[1, 2, 4, 8, 16].map((n) => range(timeAt(e.samples, n))), `**${proposedCpus(e.samples, e.asked)}**`])),
].join('\n');

export const memoryTable = () => [
	...head(['example', 'runs', 'asked for today', 'risk', 'h', 'ask for the next run', 'chance to fail', 'growth', 'ask for many'], 1),
	...memories.map((e) => {
		const r = memoryAsk(e.needs, e), many = memoryAsk(e.needs, { ...e, ahead: true });
		return row([e.name, needsOf(e.needs), e.today ? inGib(e.today) : '–', r.weak ? '–' : riskName(e.lambda),
			r.weak ? '–' : digits(r.tail), `**${inGib(r.ask)}**`, r.weak ? '–' : percent(r.chance),
			many.growth > 1 ? `× ${digits(many.growth)}` : '–', `**${inGib(many.ask)}**`]);
	}),
].join('\n');

export const fitTable = () => [
	...head(['example', 'runs', 'a', 'b', 'r²', 'bound', 'input', 'ask'], 1),
	...fits.map((e) => {
		const { ask } = memoryAskWithInput(e.points, e.x), f = fit(e.points);
		return row([e.name, e.points.length, ...(f.usable ? [inGib(f.a), digits(f.b), digits(f.r2), inGib(f.bound)]
			: ['–', '–', f.r2 === undefined ? '–' : digits(f.r2), '–']), inGib(e.x), `**${inGib(ask)}**`]);
	}),
].join('\n');

export const tables = [timeTable, memoryTable, fitTable];

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(tables.map((t) => t()).join('\n\n'));
