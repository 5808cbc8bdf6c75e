// --keeper-save and --keeper-file: the same servers from the service and from its file, for many filters.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { many, recording } from './keeper_many.mjs';
import { real } from './keeper_real.mjs';
import { json, start as startStub } from './keeper_stub.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name),
	),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-keeper-file-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const open = [];
after(() => Promise.all(open.map((stub) => stub.close())));
async function start(answers) {
	open.push(await startStub(answers));
	return open.at(-1);
}

function run(args) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, ['--keeper-timeout', '60s', ...args], { env: clean, stdio: ['ignore', 'inherit', 'pipe'] });
		let stderr = '';
		child.stderr.on('data', (text) => (stderr += text));
		child.on('error', reject);
		child.on('close', (status) => resolve({ status, stderr }));
	});
}

async function report(what, args) {
	const name = path.join(folder, String(files++));
	writeFileSync(`${name}.in.json`, JSON.stringify(what));
	const r = await run(['-j', `${name}.json`, '-o', `${name}.html`, '--keeper-cache', '', ...args, `${name}.in.json`]);
	const model = existsSync(`${name}.json`) ? JSON.parse(readFileSync(`${name}.json`, 'utf8')) : null;
	return { ...r, prices: model?.prices, page: model && readFileSync(`${name}.html`, 'utf8') };
}

async function save(url, args = []) {
	const name = path.join(folder, `${files++}.prices`);
	const r = await run(['--keeper-save', name, '--keeper-url', url, ...args]);
	assert.equal(r.status, 0, r.stderr);
	return name;
}

// What a reader sees of the servers.
const seen = (prices) => ({
	servers: prices.servers.map((s) => [s.label, s.price_hour.value, s.score.value, s.estimate?.duration.value]),
	frontier: prices.time_cost?.frontier.filter((p) => !p.now).map((p) => [p.label, p.is, p.time.value, p.cost.value, p.score]),
	notes: prices.time_cost?.notes,
	present: prices.present?.price_hour.value,
});

const jobs = {
	'one thread': recording({ cores: () => 1 }),
	'all CPUs': recording({ cores: () => 8 }),
	'much memory': recording({ cores: () => 3, gib: 40 }),
	'a short run': recording({ seconds: 8 }),
	'an unknown server': recording({ cores: () => 16, vcpus: 16, type: null }),
};
const filters = [[], ['--vendor', 'aws'], ['--vendor', 'hcloud,gcp'], ['--spot'], ['--cpu-allocation', 'dedicated'], ['--servers', '20'],
	['--keeper-filter', 'vcpus_max=16'], ['--keeper-filter', 'memory_min=64'], ['--keeper-filter', 'vcpus_min=32'],
	['--keeper-filter', 'vcpus_min=4'], ['--vendor', 'gcp'], ['--servers', '1'], ['--spot', '--vendor', 'aws']];

