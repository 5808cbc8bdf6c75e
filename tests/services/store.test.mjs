// A long test: only make test-all runs it.
// The client of object stores against a stub on loopback that misbehaves. Signatures are checked by the real server of
// tests/engines/s3.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';

const B = process.env.B ?? 'build/release';
const cli = `${B}/tests/services/store_cli`;
const secret = 'wJalrXUtnFEMI0K7MDENG0bPxRfiCYEXAMPLEKEY';
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$|^AWS_|^SSL_CERT_|^CURL_CA_/i.test(name)),
);

const error = (code, more = '') =>
	`<?xml version="1.0"?><Error><Code>${code}</Code>${more}<RequestId>tx-1</RequestId></Error>`;

// An answer: status, body, headers.
const say = (response, status, body = '', headers = {}) => {
	response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
	response.end(body);
};

// Serves each request with handle(request, response), whose request has .body, .key and .query.
async function serve(handle) {
	const requests = [];
	const server = http.createServer(async (request, response) => {
		const pieces = [];
		try {
			for await (const piece of request) pieces.push(piece);
		} catch {
			return; // it was cut
		}
		const url = new URL(request.url, 'http://x');
		request.body = Buffer.concat(pieces);
		request.key = decodeURIComponent(url.pathname.slice(3));
		request.query = url.searchParams;
		requests.push(request);
		handle(request, response, requests.length);
	});
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	return {
		requests,
		env: {
			...clean,
			AWS_ENDPOINT_URL: `http://127.0.0.1:${server.address().port}`,
			AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
			AWS_SECRET_ACCESS_KEY: secret,
			AWS_SESSION_TOKEN: 'tokentoken',
			AWS_REGION: 'here',
			AWS_CONFIG_FILE: '/nonexistent/none',
			AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/none',
		},
		close: () => {
			server.closeAllConnections();
			return new Promise((done) => server.close(done));
		},
	};
}

function start(env, args, input = '') {
	const child = spawn(cli, args, { env, detached: true });
	const out = [];
	const err = [];
	child.stdout.on('data', (piece) => out.push(piece));
	child.stderr.on('data', (piece) => err.push(piece));
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	child.ended = new Promise((done) =>
		child.on('close', (status) => {
			const said = Buffer.concat(err).toString();
			assert.ok(!said.includes(secret) && !said.includes('tokentoken'), said);
			done({ status, out: Buffer.concat(out).toString(), said });
		}),
	);
	return child;
}

async function ask(handle, args, { input, env } = {}) {
	const stub = await serve(handle);
	try {
		const result = await start({ ...stub.env, ...env }, args, input).ended;
		return { ...result, requests: stub.requests };
	} finally {
		await stub.close();
	}
}

const range = (request) => {
	const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range);
	return [Number(from), Number(to) + 1];
};

// A server that reads parts of `whole` as it should.
const part = (request, response, whole, etag = '"t1"') => {
	const [from, to] = range(request);
	const piece = whole.slice(from, to);
	if (!piece.length) return say(response, 416, error('InvalidRange'), { 'content-range': `bytes */${whole.length}` });
	say(response, 206, piece, {
		etag,
		'content-range': `bytes ${from}-${from + piece.length - 1}/${whole.length}`,
	});
};

