// A stub of the Keeper API that filters like the real service: it accepts only its own spelling of
// values (else 422), and one country and three regions in a call (else 400). It turns a compliance
// framework into the vendors that comply, and drops a vendor filter that has none of them.
import { json, selected } from './keeper_stub.mjs';

export const comply = {
	hipaa: ['aws', 'gcp', 'azure'],
	iso27001: ['aws', 'gcp', 'azure', 'hcloud', 'upcloud', 'ovh'],
	soc2t2: ['aws', 'gcp'],
};

const region = (vendor_id, region_id, name, country_id, aliases = [], city = null) => ({
	...{ vendor_id, region_id, name, api_reference: name, display_name: name, aliases, country_id, city },
	status: 'active',
});

export const regions = [
	region('hcloud', '2', 'nbg1-dc3', 'DE', ['nbg1']),
	region('hcloud', '3', 'hel1-dc2', 'FI', ['hel1']),
	region('hcloud', '4', 'fsn1-dc14', 'DE', ['fsn1']),
	region('hcloud', '5', 'ash-dc1', 'US', ['ash']),
	region('gcp', '1000', 'us-central1', 'US'),
	region('gcp', '1380', 'europe-west3', 'DE', [], 'Frankfurt'),
	region('aws', 'us-east-1', 'us-east-1', 'US'),
	region('aws', 'eu-central-1', 'eu-central-1', 'DE', [], 'Frankfurt'),
];

const names = { aws: 'Amazon Web Services', gcp: 'Google Cloud Platform', hcloud: 'Hetzner Cloud' };

// prices: {region: [on demand, spot]}
const server = (vendor_id, server_id, name, prices, more = {}) => ({
	...{ vendor_id, server_id, name, api_reference: name, vcpus: 2, memory_amount: 4096 },
	...{ cpu_allocation: 'Shared', cpu_architecture: 'x86_64', gpu_count: 0, status: 'active' },
	...{ score: null, prices, vendor: { vendor_id, name: names[vendor_id], minimum_billing_seconds: 60,
		billing_increment_seconds: 1 } },
	...more,
});

export const servers = [
	server('hcloud', '114', 'cx23', { 2: [0.01], 3: [0.006] }, { cpu_manufacturer: 'Intel', storage_size: 40 }),
	server('hcloud', '115', 'ccx13', { 2: [0.02] }, {
		cpu_allocation: 'Dedicated', cpu_manufacturer: 'AMD', storage_size: 80, cpu_flags: ['fpu', 'vme'], cpu_speed: 2.45,
	}),
	server('gcp', '5501', 'e2-medium', { 1000: [0.03, 0.012], 1380: [0.04, 0.015] }),
	server('aws', 't3.medium', 't3.medium', { 'us-east-1': [0.04, 0.02], 'eu-central-1': [0.05, 0.03] }),
	server('aws', 'm7g.large', 'm7g.large', { 'us-east-1': [0.08, 0.04] }, {
		cpu_architecture: 'arm64', cpu_allocation: 'Dedicated',
	}),
];

// All servers are equally fast.
const scores = ['single', 'multi'].map((cores) => ({ benchmark_id: 'geekbench:score', config: { cores }, score: 1000 }));

const known = {
	vendor: ['aws', 'gcp', 'azure', 'hcloud', 'upcloud', 'alicloud', 'ovh', 'vultr'],
	compliance_framework: Object.keys(comply),
	countries: ['DE', 'FI', 'GB', 'US'],
	architecture: ['arm64', 'arm64_mac', 'i386', 'x86_64', 'x86_64_mac'],
	cpu_allocation: ['Shared', 'Burstable', 'Dedicated'],
	regions: regions.map((r) => r.region_id),
	vendor_regions: regions.map((r) => `${r.vendor_id}~${r.region_id}`),
};

function refusal(query) {
	for (const [name, values] of Object.entries(known))
		for (const value of query.getAll(name))
			if (!values.includes(value))
				return [422, [{ loc: ['query', name], msg: `Input should be '${values.join("', '")}'` }]];
	if (query.getAll('countries').length > 1)
		return [400, 'Max 1 country can be queried at a time without authentication.'];
	if (query.getAll('regions').length > 3 || query.getAll('vendor_regions').length > 3)
		return [400, 'Max 3 regions can be queried at a time without authentication.'];
	if (query.get('currency') && !/^[A-Z]{3}$/.test(query.get('currency')))
		return [400, 'Invalid currency code'];
	return null;
}

function vendorsOf(query) {
	const frameworks = query.getAll('compliance_framework');
	const vendors = query.getAll('vendor');
	if (!frameworks.length)
		return vendors;
	const compliant = new Set(frameworks.flatMap((f) => comply[f]));
	return (vendors.length ? vendors : known.vendor).filter((v) => compliant.has(v));
}

function find(query) {
	const vendors = vendorsOf(query);
	const country = query.get('countries');
	const within = (s, id) => {
		const pairs = query.getAll('vendor_regions');
		const here = regions.find((r) => r.vendor_id === s.vendor_id && r.region_id === id);
		return (!country || here.country_id === country) &&
			(!query.getAll('regions').length || query.getAll('regions').includes(id)) &&
			(!pairs.length || pairs.includes(`${s.vendor_id}~${id}`));
	};
	const one = (name, value) => !query.getAll(name).length || query.getAll(name).includes(value);
	const by = query.get('order_by');
	return servers
		// No vendor left: no filter, like the service.
		.filter((s) => !vendors.length || vendors.includes(s.vendor_id))
		.filter((s) => s.vcpus >= Number(query.get('vcpus_min')))
		.filter((s) => s.memory_amount >= Number(query.get('memory_min') ?? 0) * 1024)
		.filter((s) => one('architecture', s.cpu_architecture))
		.filter((s) => one('cpu_allocation', s.cpu_allocation))
		.filter((s) => one('cpu_manufacturer', s.cpu_manufacturer))
		.map(({ prices, ...s }) => {
			const here = Object.entries(prices).filter(([id]) => within(s, id)).map(([, p]) => p);
			const least = (i) => {
				const all = here.map((p) => p[i]).filter((p) => p > 0);
				return all.length ? Math.min(...all) : null;
			};
			return { ...s, min_price_ondemand: least(0), min_price_spot: least(1),
				selected_benchmark_score: selected(scores, query) };
		})
		.filter((s) => s[by] !== null)
		.sort((a, b) => a[by] - b[by])
		.slice(0, Number(query.get('limit')));
}

const answer = (rows) => (request, response) => {
	const query = new URL(request.url, 'http://localhost').searchParams;
	const no = refusal(query);
	return (no ? json({ detail: no[1] }, no[0]) : json(rows(query)))(request, response);
};

const pricesOf = (s) =>
	Object.entries(s.prices).flatMap(([region_id, both]) =>
		both.map((price, i) => ({
			...{ region_id, zone_id: region_id, server_id: s.server_id, price, unit: 'hour' },
			...{ allocation: i ? 'spot' : 'ondemand', operating_system: 'Linux', currency: 'USD' },
			status: 'active',
		})));

export const real = {
	'/servers': answer(find),
	'/regions': answer((query) =>
		regions.filter((r) => !query.getAll('vendor').length || query.getAll('vendor').includes(r.vendor_id))),
	...Object.fromEntries(servers.flatMap((s) => [
		[`/server/${s.vendor_id}/${s.name}/prices`, json(pricesOf(s))],
		[`/v2/server/${s.vendor_id}/${s.name}`, json(s)],
		[`/server/${s.vendor_id}/${s.name}/benchmarks`, json(scores)],
	])),
};
