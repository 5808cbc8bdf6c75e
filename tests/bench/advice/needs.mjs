// Kinds of jobs by how their needs are distributed, in GiB: (random, n, p, q) => n needs in their order; p and q, from 0 to
// below 1, say which of its kind a job is. Nothing here is what a rule was made from: rules are judged by all of them.
const noisy = (r, share) => Math.exp(share * r.normal());
const walk = (r, keep, step) => {
	let x = 0;
	return () => (x = keep * x + step * r.normal());
};

export const needs = {
	constant: (r, n, p) => Array(n).fill(1 + 9 * p),
	normal: (r, n, p) => r.list(n, () => 4 * (1 + (0.02 + 0.25 * p) * r.normal())),
	'log-normal': (r, n, p) => r.list(n, () => 4 * noisy(r, 0.1 + 0.9 * p)),
	'two modes': (r, n, p, q) => r.list(n, () => (r.uniform() < 0.05 + 0.6 * p ? 4 + 12 * q : 2) * noisy(r, 0.05)),
	'heavy tail': (r, n, p) => r.list(n, () => 2 * r.pareto(1.1 + 2 * p)),
	drift: (r, n, p, q) => r.list(n, (i) => 2 * (1 + ((0.2 + 3 * p) * i) / n) * noisy(r, 0.01 + 0.1 * q)),
	steps: (r, n, p, q) => r.list(n, (i) => 2 * (1 + Math.floor((i / n) * (2 + Math.floor(4 * p))) * (0.2 + q)) * noisy(r, 0.03)),
	'one step': (r, n, p, q, at = 0.2 + 0.6 * r.uniform()) => r.list(n, (i) => 3 * (i < n * at ? 1 : 0.5 + 2 * p) * noisy(r, 0.02 + 0.2 * q)),
	periodic: (r, n, p, q) => r.list(n, (i) => 3 * (1 + (0.1 + 0.8 * p) * Math.sin((2 * Math.PI * i) / (5 + 30 * q))) * noisy(r, 0.03)),
	'a larger one each week': (r, n, p, q) => r.list(n, (i) => (i % 7 === 6 ? 4 + 8 * p : 3) * noisy(r, 0.02 + 0.1 * q)),
	'rare large ones': (r, n, p, q) => r.list(n, () => (r.uniform() < 0.002 + 0.03 * p ? (6 + 40 * q) * (0.5 + r.uniform()) : 2 * noisy(r, 0.05))),
	mixture: (r, n, p, q) => r.list(n, (i, u = r.uniform()) => (u < 0.5 ? noisy(r, 0.1) : u < 0.8 ? 3 * noisy(r, 0.3)
		: u < 0.97 ? 6 + 4 * p + 0.5 * r.normal() : 4 * r.pareto(1.5 + q))),
	'short history': (r, n, p, q) => r.list(6 + Math.floor(p * 8), () => 3 * noisy(r, 0.05 + 0.5 * q)),
	uniform: (r, n, p) => r.list(n, () => 1 + (1 + 9 * p) * r.uniform()),
	exponential: (r, n, p) => r.list(n, () => 0.2 + 5 * p + 2 * r.exponential()),
	gamma: (r, n, p) => r.list(n, () => 0.1 + r.gamma(0.5 + 8 * p)),
	weibull: (r, n, p) => r.list(n, () => 0.1 + 2 * r.exponential() ** (1 / (0.5 + 2 * p))),
	'above a floor': (r, n, p, q) => r.list(n, () => 4 + (0.1 + 0.6 * q) * Math.abs(r.student(1.5 + 3 * p))),
	'below a ceiling': (r, n, p, q) => r.list(n, () => 8 * (1 - (0.2 + 0.7 * p) * r.uniform() ** (0.3 + 4 * q))),
	'three modes': (r, n, p, q) => r.list(n, (i, u = r.uniform()) => (u < 0.6 ? 1 : u < 0.95 - 0.1 * q ? 2.5 : 5 + 8 * p) * noisy(r, 0.02)),
	'six files': (r, n, p, q, files = r.list(6, () => noisy(r, 0.3 + p))) => r.list(n, () => 2 * r.pick(files) * noisy(r, 0.01)),
	'powers of two': (r, n, p) => r.list(n, () => 2 ** Math.floor(Math.log(1 - r.uniform()) / Math.log(0.3 + 0.4 * p))),
	'like the last one': (r, n, p, q, next = walk(r, 0.8 + 0.19 * p, 0.15)) => r.list(n, () => 3 * Math.exp(next() * (0.3 + q))),
	'random walk': (r, n, p, q, next = walk(r, 1, 0.01 + 0.05 * p)) => r.list(n, () => 3 * Math.exp(next())),
	'grows by a share': (r, n, p, q) => r.list(n, (i) => Math.exp(((0.3 + 2.5 * p) * i) / n) * noisy(r, 0.02 + 0.1 * q)),
	shrinks: (r, n, p, q) => r.list(n, (i) => (8 - ((2 + 5 * p) * i) / n) * noisy(r, 0.02 + 0.1 * q)),
	'drift and seasons': (r, n, p, q) => r.list(n, (i) => 2 * (1 + (p * i) / n) * (1 + 0.4 * q * Math.sin(i / 3)) * noisy(r, 0.03)),
	'in bursts': (r, n, p, q, left = { of: 0 }) => r.list(n, () => {
		if (left.of > 0) left.of--;
		else if (r.uniform() < 0.03) left.of = 3 + Math.floor(8 * q);
		return (left.of ? 3 + 6 * p : 2) * noisy(r, 0.05);
	}),
};

// By their input, in GiB: [input, need], which the rules without inputs see the needs of.
const byInput = (r, n, line, spread) => r.list(n, (i, x = Math.exp(spread * r.normal())) => [x, line(x) * noisy(r, 0.03)]);
export const inputs = {
	'linear in the input': (r, n, p, q) => byInput(r, n, (x) => 0.3 + 2 * x, 0.3 + 0.8 * p),
	'mostly constant': (r, n, p, q) => byInput(r, n, (x) => 6 + 0.5 * x, 0.3 + 0.8 * p),
	'square of the input': (r, n, p, q) => byInput(r, n, (x) => 0.2 + x * x, 0.2 + 0.5 * p),
	'root of the input': (r, n, p, q) => byInput(r, n, (x) => 2 * Math.sqrt(x), 0.3 + 0.8 * p),
	'input and something else': (r, n, p, q) => byInput(r, n, (x) => x * (r.uniform() < 0.2 ? 3 : 1) + 0.5, 0.3 + 0.8 * p),
	'not of the input': (r, n, p, q) => byInput(r, n, () => 3 * noisy(r, 0.1 + 0.4 * q), 0.3 + 0.8 * p),
};