describe('a file of prices', { concurrency: 2 }, () => {
	it('has the same answers as the service, for 65 jobs and filters', async () => {
		const stub = await start(many);
		const saved = await save(stub.url);
		let tried = 0;
		for (const args of filters) {
			await Promise.all(Object.entries(jobs).map(async ([name, job]) => {
				const x86 = ['--arch', 'x86_64', ...args];
				const live = await report(job, ['--keeper-url', stub.url, ...x86]);
				const file = await report(job, ['--keeper-file', saved, ...x86]);
				assert.deepEqual(seen(file.prices), seen(live.prices), `${name}, ${args.join(' ')}`);
				assert.ok(live.prices.known === file.prices.known);
				tried++;
			}));
		}
		await stub.close();
		assert.equal(tried, 65);
	});

	it('has the same for regions, countries, frameworks and currencies', async () => {
		const stub = await start(real);
		const job = recording({ cores: () => 1, gib: 0.05, type: null });
		for (const args of [['--region', 'nbg1'], ['--region', 'Frankfurt'], ['--country', 'DE'], ['--country', 'DE,FI'],
			['--country', 'DE', '--vendor', 'hcloud'], ['--compliance', 'hipaa'], ['--compliance', 'hipaa', '--vendor', 'aws,hcloud'],
			['--currency', 'EUR'], ['--region', 'nbg1,hel1,fsn1,ash,eu-central-1']]) {
			const file = await save(stub.url, args);
			for (const more of [[], ['--spot'], ['--arch', 'arm64,x86_64']]) {
				const arch = more.includes('--arch') ? [] : ['--arch', 'x86_64'];
				const live = await report(job, ['--keeper-url', stub.url, ...args, ...more, ...arch]);
				const offline = await report(job, ['--keeper-file', file, ...args, ...more, ...arch]);
				assert.deepEqual(seen(offline.prices), seen(live.prices), [...args, ...more].join(' '));
				assert.equal(offline.prices.filters_why, live.prices.filters_why);
			}
			const other = await report(job, ['--keeper-file', file, '--country', 'US', '--arch', 'x86_64']);
			assert.match(other.prices.why, /the file of prices does not have it: save it with the same --region, /);
		}
		await stub.close();
	});

	it('knows the region of a price if the filters leave one', async () => {
		const stub = await start(real);
		const job = recording({ cores: () => 1, gib: 0.05, type: null });
		const only = ['--region', 'eu-central-1', '--arch', 'x86_64,arm64'];
		const file = await save(stub.url, ['--region', 'eu-central-1']);
		for (const where of [['--keeper-url', stub.url], ['--keeper-file', file]]) {
			const { prices } = await report(job, [...where, ...only]);
			assert.ok(prices.proposed.length > 0);
			for (const p of prices.proposed) {
				assert.deepEqual([p.vendor, p.region], ['aws', 'eu-central-1']);
				assert.match(p.command, /^aws ec2 run-instances --region eu-central-1 /);
			}
		}
		const any = await report(job, ['--keeper-file', await save(stub.url), '--arch', 'x86_64,arm64']);
		for (const p of any.prices.proposed)
			assert.deepEqual([p.region, p.zone, p.price_day], [null, null, null]);
		await stub.close();
	});

	it('says its date, and warns after 30 days', async () => {
		const stub = await start(many);
		const file = await save(stub.url);
		const asked = stub.requests.length;
		const young = await report(jobs['all CPUs'], ['--keeper-file', file, '--arch', 'x86_64']);
		assert.match(young.prices.from_file, /^Prices are from a file of \d{4}-\d\d-\d\d \(--keeper-file\)\.$/);
		assert.equal(young.stderr, '');
		assert.ok(young.page.includes(young.prices.from_file));
		const old = gunzipSync(readFileSync(file)).toString('latin1').replace(/^(rtrack-keeper-file 1 )(\d+)/, (_all, head, at) => head + (at - 45 * 86400));
		writeFileSync(`${file}.old`, gzipSync(Buffer.from(old, 'latin1')));
		const r = await report(jobs['all CPUs'], ['--keeper-file', `${file}.old`, '--arch', 'x86_64']);
		assert.match(r.prices.from_file, /\(--keeper-file\), 45 days old: save a new one with --keeper-save\.$/);
		assert.equal(r.stderr, 'rtrack-report: the file of prices is 45 days old: save a new one with --keeper-save\n');
		assert.equal(stub.requests.length, asked);
		await stub.close();
	});

	it('asks for pages until there are no more', async () => {
		const rows = Array.from({ length: 620 }, (_, i) => ({ vendor_id: 'aws', server_id: `s${i}`, name: `s${i}`, api_reference: `s${i}`,
			vcpus: 8, memory_amount: 65536, cpu_architecture: 'x86_64', status: 'active', min_price_ondemand: 1 + (i * 7919 % 620) / 100 }));
		const stub = await start({ ...many, '/servers': (request, response) => {
			const query = new URL(request.url, 'http://localhost').searchParams;
			const from = (Number(query.get('page') ?? 1) - 1) * 250;
			json([...rows].sort((a, b) => a.min_price_ondemand - b.min_price_ondemand).slice(from, from + 250))(request, response);
		} });
		const file = await save(stub.url);
		assert.equal(stub.requests.filter((q) => q.query.get('page') === '3').length, 3); // for each benchmark
		const r = await report(jobs['all CPUs'], ['--keeper-file', file, '--arch', 'x86_64', '--servers', '64']);
		assert.equal(r.prices.servers.length, 64);
		assert.equal(r.prices.servers[0].price_hour.value, 1);
		await stub.close();
	});

	it('is not written with more than can be read again', async () => {
		const row = '{"vendor_id":"aws","server_id":"s","status":"active"}';
		const values = row.replace('}', `${',"vcpus":8'.repeat(1500)}}`);
		const pages = (one, n) => (request, response) => {
			const page = Number(new URL(request.url, 'http://localhost').searchParams.get('page') ?? 1);
			json(page > n ? '[]' : `[${Array(250).fill(one).join()}]`)(request, response);
		};
		for (const [answer, sentence] of [
			[pages(row, 1000), /there are more than 25000 servers: save fewer, with --region or --country\n$/],
			[pages(values, 2), /the list of servers has more than 500000 values: save fewer, with --region or --country\n$/],
		]) {
			const stub = await start({ ...many, '/servers': answer });
			const name = path.join(folder, `${files++}.prices`);
			const r = await run(['--keeper-save', name, '--keeper-url', stub.url]);
			assert.match(r.stderr, sentence);
			assert.deepEqual([r.status, existsSync(name)], [1, false]);
			await stub.close();
		}
	});

	it('falls back where scores are refused, and says what is wrong', async () => {
		const refusing = (request, response) => (new URL(request.url, 'http://localhost').searchParams.get('benchmark_id')?.startsWith('geekbench')
			? json({ detail: 'no' }, 401) : many['/servers'])(request, response);
		const stub = await start({ ...many, '/servers': refusing });
		const file = await save(stub.url);
		const r = await report(jobs['all CPUs'], ['--keeper-file', file, '--arch', 'x86_64']);
		assert.match(r.prices.time_cost.notes, /^Speeds of cores are known only from stress-ng's score/);
		await stub.close();
		const down = await run(['--keeper-save', path.join(folder, 'none'), '--keeper-url', stub.url]);
		assert.equal(down.status, 1);
		assert.ok(!existsSync(path.join(folder, 'none')));
		writeFileSync(path.join(folder, 'bad'), 'hello\n');
		writeFileSync(path.join(folder, 'cut'), gunzipSync(readFileSync(file)).subarray(0, -2));
		for (const [name, why] of [['bad', /not a file of --keeper-save/], ['absent', /No such file/], ['cut', /it is damaged \(byte \d+\)\n/]]) {
			const bad = await report(jobs['all CPUs'], ['--keeper-file', path.join(folder, name)]);
			assert.equal(bad.status, 1);
			assert.match(bad.stderr, new RegExp(`--keeper-file: .*${name}: ${why.source}`));
		}
	});
});
