// rtrack-report against a stub of the Keeper API on loopback: whatever it answers, the report is whole,
// the status 0, and the time bounded. And large inputs: in bounded time.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { json, never, start } from './keeper_stub.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const runs = 'tests/fixtures/runs_report';
const clean = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name),
	),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-report-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;

// Runs it, and reads what it wrote: {status, stderr, model, page, seconds}.
function report(args, env = {}) {
	const name = path.join(folder, String(files++));
	const began = performance.now();
	return new Promise((resolve, reject) => {
		const child = spawn(
			command,
			['-o', `${name}.html`, '-j', `${name}.json`, ...(args.includes('--model') ? [] : ['--arch', 'x86_64']), ...args],
			{ env: { ...clean, XDG_CACHE_HOME: `${name}.cache`, ...env }, stdio: ['ignore', 'inherit', 'pipe'] },
		);
		let stderr = '';
		child.stderr.on('data', (text) => (stderr += text));
		child.on('error', reject);
		child.on('close', (status) => {
			const seconds = (performance.now() - began) / 1000;
			const model = JSON.parse(readFileSync(`${name}.json`, 'utf8'));
			const page = readFileSync(`${name}.html`, 'utf8');
			resolve({ status, stderr, model, page, seconds });
		});
	});
}

async function reportFrom(answers, args = [`${runs}/now.json`]) {
	const stub = await start(answers);
	try {
		const result = await report(['--keeper-url', stub.url, '--keeper-timeout', '60s', ...args]);
		return { ...result, requests: stub.requests };
	} finally {
		await stub.close();
	}
}

// All that does not depend on prices is there.
function isWhole(r, stderr = '') {
	assert.equal(r.stderr, stderr);
	assert.equal(r.status, 0);
	for (const id of ['verdict', 'advice', 'cost', 'charts', 'usage', 'method'])
		assert.match(r.page, new RegExp(`id="${id}"`));
	assert.match(r.page, /<\/html>\s*$/);
	assert.equal(r.model.advice.items[1].value, 2048);
	assert.deepEqual(r.model.charts.slice(0, 5).map((c) => c.id),
		['cpu', 'memory', 'disk_io', 'disk_space', 'network']);
	assert.equal(r.model.statistics.now.process_memory.max, 955392);
}

// No prices: the sentence that says why stands in the model, in the page and, where they were wanted, on
// standard error.
function isWithoutPrices(r, why) {
	const { prices } = r.model;
	isWhole(r, prices.why.includes('(--offline)') ? '' : `rtrack-report: no prices: ${prices.why.replace('The cheapest servers are unknown: ', '')}\n`);
	assert.equal(prices.known, false);
	assert.match(prices.why, why);
	assert.match(prices.why, /^[^\u0000-\u001f]{10,400}$/);
	assert.deepEqual(prices.servers, []);
	assert.equal(prices.present, null);
	assert.equal(prices.savings, null);
	assert.equal(prices.attribution, '');
	assert.ok(r.page.includes(prices.why.slice(0, 20)));
	assert.ok(!r.model.verdict.some((s) => s.id === 'cost'));
	assert.ok(!r.model.tiles.some((t) => t.id === 'cost'));
}

const refused = async () => {
	const server = net.createServer();
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return `http://127.0.0.1:${port}`;
};

const server = (change) => ({
	vendor_id: 'hcloud',
	server_id: '1',
	name: 'one',
	vcpus: 8,
	memory_amount: 16384,
	min_price_ondemand: 0.36,
	cpu_architecture: 'x86_64',
	status: 'active',
	...change,
});
const price = (change) => ({
	vendor_id: 'hcloud',
	region_id: '2',
	server_id: '902',
	operating_system: 'linux',
	allocation: 'ondemand',
	unit: 'hour',
	price: 0.72,
	currency: 'USD',
	status: 'active',
	price_tiered: [{ lower: 0, upper: 'Infinity', price: 0.72 }],
	...change,
});
const every = (answer) => ({
	'/servers': answer,
	'/regions': answer,
	'/server/hcloud/cx-two/prices': answer,
});

