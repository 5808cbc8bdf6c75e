// The Keeper client's cache on disk: what is cached, for how long, and which files are accepted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { inTurn, json, never, start } from './keeper_stub.mjs';

const build = process.env.B ?? 'build/release';
const cli = `${build}/tests/services/keeper_cli`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$|^(HOME|XDG_CACHE_HOME)$/i.test(name)),
);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-cache-'));
after(() => fs.rmSync(folder, { recursive: true }));

let made = 0;
const fresh = () => path.join(folder, String(made++));

function ask(url, args = [], env = {}) {
	return new Promise((resolve, reject) => {
		// A busy machine takes longer than six seconds.
		execFile(cli, [url, '2', '4096', 'timeout=60', ...args], { env: { ...clean, ...env } },
			(error, stdout, stderr) => {
				if (stderr || !stdout) reject(new Error(`${cli}: ${stderr || error}`));
				else resolve(JSON.parse(stdout));
			});
	});
}

const files = (cache) => fs.readdirSync(cache).sort();
const file = (cache, part) =>
	path.join(cache, files(cache).find((name) =>
		fs.readFileSync(path.join(cache, name), 'latin1').split('\n')[0].includes(part)));

// Makes a file look that many seconds older.
function age(name, seconds) {
	const text = fs.readFileSync(name, 'latin1');
	fs.writeFileSync(name, text.replace(/^(rtrack-keeper-cache 1 )(\d+)/,
		(_all, magic, at) => magic + (Number(at) - seconds)), 'latin1');
}

// Queries a stub once with an empty cache, then calls `then` with stub, cache and result.
async function cached(then, args = [], answers = {}) {
	const stub = await start(answers);
	const cache = fresh();
	try {
		const first = await ask(stub.url, [`cache=${cache}`, ...args]);
		const again = (more = []) => ask(stub.url, [`cache=${cache}`, ...args, ...more]);
		await then({ stub, cache, first, again, asked: stub.requests.length });
	} finally {
		await stub.close();
	}
}

const present = ['present=hcloud/cx-two/nbg9'];
const prices = (r) => r.servers.map((s) => s.price);

