// Gates on what a run costs, at the prices of a stub of the Keeper API on loopback.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, it } from 'node:test';
import { json, start } from './keeper_stub.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const run = 'tests/fixtures/runs_report/now.json'; // 4.5 s: an eight-hundredth of an hour
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-gates-'));
after(() => rmSync(folder, { recursive: true }));

// The prices of /servers are in the fixture; the present server costs what is given here, or nobody knows.
async function judged(present, ...args) {
	const stub = await start({
		'/server/hcloud/cx-two/prices': present
			? json([{ vendor_id: 'hcloud', region_id: '2', zone_id: '2', server_id: '902', operating_system: 'linux',
				allocation: 'ondemand', unit: 'hour', price: present, currency: 'USD', status: 'active', price_tiered: [] }])
			: json({ detail: 'Server not found' }, 404),
	});
	const model = path.join(folder, 'model.json');
	try {
		return await new Promise((resolve, reject) => {
			const child = spawn(command, ['--keeper-url', stub.url, '--keeper-timeout', '60s', '--arch', 'x86_64', '-j', model, ...args, run],
				{ env: { PATH: process.env.PATH, XDG_CACHE_HOME: mkdtempSync(path.join(folder, 'cache-')) },
					stdio: ['ignore', 'inherit', 'pipe'] });
			let stderr = '';
			child.stderr.on('data', (text) => (stderr += text));
			child.on('error', reject);
			child.on('close', (status) => resolve({ status, stderr, model: JSON.parse(readFileSync(model, 'utf8')) }));
		});
	} finally {
		await stub.close();
	}
}

it('a price that is known: that of the server on which it ran', async () => {
	const r = await judged(0.8, '--fail-if', 'cost > 0.0009USD', '--fail-if', 'cost > 0.0011USD');
	assert.equal(r.model.prices.present_why, '');
	assert.equal(r.status, 3);
	assert.equal(r.stderr, 'rtrack-report: servers are left out for a price that no server has: aws inf.large\n' +
		'rtrack-report: gate failed: Cost of the run $0.001 is above $0.0009 (cost > 0.0009USD)\n');
	assert.equal(r.model.gates.rows[0].left.value, r.model.prices.present.run_cost.value);
	assert.equal(r.model.gates.failed, 1);
	assert.match(r.model.gates.price, /^Cost at \$0\.80 an hour, the price of hcloud cx-two, on which it ran\.$/);
});

it('that of the cheapest where it is not', async () => {
	const r = await judged(null, '--fail-if', 'cost < 1 USD');
	const [best] = r.model.prices.servers;
	assert.equal(r.status, 3);
	assert.equal(r.model.prices.present, null);
	assert.equal(r.model.gates.rows[0].left.value, best.run_cost.value);
	assert.ok(r.model.gates.price.endsWith(`the price of ${best.vendor} ${best.server}, the cheapest server that fits.`));
});

it('no price at all: not judged, and so not failed', async () => {
	const r = await judged(null, '--offline', '--fail-if', 'cost > 0USD', '--fail-if', 'duration > 1h');
	assert.equal(r.status, 0);
	assert.equal(r.stderr, 'rtrack-report: cost > 0USD: not judged, because no price is known\n');
	assert.equal(r.model.gates.price, '');
});
