// Prices of the types of machines of many runs, at a stub of the Keeper API on loopback.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { json, never, start } from './keeper_stub.mjs';

const cli = `${process.env.B ?? 'build/release'}/tests/services/keeper_cli`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)),
);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-machines-'));
after(() => fs.rmSync(folder, { recursive: true }));

const price = (region_id, price, allocation = 'ondemand', currency = 'USD') => ({
	region_id, zone_id: region_id, operating_system: 'linux', allocation, unit: 'hour', price, currency,
	status: 'active', price_tiered: [],
});

// Two types of aws, in two regions; "big" has a spot price in one of them.
const prices = {
	'/server/aws/small/prices': json([price('r1', 0.1), price('r2', 0.08)]),
	'/server/aws/big/prices': json([
		price('r1', 1), price('r1', 0.25, 'spot'), price('r2', 0.9), price('r1', 0.95, 'ondemand', 'EUR'),
	]),
	'/regions': json([
		{ vendor_id: 'aws', region_id: 'r1', name: 'first', aliases: ['one'], status: 'active' },
		{ vendor_id: 'aws', region_id: 'r2', name: 'second', aliases: [], status: 'active' },
	]),
};

const run = (url, args) =>
	new Promise((resolve, reject) => {
		const began = performance.now();
		// A busy machine takes longer than the default.
		execFile(cli, [url, '1', '1', 'timeout=60', ...args], { env: clean }, (error, stdout, stderr) =>
			stderr || !stdout
				? reject(new Error(`${cli}: ${stderr || error}`))
				: resolve({ ...JSON.parse(stdout), seconds: (performance.now() - began) / 1000 }),
		);
	});

async function ask(answers, ...args) {
	const stub = await start(answers);
	try {
		return { ...(await run(stub.url, args)), requests: stub.requests.map((q) => q.url) };
	} finally {
		await stub.close();
	}
}

