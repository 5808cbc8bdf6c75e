// rtrack-fleet at the prices of a stub of the Keeper API on loopback: what machines cost, what is said of prices, what
// its processes have given up meanwhile.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { json, never, start } from './keeper_stub.mjs';

const build = process.env.B ?? 'build/release';
const command = path.resolve(`${build}/rtrack-fleet`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-fleet-'));
after(() => fs.rmSync(folder, { recursive: true }));
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$|^RTRACK_|^XDG_/i.test(name)));

// An hour on half of a machine, which used an eighth of its CPUs and memory.
let made = 0;
function record(runs, name, machine = {}) {
	const n = made++;
	fs.writeFileSync(path.join(runs, `${n}.json`), JSON.stringify({
		rtrack_row: {
			id: String(n), scope: 'job', name, user: 'ann', host: 'n1', start: 1795e6 + n * 4000, wall_s: 3600, samples: 3600,
			status: 'finished', code: 0, oom_kills: 0, cpu_s: 3600, cores_mean: 1, cores_peak: 1, memory_mean_bytes: 4 * 2 ** 30,
			memory_peak_bytes: 4 * 2 ** 30, asked_cpus: 8, asked_memory_bytes: 32 * 2 ** 30, asked_time_s: 7200, vcpus: 16,
			machine_memory_bytes: 64 * 2 ** 30, ...machine,
		},
	}));
}
const aws = (instance_type, region = 'r1') => ({ vendor: 'aws', instance_type, region });

const runs = path.join(folder, 'runs');
fs.mkdirSync(runs);
for (let i = 0; i < 6; i++) {
	record(runs, 'train', aws('big'));
	record(runs, 'prep', aws('small'));
	record(runs, 'local');
}
record(runs, 'lost', aws('gone'));

const price = (region_id, amount, allocation = 'ondemand') => ({
	region_id, zone_id: region_id, operating_system: 'linux', allocation, unit: 'hour', price: amount, currency: 'USD',
	status: 'active', price_tiered: [],
});
const prices = {
	'/server/aws/big/prices': json([price('r1', 2), price('r1', 0.5, 'spot')]),
	'/server/aws/small/prices': json([price('r1', 0.5)]),
};

let pages = 0;
// Starts it, and resolves with its status, messages, model and the stub's requests.
async function fleet(answers, args = [], sources = [runs]) {
	const stub = await start(answers);
	const model = path.join(folder, `${pages++}.json`);
	try {
		return await new Promise((resolve, reject) => {
			const child = spawn(command, ['groups', '--keeper-url', stub.url, '--now', '1796000000', '-j', model, ...args,
				...sources], { env: { ...env, XDG_CACHE_HOME: path.join(folder, `cache-${pages}`) }, stdio: ['ignore', 'pipe', 'pipe'] });
			let stdout = '', stderr = '';
			child.stdout.on('data', (text) => (stdout += text));
			child.stderr.on('data', (text) => (stderr += text));
			child.on('error', reject);
			child.on('close', (status) => resolve({ status, stdout, stderr, requests: stub.requests.map((q) => q.url),
				agents: stub.requests.map((q) => q.headers['user-agent']),
				model: fs.existsSync(model) ? JSON.parse(fs.readFileSync(model, 'utf8')) : null }));
		});
	} finally {
		await stub.close();
	}
}
const group = (r, name) => r.model.groups.rows.find((row) => row.name === name);

