// A stub of the Keeper API with families of servers from 1 to 64 CPUs, which filters and orders like the
// real service. Prices and scores are made up: {vendor: [family, price of a CPU, GiB of a CPU, Geekbench's score of a
// core alone, that of a core when all are busy]}. Those of stress-ng differ from them.
import { json, selected } from './keeper_stub.mjs';

const KB_OF_GIB = 2 ** 20;
const START = 1795234311;

// A run of samples each second in which the job keeps `cores(i)` CPUs busy for the share `busy(i)`.
export function recording({ seconds = 600, vcpus = 8, cores = () => 6, busy = () => 1, gib = 4, main = true, type = ['aws', 'm7.8'] } = {}) {
	const column = (f) => Array.from({ length: seconds }, (_, i) => f(i));
	const scope = (use, more) => ({
		timestamp: column((i) => START + i + 1),
		utime: column((i) => use(i)),
		stime: column(() => 0),
		cpu_usage: column((i) => use(i)),
		...more,
	});
	return {
		metadata: { version: 1, interval: 1, track_processes: true, track_system: true, start_time: START,
			stop_time: START + seconds, duration: seconds },
		server_info: { vcpus, memory_mb: 262144 },
		cloud_info: type && { vendor: type[0], instance_type: type[1], region: 'one' },
		rtrack: { format: 1, job: { name: 'job', arch: 'x86_64' }, exit: { code: 0, signal: null, cause: 'exited' } },
		process_metrics: scope(cores, {
			memory: column(() => gib * KB_OF_GIB),
			cpu_wait: column(() => 0),
			...(main && { main_cpu_usage: column((i) => Math.min(cores(i), busy(i))) }),
			state_cpu: column((i) => busy(i)),
			state_cpu_wait: column(() => 0),
			state_sleep: column((i) => 1 - busy(i)),
		}),
		system_metrics: scope(cores, { memory_used: column(() => gib * KB_OF_GIB) }),
	};
}

const families = {
	aws: [
		['m7', 0.05, 4, 1000, 620],
		['c7', 0.044, 2, 1150, 700],
		['r7', 0.066, 8, 1000, 620],
		['t3', 0.021, 2, 700, 400],
	],
	gcp: [
		['e2', 0.0335, 4, 650, 380],
		['c3', 0.052, 4, 1200, 760],
	],
	hcloud: [
		['cx', 0.0055, 2, 600, 550],
		['ccx', 0.0125, 4, 950, 600],
	],
};
const stressed = (vendor, busy) => busy * (vendor === 'gcp' ? 1.5 : 0.9);
export const scoresOf = (s) => [
	{ benchmark_id: 'geekbench:score', config: { cores: 'single' }, score: s.single },
	{ benchmark_id: 'geekbench:score', config: { cores: 'multi' }, score: s.multi },
	{ benchmark_id: 'geekbench:clang', config: { cores: 'single' }, score: s.single * 2 },
	{ benchmark_id: 'geekbench:clang', config: { cores: 'multi' }, score: s.multi * (s.vendor_id === 'aws' ? 3 : 2) },
	{ benchmark_id: 'workload_profile:cicd', config: {}, score: s.multi * (s.vendor_id === 'gcp' ? 3 : 2) },
	{ benchmark_id: 'stress_ng:bestn', config: {}, score: s.score },
].map((row) => ({ ...row, status: 'active' }));
const billing = { aws: [60, 1], gcp: [60, 1], hcloud: [3600, 3600] };

export const servers = Object.entries(families).flatMap(([vendor_id, all]) =>
	all.flatMap(([family, price, gib, one, busy]) =>
		[1, 2, 4, 8, 16, 32, 64].map((vcpus) => ({
			vendor_id,
			server_id: `${family}.${vcpus}`,
			name: `${family}.${vcpus}`,
			api_reference: `${family}.${vcpus}`,
			vcpus,
			memory_amount: vcpus * gib * 1024,
			gpu_count: 0,
			cpu_allocation: 'Dedicated',
			cpu_architecture: 'x86_64',
			status: 'active',
			// Small servers are a little dearer by the CPU.
			min_price_ondemand: Number((price * vcpus * (vcpus < 4 ? 1.05 : 1)).toFixed(4)),
			min_price_spot: Number((price * vcpus * 0.35).toFixed(4)),
			score: stressed(vendor_id, busy) * vcpus,
			single: one,
			// As in the service's data: the benchmark does not keep many CPUs busy.
			multi: (busy * vcpus) / (1 + vcpus / 18),
			vendor: {
				vendor_id,
				name: vendor_id,
				minimum_billing_seconds: billing[vendor_id][0],
				billing_increment_seconds: billing[vendor_id][1],
			},
		})),
	),
);

function find(query) {
	const by = query.get('order_by');
	const least = (name) => Number(query.get(name) ?? 0);
	return servers
		.filter((s) => s.vcpus >= least('vcpus_min') && s.memory_amount >= least('memory_min') * 1024)
		.filter((s) => s.gpu_count >= least('gpu_min'))
		.filter((s) => !query.getAll('vendor').length || query.getAll('vendor').includes(s.vendor_id))
		.sort((a, b) => a[by] - b[by])
		.slice((Number(query.get('page') ?? 1) - 1) * Number(query.get('limit')), Number(query.get('page') ?? 1) * Number(query.get('limit')))
		.map(({ single, multi, ...s }) => ({ ...s, selected_benchmark_score: selected(scoresOf({ single, multi, ...s }), query) }));
}

const priced = (s, change) => ({
	vendor_id: s.vendor_id,
	region_id: 'one',
	server_id: s.server_id,
	operating_system: 'Linux',
	allocation: 'ondemand',
	unit: 'hour',
	price: s.min_price_ondemand,
	currency: 'USD',
	status: 'active',
	...change,
});

// Two zones of each server, the second one dearer, and servers that the name is a part of.
function places(query) {
	const spot = query.get('allocation') === 'spot';
	return servers.filter((s) => query.getAll('vendor').includes(s.vendor_id) && s.name.includes(query.get('partial_name_or_id')))
		.flatMap((s) => [1, 1.5].map((times, i) => priced(s, { allocation: spot ? 'spot' : 'ondemand', zone_id: String(7 + i),
			price: times * (spot ? s.min_price_spot : s.min_price_ondemand), observed_at: '2026-07-01T06:12:44.812345',
			region: { api_reference: 'one' }, zone: { api_reference: `one-${'ab'[i]}` } })))
		.sort((a, b) => a.price - b.price).slice(0, Number(query.get('limit')));
}

// The answers of keeper_stub's start().
export const many = {
	'/servers': (request, response) =>
		json(find(new URL(request.url, 'http://localhost').searchParams))(request, response),
	'/server_prices': (request, response) =>
		json(places(new URL(request.url, 'http://localhost').searchParams))(request, response),
	'/regions': json([]),
	...Object.fromEntries(
		servers.flatMap((s) => [
			[`/server/${s.vendor_id}/${s.name}/prices`, json([
				priced(s), priced(s, { allocation: 'spot', price: s.min_price_spot }),
			])],
			[`/v2/server/${s.vendor_id}/${s.name}`, json(s)],
			[`/server/${s.vendor_id}/${s.name}/benchmarks`, json(scoresOf(s))],
		]),
	),
};
