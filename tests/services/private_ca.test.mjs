// A private authority, as companies have them: everything that rtrack-report and rtrack-fleet ask over https:// trusts it where
// a variable of the environment names it, and says which variable counted where it cannot.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

const build = path.resolve(process.env.B ?? 'build/release');
const recording = path.resolve('tests/fixtures/runs_report/now.json');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-ca-'));
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$|^AWS_|^SSL_CERT_|^CURL_CA_|^RTRACK_/i.test(name)),
);
const at = (name) => path.join(folder, name);
const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

// An authority, and a server's certificate of it, which alone is not an authority.
function certify() {
	for (const name of ['ca', 'others'])
		openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', name, '-days', '2', '-subj', `/CN=${name}`);
	openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key', '-out', 'csr', '-subj', '/CN=localhost');
	fs.writeFileSync(at('ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n');
	openssl('x509', '-req', '-in', 'csr', '-CA', 'ca', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'cert', '-days', '2', '-extfile', 'ext');
	fs.mkdirSync(at('hashed'));
	fs.copyFileSync(at('ca'), at('hashed/ca.pem'));
	openssl('rehash', 'hashed');
}

let server, url;
let seen = [];
const kept = new Map();
// An object store, a price service that has no offers, and a database that knows no query.
async function serve(q, a) {
	const pieces = [];
	for await (const piece of q) pieces.push(piece);
	const body = Buffer.concat(pieces);
	seen.push(`${q.method} ${q.url.split('?')[0]}`);
	if (q.method === 'PUT') kept.set(q.url, body);
	const there = q.method === 'PUT' ? Buffer.alloc(0) : (kept.get(q.url) ?? Buffer.from('[]'));
	a.writeHead(200, {
		etag: `"${createHash('md5').update(q.method === 'PUT' ? body : there).digest('hex')}"`,
		'content-length': there.length,
		'content-type': 'application/json',
	});
	a.end(there);
}

before(async () => {
	certify();
	server = https.createServer({ key: fs.readFileSync(at('key')), cert: fs.readFileSync(at('cert')) }, serve);
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	url = `https://localhost:${server.address().port}`;
});
after(() => {
	server.closeAllConnections();
	server.close();
	fs.rmSync(folder, { recursive: true });
});

async function runOnce(program, args, env) {
	seen = [];
	const child = spawn(path.join(build, program), args, {
		cwd: folder,
		env: {
			...clean,
			XDG_CACHE_HOME: at('cache'),
			AWS_ENDPOINT_URL: url,
			AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
			AWS_SECRET_ACCESS_KEY: 'secret',
			AWS_CONFIG_FILE: '/nonexistent/none',
			AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/none',
			...env,
		},
	});
	const said = [];
	child.stdout.resume();
	child.stderr.on('data', (piece) => said.push(piece));
	const [status] = await once(child, 'close');
	return { status, said: Buffer.concat(said).toString(), seen };
}

// On a busy machine a connection may not be there in time: then again.
async function run(program, args, env) {
	let r;
	for (let i = 0; i < 10 && (!r || / in time/.test(r.said)); i++)
		r = await runOnce(program, args, env);
	return r;
}

const asked = () => [
	['an object store', 'rtrack-report', ['--put', recording, 's3://b/k.json'], /^PUT \/b\/k\.json$/],
	['an https:// output', 'rtrack-report', ['--offline', '-o', `${url}/page.html?sig=hidden`, recording], /^PUT \/page\.html$/],
	['the price service', 'rtrack-report', ['--keeper-url', url, '--keeper-timeout', '60s', '--keeper-cache', '', '-o', at('page.html'), recording], /^GET \/\w+/],
	['a ClickHouse catalog', 'rtrack-fleet', ['add', '--catalog', `${url}/db`, recording], /^(POST|GET) \//],
];

for (const i of [0, 1, 2, 3]) {
	describe(['an object store', 'an https:// output', 'the price service', 'a ClickHouse catalog'][i], () => {
		for (const [name, value] of [['SSL_CERT_FILE', 'ca'], ['CURL_CA_BUNDLE', 'ca'], ['SSL_CERT_DIR', 'hashed']])
			it(`trusts what ${name} names`, async () => {
				const [, program, args, request] = asked()[i];
				const r = await run(program, args, { [name]: at(value) });
				assert.doesNotMatch(r.said, /certificate/);
				assert.ok(r.seen.some((one) => request.test(one)), `${r.said}${r.seen}`);
			});
		it('trusts no other, and says which variable counted', async () => {
			const [, program, args] = asked()[i];
			const none = await run(program, args, {});
			assert.match(none.said, /its certificate cannot be trusted/);
			const both = await run(program, args, { CURL_CA_BUNDLE: at('others'), SSL_CERT_FILE: at('ca') });
			assert.match(both.said, /its certificate cannot be trusted \(CURL_CA_BUNDLE names the authorities: .*\/others\)/);
			assert.deepEqual([...none.seen, ...both.seen], []);
			assert.ok(!both.said.includes('hidden'));
		});
	});
}