describe('prices', { concurrency: 3 }, () => {
	it('of all nodes of a job', async () => {
		const nodes = path.join(folder, 'nodes');
		mkdirSync(nodes);
		const { cloud_info } = JSON.parse(readFileSync(`${runs}/now.json`, 'utf8'));
		for (const n of [1, 2, 3, 4]) {
			const one = JSON.parse(readFileSync(`tests/fixtures/parts/four/n${n}.json`, 'utf8'));
			writeFileSync(path.join(nodes, `${n}.json`), JSON.stringify({ ...one, cloud_info }));
		}
		const r = await reportFrom(
			{ '/servers': json([server()]), '/server/hcloud/cx-two/prices': json([price()]) },
			[nodes],
		);
		const { prices, run, verdict } = r.model;
		const cost = (hour) => (4 * hour * run.duration.value) / 3600;
		assert.equal(r.status, 0);
		assert.ok(Math.abs(prices.present.run_cost.value - cost(prices.present.price_hour.value)) < 1e-9);
		assert.ok(Math.abs(prices.servers[0].run_cost.value - cost(0.36)) < 1e-9);
		assert.match(verdict.find((v) => v.id === 'cost').text, /^On these 4 servers, .* each, /);
	});
	it('of servers and of the present one', async () => {
		const r = await reportFrom({
			'/servers': json([
				server({ api_reference: 'cx-two' }),
				server({ server_id: '2', api_reference: 'cx four', min_price_ondemand: 0.4 }),
			]),
			'/server/hcloud/cx-two/prices': json([price()]),
		});
		isWhole(r);
		const { prices } = r.model;
		assert.equal(prices.known, true);
		assert.equal(prices.why, '');
		assert.equal(prices.servers.length, 2);
		const navigator = 'https://sparecores.com/server/hcloud/cx-two';
		assert.deepEqual(
			[...prices.servers, prices.present].map((one) => [one.vendor, one.api_reference, one.url]),
			[['hcloud', 'cx-two', navigator], ['hcloud', 'cx four', null], ['hcloud', 'cx-two', navigator]],
		);
		assert.equal(prices.servers[1].server_id, '2');
		const links = [...r.page.matchAll(/<a href="([^"#][^"]*)"([^>]*)>/g)].map((m) => m.slice(1));
		assert.deepEqual(links, Array(2).fill([navigator, ' rel="noopener noreferrer"']));
		assert.equal(prices.servers[0].price_hour.value, 0.36);
		// 4.5 s are 1/800 of an hour.
		assert.ok(Math.abs(prices.servers[0].run_cost.value - 0.00045) < 1e-12);
		assert.ok(Math.abs(prices.present.run_cost.value - 0.0009) < 1e-12);
		assert.equal(prices.savings.percent, 50);
		assert.equal(prices.savings.amount, 0.00045);
		// Whole hours, as nobody told another rule.
		assert.equal(prices.servers[0].alone.value, 0.36);
		assert.equal(prices.present.alone.value, 0.72);
		assert.equal(prices.servers[0].billing, 'in steps of 1 h (assumed)');
		assert.equal(prices.savings_alone.amount, 0.36);
		assert.equal(prices.age, null);
		assert.equal(prices.servers[0].run_cost_month, null);
		assert.match(prices.attribution, /Spare Cores Navigator, CC BY-SA 4\.0, retrieved 2\d\d\d-/);
		assert.ok(r.page.includes(prices.attribution));
		assert.ok(r.model.verdict.some((s) => s.id === 'cost'));
		assert.equal(r.model.tiles.at(-1).id, 'cost');
	});

	it('for what this run and its history need', async () => {
		const r = await reportFrom({}, [
			...['now', 'earlier-1', 'earlier-2', 'failed', 'killed'].map((n) => `${runs}/${n}.json`),
			...['--servers', '2', '--vendor', 'hcloud', '--currency', 'USD'],
		]);
		assert.equal(r.status, 0);
		const { query } = r.requests.find((q) => q.path === '/servers');
		assert.equal(query.get('vcpus_min'), '3');
		assert.equal(Number(query.get('memory_min')), 2.5);
		assert.equal(query.get('vendor'), 'hcloud');
		assert.equal(query.get('architecture'), 'x86_64');
		assert.equal(r.model.usage.history_runs, 2);
	});

	it('by the address in the environment', async () => {
		const stub = await start({ '/servers': json([server()]) });
		const r = await report([`${runs}/now.json`], { RTRACK_KEEPER_URL: stub.url });
		await stub.close();
		isWhole(r);
		assert.equal(r.model.prices.known, true);
	});

	it('are not asked for with --offline, or with --model', async () => {
		const stub = await start();
		const args = ['--keeper-url', stub.url];
		const r = await report([...args, '--offline', `${runs}/now.json`]);
		isWithoutPrices(r, /--offline/);
		const saved = path.join(folder, 'saved.json');
		writeFileSync(saved, JSON.stringify(r.model));
		const again = await report(['--model', saved], { RTRACK_KEEPER_URL: stub.url });
		assert.equal(again.page, r.page);
		assert.equal(stub.requests.length, 0);
		await stub.close();
	});

	it('are shown again by the page of the page, without a request, unless something else is asked', async () => {
		const stub = await start({ '/servers': json([server(), server({ server_id: 'cx-more', price: 0.5 })]) });
		const args = ['--keeper-url', stub.url, '--now', '1796000000', '--vendor', 'hcloud'];
		const r = await report([...args, `${runs}/now.json`]);
		assert.equal(r.model.prices.known, true);
		const page = path.join(folder, 'carried.html');
		writeFileSync(page, r.page);
		const asked = stub.requests.length;
		const again = await report([...args, '--offline', page]), online = await report([...args, page]);
		assert.equal(stub.requests.length, asked);
		for (const one of [again, online]) {
			isWhole(one);
			assert.deepEqual(one.model.prices, r.model.prices);
			assert.deepEqual(one.model.verdict, r.model.verdict);
		}
		const other = await report([...args, '--servers', '1', page]);
		assert.ok(stub.requests.length > asked);
		assert.equal(other.model.prices.servers.length, 1);
		await stub.close();
	});

	it('come from the cache with --offline, marked with their age, and as the same bytes', async () => {
		const cache = { XDG_CACHE_HOME: path.join(folder, 'kept') };
		const stub = await start({ '/servers': json([server()]) });
		const args = ['--keeper-url', stub.url, `${runs}/now.json`, '--runs-per-month', '40'];
		assert.equal((await report(args, cache)).model.prices.known, true);
		await stub.close();
		const now = String(Math.floor(Date.now() / 1000) + 9000);
		const [a, b] = [0, 0].map(() => report([...args, '--offline', '--now', now], cache));
		const r = await a;
		isWhole(r);
		assert.equal(r.page, (await b).page);
		const { prices } = r.model;
		assert.ok(prices.age.value >= 8999 && prices.age.value <= 10200, String(prices.age.value));
		assert.match(prices.age_why, /^These prices are 2 h .* old, from the cache: .* \(--offline\)\.$/);
		assert.ok(r.page.includes('from the cache'));
		assert.equal(prices.runs_per_month, 40);
		assert.ok(Math.abs(prices.servers[0].run_cost_month.value - 0.018) < 1e-12);
		assert.ok(Math.abs(prices.servers[0].alone_month.value - 14.4) < 1e-9);
		const [text, markdown] = ['month.txt', 'month.md'].map((name) => path.join(folder, name));
		await report([...args, '--offline', '--now', now, '--text', text, '--markdown', markdown], cache);
		const month = prices.servers[0].estimate.run_cost_month.text;
		assert.match(readFileSync(text, 'utf8'), new RegExp(`Predicted cost +40 runs\n[^]* \\${month}\n`));
		assert.match(readFileSync(markdown, 'utf8'), /the run there \S+ \(.*\), predicted, 40 runs a month \S*0\.018\./);
		const off = await report([...args, '--offline', '--keeper-cache', ''], cache);
		isWithoutPrices(off, /--offline/);
	});

	it('of spot servers', async () => {
		const r = await reportFrom({
			'/servers': json([server({ min_price_spot: 0.18, min_price_ondemand_monthly: 200 })]),
			'/server/hcloud/cx-two/prices': json([price()]),
		}, [`${runs}/now.json`, '--spot']);
		isWhole(r);
		const { prices } = r.model;
		assert.equal(prices.servers[0].price_hour.value, 0.18);
		assert.equal(prices.servers[0].price_ondemand.value, 0.36);
		assert.equal(prices.servers[0].price_month.value, 200);
		// On demand with on demand: what this server costs as a spot server is not known.
		assert.equal(prices.savings.percent, 50);
		assert.match(r.page, /may take a spot server away at any time/);
		assert.match(r.page, />On demand, per hour</);
	});

	it('whose folder cannot be used are reported, and not kept', async () => {
		const r = await reportFrom({ '/servers': json([server()]) },
			[`${runs}/now.json`, '--keeper-cache', '/dev/null/x']);
		isWhole(r);
		assert.equal(r.model.prices.known, true);
		assert.equal(r.model.prices.cache_why, 'Prices are not cached: /dev/null/x: Not a directory.');
		assert.ok(r.page.includes(r.model.prices.cache_why));
	});

	it('that are null, Infinity or nonsense are left out', async () => {
		const odd = [null, 'Infinity', -1, 0, 'x', {}, []].map((min_price_ondemand, i) =>
			server({ server_id: `odd${i}`, min_price_ondemand }),
		);
		const r = await reportFrom({
			'/servers': json([...odd, server({ vcpus: null }), server({ memory_amount: 'Infinity' }),
				null, 5, server()]),
			'/server/hcloud/cx-two/prices': json([price({ price: null }), price({ price: 'Infinity' }),
				price({ price_tiered: null }), null]),
		});
		assert.equal(r.stderr, 'rtrack-report: servers are left out for a price that no server has: hcloud one\n');
		isWhole({ ...r, stderr: '' });
		assert.deepEqual(r.model.prices.servers.map((s) => s.price_hour.value), [0.36]);
		assert.equal(r.model.prices.present.price_hour.value, 0.72);
	});
	it('that are all null: none are known', async () => {
		const nulls = Object.fromEntries(Object.keys(server()).map((key) => [key, null]));
		isWithoutPrices(await reportFrom(every(json([nulls, nulls]))), /./);
	});
});

const html = (_request, response) => {
	response.writeHead(200, { 'content-type': 'text/html' });
	response.end('<!doctype html><script>alert(1)</script>');
};
const huge = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const part = Buffer.alloc(1 << 20, ' ');
	let n = 0;
	const more = () => {
		while (n++ < 40)
			if (!response.write(part)) return response.once('drain', more);
		response.end('[]');
	};
	response.on('error', () => {});
	more();
};
// Compressed before the request: the client waits 2 s for an answer.
const bombBytes = gzipSync(Buffer.alloc(64 << 20, ' '));
const bomb = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
	response.end(bombBytes);
};
const redirect = (_request, response) => {
	response.writeHead(302, { location: 'http://127.0.0.1:1/servers' });
	response.end();
};
const drip = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	const timer = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(timer));
};
const hangUp = (request) => request.socket.destroy();

