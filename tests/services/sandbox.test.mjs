// What rtrack-report and rtrack-fleet have given up while they run, seen from outside; and that their processes end with them.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
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

// A process that is not dumpable is root's in /proc.
const notRoot = process.getuid() !== 0 && 'only root may look at these processes';
describe('what it gave up', () => {
	it('holds for both its processes, and only one is on the network', { skip: notRoot || !filters }, async () => {
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

describe('secrets of the environment', { skip: notRoot }, () => {
	const fleet = path.resolve(`${process.env.B ?? 'build/release'}/rtrack-fleet`);
	const tree = (pid) => [pid, ...children(pid).flatMap(tree)];
	const seen = (pid) => ({ words: read(`/proc/${pid}/cmdline`).split('\0'), environment: read(`/proc/${pid}/environ`) });

	// Runs it with a password for the catalog's server, which is the stub, and for the price service.
	async function ask(args, answer) {
		const all = [], asked = [];
		let child;
		const server = http.createServer((request, response) => {
			asked.push(request.headers['x-clickhouse-key'] ?? request.headers.authorization);
			all.push(tree(child.pid).map(seen));
			answer(response);
		});
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		const at = `127.0.0.1:${server.address().port}`;
		child = spawn(fleet, args.map((word) => word.replace('STUB', `http://${at}`)), { stdio: 'ignore',
			env: { ...env, RTRACK_CATALOG_PASSWORD: 'hush-catalog', RTRACK_KEEPER_URL: `http://me:hush-prices@${at}` } });
		const [code] = await once(child, 'close');
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		return { code, asked, all };
	}

	for (const args of [['groups', '--catalog', 'STUB/db', '-o', path.join(folder, 'g.html')], ['add', '--catalog', 'STUB/db', recording],
		['job', '7', '--catalog', 'STUB/db']])
		it(`${args[0]}: only the process that asks the catalog's server has its password`, async () => {
			const r = await ask(args, (response) => response.writeHead(500).end());
			assert.equal(r.code, 1);
			assert.equal(r.asked[0], 'hush-catalog');
			for (const processes of r.all) {
				assert.ok(processes.length > 1);
				assert.equal(processes.filter(({ environment }) => environment.includes('hush-catalog')).length, 1);
				assert.ok(!processes.some(({ words }) => words.join().includes('hush')));
			}
		});

	it('job: it becomes rtrack-report, which does not have it, and none is on its command line', async () => {
		const name = path.join(folder, 'job.json'), { rtrack, ...more } = JSON.parse(read(recording));
		Object.assign(rtrack.job.labels, { scheduler: 'slurm', 'slurm.job_id': '7', 'slurm.cluster': 'hpc' });
		fs.writeFileSync(name, JSON.stringify({ ...more, rtrack }));
		const r = await ask(['job', '7', '--keeper-cache', '', '-o', path.join(folder, 'job.html'), name],
			(response) => response.end('[]'));
		assert.equal(r.code, 0);
		assert.equal(r.asked[0], `Basic ${Buffer.from('me:hush-prices').toString('base64')}`);
		const [[report]] = r.all;
		assert.match(report.words[0], /\/rtrack-report$/);
		assert.ok(report.words.includes(name));
		assert.ok(!report.words.join().includes('hush'));
		assert.ok(!report.environment.includes('hush-catalog'));
	});
});
