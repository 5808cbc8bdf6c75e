// Asks for memory against those of other rules, on made-up jobs of many kinds: each run predicted from those before it, and the
// later half of the runs from the earlier one. Prints what is wasted, in memory used, and how many runs fail; then whether another
// rule has both less waste and fewer failures. A run that fails wastes all that it asked for. SEED and JOBS (of each length and kind)
// in the environment; `node tests/bench/advice/fleets.mjs` prints the tables alone.
import { execFileSync } from 'node:child_process';
import { GIB, failBound, risks, step } from '../../worked/advice_examples.mjs';
import { inputs, needs } from './needs.mjs';
import { plain } from './plain.mjs';
import { Random } from './random.mjs';

const B = process.env.B ?? 'build/release';
const seed = Number(process.env.SEED ?? 26), jobs = Number(process.env.JOBS ?? 6), lengths = [12, 40, 120];

// What the program asks for, for many histories at once: [{points: [{x, y}], lambda, input}] → bytes. Ahead: for many runs, as the
// fleet's page does, where nobody looks at each; else for the next one.
function programAsks(cases, ahead = false) {
	const lines = cases.map(({ points, lambda, input }) => (ahead ? `rule ${lambda} nan ${points.map(({ y }) => y).join(' ')}`
		: `advice ${lambda} ${input ?? 'nan'} ${points.map(({ x, y, hasInput }) => `${hasInput ? x : 'nan'}:${y}`).join(' ')}`));
	return execFileSync(`${B}/tests/services/advice_cli`, { input: `${lines.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 30 })
		.trimEnd().split('\n').map((words) => Number(words.split(' ')[0]));
}

// [how many earlier runs, which run] of each prediction.
const orders = {
	'in their order': (n) => Array.from({ length: n - 1 }, (_, i) => [i + 1, i + 1]),
	'in halves': (n) => Array.from({ length: n - Math.floor(n / 2) }, (_, i) => [Math.floor(n / 2), Math.floor(n / 2) + i]),
};

function made(kinds) {
	const list = [];
	Object.entries(kinds).forEach(([kind, make], k) => lengths.forEach((n, l) => {
		for (let j = 0; j < jobs; j++) {
			const r = new Random(seed * 1e6 + k * 1e4 + l * 100 + j);
			const points = make(r, n, r.uniform(), r.uniform()).map((v) => (Array.isArray(v) ? v : [undefined, v]))
				.map(([x, y]) => ({ x: x * GIB, y: Math.max(0.02, y) * GIB, hasInput: x !== undefined }));
			list.push({ kind, points });
		}
	}));
	return list;
}

// {kind: {rule: {waste, failed, runs}}}; each job counts by its runs, in the memory that it used.
function trial(kinds, predict, ours, ahead) {
	const out = {}, asked = [];
	const list = made(kinds).map((job) => ({ ...job, used: 0, at: predict(job.points.length) }));
	for (const job of list)
		for (const [before, run] of job.at) {
			job.used += job.points[run].y;
			asked.push({ job, run, before, points: job.points.slice(0, before), input: job.points[run].hasInput ? job.points[run].x : undefined });
		}
	const asks = {};
	for (const [name, lambda] of Object.entries(ours)) asks[name] = programAsks(asked.map((a) => ({ ...a, lambda })), ahead);
	for (const [name, rule] of Object.entries(plain)) {
		let last, bytes;
		asks[name] = asked.map(({ job, before, points }) => {
			if (last?.job !== job || last.before !== before) [last, bytes] = [{ job, before }, rule(points.map(({ y }) => y))];
			return bytes;
		});
	}
	asked.forEach(({ job, run }, i) => {
		for (const name of Object.keys(asks)) {
			const sum = ((out[job.kind] ??= {})[name] ??= { waste: 0, failed: 0, runs: 0 });
			const fails = job.points[run].y > asks[name][i];
			sum.waste += ((asks[name][i] - (fails ? 0 : job.points[run].y)) / job.used) * job.at.length;
			sum.failed += fails;
			sum.runs++;
		}
	});
	return out;
}

const beats = (a, b) => a.waste < b.waste && a.failed < b.failed;
function show(title, out, rules) {
	const cell = ({ waste, failed, runs }) => `${(waste / runs).toFixed(2)} ${((100 * failed) / runs).toFixed(2)}%`.padStart(15);
	const all = {}, beaten = [];
	console.log(` ${title.padEnd(27)}${rules.map((r) => r.padStart(15)).join('')}  runs`);
	for (const [kind, of] of Object.entries(out)) {
		const by = rules.slice(1).filter((r) => plain[r] && beats(of[r], of[rules[0]]));
		console.log(` ${kind.padEnd(27)}${rules.map((r) => cell(of[r])).join('')} ${String(of[rules[0]].runs).padStart(5)}${by.length ? `  beaten by ${by.join(', ')}` : ''}`);
		beaten.push(...by);
		for (const r of rules) for (const k of ['waste', 'failed', 'runs']) (all[r] ??= { waste: 0, failed: 0, runs: 0 })[k] += of[r][k];
	}
	const by = rules.slice(1).filter((r) => plain[r] && beats(all[r], all[rules[0]]));
	console.log(` ${'in total'.padEnd(27)}${rules.map((r) => cell(all[r])).join('')} ${String(all[rules[0]].runs).padStart(5)}${by.length ? `  beaten by ${by.join(', ')}` : ''}\n`);
	return { kinds: beaten.length, total: by.length, of: Object.keys(out).length * Object.keys(plain).length };
}

const row = (...cells) => console.log(cells.join('\t'));
const counted = [];
for (const [title, predict] of Object.entries(orders)) {
	const ours = { balanced: risks.balanced, thrifty: risks.thrifty, careful: risks.careful };
	counted.push([title, show(title, trial(needs, predict, ours, title === 'in halves'), [...Object.keys(ours), ...Object.keys(plain)])]);
	counted.push([`${title}, by input`, show(`${title}, by input`, trial(inputs, predict, { 'with inputs': 0 }), ['with inputs', ...Object.keys(plain)])]);
}
for (const [title, { kinds, total, of }] of counted) {
	row(`${title}: better, of ${of}`, '', '', kinds, '', '', '', '=0');
	row(`${title}: better in total`, '', '', total, '', '', '', '=0');
}

// What n runs show of the next one: the chance that it fails, counted over 2,000 more runs of the same job, must be within the bound
// in 19 of 20 groups; of the asks learnt on a half and tried on the other, and of those tried on the runs that they were made from.
const alike = ['normal', 'log-normal', 'two modes', 'heavy tail', 'rare large ones', 'mixture', 'uniform', 'exponential', 'gamma', 'weibull',
	'above a floor', 'below a ceiling', 'three modes', 'six files', 'powers of two'];
const groups = alike.flatMap((kind, k) => Array.from({ length: 20 * jobs }, (_, j) => {
	const r = new Random(seed * 1e6 + 5e5 + k * 1e4 + j), n = [12, 20, 40, 120][j % 4];
	return { n, needs: needs[kind](r, n + 2000, r.uniform(), r.uniform()).map((y) => Math.max(0.02, y) * GIB) };
}));
for (const [what, learnt, tried] of [
	['the later half', (g) => g.needs.slice(0, g.n / 2), (g) => g.needs.slice(g.n / 2, g.n)],
	['the same runs', (g) => g.needs.slice(0, g.n), (g) => g.needs.slice(0, g.n)],
]) {
	const asks = programAsks(groups.map((g) => ({ points: learnt(g).map((y) => ({ y })), lambda: risks.balanced })));
	const missed = groups.filter((g, i) => {
		const list = tried(g), further = g.needs.slice(g.n), share = (v) => v.filter((y) => y > asks[i]).length;
		return share(further) / further.length > failBound(share(list), list.length);
	});
	row(`beyond their bound, of ${groups.length} groups: ${what}`, '%', '', (100 * missed.length) / groups.length, '', '', '', '=5');
}

// Groups in which runs were killed for memory: what is needed above today's ask is known as "more than that". The ask is learnt on the
// earlier half, with one kill at least, and tried on what the later half needs. What it costs (a failed run is worth 20), in memory
// used; and the groups in which more runs fail than their bound says, if all that were killed count as failures. (Powers of two are left
// out: one need of a thousand times the others, and its group is all of the sum.)
const killed = Object.entries(needs).filter(([kind]) => kind !== 'powers of two').flatMap(([kind, make], k) => [24, 40, 120].flatMap((n, l) => Array.from({ length: jobs }, (_, j) => {
	const r = new Random(seed * 1e6 + 7e5 + k * 1e4 + l * 100 + j), list = make(r, n, r.uniform(), r.uniform()).map((y) => Math.max(0.02, y) * GIB);
	const sorted = [...list].sort((a, b) => a - b), limit = step(sorted[Math.floor((0.7 + 0.3 * r.uniform()) * list.length)] * (0.9 + 0.2 * r.uniform()));
	return { limit, earlier: list.slice(0, list.length / 2).map((y) => ({ y: Math.min(y, limit), more: y > limit })), later: list.slice(list.length / 2) };
}))).filter((g) => g.earlier.some((q) => q.more));
const lines = killed.map(({ limit, earlier }) => `rule ${risks.balanced} ${limit} ${earlier.map(({ y, more }) => (more ? `${y}!${y}` : y)).join(' ')}`);
const asked = execFileSync(`${B}/tests/services/advice_cli`, { input: `${lines.join('\n')}\n`, encoding: 'utf8' }).trimEnd().split('\n').map((l) => Number(l.split(' ')[0]));
for (const [name, ask] of [['the rule', (g, i) => asked[i]], ['max × 1.2', (g) => step(1.2 * Math.max(...g.earlier.map(({ y }) => y)))]]) {
	const sum = { cost: 0, runs: 0, failed: 0, missed: 0 };
	killed.forEach((g, i) => {
		const a = ask(g, i), failed = g.later.filter((y) => y > a).length, most = Math.max(g.limit, ...g.earlier.map(({ y }) => y));
		const used = g.later.reduce((x, y) => x + y, 0), k = g.earlier.filter(({ y, more }) => more || y > a).length;
		sum.cost += ((g.later.length * a + 20 * failed * (a + most)) / used) * g.later.length;
		sum.runs += g.later.length;
		sum.failed += failed;
		sum.missed += failed / g.later.length > failBound(k, g.earlier.length);
	});
	row(`with kills, cost of ${name}`, '', '', (sum.cost / sum.runs).toFixed(2), '', '', '', '');
	row(`with kills, failed of ${sum.runs}: ${name}`, '', '', sum.failed, '', '', '', '');
	row(`with kills, beyond their bound, of ${killed.length} groups: ${name}`, '%', '', (100 * sum.missed) / killed.length, '', '', '', name === 'the rule' ? '=5' : '');
}