describe('reading', () => {
	it('reads a part', async () => {
		const r = await ask((q, a) => part(q, a, 'abcdefgh'), ['read', 's3://b/k (1)+%ü', '2', '3']);
		assert.equal(r.out, 'cde');
		assert.match(r.said, /^3 of 8 t1\n1 requests/);
		assert.equal(r.requests[0].url, '/b/k%20%281%29%2B%25%C3%BC');
		assert.equal(r.requests[0].headers['x-amz-security-token'], 'tokentoken');
	});
	it('reads to the end, and after it nothing', async () => {
		assert.equal((await ask((q, a) => part(q, a, 'abc'), ['read', 's3://b/k', '1', '99'])).out, 'bc');
		assert.match((await ask((q, a) => part(q, a, 'abc'), ['read', 's3://b/k', '3', '9'])).said, /^0 of 3/);
		assert.match((await ask((q, a) => part(q, a, ''), ['read', 's3://b/k', '0', '9'])).said, /^0 of 0/);
	});
	it('reads what is long in several requests of one object', async () => {
		const whole = 'x'.repeat(9 << 20);
		const r = await ask((q, a) => part(q, a, whole), ['read', 's3://b/k', '0', '99999999']);
		assert.equal(r.out.length, whole.length);
		assert.equal(r.requests.length, 3);
		assert.equal(r.requests[0].headers['if-match'], undefined);
		assert.equal(r.requests[2].headers['if-match'], '"t1"');
	});
	for (const [what, handle, sentence] of [
		['another object in the middle', (q, a, n) => part(q, a, 'x'.repeat(5 << 20), `"t${n}"`), /it was replaced while/],
		['412', (_q, a) => say(a, 412, error('PreconditionFailed')), /it was replaced while/],
		['another part', (_q, a) => say(a, 206, 'abc', { 'content-range': 'bytes 1-3/8' }), /another part than was asked/],
		['less than the part', (_q, a) => say(a, 206, 'abc', { 'content-range': 'bytes 0-7/8' }), /another part than was asked/],
		['no Content-Range', (_q, a) => say(a, 206, 'abc'), /does not say which part/],
		['a size that is none', (_q, a) => say(a, 206, 'abc', { 'content-range': 'bytes 0-2/x' }), /does not say which part/],
		['no bucket', (_q, a) => say(a, 404, error('NoSuchBucket')), /no such bucket \(404 NoSuchBucket, request tx-1\)/],
		['404 of a proxy', (_q, a) => say(a, 404, '<html>'), /no such bucket or object \(404\)/],
		['a redirect', (_q, a) => say(a, 302, '', { location: 'http://127.0.0.1/' }), /sends us elsewhere/],
	])
		it(`says: ${what}`, async () => {
			const r = await ask(handle, ['read', 's3://b/k', '0', '9000000']);
			assert.equal(r.status, 1);
			assert.match(r.said, sentence);
			assert.match(r.said, /^store_cli: s3:\/\/b\/k: /);
		});
	it('recognises another object in the middle by its size where the server sends no ETag', async () => {
		const stub = await serve((q, a) => part(q, a, 'x'.repeat(range(q)[0] ? 150000 : 160000), ''));
		const child = spawn(`${B}/rtrack-report`, ['--get', '-', 's3://b/k'], { env: stub.env });
		const said = [];
		child.stderr.on('data', (piece) => said.push(piece));
		child.stdout.resume();
		const [status] = await once(child, 'close');
		await stub.close();
		assert.equal(Buffer.concat(said).toString(), 'rtrack-report: s3://b/k: it was replaced while it was being read\n');
		assert.equal(status, 1);
	});
	it('takes a small whole object from its beginning, and no other', async () => {
		const whole = (_q, a) => say(a, 200, 'abcdef', { etag: '"t"' });
		assert.equal((await ask(whole, ['read', 's3://b/k', '0', '4'])).out, 'abcd');
		assert.match((await ask(whole, ['read', 's3://b/k', '1', '4'])).said, /does not read parts/);
	});
	it('says that there is none', async () => {
		const r = await ask((_q, a) => say(a, 404, error('NoSuchKey')), ['read', 's3://b/k', '0', '4']);
		assert.match(r.said, /^absent 0 of 0/);
		assert.equal(r.status, 0);
	});
	it('tries again when a connection breaks in the middle', async () => {
		const r = await ask(
			(q, a, n) => {
				if (n > 2) return part(q, a, 'abcdef');
				a.writeHead(206, { 'content-length': 6, 'content-range': 'bytes 0-5/6' });
				a.write('ab');
				setTimeout(() => a.destroy(), 20);
			},
			['read', 's3://b/k', '0', '6'],
		);
		assert.equal(r.out, 'abcdef');
		assert.match(r.said, /3 requests/);
	});
	it('takes 403 for an object that the list does not have as there being none', async () => {
		const list = (...keys) => `<ListBucketResult><IsTruncated>false</IsTruncated>${keys
			.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}</ListBucketResult>`;
		const read = (answer, status = 200) =>
			ask(
				(q, a) => (q.query.get('prefix') ? say(a, status, answer) : say(a, 403, error('AccessDenied'))),
				['read', 's3://b/k', '0', '6'],
			);
		for (const keys of [[], ['k.partial/0000000000000000'], ['k1', 'k2']]) {
			const r = await read(list(...keys));
			assert.equal(r.status, 0);
			assert.match(r.said, /^absent 0 of/);
			assert.deepEqual(r.requests.map((q) => q.query.get('prefix')), [null, 'k']);
		}
		for (const r of [await read(list('k')), await read(list('k', 'k1')), await read(error('AccessDenied'), 403)]) {
			assert.equal(r.status, 1);
			assert.match(r.said, /cannot be read: the keys lack the permission s3:GetObject, or are wrong \(403 AccessDenied/);
		}
	});
	it('asks again when another part came', async () => {
		const cut = (q, a, n) => (n <= 3
			? say(a, 206, 'abc', { 'content-range': 'bytes 0-5/6' })
			: part(q, a, 'abcdef'));
		const r = await ask(cut, ['read', 's3://b/k', '0', '6']);
		assert.equal(r.out, 'abcdef');
		assert.equal(r.requests.length, 4);
		const never = await ask((q, a) => cut(q, a, 1), ['read', 's3://b/k', '0', '6']);
		assert.match(never.said, /another part than was asked for/);
		assert.equal(never.requests.length, 4);
	});
	it('takes no page of a network for an object', async () => {
		const r = await ask((_q, a) => say(a, 200, '<html>sign in</html>'), ['read', 's3://b/k', '0', '9']);
		assert.match(r.said, /: the answer is not an object: it has no ETag/);
	});
	it('ends at its time limit', async () => {
		const r = await ask(() => {}, ['1', 'read', 's3://b/k', '0', '6']);
		assert.match(r.said, /not done within the time limit of 1 s/);
	});
});

describe('a server with a certificate of a private authority', () => {
	it('is trusted where AWS_CA_BUNDLE names it, and only there', async (t) => {
		const folder = mkdtempSync(path.join(tmpdir(), 'store-'));
		t.after(() => rmSync(folder, { recursive: true }));
		const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, name));
		try {
			execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert,
				'-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
			{ stdio: 'ignore' });
		} catch {
			t.skip('no openssl');
			return;
		}
		const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (q, a) => part(q, a, 'abc'));
		await new Promise((done) => server.listen(0, '127.0.0.1', done));
		const read = (env) =>
			ask(() => {}, ['read', 's3://b/k', '0', '3'], {
				env: { AWS_ENDPOINT_URL: `https://localhost:${server.address().port}`, ...env },
			});
		assert.match((await read({})).said, /its certificate cannot be trusted/);
		assert.equal((await read({ AWS_CA_BUNDLE: cert })).out, 'abc');
		assert.match((await read({ AWS_CA_BUNDLE: key + 's' })).said, /: AWS_CA_BUNDLE: .*keys: No such file or directory/);
		const config = path.join(folder, 'config');
		writeFileSync(config, `[default]\nca_bundle = ${cert}\n`);
		assert.equal((await read({ AWS_CONFIG_FILE: config })).out, 'abc');
		server.closeAllConnections();
		server.close();
	});
});