describe('keeper, cache', { concurrency: 4 }, () => {
	it('asks nothing while what it has is fresh', () =>
		cached(async ({ stub, first, again, asked }) => {
			const r = await again();
			assert.equal(asked, 4); // servers, prices, regions, specs
			assert.equal(stub.requests.length, 4);
			assert.deepEqual({ ...r, retrieved_at: 0 }, { ...first, retrieved_at: 0 });
			assert.equal(r.age, 0);
			assert.equal(r.age_why, '');
			assert.ok(Math.abs(r.retrieved_at - first.retrieved_at) <= 5);
		}, present));

	it('asks for prices after 900 s, for servers and regions after 3600 s', () =>
		cached(async ({ stub, cache, again, asked }) => {
			const later = async (seconds) => {
				for (const name of files(cache)) age(path.join(cache, name), seconds);
				const before = stub.requests.length;
				const r = await again();
				assert.equal(r.age, 0);
				return stub.requests.slice(before).map((q) => q.path);
			};
			assert.equal(asked, 4);
			assert.deepEqual(await later(600), []);
			assert.deepEqual(await later(400), ['/server/hcloud/cx-two/prices']);
			assert.deepEqual((await later(2700)).sort(), ['/regions',
				'/server/hcloud/cx-two/prices', '/servers', '/v2/server/hcloud/cx-two']);
		}, present));

	it('says when the prices were retrieved, and not when the regions were', () =>
		cached(async ({ cache, first, again }) => {
			age(file(cache, '/servers?'), 1000);
			age(file(cache, '/regions?'), 3000);
			const r = await again();
			assert.ok(Math.abs(first.retrieved_at - 1000 - r.retrieved_at) <= 5);
		}, present));

	it('serves older ones, marked with their age, where the service cannot be reached', () =>
		cached(async ({ stub, cache, first, again }) => {
			age(file(cache, '/servers?'), 7200);
			age(file(cache, '/prices'), 86400);
			await stub.close();
			const r = await again();
			assert.equal(r.known, true);
			assert.deepEqual(r.servers, first.servers);
			assert.equal(r.present_price, first.present_price);
			assert.ok(r.age >= 86400 && r.age < 86700, String(r.age));
			assert.equal(r.age_why, `${stub.url.slice(7)}: no connection: Connection refused`);
			assert.ok(Math.abs(first.retrieved_at - 86400 - r.retrieved_at) <= 5);
		}, present));

	for (const [what, answer, why] of [
		['429', json({ detail: 'Rate limit exceeded.' }, 429, { 'retry-after': '99' }), /429/],
		['500', json('', 500), /status 500$/],
		['a web page', json('<html>Log in'), /web page, not JSON$/],
		['a redirect', json('', 302, { location: 'https://example.com/' }), /redirect/],
		['garbage', json('[{'), /not valid JSON/],
		['20 MiB', json(Buffer.alloc(20 << 20, 32)), /larger than/],
		['nothing', never, /no answer in time/],
	])
		it(`serves an older one for ${what}, and keeps it`, () =>
			cached(async ({ cache, first, again }) => {
				const before = files(cache);
				age(file(cache, '/servers?'), 7200);
				const r = await again(answer === never ? ['timeout=0'] : []);
				assert.deepEqual(prices(r), prices(first));
				assert.match(r.age_why, why);
				assert.ok(r.age >= 7200 && r.age < 7500);
				assert.deepEqual(files(cache), before);
				assert.ok((await again(['offline=1'])).known);
			}, [], { '/servers': inTurn(goodServers, answer) }));

	for (const status of [400, 404, 422])
		it(`serves none where the service says no: ${status}`, () =>
			cached(async ({ cache, first, again }) => {
				assert.equal(first.known, true);
				age(file(cache, '/servers?'), 7200);
				const r = await again();
				assert.equal(r.known, false);
				assert.match(r.why, new RegExp(`status ${status}: Changed`));
			}, [], { '/servers': inTurn(goodServers, json({ detail: 'Changed' }, status)) }));

	it('is all that there is with --offline, whatever its age', () =>
		cached(async ({ stub, cache, first, again, asked }) => {
			let r = await again(['offline=1']);
			assert.deepEqual(prices(r), prices(first));
			assert.equal(r.present_price, first.present_price);
			assert.ok(r.age >= 1 && r.age < 300);
			assert.equal(r.age_why, 'no request was sent (--offline)');
			for (const name of files(cache)) age(path.join(cache, name), 1e6);
			r = await again(['offline=1']);
			assert.deepEqual(prices(r), prices(first));
			assert.ok(r.age >= 1e6);
			r = await again(['offline=1', 'vendor=aws']); // another query
			assert.equal(r.known, false);
			assert.equal(r.why, 'Prices were not requested (--offline).');
			assert.equal(r.present_known, true);
			assert.equal(stub.requests.length, asked);
		}, present));

	it('makes no folder with --offline', async () => {
		const cache = fresh();
		const r = await ask('http://127.0.0.1:1', [`cache=${cache}`, 'offline=1', ...present]);
		assert.equal(r.known, false);
		assert.equal(r.present_why,
			'The price of hcloud cx-two is unknown: no request was sent (--offline)');
		assert.equal(fs.existsSync(cache), false);
	});

	it('keeps no answer that is none, and no refusal', async () => {
		for (const answer of [json('<html>'), json([{}], 500), json('[{'), json({}), json('', 404)]) {
			const stub = await start({ '/servers': answer, '/regions': answer });
			const cache = fresh();
			await ask(stub.url, [`cache=${cache}`, 'region=x']);
			await stub.close();
			assert.deepEqual(files(cache), []);
		}
	});

	it('is for this user alone', () =>
		cached(async ({ cache }) => {
			assert.equal(fs.statSync(cache).mode & 0o7777, 0o700);
			assert.equal(files(cache).length, 4);
			for (const name of files(cache)) {
				assert.match(name, /^rtrack-keeper-[0-9a-f]{16}\.json$/);
				assert.equal(fs.statSync(path.join(cache, name)).mode & 0o7777, 0o600);
			}
		}, present));

	it('stands in $XDG_CACHE_HOME, else in ~/.cache, else nowhere', async () => {
		// keeper_cli has no cache without cache=, so rtrack-report tests the default.
		const stub = await start();
		const report = (env) => new Promise((resolve) =>
			execFile(`${build}/rtrack-report`, ['-j', '-', '--keeper-url', stub.url,
				'tests/fixtures/runs_report/now.json'], { env: { ...clean, ...env } },
			(_error, stdout) => resolve(JSON.parse(stdout))));
		const home = fresh();
		fs.mkdirSync(home);
		assert.equal((await report({ HOME: home })).prices.known, true);
		assert.ok(files(`${home}/.cache/rtrack`).length);
		const xdg = fresh();
		assert.equal((await report({ HOME: home, XDG_CACHE_HOME: xdg })).prices.known, true);
		assert.ok(files(`${xdg}/rtrack`).length);
		for (const env of [{}, { HOME: '' }, { HOME: 'x', XDG_CACHE_HOME: 'y' }, { HOME: '/nowhere' }]) {
			const before = stub.requests.length;
			assert.equal((await report(env)).prices.known, true);
			assert.ok(stub.requests.length > before);
		}
		assert.ok(!fs.existsSync('x') && !fs.existsSync('y'));
		await stub.close();
	});

	it('follows no link', async () => {
		const stub = await start();
		const real = fresh(), link = fresh(), cache = fresh();
		fs.mkdirSync(real, { mode: 0o700 });
		fs.symlinkSync(real, link);
		for (const name of [link, `${link}/`]) {
			const r = await ask(stub.url, [`cache=${name}`]);
			assert.equal(r.known, true);
			assert.match(r.cache_why, /: (Not a directory|Too many levels of symbolic links)$/);
		}
		assert.deepEqual(files(real), []);
		// A link in place of a file is replaced; its target does not change.
		await ask(stub.url, [`cache=${cache}`]);
		const [name] = files(cache);
		const target = path.join(real, 'target');
		fs.renameSync(path.join(cache, name), target);
		const text = fs.readFileSync(target, 'latin1');
		fs.symlinkSync(target, path.join(cache, name));
		const before = stub.requests.length;
		await ask(stub.url, [`cache=${cache}`]);
		assert.equal(stub.requests.length, before + 1);
		assert.equal(fs.lstatSync(path.join(cache, name)).isFile(), true);
		assert.equal(fs.readFileSync(target, 'latin1'), text);
		await stub.close();
	});

	it('is not used where others may write', async () => {
		const stub = await start();
		const cache = fresh();
		fs.mkdirSync(cache);
		fs.chmodSync(cache, 0o777);
		const r = await ask(stub.url, [`cache=${cache}`]);
		assert.equal(r.known, true);
		assert.equal(r.cache_why, `${cache}: not owned by this user, or writable by others`);
		assert.deepEqual(files(cache), []);
		fs.chmodSync(cache, 0o700);
		await ask(stub.url, [`cache=${cache}`]);
		fs.chmodSync(path.join(cache, files(cache)[0]), 0o666);
		const before = stub.requests.length;
		await ask(stub.url, [`cache=${cache}`]);
		assert.equal(stub.requests.length, before + 1);
		await stub.close();
	});

	it('does not matter where it cannot be made', async () => {
		const stub = await start();
		for (const cache of ['/proc/none/cache', '/dev/null', `${fresh()}/no/such/parent`]) {
			const r = await ask(stub.url, [`cache=${cache}`]);
			assert.equal(r.known, true);
			assert.ok(r.cache_why.startsWith(`${cache}: `));
		}
		await stub.close();
	});

	const hostile = {
		'is empty': () => '',
		'is cut': (text) => text.slice(0, -20),
		'has no head': (text) => text.slice(text.indexOf('\n') + 1),
		'is of another address': (text) => text.replace('/servers?vcpus_min=2', '/servers?vcpus_min=1'),
		'is of tomorrow': (text) => text.replace(/1 (\d+)/, (_all, at) => `1 ${Number(at) + 86400}`),
		'has a time that is none': (text) => text.replace(/1 \d+/, '1 1e3'),
		'is another shape': (text) => `${text.split('\n')[0]}\n{"a":1}`,
		'is nested without end': (text) => `${text.split('\n')[0]}\n${'['.repeat(100000)}`,
		'is zeroes': () => '\0'.repeat(10000),
		'is one line without end': () => 'x'.repeat(1 << 20),
		'is larger than any that rtrack writes': (text) => text + ' '.repeat(3 << 20),
	};
	for (const [what, change] of Object.entries(hostile))
		it(`asks again where a file ${what}`, () =>
			cached(async ({ stub, cache, first, again }) => {
				const [name] = files(cache).map((n) => path.join(cache, n));
				const text = fs.readFileSync(name, 'latin1');
				fs.writeFileSync(name, change(text), 'latin1');
				const r = await again();
				assert.deepEqual(prices(r), prices(first));
				assert.equal(stub.requests.length, 2);
				assert.equal(fs.readFileSync(name, 'latin1').split('\n')[1], text.split('\n')[1]);
			}));

	it('checks what a file says as it checks an answer', () =>
		cached(async ({ cache, first, again }) => {
			const [name] = files(cache).map((n) => path.join(cache, n));
			const text = fs.readFileSync(name, 'latin1');
			fs.writeFileSync(name, text.replace('"vcpus": 2,\n  "cpu_allocation": "Burstable"',
				'"vcpus": 1,\n  "cpu_allocation": "Burstable"'), 'latin1');
			const r = await again();
			assert.deepEqual(r.servers.map((s) => s.server),
				[...first.servers.map((s) => s.server).filter((s) => s !== 't9.medium'), 'g9.xlarge']);
		}));

	it('does not wait at a FIFO', () =>
		cached(async ({ cache, again, stub }) => {
			const [name] = files(cache).map((n) => path.join(cache, n));
			fs.rmSync(name);
			await new Promise((resolve) => execFile('mkfifo', [name], resolve));
			assert.equal((await again()).known, true);
			assert.equal(stub.requests.length, 2);
			assert.equal(fs.lstatSync(name).isFile(), true);
		}));

	it('keeps no address with a password', async () => {
		const stub = await start();
		const cache = fresh();
		const r = await ask(stub.url.replace('//', '//me:secret@'), [`cache=${cache}`]);
		assert.equal(r.known, true);
		assert.deepEqual(files(cache), []);
		await stub.close();
	});

	it('holds 256 answers, and leaves what is not its own', async () => {
		const stub = await start();
		const cache = fresh();
		fs.mkdirSync(cache, { mode: 0o700 });
		for (const name of ['mine.json', 'other'])
			fs.writeFileSync(path.join(cache, name), 'x');
		for (let i = 0; i < 256; i++) {
			const name = path.join(cache, `rtrack-keeper-${String(i).padStart(16, '0')}.json`);
			fs.writeFileSync(name, 'x');
			fs.utimesSync(name, 1e9 + i, 1e9 + i);
		}
		const left = path.join(cache, '.rtrack-keeper-1.2');
		fs.writeFileSync(left, 'x');
		fs.utimesSync(left, 1e9, 1e9);
		await ask(stub.url, [`cache=${cache}`]);
		const now = files(cache);
		assert.equal(now.length, 258);
		assert.ok(now.includes('mine.json') && now.includes('other'));
		assert.ok(!now.includes(`rtrack-keeper-${'0'.repeat(16)}.json`));
		assert.ok(now.includes(`rtrack-keeper-${'1'.padStart(16, '0')}.json`));
		assert.ok(!fs.existsSync(left));
		await stub.close();
	});

	it('is whole whoever writes at the same time', () =>
		cached(async ({ stub, cache, again, first }) => {
			age(file(cache, '/servers?'), 7200);
			for (const r of await Promise.all(Array.from({ length: 8 }, () => again())))
				assert.deepEqual(prices(r), prices(first));
			assert.equal(files(cache).length, 1);
			const before = stub.requests.length;
			await again();
			assert.equal(stub.requests.length, before);
		}));

	// Each write call fails once, by a preloaded library (which sanitizers do not allow). The link's
	// name has no blanks, because LD_PRELOAD is a list.
	const bad = path.join(folder, 'badio.so');
	fs.symlinkSync(path.resolve(`${build}/tests/fake/badio.so`), bad);
	const skip = /asan/.test(build);
	for (const [call, error] of [['open', 'ENOSPC'], ['write', 'ENOSPC'], ['write', 'SHORT'],
		['write', 'EINTR'], ['close', 'EDQUOT'], ['rename', 'EIO']])
		it(`keeps whole answers or none where ${call} fails (${error})`, { skip }, () =>
			cached(async ({ stub, first }) => {
				const log = path.join(folder, `${call}-${error}.log`);
				let n = 0;
				for (let failed = true; failed; n++) {
					const cache = fresh();
					const args = [`cache=${cache}`, ...present];
					const r = await ask(stub.url, args,
						{ LD_PRELOAD: bad, BADIO: `${call}:${error}:${n + 1}`, BADIO_LOG: log });
					assert.deepEqual({ ...r, retrieved_at: 0 }, { ...first, retrieved_at: 0 });
					failed = fs.statSync(log).size > 0;
					fs.rmSync(log, { force: true });
					const harmless = !failed || error === 'SHORT' || error === 'EINTR';
					assert.equal(files(cache).length, harmless ? 4 : 3);
					assert.ok(files(cache).every((name) => name.startsWith('rtrack-keeper-')));
					const before = stub.requests.length;
					const again = await ask(stub.url, args);
					assert.deepEqual({ ...again, retrieved_at: 0 }, { ...first, retrieved_at: 0 });
					assert.equal(stub.requests.length - before, harmless ? 0 : 1);
				}
				assert.ok(n > 4, `${n - 1} calls of ${call}`);
			}, present));
});

function goodServers(request, response) {
	const text = fs.readFileSync('tests/fixtures/keeper/servers.json');
	return json(text)(request, response);
}
