// The addresses that the Keeper client accepts, redirects, proxies, and what it sends.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { json, start as startStub } from './keeper_stub.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-address-'));
after(() => fs.rmSync(folder, { recursive: true }));
const execFileAsync = promisify(execFile);
const cli = `${process.env.B ?? 'build/release'}/tests/services/keeper_cli`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$|^SSL_CERT_|^CURL_CA_/i.test(name)),
);

// Sockets left open by a failed test would keep this process alive.
const servers = [];
after(() => {
	for (const server of servers)
		server.close();
});

const ask = (url, env = {}) => new Promise((resolve, reject) =>
	execFile(cli, [url, '2', '4096', 'cache=', 'timeout=60'], { env: { ...clean, ...env } }, (error, stdout, stderr) =>
		stderr || !stdout ? reject(new Error(`${cli}: ${stderr || error}`)) : resolve(JSON.parse(stdout))));

async function start(answers) {
	const stub = await startStub(answers);
	servers.push(stub);
	return stub;
}

// Accepts connections, and counts them.
async function listener() {
	let taken = 0;
	let first = '';
	const server = net.createServer((socket) => {
		taken++;
		socket.on('error', () => {});
		socket.once('data', (data) => {
			first ||= data.toString('latin1');
			socket.destroy();
		});
	});
	servers.push(server);
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: server.address().port,
		taken: () => taken,
		first: () => first,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

describe('an address of clear text', { concurrency: 8 }, () => {
	for (const url of [
		'http://192.0.2.1',
		'http://keeper.invalid',
		'http://127.0.0.1.keeper.invalid',
		'http://localhost.keeper.invalid',
		'http://localhost.',
		'http://127.0.0.1@192.0.2.1',
		'http://localhost:80@192.0.2.1',
		'http://127.0.0.1%40192.0.2.1',
		'http://127.0.0.1\\@192.0.2.1',
		'http://192.0.2.1#@127.0.0.1',
		'http://192.0.2.1?@127.0.0.1',
		'http://192.0.2.1/@127.0.0.1',
		'http://3221225985', // 192.0.2.1
		'http://0xc0000201',
		'http://0300.0.2.1',
		'http://192.0.513',
		'http://128.0.0.1',
		'http://0.0.0.0',
		'http://0',
		'http://[::]',
		'http://[::2]',
		'http://[::ffff:192.0.2.1]',
		'http://[fe80::1%25lo]',
		'http://10.0.0.1',
		'http://169.254.169.254',
		'http://ⓛocalhost',
		'http://127。0。0。1',
		'HTTP://192.0.2.1',
		'ftp://127.0.0.1',
		'file:///etc/passwd',
		'gopher://127.0.0.1',
		'dict://127.0.0.1',
		'ws://127.0.0.1',
		'//192.0.2.1',
		'192.0.2.1',
		'localhost',
		'http:',
		'http://',
		' http://127.0.0.1',
		'http://127.0.0.1\r\nhost: x',
	])
		it(`is not asked: ${JSON.stringify(url)}`, async () => {
			const r = await ask(url);
			assert.equal(r.known, false);
			assert.match(r.why, /only https:\/\/ is allowed|this is not a complete URL/);
		});

	it('is asked on this machine, however it is spelled; never another', async () => {
		const stub = await start();
		const { port } = new URL(stub.url);
		for (const [host, known] of [
			['127.0.0.1', true],
			['LOCALHOST', true],
			['localhost', true],
			['127.1', null], // an older libcurl does not know it for the same
			['2130706433', null],
			['0x7f000001', null],
			['0177.0.0.1', null],
			['127.0.0.1.', null],
		]) {
			const r = await ask(`http://${host}:${port}`);
			if (known === null)
				assert.ok(r.known || /only https:/.test(r.why), `${host}: ${r.why}`);
			else
				assert.equal(r.known, known, `${host}: ${r.why}`);
		}
		await stub.close();
	});
});

describe('a redirect', { concurrency: 8 }, () => {
	for (const status of [301, 302, 303, 307, 308])
		for (const where of ['another port', 'itself', 'a name'])
			it(`${status} to ${where} is not followed, and gets no password`, async () => {
				const other = await listener();
				const stub = await start({
					'/servers': (request, response) => json('', status, {
						location: {
							'another port': `http://127.0.0.1:${other.port}/servers`,
							itself: `http://${request.headers.host}/elsewhere`,
							'a name': `http://localhost:${other.port}/servers`,
						}[where],
						refresh: `0; url=http://127.0.0.1:${other.port}/`,
					})(request, response),
				});
				const r = await ask(stub.url.replace('http://', 'http://me:secret@'));
				assert.match(r.why, new RegExp(`redirect \\(status ${status}\\), which is not followed$`));
				assert.doesNotMatch(JSON.stringify(r), /secret/);
				assert.deepEqual(stub.requests.map((q) => q.path), ['/servers']);
				assert.equal(other.taken(), 0);
				await stub.close();
				await other.close();
			});
});

describe('what is sent', () => {
	it('has no password of ~/.netrc, no cookie, nothing of the environment', async () => {
		fs.writeFileSync(path.join(folder, '.netrc'), 'default login me password secret\n', { mode: 0o600 });
		fs.writeFileSync(path.join(folder, '.curlrc'), 'header = "X-Secret: secret"\n');
		const stub = await start({
			'/servers': json('[]', 200, { 'set-cookie': 'a=secret' }),
			'/regions': json('[]', 200, { 'set-cookie': 'a=secret' }),
		});
		await ask(stub.url, { HOME: folder, NETRC: path.join(folder, '.netrc') });
		assert.ok(stub.requests.length);
		for (const { headers, url } of stub.requests) {
			assert.doesNotMatch(JSON.stringify(headers) + url, /secret/);
			assert.deepEqual(Object.keys(headers).sort(),
				['accept', 'accept-encoding', 'host', 'user-agent', 'x-application-id']);
		}
		await stub.close();
	});

	it('has the password of the address for that address alone, and shows it nowhere', async () => {
		const stub = await start();
		const r = await ask(stub.url.replace('http://', 'http://me:secret@'));
		assert.equal(r.known, true);
		assert.equal(stub.requests[0].headers.authorization, `Basic ${btoa('me:secret')}`);
		assert.doesNotMatch(JSON.stringify(r), /secret/);
		await stub.close();
	});
});

describe('a report', () => {
	it('shows no password of an address, nor keeps one', async () => {
		const stub = await start();
		const url = stub.url.replace('http://', 'http://me:secret@');
		for (const [address, n] of [[url, 1], [`${url}0`, 2], ['http://me:secret@192.0.2.1', 3]]) {
			const page = path.join(folder, `${n}.html`);
			const said = execFileAsync(cli.replace('tests/services/keeper_cli', 'rtrack-report'),
				['--keeper-cache', path.join(folder, 'kept'), '-o', page, '-j', `${page}.json`, '--text', '-',
					'tests/fixtures/runs_report/now.json'],
				{ env: { ...clean, RTRACK_KEEPER_URL: address } });
			const { stdout, stderr } = await said;
			if (n === 1)
				assert.equal(stderr, 'rtrack-report: servers are left out for a price that no server has: aws inf.large\n');
			else
				assert.match(stderr, /^rtrack-report: no prices: [^\n]+\n$/);
			for (const text of [stdout, stderr, fs.readFileSync(page, 'utf8'), fs.readFileSync(`${page}.json`, 'utf8')])
				assert.doesNotMatch(text, /secret/);
		}
		for (const name of fs.readdirSync(path.join(folder, 'kept')))
			assert.doesNotMatch(fs.readFileSync(path.join(folder, 'kept', name), 'latin1'), /secret/);
		assert.ok(stub.requests.length);
		await stub.close();
	});
});

describe('TLS', () => {
	it('is through the proxy of the environment, which sees no more than the name', async () => {
		const proxy = await listener();
		await ask('https://keeper.invalid', { https_proxy: `http://127.0.0.1:${proxy.port}` });
		assert.match(proxy.first(), /^CONNECT keeper\.invalid:443 HTTP\/1\.1\r\n/);
		assert.doesNotMatch(proxy.first(), /servers|rtrack\r|vcpus/);
		await proxy.close();
	});

	it('is spoken with those only whose certificate the machine trusts', async (t) => {
		const key = path.join(folder, 'key.pem');
		const cert = path.join(folder, 'cert.pem');
		try {
			execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert,
				'-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
			{ stdio: 'ignore' });
		} catch {
			t.skip('no openssl');
			return;
		}
		let requests = 0, attempts = 0;
		const server = https.createServer(
			{ key: fs.readFileSync(key), cert: fs.readFileSync(cert) },
			(_request, response) => {
				requests++;
				response.end('[]');
			},
		);
		servers.push(server);
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		const said = async (host, env) => {
			let r;
			do // the product's second and a half for a handshake can be too short on a busy machine
				r = await ask(`https://${host}:${server.address().port}`, env);
			while (/in time$/.test(r.why) && attempts++ < 20);
			return r.why;
		};
		for (const host of ['127.0.0.1', 'localhost'])
			assert.match(await said(host), /:\d+: its certificate cannot be trusted$/);
		assert.match(await said('localhost', { SSL_CERT_FILE: `${cert}.no` }), /certificates to trust cannot be read/);
		assert.equal(requests, 0);
		for (const name of ['SSL_CERT_FILE', 'CURL_CA_BUNDLE']) {
			assert.doesNotMatch(await said('localhost', { [name]: cert }), /certificate/);
			assert.notEqual(requests, 0);
			requests = 0;
		}
		await new Promise((resolve) => server.close(resolve));
	});

	it('is not given up where the server speaks clear text', async () => {
		const stub = await start();
		const r = await ask(stub.url.replace('http:', 'https:'));
		assert.equal(r.known, false);
		assert.equal(stub.requests.length, 0);
		await stub.close();
	});
});