describe('a fleet at the prices of its machines', { concurrency: 3 }, () => {
	it('each group costs what its machines cost, by the share that was asked for', async () => {
		const r = await fleet(prices);
		assert.equal(r.status, 0);
		assert.equal(r.stderr, '');
		assert.deepEqual([...r.requests].sort(), ['/server/aws/big/prices', '/server/aws/gone/prices', '/server/aws/small/prices']);
		assert.equal(r.model.generator.name, 'rtrack-fleet');
		for (const agent of r.agents) assert.match(agent, /^rtrack-fleet\/\d/);
		assert.ok(Math.abs(group(r, 'train').money.value - 6 * 2 * 0.5) < 1e-9);
		assert.ok(Math.abs(group(r, 'prep').money.value - 6 * 0.5 * 0.5) < 1e-9);
		assert.equal(group(r, 'local').money.value, null);
		assert.equal(group(r, 'lost').money.value, null);
		assert.equal(r.model.has_money, true);
		assert.match(r.model.money_basis, /^Prices per hour of 2 machine types, on demand, in USD, from the Spare Cores Keeper, retrieved 20.* UTC\. Of 1 machine type no price is known: the service has no such server\.$/);
		assert.match(r.model.attribution, /^Prices and server data: Spare Cores Navigator, CC BY-SA 4\.0, retrieved 20/);
	});

	it('spot prices', async () => {
		const r = await fleet(prices, ['--spot']);
		assert.ok(Math.abs(group(r, 'train').money.value - 6 * 0.5 * 0.5) < 1e-9);
		assert.equal(group(r, 'prep').money.value, null);
		assert.match(r.model.money_basis, /, spot, in USD,/);
	});

	it('the site\'s own rates need no request', async () => {
		const r = await fleet(prices, ['--rate-cpu', '0.1', '--rate-memory', '0.01', '--currency', 'eur']);
		assert.deepEqual(r.requests, []);
		assert.ok(Math.abs(group(r, 'local').money.value - 6 * Math.max(8 * 0.1, 32 * 0.01)) < 1e-9);
		assert.equal(r.model.money_basis, 'The site\'s own rates: 0.10 EUR per core-hour, 0.01 EUR per GiB-hour of memory; of CPUs and memory, what costs more counts.');
		assert.equal(r.model.attribution, '');
	});

	it('gates on money', async () => {
		const r = await fleet(prices, ['--fail-if', 'fleet.money > 7 USD', '--fail-if', 'fleet.money > 8 USD',
			'--fail-if', 'fleet.gpu_efficiency < 50%']);
		assert.equal(r.status, 3);
		assert.equal(r.stderr, 'rtrack-fleet: gate failed: Cost of all runs $7.50 is above $7.00 (fleet.money > 7 USD)\n' +
			'rtrack-fleet: fleet.gpu_efficiency < 50%: not judged, because it is not known what was asked for\n');
		assert.equal(r.model.gates.failed, 1);
	});

	it('says once why no price is known, and writes the page all the same', async () => {
		const r = await fleet({ '/server/aws/big/prices': json({}, 500), '/server/aws/small/prices': json({}, 500),
			'/server/aws/gone/prices': json({}, 500) }, ['--fail-if', 'fleet.money > 1 USD']);
		assert.equal(r.status, 0);
		assert.match(r.stderr, /^rtrack-fleet: fleet\.money > 1 USD: not judged, because no price is known\n$|^rtrack-fleet: no prices: .*answered with status 500\n/);
		assert.match(r.stderr, /no prices: 127\.0\.0\.1:\d+: answered with status 500\n/);
		assert.equal(r.model.has_money, false);
		assert.match(r.model.money_basis, /^No price is known: 127\.0\.0\.1:\d+: answered with status 500\.$/);
		assert.equal(group(r, 'train').money.value, null);
		assert.ok(group(r, 'train').cores_unused.value > 0);
	});

	it('asks for nothing with --offline, and says so on the page only', async () => {
		const r = await fleet(prices, ['--offline']);
		assert.deepEqual(r.requests, []);
		assert.equal(r.stderr, '');
		assert.equal(r.model.money_basis, 'Prices were not requested (--offline).');
	});

	it('through a catalog, with the same numbers', async () => {
		const db = path.join(folder, 'runs.db');
		const first = await fleet(prices, ['--catalog', db, '--add']);
		const again = await fleet(prices, ['--catalog', db], []);
		const plain = await fleet(prices);
		assert.equal(first.stderr + again.stderr + plain.stderr, '');
		const numbers = (r) => r.model.groups.rows.map((row) => [row.name, row.money.value, row.recoverable.value, row.proposed.text]);
		assert.deepEqual(numbers(first), numbers(plain));
		assert.deepEqual(numbers(again), numbers(plain));
		assert.equal(again.model.source, `the catalog ${db}`);
	});

	it('has no network of its own while prices are asked for', { skip: process.platform !== 'linux' }, async () => {
		let seen;
		const stub = await start({ ...prices, '/server/aws/big/prices': (request, response) => {
			const status = Object.fromEntries(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8').split('\n')
				.map((line) => line.split(':\t')));
			seen = { filter: status.Seccomp, fixed: status.NoNewPrivs,
				children: fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').length };
			prices['/server/aws/big/prices'](request, response);
		} });
		const child = spawn(command, ['groups', '--keeper-url', stub.url, '--keeper-cache', '', '-o', path.join(folder, 'x.html'), runs],
			{ env, stdio: 'ignore' });
		const code = await new Promise((resolve) => child.on('close', resolve));
		await stub.close();
		assert.equal(code, 0);
		assert.equal(seen.fixed, '1');
		assert.equal(seen.filter, '2');
		assert.equal(seen.children, 1); /* the workers that read have ended; the price fetcher is there */
	});

	it('a service that never answers holds the page up for some seconds only', async () => {
		const began = performance.now();
		const r = await fleet({ '/server/aws/big/prices': never, '/server/aws/small/prices': never, '/server/aws/gone/prices': never });
		assert.ok((performance.now() - began) / 1000 < 60);
		assert.equal(r.status, 0);
		assert.match(r.stderr, /no prices: .*no answer in time/);
	});
});
