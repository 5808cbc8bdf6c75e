// What others ask for, in bytes, from the needs of the runs before, in their order.
import { MIB, step } from '../../worked/advice_examples.mjs';

const most = (v) => v.reduce((a, b) => Math.max(a, b), 0);
function percentile(v, share) {
	const sorted = Float64Array.from(v).sort();
	return sorted[Math.ceil(share * v.length) - 1];
}

// The recommender of Kubernetes' vertical pod autoscaler: a histogram whose buckets grow by 5 % from 10 MB on, in which the
// weight of a peak halves every 24 hours (a run every two hours here); the upper end of the bucket with 90 % of it, 15 % on top,
// at least 250 MiB. After a run that was killed for memory it takes the larger of need × 1.2 and need + 100 MiB for its peak;
// runs that failed here are known with all of their need, so that would only lower it.
const RUNS_A_DAY = 12, FIRST = 1e7, RATIO = 1.05;
function autoscaler(v) {
	const start = (i) => (FIRST * (RATIO ** i - 1)) / (RATIO - 1);
	const bucket = (b) => (b < FIRST ? 0 : Math.floor(Math.log((b * (RATIO - 1)) / FIRST + 1) / Math.log(RATIO)));
	const weights = new Map();
	let all = 0, sum = 0, at = 0;
	v.forEach((b, i) => {
		const weight = 2 ** ((i - v.length) / RUNS_A_DAY);
		weights.set(bucket(b), (weights.get(bucket(b)) ?? 0) + weight);
		all += weight;
	});
	for (const i of [...weights.keys()].sort((a, b) => a - b)) {
		at = i;
		sum += weights.get(i);
		if (sum >= 0.9 * all) break;
	}
	return Math.max(250 * MIB, 1.15 * start(at + 1));
}

export const plain = Object.fromEntries(Object.entries({
	'max × 1.2': (v) => 1.2 * most(v),
	'p99 × 1.2': (v) => 1.2 * percentile(v, 0.99),
	'p90 × 1.15': (v) => 1.15 * percentile(v, 0.9),
	'krr, max × 1.15': (v) => 1.15 * most(v),
	VPA: autoscaler,
}).map(([name, rule]) => [name, (v) => step(rule(v))]));
