// How well recordings predict each other's time (tests/bench/advice/time): JOB,CPUS,INTERVAL.gz …
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';

const SPEED = 0.1; // of the range: docs/advice.md
const runs = process.argv.slice(2).flatMap((file) => {
	const [job, cpus, interval] = basename(file, '.gz').split(',');
	const head = JSON.parse(gunzipSync(readFileSync(file)));
	const t = head.rtrack.time_at;
	return t ? [{ job, cpus: +cpus, interval, t, wall: head.rtrack_row.wall_s }] : [];
});

// The estimate, the least and the most. times: how many CPU seconds the other run needed for each of these.
function predict(t, cpus, times) {
	const [s, least, most] = t.idle_s.map((idle, i) => {
		const on = t.widths.filter((w) => w[0] === i).reduce((sum, [, , cpu, busy]) => sum + Math.max(busy, cpu / cpus), 0);
		return idle + on * times * (i === 1 ? 1 - SPEED : i === 2 ? 1 + SPEED : 1);
	});
	return [s, Math.min(s, least), Math.max(s, most)];
}

const share = (v, test) => `${Math.round(100 * v.filter(test).length / v.length)} %`;
for (const interval of new Set(runs.map((r) => r.interval)))
	for (const same of [false, true]) {
		const pairs = runs.filter((r) => r.interval === interval).flatMap((from) => runs
			.filter((to) => to.interval === interval && to.job === from.job && to.cpus !== from.cpus)
			.map((to) => {
				const [s, least, most] = predict(from.t, to.cpus, same ? to.t.cpu_s / from.t.cpu_s : 1);
				return { job: from.job, from: from.cpus, to: to.cpus, error: s / to.wall - 1,
					held: least <= to.wall * 1.01 && most >= to.wall * 0.99 };
			}));
		if (!pairs.length)
			continue;
		const errors = pairs.map((p) => Math.abs(p.error)).sort((a, b) => a - b);
		const worst = pairs.reduce((a, b) => (Math.abs(b.error) > Math.abs(a.error) ? b : a));
		console.log(` time against CPUs, samples of ${interval} s${same ? ', same CPU time' : ''}: ${pairs.length} pairs, median error ` +
			`${(100 * errors[errors.length >> 1]).toFixed(1)} %, within 15 %: ${share(errors, (e) => e <= 0.15)}, range holds: ` +
			`${share(pairs, (p) => p.held)}; worst ${worst.job}, ${worst.from} to ${worst.to} CPUs, ${(100 * worst.error).toFixed(0)} %`);
	}