describe('what the server refuses', () => {
	it('shows no secret that the server repeats', async () => {
		const body = error(
			'SignatureDoesNotMatch',
			`<Message>of AKIAEXAMPLE</Message><AWSAccessKeyId>AKIAEXAMPLE</AWSAccessKeyId><StringToSign>${secret}</StringToSign>`,
		);
		const r = await ask((_q, a) => say(a, 403, body), ['list', 's3://b/']);
		assert.match(r.said, /s3:\/\/b\/: cannot be listed: the secret key is wrong \(403 SignatureDoesNotMatch, request tx-1\)/);
		const odd = error('Odd', `<Message>${secret} tokentoken AKIAEXAMPLE \u0007 it is</Message>`);
		const o = await ask((_q, a) => say(a, 400, odd.replace('\u0007', '')), ['list', 's3://b/']);
		assert.match(o.said, /: … … … {2}it is \(400 Odd/);
	});
	it('says how far the clock is off', async () => {
		const date = new Date(Date.now() + 3600e3).toUTCString();
		const r = await ask((_q, a) => say(a, 403, error('RequestTimeTooSkewed'), { date }), ['list', 's3://b/']);
		assert.match(r.said, /this machine's clock is 60 minutes behind the server's/);
	});
	it('goes to the region that the server names, once, and remembers it', async () => {
		const r = await ask(
			(q, a) =>
				q.headers.authorization.includes('/there/s3/')
					? part(q, a, 'abc')
					: say(a, 400, error('AuthorizationHeaderMalformed', '<Region>there</Region>')),
			['heads', '3', 's3://b/1', 's3://b/2'],
		);
		assert.match(r.out, /s3:\/\/b\/1: 3 of 3 t1 abc/);
		assert.match(r.out, /s3:\/\/b\/2: 3 of 3 t1 abc/);
		const never = await ask(
			(_q, a, n) => say(a, 301, error('PermanentRedirect'), { 'x-amz-bucket-region': `r${n}` }),
			['read', 's3://b/1', '0', '3'],
		);
		assert.match(never.said, /in another region: set AWS_REGION \(301 PermanentRedirect/);
		assert.equal(never.requests.length, 2);
	});
	it('stays with an endpoint, whatever region the server names', async () => {
		for (const [region, requests] of [['evil.example/x#', 1], ['a b', 1], ['\u001b[1m', 1], ['evil.example', 2]]) {
			const r = await ask(
				(_q, a) => say(a, 301, error('PermanentRedirect', `<Region>${region}</Region>`), { location: 'http://127.0.0.1:1/' }),
				['read', 's3://b/1', '0', '3'],
			);
			assert.match(r.said, /in another region: set AWS_REGION \(301 PermanentRedirect/);
			assert.equal(r.requests.length, requests, region);
		}
	});
	it('takes new keys when they have expired, once', async () => {
		let given = 0;
		const keys = await serve((_q, a) =>
			say(
				a,
				200,
				JSON.stringify({
					AccessKeyId: `KEY${++given}`,
					SecretAccessKey: secret,
					Token: `tokentoken${given}`,
					Expiration: new Date(Date.now() + 3600e3).toISOString(),
				}),
				{ 'content-type': 'application/json' },
			),
		);
		const env = {
			AWS_ACCESS_KEY_ID: '',
			AWS_SECRET_ACCESS_KEY: '',
			AWS_SESSION_TOKEN: '',
			AWS_CONTAINER_CREDENTIALS_FULL_URI: keys.env.AWS_ENDPOINT_URL + '/c',
		};
		const r = await ask(
			(q, a) =>
				q.headers.authorization.includes('KEY1/')
					? say(a, 400, error('ExpiredToken'))
					: part(q, a, 'abc'),
			['heads', '3', 's3://b/1', 's3://b/2', 's3://b/3'],
			{ env },
		);
		assert.equal(r.out.match(/3 of 3 t1 abc/g)?.length, 3, r.out + r.said);
		assert.equal(given, 2);
		given = 0;
		const never = await ask((_q, a) => say(a, 400, error('ExpiredToken')), ['list', 's3://b/'], { env });
		assert.match(never.said, /the session token has expired/);
		assert.equal(never.requests.length, 2);
		await keys.close();
	});
	it('does not ask again with keys of the environment that have expired', async () => {
		const r = await ask((_q, a) => say(a, 400, error('ExpiredToken')), ['list', 's3://b/']);
		assert.equal(r.requests.length, 1);
	});
});

describe('beginnings of many', () => {
	it('takes one request for each, 32 at a time', async () => {
		let now = 0;
		let most = 0;
		const r = await ask(
			(q, a) => {
				most = Math.max(most, ++now);
				setTimeout(() => {
					now--;
					part(q, a, `this is ${q.key}`.padEnd(70000, '.'));
				}, Math.random() * 20);
			},
			['heads', '65536', '-'],
			{ input: Array.from({ length: 1000 }, (_, i) => `s3://b/${i}\n`).join('') },
		);
		assert.equal(r.requests.length, 1000);
		assert.ok(most <= 32 && most > 8, `${most}`);
		const lines = r.out.trim().split('\n').sort();
		assert.equal(lines.length, 1000);
		assert.ok(lines.includes('s3://b/77: 65536 of 70000 t1 this is 77..........'));
	});
	it('says each failure by itself', async () => {
		const r = await ask(
			(q, a) => (q.key === '2' ? say(a, 403, error('AccessDenied')) : part(q, a, 'abc')),
			['heads', '9', 's3://b/1', 's3://b/2', 's3://b/3', 'file', 's3://b/4'],
		);
		assert.equal(r.status, 0);
		assert.equal(r.out.match(/3 of 3 t1 abc/g).length, 3);
		assert.match(r.out, /^s3:\/\/b\/2: cannot be read: the keys lack the permission s3:GetObject/m);
		assert.match(r.out, /^file: /m);
	});
});

const object = (key) =>
	`<Contents><Key>${encodeURIComponent(key)}</Key><Size>1</Size><ETag>&quot;e&quot;</ETag></Contents>`;
const list = (keys, further) =>
	`<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${further}</IsTruncated>${keys.map(object).join('')}</ListBucketResult>`;

describe('listing', () => {
	it('takes a request for each 1,000', async () => {
		const keys = Array.from({ length: 2500 }, (_, i) => `a/${String(i).padStart(5, '0')} &+`);
		const r = await ask(
			(q, a) => {
				const rest = keys.filter((key) => key > (q.query.get('start-after') ?? ''));
				say(a, 200, list(rest.slice(0, 1000), rest.length > 1000));
			},
			['list', 's3://b/a/'],
		);
		assert.equal(r.requests.length, 3);
		assert.equal(r.requests[0].url, '/b?encoding-type=url&list-type=2&max-keys=1000&prefix=a%2F');
		assert.deepEqual(
			r.out.trim().split('\n').map((line) => line.replace(/^1 nan e s3:\/\/b\//, '')),
			keys,
		);
	});
	for (const [what, body, sentence] of [
		['the same page again', list(['a/1', 'a/2'], true), /not in the order of its keys/],
		['a page of nothing', list([], true), /a page without objects before its end/],
		['other keys', list(['b'], false), /a key that was not asked for/],
		['no list', '<html></html>', /not a list of objects/],
		[
			'more than was asked for',
			list(Array.from({ length: 1001 }, (_, i) => `a/${1000 + i}`), false),
			/more than 1000 keys on a page/,
		],
		['half a list', list(['a/1'], false).slice(0, -9), /not valid XML/],
		['an entity', '<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult>&a;</ListBucketResult>', /./],
	])
		it(`ends with a sentence: ${what}`, async () => {
			const r = await ask((_q, a) => say(a, 200, body), ['list', 's3://b/a/']);
			assert.equal(r.status, 1);
			assert.match(r.said, sentence);
			assert.ok(r.requests.length <= 2);
		});
});

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const md5 = (bytes, as = 'hex') => createHash('md5').update(bytes).digest(as);

// A server that takes what is PUT, and says at HEAD what it has; other(request, response, number) may answer first.
const keeps = (other = () => false) => {
	let kept;
	return (q, a, n) => {
		if (other(q, a, n)) return;
		if (q.method === 'HEAD') {
			if (!kept) return say(a, 404);
			a.writeHead(200, { etag: `"${md5(kept)}"`, 'content-length': kept.length });
			return a.end();
		}
		kept = q.body;
		say(a, 200, '', { etag: `"${md5(kept)}"` });
	};
};

describe('writing', () => {
	it('sends the digest, the length and the type', async () => {
		const r = await ask(keeps(), ['put', 's3://b/a.json.gz'], { input: 'hello' });
		const [q] = r.requests;
		assert.equal(r.status, 0, r.said);
		assert.deepEqual(r.requests.map((one) => one.method), ['PUT', 'HEAD']);
		assert.equal(q.headers['x-amz-content-sha256'], sha256('hello'));
		assert.equal(q.headers['content-length'], '5');
		assert.equal(q.headers['content-type'], 'application/gzip');
		assert.equal(q.headers['transfer-encoding'], undefined);
		assert.equal(q.headers.expect, undefined);
		assert.equal(q.headers['if-none-match'], undefined);
	});
	it('sends all of it again after SlowDown', async () => {
		const r = await ask(
			keeps((_q, a, n) => n < 3 && (say(a, n === 1 ? 503 : 400, error('SlowDown')), true)),
			['put', 's3://b/a'],
			{ input: 'hello' },
		);
		assert.equal(r.status, 0);
		assert.deepEqual(r.requests.map((q) => q.body.toString()), ['hello', 'hello', 'hello', '']);
	});
	it('writes nothing that is dropped', async () => {
		assert.equal((await ask(() => {}, ['drop', 's3://b/a'], { input: 'hello' })).requests.length, 0);
	});
	it('says why it is refused', async () => {
		const r = await ask((_q, a) => say(a, 403, error('QuotaExceeded')), ['put', 's3://b/a'], { input: 'x' });
		assert.match(r.said, /s3:\/\/b\/a: cannot be written: the quota is used up \(403 QuotaExceeded/);
		assert.match((await ask(() => {}, ['put', 's3://b/'])).said, /this address has no key/);
	});
	it('needs no keys for other addresses, and does not show their query', async () => {
		const r = await ask(() => {}, ['2', 'put', 'https://127.0.0.1:1/x?sig=hidden'], {
			input: 'x',
			env: { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_REGION: '/' },
		});
		assert.match(r.said, /^store_cli: https:\/\/127\.0\.0\.1:1\/x: /);
		assert.ok(!r.said.includes('hidden'));
	});
});

describe('a server that answers, and stores nothing', () => {
	const etag = `"${md5('hello')}"`;
	const head = (status, headers) => keeps((q, a) => {
		if (q.method !== 'HEAD') return false;
		a.writeHead(status, headers);
		a.end();
		return true;
	});
	const no_tag = /^store_cli: s3:\/\/b\/a: not known to be stored: the answer \(200\) has no ETag, as no object store's\n/;
	for (const [what, handle, sentence] of [
		['a login page', (_q, a) => say(a, 200, '<html>sign in</html>'), no_tag],
		['nothing', (_q, a) => say(a, 200), no_tag],
		['an error after 200', (_q, a) => say(a, 200, error('InternalError'), { etag }), /: cannot be written: an error inside the server \(200 InternalError/],
		['a page with an ETag', (_q, a) => say(a, 200, '<html>It works!</html>', { etag: '"612"' }), /: the server has 22 bytes there, and 5 were sent\n/],
		['a redirect to a login page', (_q, a) => say(a, 302, '', { location: 'https://login.example/' }), /: cannot be written: the server sends us elsewhere/],
		['another one for good', (_q, a) => say(a, 301, '', { location: 'https://login.example/' }), /: cannot be written: /],
		['404 to HEAD', head(404), /: not known to be stored: the server answered 200, and does not have it then \(404 to HEAD\)\n/],
		['another size', head(200, { etag, 'content-length': 4 }), /: the server has 4 bytes there, and 5 were sent\n/],
		['another ETag', head(200, { etag: '"e"', 'content-length': 5 }), /: the server has another object there \(another ETag\)\n/],
	])
		it(`is not believed: ${what}`, async () => {
			const r = await ask(handle, ['put', 's3://b/a'], { input: 'hello' });
			assert.match(r.said, sentence);
			assert.equal(r.status, 1);
		});
	it('a recording stays on disk, and a sentence says why', async (t) => {
		const folder = mkdtempSync(path.join(tmpdir(), 'store-'));
		t.after(() => rmSync(folder, { recursive: true }));
		const portal = await serve((_q, a) => say(a, 200, '<html>sign in</html>'));
		const child = spawn(path.resolve(`${B}/rtrack-collect`),
			['-q', '-i', '0.1', '--no-discover-cloud', '--upload-every', '1', '-o', 's3://b/run.json.gz', '--', 'sleep', '1.2'],
			{ env: portal.env, cwd: folder });
		const said = [];
		child.stderr.on('data', (piece) => said.push(piece));
		const [status] = await once(child, 'close');
		await portal.close();
		const text = Buffer.concat(said).toString();
		assert.equal(status, 0, text);
		assert.match(text, /not known to be stored: the answer \(200\) has no ETag/);
		assert.match(text, /stays on disk.*\n?.*rtrack-report --put run\.json\.gz s3:\/\/b\/run\.json\.gz/);
		assert.ok(readFileSync(path.join(folder, 'run.json.gz')).length > 100);
		assert.equal(portal.requests.filter((q) => q.method === 'DELETE').length, 0);
	});
	const denied = (headers) => (q, a) => (q.method === 'HEAD' ? say(a, 403) : say(a, 200, '', headers));
	it('with keys that may only write, its digest shows that it was received', async () => {
		for (const headers of [
			{ etag },
			{ etag: '"of-kms"', 'x-amz-checksum-crc64nvme': 'M3eFcAZSQlc=' },
			{ etag: '"e"', 'x-goog-hash': ['crc32c=mnG7TA==', `md5=${md5('hello', 'base64')}`] },
		]) {
			const r = await ask(denied(headers), ['put', 's3://b/a'], { input: 'hello' });
			assert.equal(r.status, 0, r.said);
		}
	});
	it('and without one it is not known', async () => {
		for (const headers of [{ etag: '"of-kms"' }, { etag: '"e"', 'x-amz-checksum-crc64nvme': 'M3eFcAZSQlA=' }]) {
			const r = await ask(denied(headers), ['put', 's3://b/a'], { input: 'hello' });
			assert.match(r.said, /not known to be stored: the server answered 200 without a checksum of the file, and the keys may not ask for its size: they need s3:GetObject \(403 to HEAD\)\n/);
		}
	});
});

describe('writing to a signed https:// address', () => {
	let folder, key, cert;
	before(() => {
		folder = mkdtempSync(path.join(tmpdir(), 'store-'));
		[key, cert] = ['key', 'cert'].map((name) => path.join(folder, name));
		execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert,
			'-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
		{ stdio: 'ignore' });
	});
	after(() => rmSync(folder, { recursive: true }));
	// What it says, and the methods that were asked for.
	async function put(handle, input = 'hello') {
		const methods = [];
		const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (q, a) => {
			methods.push(q.method);
			for await (const _ of q);
			handle(q, a);
		});
		await new Promise((done) => server.listen(0, '127.0.0.1', done));
		const r = await start({ ...clean, SSL_CERT_FILE: cert },
			['put', `https://localhost:${server.address().port}/a.gz?X-Amz-Signature=hidden`], input).ended;
		server.closeAllConnections();
		server.close();
		assert.ok(!r.said.includes('hidden'), r.said);
		return { ...r, methods };
	}
	const only_put = (status, headers) => (q, a) => (q.method === 'PUT' ? say(a, status, '', headers) : say(a, 403, error('SignatureDoesNotMatch')));
	for (const [what, status, headers] of [
		['the ETag of S3', 200, { etag: `"${md5('hello')}"` }],
		['the Content-MD5 of Azure', 201, { etag: '"0x8D"', 'content-md5': md5('hello', 'base64') }],
		['the x-goog-hash of Google', 200, { 'x-goog-hash': `crc32c=mnG7TA==,md5=${md5('hello', 'base64')}` }],
		['the checksum of S3 with keys of KMS', 200, { etag: '"a"', 'x-amz-checksum-crc64nvme': 'M3eFcAZSQlc=' }],
	])
		it(`knows from ${what} that it is stored`, async () => {
			const r = await put(only_put(status, headers));
			assert.equal(r.status, 0, r.said);
			assert.deepEqual(r.methods, ['PUT']);
		});
	it('asks for the size where the answer has no digest', async () => {
		const r = await put((q, a) => {
			a.writeHead(q.method === 'PUT' ? 201 : 200, q.method === 'PUT' ? {} : { 'content-length': 5 });
			a.end();
		});
		assert.equal(r.status, 0, r.said);
		assert.deepEqual(r.methods, ['PUT', 'HEAD']);
	});
	it('says that it is not known where there is neither', async () => {
		const r = await put(only_put(200, { etag: '"a"' }));
		assert.equal(r.status, 1);
		assert.match(r.said, /^store_cli: https:\/\/localhost:\d+\/a\.gz: not known to be stored: the server answered 200 without a checksum of the file, and does not let us ask for its size \(403 to HEAD\)\n/);
		assert.match((await put((_q, a) => say(a, 200, '<html>It works!</html>'))).said, /the server has 22 bytes there, and 5 were sent\n/);
	});
});

describe('writing only what is new', () => {
	const put = (handle, input = 'hello') => ask(handle, ['put-new', 's3://b/a'], { input });
	it('writes it', async () => {
		const r = await put(keeps());
		assert.equal(r.status, 0, r.said);
		assert.equal(r.requests[0].headers['if-none-match'], '*');
		assert.equal(r.out, '');
	});
	it('says that there is one', async () => {
		const r = await put((q, a) =>
			q.method === 'GET' ? part(q, a, 'other') : say(a, 412, error('PreconditionFailed')),
		);
		assert.equal(r.out, 'exists\n');
		assert.deepEqual(r.requests.map((q) => q.method), ['PUT', 'GET']);
		const blind = await put((q, a) =>
			q.method === 'GET' ? say(a, 403, error('AccessDenied')) : say(a, 412, error('PreconditionFailed')),
		);
		assert.equal(blind.out, 'exists\n');
	});
	it('tries again while another one writes', async () => {
		const r = await put(keeps((_q, a, n) => n < 3 && (say(a, 409, error('ConditionalRequestConflict')), true)));
		assert.equal(r.status, 0);
		assert.equal(r.requests.length, 4);
	});
	it('looks first where the server does not know the condition', async () => {
		const stupid = (absent) => keeps((q, a) => {
			if (q.method === 'GET') return absent ? (say(a, 404, error('NoSuchKey')), true) : (part(q, a, 'other'), true);
			return q.headers['if-none-match'] && (say(a, 501, error('NotImplemented')), true);
		});
		const there = await put(stupid(false));
		assert.equal(there.out, 'exists\n');
		assert.deepEqual(there.requests.map((q) => q.method), ['PUT', 'GET']);
		const none = await put(stupid(true));
		assert.equal(none.status, 0);
		assert.deepEqual(none.requests.map((q) => q.method), ['PUT', 'GET', 'PUT', 'HEAD']);
	});
	it('knows its own object when an answer was lost', async () => {
		const lost = (there) => (q, a, n) => {
			if (q.method === 'GET') return part(q, a, there);
			if (n === 1) return a.destroy();
			say(a, 412, error('PreconditionFailed'));
		};
		const own = await put(lost('hello'));
		assert.equal(own.out, '');
		assert.equal(own.status, 0);
		assert.equal((await put(lost('jello'))).out, 'exists\n');
		assert.equal((await put(lost('hello!'))).out, 'exists\n');
	});
});

describe('writing in parts', () => {
	const big = Buffer.alloc((64 << 20) + 5, 'abcdefg');
	// The protocol of an upload in parts; other(request, response) may answer first.
	const upload = (other = () => false) => (q, a, n) => {
		if (other(q, a, n)) return;
		if (q.method === 'DELETE') say(a, 204);
		else if (q.query.has('uploads'))
			say(a, 200, '<InitiateMultipartUploadResult><UploadId>2~i/d</UploadId></InitiateMultipartUploadResult>');
		else if (q.method === 'PUT') say(a, 200, '', { etag: `"e${q.query.get('partNumber')}"` });
		else if (q.method === 'HEAD') {
			a.writeHead(200, { etag: '"x-9"', 'content-length': big.length });
			a.end();
		} else say(a, 200, '<CompleteMultipartUploadResult><ETag>"x-9"</ETag></CompleteMultipartUploadResult>');
	};
	const put = (other) => ask(upload(other), ['put', 's3://b/a.gz'], { input: big });
	const ids = (r, method) => r.requests.filter((q) => q.method === method).map((q) => q.query.get('uploadId'));

	it('sends parts of 8 MiB with their digests, and completes them', async () => {
		const r = await put();
		assert.equal(r.status, 0, r.said);
		assert.equal(r.requests[0].headers['content-type'], 'application/gzip');
		const parts = r.requests.filter((q) => q.method === 'PUT');
		assert.equal(parts.length, 9);
		assert.ok(Buffer.concat(parts.map((q) => q.body)).equals(big));
		for (const q of parts) assert.equal(q.headers['x-amz-content-sha256'], sha256(q.body));
		assert.equal(parts[8].url, '/b/a.gz?partNumber=9&uploadId=2~i%2Fd');
		const last = r.requests.at(-2);
		assert.equal(last.method, 'POST');
		assert.equal(r.requests.at(-1).method, 'HEAD');
		assert.match(last.body.toString(), /<Part><PartNumber>9<\/PartNumber><ETag>&quot;e9&quot;<\/ETag><\/Part><\/Comp/);
	});
	it('removes the parts when one is refused', async () => {
		const r = await put((q, a) => q.query.get('partNumber') === '3' && (say(a, 403, error('AccessDenied')), true));
		assert.equal(r.status, 1);
		assert.match(r.said, /cannot be written: the keys lack the permission s3:PutObject, or are wrong/);
		assert.deepEqual(ids(r, 'DELETE'), ['2~i/d']);
	});
	it('removes the parts when completing fails after status 200', async () => {
		const r = await put(
			(q, a) => q.method === 'POST' && q.query.has('uploadId') && (say(a, 200, error('InternalError')), true),
		);
		assert.equal(r.status, 1);
		assert.match(r.said, /an error inside the server \(200 InternalError/);
		assert.equal(r.requests.filter((q) => q.method === 'POST').length, 4);
		assert.deepEqual(ids(r, 'DELETE'), ['2~i/d']);
	});
	it('succeeds when completing failed once after status 200', async () => {
		let failed = 0;
		const r = await put(
			(q, a) => q.method === 'POST' && q.query.has('uploadId') && !failed++ && (say(a, 200, error('InternalError')), true),
		);
		assert.equal(r.status, 0, r.said);
		assert.deepEqual(ids(r, 'DELETE'), []);
	});
	it('is not believed without a proof', async () => {
		const lie = (q, a) => q.method === 'HEAD' && (a.writeHead(200, { 'content-length': 7 }), a.end(), true);
		assert.match((await put(lie)).said, /the server has 7 bytes there, and 67108869 were sent/);
	});
	it('needs no ETag in the last answer: radosgw leaves it empty', async () => {
		const r = await put((q, a) => q.method === 'POST' && q.query.has('uploadId') &&
			(say(a, 200, '<CompleteMultipartUploadResult><ETag></ETag></CompleteMultipartUploadResult>'), true));
		assert.equal(r.status, 0, r.said);
		assert.equal(r.requests.at(-1).method, 'HEAD');
	});
	it('is proved by the ETags of its parts where the keys may only write', async () => {
		const sums = Array.from({ length: 9 }, (_, i) => createHash('md5').update(big.subarray(i << 23, (i + 1) << 23)).digest());
		const write_only = (etag, part = (i) => sums[i].toString('hex')) => put((q, a) => {
			if (q.method === 'HEAD') say(a, 403);
			else if (q.method === 'PUT') say(a, 200, '', { etag: `"${part(q.query.get('partNumber') - 1)}"` });
			else if (q.method !== 'POST' || !q.query.has('uploadId')) return false;
			else say(a, 200, `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`);
			return true;
		});
		for (const etag of ['', `&quot;${md5(Buffer.concat(sums))}-9&quot;`]) {
			const r = await write_only(etag);
			assert.equal(r.status, 0, r.said);
		}
		for (const r of [await write_only('"other-9"'), await write_only('', () => 'of-kms')])
			assert.match(r.said, /may not ask for its size: they need s3:GetObject/);
	});
	it('says when they could not be removed', async () => {
		const r = await put((q, a) => q.method !== 'POST' && (say(a, 403, error('AccessDenied')), true));
		assert.match(r.said, /; the parts that were sent could not be removed/);
	});
	it('knows that it is complete when the answer was lost', async () => {
		let lost = 0;
		const r = await put((q, a) => {
			if (q.method === 'GET')
				say(a, 206, 'a', { etag: '"x-9"', 'content-range': `bytes 0-0/${big.length}` });
			else if (q.method !== 'POST' || !q.query.has('uploadId')) return false;
			else if (!lost++) a.destroy();
			else say(a, 404, error('NoSuchUpload'));
			return true;
		});
		assert.equal(r.status, 0, r.said);
		assert.deepEqual(ids(r, 'DELETE'), []);
	});
	// Ctrl-C, as a scheduler's end of a job, reaches every process.
	for (const [signal, group] of [
		['SIGKILL', false],
		['SIGTERM', true],
		['SIGINT', true],
	])
		it(`removes the parts after ${signal}${group ? ' of the group' : ''}`, async () => {
			const stub = await serve(
				upload((q) => {
					if (q.query.get('partNumber') !== '2') return false;
					process.kill(group ? -child.pid : child.pid, signal);
					return true;
				}),
			);
			const child = start(stub.env, ['put', 's3://b/a.gz'], big);
			await child.ended; // the worker has closed standard error, too
			assert.deepEqual(ids(stub, 'DELETE'), ['2~i/d']);
			assert.equal(stub.requests.at(-1).method, 'DELETE');
			await stub.close();
		});
});

describe('deleting', () => {
	const piece = 's3://b/a.partial/0000000000000042';
	it('deletes, and it is not an error if there is none', async () => {
		for (const [status, body] of [
			[204, ''],
			[404, error('NoSuchKey')],
		])
			assert.equal((await ask((_q, a) => say(a, status, body), ['delete', piece])).status, 0);
		const r = await ask((_q, a) => say(a, 403, error('AccessDenied')), ['delete', piece]);
		assert.match(r.said, /cannot be deleted: the keys lack the permission s3:DeleteObject, or are wrong/);
	});
});

describe('addresses that the command line does not name', () => {
	for (const args of [
		['read', 's3://bb/k', '0', '3'],
		['read', 's3://b.partial/0000000000000000', '0', '3'],
		['heads', '3', 's3://bb/k'],
		['list', 's3://bb/'],
		['delete', 's3://b/a'],
		['delete', 's3://b/b.partial/0000000000000000'],
	])
		it(`asks nothing: ${args.join(' ')}`, async () => {
			const r = await ask((_q, a) => say(a, 200), args);
			assert.match(r.said + r.out, /: this address is not on the command line\n/);
			assert.match(r.said, /^0 requests/m);
			assert.equal(r.requests.length, 0);
		});
});