const failures = {
	'400 with a detail': [json({ detail: 'No such vendor <b>' }, 400), /No such vendor <b>/],
	'404': [json({ detail: 'Not found' }, 404), /404|Not found/],
	'422': [json({ detail: [{ msg: 'Input should be less', loc: ['query', 'vcpus_min'] }] }, 422), /./],
	'429': [json({ detail: 'Too many' }, 429, { 'retry-after': '3600' }), /429|Too many|busy/i],
	'500': [json('oops', 500), /500/],
	'503': [json('', 503), /503/],
	HTML: [html, /JSON|understood/i],
	'a huge answer': [huge, /large|16 MiB|long/i],
	'a gzip bomb': [bomb, /large|16 MiB|long/i],
	'a redirect': [redirect, /302|redirect/i],
	'no end': [never, /time|in vain|answer/i],
	'an endless drip': [drip, /time|in vain|answer/i],
	'a hang-up': [hangUp, /./],
	'an empty list': [json([]), /./],
	'an object': [json({ a: 1 }), /./],
	'cut JSON': [json('[{"vendor_id": "hcloud"'), /./],
};

describe('no prices, but a whole report:', { concurrency: 3 }, () => {
	for (const [name, [answer, why]] of Object.entries(failures))
		it(name, async (t) => {
			const r = await reportFrom(every(answer), ['--keeper-timeout', '6s', `${runs}/now.json`]);
			t.diagnostic(`${r.seconds.toFixed(2)} s: ${r.model.prices.why}`);
			isWithoutPrices(r, why);
			assert.ok(!r.page.includes('vendor <b>'));
			assert.ok(r.seconds < 60, `${r.seconds} s`);
		});
	it('nobody listens', async () => {
		const r = await report(['--keeper-url', await refused(), `${runs}/now.json`]);
		isWithoutPrices(r, /./);
		assert.ok(r.seconds < 60, `${r.seconds} s`);
	});
	it('an address that is none', async () => {
		for (const url of ['http://', 'ftp://127.0.0.1', 'http://nobody.invalid', 'x y'])
			isWithoutPrices(await report(['--keeper-url', url, `${runs}/now.json`]), /./);
	});
});