describe('keeper_machines', { concurrency: 4 }, () => {
	it('asks for each type once, and chooses the price of the region', async () => {
		const r = await ask(prices, 'machine=aws/small/r1', 'machine=aws/big/r2', 'machine=aws/small/r2',
			'machine=aws/small/r1', 'machine=AWS/Small/R2');
		assert.deepEqual(r.prices, [0.1, 0.9, 0.08, 0.1, 0.08]);
		assert.deepEqual(r.requests, ['/server/aws/small/prices', '/server/aws/big/prices']);
		assert.equal(r.types, 2);
		assert.equal(r.unpriced, 0);
		assert.ok(Math.abs(r.retrieved_at - Date.now() / 1000) < 60);
		assert.match(r.basis, /^Prices per hour of 2 machine types, on demand, in USD, from the Spare Cores Keeper, retrieved 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/);
	});

	it('finds a region by its name and its alias, with one request for a vendor', async () => {
		const r = await ask(prices, 'machine=aws/small/second', 'machine=aws/big/one', 'machine=aws/big/Second');
		assert.deepEqual(r.prices, [0.08, 1, 0.9]);
		assert.equal(r.requests.filter((url) => url.startsWith('/regions')).length, 1);
		assert.equal(r.lowest, 0);
	});

	it('takes the lowest price of all regions where the region is unknown, and says so', async () => {
		const r = await ask(prices, 'machine=aws/small/', 'machine=aws/big/nowhere');
		assert.deepEqual(r.prices, [0.08, 0.9]);
		assert.equal(r.lowest, 2);
		assert.match(r.basis, / Where the region is unknown or has no price, it is the lowest of all regions\.$/);
	});

	it('counts types without a price, and never takes them for 0', async () => {
		const r = await ask(prices, 'machine=aws/small/r1', 'machine=aws/none/r1', 'machine=aws/none/r2',
			'machine=other/none/r1');
		assert.deepEqual(r.prices, [0.1, null, null, null]);
		assert.equal(r.types, 3);
		assert.equal(r.unpriced, 2);
		assert.match(r.basis, /^Prices per hour of 1 machine type, .* Of 2 machine types no price is known: the service has no such server\.$/);
		assert.equal(r.requests.length, 3);
	});

	it('asks for no machine whose type is unknown, or would be another path', async () => {
		const r = await ask(prices, 'machine=//', 'machine=aws//r1', 'machine=aws/../r1', 'machine=unknown/small/r1',
			'machine=aws/a?b#c/r1');
		assert.deepEqual(r.prices, [null, null, null, null, null]);
		assert.equal(r.unknown, 4);
		assert.deepEqual(r.requests, ['/server/aws/a%3Fb%23c/prices']);
	});

	it('says when no recording names a type', async () => {
		const r = await ask(prices, 'machine=//');
		assert.equal(r.basis, 'No price is known: no recording names a machine type of a cloud vendor.');
		assert.equal(r.retrieved_at, null);
		assert.deepEqual(r.requests, []);
	});

	it('spot prices, and none where there is none', async () => {
		const r = await ask(prices, 'spot=1', 'machine=aws/big/r1', 'machine=aws/big/r2', 'machine=aws/big/',
			'machine=aws/small/r1');
		assert.deepEqual(r.prices, [0.25, null, 0.25, null]);
		assert.match(r.basis, /2 machine types, spot, in USD, .* Of 2 machine types no spot price is known\./);
	});

	it('the currency that was asked for', async () => {
		const r = await ask(prices, 'currency=eur', 'machine=aws/big/r1', 'machine=aws/small/r1');
		assert.deepEqual(r.prices, [0.95, null]);
		assert.match(r.basis, /in EUR, .*no on-demand Linux price in EUR/);
		assert.match(r.requests[0], /currency=EUR/);
	});

	it('from the cache: fresh without a request, later with --offline', async () => {
		const cache = path.join(folder, 'cache');
		const stub = await start(prices);
		const args = [`cache=${cache}`, 'machine=aws/small/r1', 'machine=aws/big/r1'];
		const first = await run(stub.url, args);
		const again = await run(stub.url, args);
		await stub.close();
		for (const name of fs.readdirSync(cache)) {
			const file = path.join(cache, name);
			const text = fs.readFileSync(file, 'utf8');
			fs.writeFileSync(file, text.replace(/1 (\d+)/, (_all, at) => `1 ${Number(at) - 86400}`));
		}
		const offline = await run(stub.url, [...args, 'offline=1', 'machine=aws/other/r1']);
		assert.deepEqual(first.prices, [0.1, 1]);
		assert.deepEqual(again.prices, [0.1, 1]);
		assert.deepEqual(offline.prices, [0.1, 1, null]);
		assert.equal(stub.requests.length, 2);
		assert.match(offline.basis, /Of 1 machine type no price is known: no request was sent \(--offline\)\. Prices are up to 1 d( \d+ s)? old, from the cache: no request was sent \(--offline\)\.$/);
	});

	it('nothing in the cache, and --offline', async () => {
		const r = await ask(prices, 'offline=1', 'machine=aws/small/r1');
		assert.deepEqual(r.prices, [null]);
		assert.equal(r.basis, 'Prices were not requested (--offline).');
		assert.deepEqual(r.requests, []);
	});

	it('asks a service that cannot be reached once', async () => {
		const stub = await start();
		await stub.close();
		const types = Array.from({ length: 50 }, (_none, i) => `machine=aws/t${i}/r1`);
		const r = await run(stub.url, types);
		assert.ok(r.prices.length === 50 && r.prices.every((p) => p === null));
		assert.match(r.basis, /^No price is known: 127\.0\.0\.1:\d+: no connection: Connection refused\.$/);
		assert.ok(r.seconds < 60, String(r.seconds));
	});

	it('ends in time however slow the service is', async () => {
		const slow = (_request, response) =>
			setTimeout(() => json([price('r1', 0.1)])(_request, response), 1500);
		const answers = Object.fromEntries(Array.from({ length: 40 }, (_none, i) => [`/server/aws/t${i}/prices`, slow]));
		const types = Array.from({ length: 40 }, (_none, i) => `machine=aws/t${i}/r1`);
		const r = await ask(answers, 'timeout=0', ...types);
		assert.ok(r.seconds < 60, String(r.seconds));
		assert.equal(r.prices[0], 0.1);
		assert.equal(r.prices[39], null);
		assert.match(r.basis, / no price is known: (the service does not give all answers within 20 s \(run again, or with --keeper-timeout 100s(, or with --offline for what is cached)?\)|127\.0\.0\.1:\d+: no answer in time( \(\d tries\))?.*)\.$/);
	});

	it('a service that never answers costs a few seconds', async () => {
		const r = await ask({ '/server/aws/t/prices': never }, 'timeout=0', 'machine=aws/t/r1', 'machine=aws/u/r1');
		assert.deepEqual(r.prices, [null, null]);
		assert.ok(r.seconds < 60, String(r.seconds));
	});
});
