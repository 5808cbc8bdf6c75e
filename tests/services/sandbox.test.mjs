// What rtrack-report has given up while it runs, seen from outside; and that its processes end with it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { json, start } from './keeper_stub.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const recording = path.resolve('tests/fixtures/runs_report/now.json');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-sandbox-'));
after(() => fs.rmSync(folder, { recursive: true }));
const env = {
	...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))),
	XDG_CACHE_HOME: path.join(folder, 'cache'),
};

// The kernel's filters are not everywhere: is there one here?
const filters = (() => {
	try {
		execFileSync(`${process.env.B ?? 'build/release'}/tests/live/deny`, ['EPERM', 'fchmod', 'true']);
		return true;
	} catch {
		return false;
	}
})();

const read = (file) => {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch {
		return '';
	}
};
const status = (pid) => Object.fromEntries(
	read(`/proc/${pid}/status`).split('\n').map((line) => line.split(':\t')));
const children = (pid) => read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
const sockets = (pid) => {
	const inodes = new Set(fs.readdirSync(`/proc/${pid}/fd`)
		.map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`).match(/^socket:\[(\d+)\]$/)?.[1])
		.filter(Boolean));
	return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) => read(`/proc/net/${kind}`).split('\n').slice(1)
		.filter((line) => inodes.has(line.trim().split(/\s+/)[9])));
};
const gone = async (pid) => {
	for (let i = 0; i < 500 && fs.existsSync(`/proc/${pid}`) && !/^Z/.test(status(pid).State); i++)
		await new Promise((resolve) => setTimeout(resolve, 20));
	return !fs.existsSync(`/proc/${pid}`) || /^Z/.test(status(pid).State);
};

let n = 0;
// Starts it; `during` is called with its process id while the service is asked.
async function run(during, args = []) {
	const page = path.join(folder, `${n++}.html`);
	let child;
	const stub = await start({
		'/servers': async (request, response) => {
			await during(child.pid);
			json('[]')(request, response);
		},
	});
	child = spawn(command, ['--keeper-url', stub.url, '--keeper-cache', '', '-o', page, '-j', `${page}.json`, ...args,
		recording], { env, stdio: ['ignore', 'ignore', 'pipe'] });
	let stderr = '';
	child.stderr.on('data', (text) => (stderr += text));
	const [code, signal] = await once(child, 'close');
	await stub.close();
	return { code, signal, stderr, page: read(page), model: read(`${page}.json`) };
}

describe('what it gave up', () => {
	it('holds for both its processes, and only one is on the network', { skip: !filters }, async () => {
		let seen;
		const r = await run(async (pid) => {
			const [courier, ...others] = children(pid);
			seen = {
				others,
				us: status(pid),
				courier: status(courier),
				ours: sockets(pid).length,
				its: sockets(courier).length,
			};
		});
		assert.match(r.stderr, /^(rtrack-report: no prices: [^\n]*\n)?$/);
		assert.equal(r.code, 0);
		assert.deepEqual(seen.others, []);
		for (const one of [seen.us, seen.courier]) {
			assert.equal(one.NoNewPrivs, '1');
			assert.equal(one.Seccomp, '2');
		}
		assert.equal(seen.ours, 0);
		assert.equal(seen.its, 1);
	});

	it('holds for the one that waits to show the page not: it is to run a program', async () => {
		let seen;
		await run(async (pid) => {
			seen = children(pid).map((child) => status(child).Seccomp);
		}, ['--open']);
		assert.equal(seen.length, 2);
		assert.ok(seen.includes('0') || !filters, String(seen));
	});
});

describe('its processes', () => {
	it('may be killed: then there are no prices', async () => {
		const r = await run(async (pid) => process.kill(Number(children(pid)[0]), 'SIGKILL'));
		assert.match(r.stderr, /^rtrack-report: no prices: .*the process that sends requests has ended\n$/);
		assert.equal(r.code, 0);
		assert.match(r.page, /<\/html>\s*$/);
		assert.match(JSON.parse(r.model).prices.why, /127\.0\.0\.1:\d+: the process that sends requests has ended/);
	});

	it('end with it', async () => {
		let left;
		const r = await run(async (pid) => {
			left = children(pid);
			process.kill(pid, 'SIGKILL');
		}, ['--open']);
		assert.equal(r.signal, 'SIGKILL');
		assert.equal(left.length, 2);
		for (const pid of left)
			assert.ok(await gone(pid), pid);
	});
});