// -- size ------------------------------------------------------------------------------------------

function recording(rows, at = 1700000000) {
	const column = (value) => Array.from({ length: rows }, (_, i) => value(i));
	const timestamp = column((i) => at + i + 1);
	return JSON.stringify({
		metadata: { interval: 1, start_time: at, stop_time: at + rows },
		process_metrics: {
			timestamp,
			cpu_usage: column((i) => (i * 7919) % 400 / 100),
			memory: column((i) => (i === 1234 ? 955392 : 102400 + (i % 1000))),
			read_bytes: column((i) => (i % 10) * 4096),
		},
		system_metrics: { timestamp, cpu_usage: column((i) => (i * 31) % 800 / 100) },
	});
}

describe('size', () => {
	it('a day of samples', async (t) => {
		const file = path.join(folder, 'day.json.gz');
		writeFileSync(file, gzipSync(recording(86400)));
		const r = await report(['--offline', file]);
		t.diagnostic(`86,400 rows: ${r.seconds.toFixed(2)} s, a page of ${r.page.length} bytes`);
		assert.equal(r.status, 0);
		assert.equal(r.model.run.samples, 86400);
		assert.ok(r.page.length < 250_000);
		assert.ok(r.seconds < 60, `${r.seconds} s`);
		// The one sample of 933 MiB is in the bucket of its time.
		const { data } = r.model.charts.find((c) => c.id === 'memory');
		assert.equal(data.x.length, 240);
		assert.equal(data.max[0].filter((v) => v > 9e8).length, 1);
		assert.equal(data.max[0].findIndex((v) => v > 9e8), Math.floor(1234 / data.step));
		assert.ok(data.mean.every((s) => !s.includes(null)));
	});
	it('a thousand runs in a folder', async (t) => {
		const many = path.join(folder, 'many');
		mkdirSync(many);
		for (let i = 0; i < 1000; i++)
			writeFileSync(path.join(many, `${i}.json`), recording(60, 1700000000 + i * 100));
		const r = await report(['--offline', '--history', '1000', many]);
		t.diagnostic(`1,000 runs: ${r.seconds.toFixed(2)} s, a page of ${r.page.length} bytes`);
		assert.equal(r.status, 0);
		assert.equal(r.model.run.file, '999.json');
		assert.equal(r.model.history.length, 200); // the newest, and a sentence on the rest
		assert.match(r.model.trend.rest, /799/);
		assert.equal(r.model.usage.history_runs, 999);
		assert.equal(r.model.history[0].file, '998.json');
		assert.ok(r.page.length < 1_000_000);
		assert.ok(r.seconds < 60, `${r.seconds} s`);
	});
	it('a gzip bomb of a recording', async () => {
		const file = path.join(folder, 'bomb.json.gz');
		writeFileSync(file, gzipSync(`{"process_metrics": [${' '.repeat(64 << 20)}`));
		assert.ok(statSync(file).size < 1 << 20);
		const r = await report(['--offline', `${runs}/now.json`, file]);
		assert.equal(r.status, 4);
		assert.match(r.stderr, /^rtrack-report: [^\n]*bomb\.json\.gz: [^\n]*\n$/);
	});
});
