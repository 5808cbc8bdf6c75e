// Many requests at the same time, against servers on loopback: what they see, and all that may go wrong.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';

const cli = `${process.env.B ?? 'build/release'}/tests/services/http_many_cli`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name)),
);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = mkdtempSync(path.join(os.tmpdir(), 'http_many'));
after(() => rmSync(folder, { recursive: true }));

// Sends the requests; returns their results in order, and in the order of their ends. `how` is the
// tool's third argument. It is woken when `wake` is kept.
function send(lines, { atOnce = 32, limit = 20000, env = {}, how, wake } = {}) {
	const began = performance.now();
	return new Promise((resolve, reject) => {
		const child = spawn(cli, [atOnce, limit, ...(how ? [how] : [])], { env: { ...clean, ...env } });
		let out = '';
		let err = '';
		child.stdout.on('data', (text) => (out += text));
		child.stderr.on('data', (text) => (err += text));
		child.stdin.on('error', () => undefined);
		child.on('error', reject);
		child.on('close', (code) => {
			if (code !== 0 || err) return reject(new Error(`${cli}: ${code} ${err}`));
			const ends = out.trim().split('\n').map((line) => JSON.parse(line));
			const all = ends.pop();
			const seconds = (performance.now() - began) / 1000;
			return resolve({ ...all, ends, in: [...ends].sort((a, b) => a.index - b.index), seconds });
		});
		child.stdin.write([...lines, ''].map((line) => `${line}\n`).join(''));
		wake?.then(() => child.stdin.write('wake\n'));
		child.on('close', () => child.stdin.destroy());
	});
}

// A server; `answer` gets each request with its body. Counts connections, and requests at one time.
async function serve(answer, body) {
	const seen = { requests: [], connections: 0, most: 0 };
	let now = 0;
	const server = http.createServer({ keepAliveTimeout: 60000 }, async (request, response) => {
		const pieces = [];
		seen.most = Math.max(seen.most, ++now);
		response.on('close', () => now--);
		try {
			for await (const piece of request) pieces.push(piece);
		} catch {
			return; // the client went away
		}
		seen.requests.push({
			method: request.method,
			url: request.url,
			headers: request.headers,
			raw: request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()),
			body: Buffer.concat(pieces),
			at: performance.now(),
		});
		await answer(request, response, seen.requests.length);
	});
	server.on('connection', () => seen.connections++);
	server.on('checkContinue', (request, response) => {
		response.writeContinue();
		server.emit('request', request, response);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		seen.host = `127.0.0.1:${server.address().port}`;
		return { seen, ...(await body(`http://${seen.host}`, seen)) };
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

// A server below HTTP: `speak` gets the connection and the number of the request on it, of all.
async function serveRaw(speak, body) {
	const open = new Set();
	let n = 0;
	const server = net.createServer((socket) => {
		open.add(socket);
		let text = '';
		socket.on('error', () => undefined);
		socket.on('data', (piece) => {
			text += piece.toString('latin1');
			for (let end; (end = text.indexOf('\r\n\r\n')) >= 0; ) {
				const head = text.slice(0, end);
				text = text.slice(end + 4);
				speak(socket, ++n, head);
			}
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		const host = `127.0.0.1:${server.address().port}`;
		return { host, requests: () => n, ...(await body(`http://${host}`)) };
	} finally {
		for (const socket of open) socket.destroy();
		server.close();
	}
}

const ok = (socket, text) =>
	socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);

describe('many at the same time', { concurrency: 4 }, () => {
	it('sends 100 requests, 32 at once, over 32 connections that are kept', async () => {
		let go;
		const all = new Promise((resolve) => (go = resolve));
		const r = await serve(
			async (request, response, n) => {
				if (n === 32) setTimeout(go, 100); // a 33rd would be seen
				await all;
				response.end(request.url);
			},
			(url) => send(Array.from({ length: 100 }, (_, i) => `GET ${url}/${i}`)),
		);
		assert.equal(r.sent, 100);
		assert.deepEqual(r.in.map((c) => c.body), Array.from({ length: 100 }, (_, i) => `/${i}`));
		assert.equal(r.seen.most, 32);
		assert.equal(r.seen.connections, 32);
	});

	it('begins in the order of the calls, and keeps one connection when one at once is asked', async () => {
		const r = await serve(
			(request, response) => response.end('x'),
			(url) => send(Array.from({ length: 20 }, (_, i) => `GET ${url}/${i}`), { atOnce: 1 }),
		);
		assert.deepEqual(r.seen.requests.map((q) => q.url), Array.from({ length: 20 }, (_, i) => `/${i}`));
		assert.equal(r.seen.connections, 1);
	});

	it('gives up a kept connection for one to another server', async () => {
		const answer = (request, response) => response.end(request.headers.host);
		const r = await serve(answer, (a) =>
			serve(answer, (b) =>
				send([1, 2, 3].flatMap(() => [`GET ${a}/`, `GET ${b}/`]), { atOnce: 1, limit: 5000 }),
			),
		);
		assert.deepEqual(r.in.map((c) => [c.status, c.tries]), Array(6).fill([200, 1]));
		assert.equal(new Set(r.in.map((c) => c.body)).size, 2);
	});

	it('lets others go on while one pauses', async () => {
		const r = await serve(
			(request, response) => {
				if (request.url === '/busy' && !request.socket.server.busy) {
					request.socket.server.busy = true;
					response.writeHead(503, { 'Retry-After': '1' });
				}
				response.end('x');
			},
			(url) => send([`GET ${url}/busy`, `GET ${url}/a`, `GET ${url}/b`], { atOnce: 1 }),
		);
		assert.deepEqual(r.ends.map((c) => c.index), [1, 2, 0]);
		assert.deepEqual(r.in.map((c) => c.tries), [2, 1, 1]);
	});

	it('sends again what a kept connection, closed meanwhile, did not carry', async () => {
		const r = await serveRaw(
			(socket, n) => {
				ok(socket, 'x');
				// Closed after the answer, without a word of it.
				if (n === 1) setTimeout(() => socket.destroy(), 5);
			},
			(url) => send([`GET ${url}/1`, `PUT ${url}/2 text=abc`], { atOnce: 1 }),
		);
		assert.deepEqual(r.in.map((c) => c.status), [200, 200]);
	});
});

describe('working', { concurrency: 4 }, () => {
	const never = (body) => serveRaw(() => undefined, body);

	it('ends when there is something else to do', async () => {
		let seen;
		const wake = new Promise((resolve) => (seen = resolve)).then(() => sleep(300));
		const r = await serveRaw(
			() => seen(),
			(url) => send([`GET ${url}/`], { how: 'wake', wake }),
		);
		assert.deepEqual([r.calls, r.sent], [0, 1]);
		assert.ok(r.seconds > 0.3 && r.seconds < 15, `${r.seconds}`);
	});

	it('ends after the time that it was given', async () => {
		const r = await never((url) => send([`GET ${url}/`, `GET ${url}/`], { how: '700', atOnce: 1 }));
		assert.deepEqual([r.calls, r.sent], [0, 1]);
		assert.ok(r.seconds > 0.6 && r.seconds < 15, `${r.seconds}`);
	});

	it('does what can be done now, without waiting', async () => {
		const r = await never((url) => send([`GET ${url}/`], { how: '0' }));
		assert.deepEqual([r.calls, r.sent], [0, 1]);
		assert.ok(r.seconds < 15, `${r.seconds}`);
	});

	it('goes on with what is added at the end of a call, of a failed one and of one beyond the limit', async () => {
		const r = await serve(
			(request, response) => (request.url === '/never' ? undefined : response.end(request.url)),
			(url) =>
				send(
					[
						`GET ${url}/a then=${url}/b`,
						`GET http://far.example/ then=${url}/c`,
						`GET ${url}/never then=${url}/d`,
					],
					{ limit: 1000 },
				),
		);
		assert.equal(r.calls, 6);
		const ends = (i) => r.ends.filter((c) => c.index === i).map((c) => c.body || c.why);
		assert.deepEqual(ends(0), ['/a', '/b']);
		assert.match(ends(1)[0], /only https/);
		assert.equal(ends(1)[1], '/c');
		const late = `${r.seen.host}: not done within the time limit of 1 s`;
		assert.deepEqual(ends(2), [late, late]);
		assert.ok(!r.seen.requests.some((q) => q.url === '/d'));
	});
});

describe('what the server sees', { concurrency: 4 }, () => {
	const echo = (request, response) => response.end();
	const names = (request) => [...request.raw].sort();

	it('a GET, with no header that was not asked for', async () => {
		const { seen } = await serve(echo, (url) => send([`GET ${url}/a/../b%20c?x=1&y= header=Range:~bytes=0-9`]));
		const [q] = seen.requests;
		assert.equal(`${q.method} ${q.url}`, 'GET /a/../b%20c?x=1&y=');
		assert.deepEqual(names(q), ['accept', 'host', 'range', 'user-agent']);
		assert.equal(q.headers.range, 'bytes=0-9');
		assert.match(q.headers['user-agent'], /^rtrack-report\//);
	});

	it('HEAD and DELETE without a body', async () => {
		const { seen, ...r } = await serve(
			(request, response) => {
				response.writeHead(200, { 'Content-Length': 77, ETag: '"e"' });
				response.end(request.method === 'HEAD' ? '' : 'x'.repeat(77));
			},
			(url) => send([`HEAD ${url}/h`, `DELETE ${url}/d`], { atOnce: 1 }),
		);
		assert.deepEqual(seen.requests.map((q) => q.method), ['HEAD', 'DELETE']);
		for (const q of seen.requests) assert.deepEqual(names(q), ['accept', 'host', 'user-agent']);
		assert.equal(r.in[0].len, 0);
		assert.equal(r.in[0].size, 77);
		assert.equal(r.in[0].etag, '"e"');
	});

	it('a PUT of text, of nothing, of a part of a file; a POST without a body', async () => {
		const file = path.join(folder, 'part');
		const bytes = Buffer.alloc(3 << 20, 'abcdefghijk');
		writeFileSync(file, bytes);
		const { seen, ...r } = await serve(echo, (url) =>
			send(
				[
					`PUT ${url}/t text=hello header=Content-Type:~text/plain`,
					`PUT ${url}/0`,
					`PUT ${url}/f file=${file}:5:900001`,
					`PUT ${url}/big file=${file}:5:2900001`,
					`POST ${url}/p?uploads=`,
				],
				{ atOnce: 1 },
			),
		);
		const [text, none, part, big, post] = seen.requests;
		assert.deepEqual(r.in.map((c) => c.status), [200, 200, 200, 200, 200]);
		assert.deepEqual(
			seen.requests.map((q) => `${q.method} ${q.headers['content-length']} ${q.headers['content-type']}`),
			[
				'PUT 5 text/plain',
				'PUT 0 application/octet-stream',
				'PUT 900001 application/octet-stream',
				'PUT 2900001 application/octet-stream',
				'POST 0 application/octet-stream',
			],
		);
		assert.equal(text.body.toString(), 'hello');
		assert.ok(part.body.equals(bytes.subarray(5, 900006)));
		assert.ok(big.body.equals(bytes.subarray(5, 2900006)));
		for (const q of [text, none, part, post]) {
			assert.equal(q.headers.expect, undefined);
			assert.equal(q.headers['transfer-encoding'], undefined);
		}
		assert.equal(seen.connections, 1);
	});

	it('a signature of all headers that the store checks', async () => {
		const { seen } = await serve(echo, (url) =>
			send([
				`PUT ${url}/b/k%2Bk?partNumber=1&uploadId=u text=hello sign=AKIA:hush:eu-west-3 digest=1 header=x-amz-security-token:TOK`,
			]),
		);
		const [q] = seen.requests;
		const date = q.headers['x-amz-date'];
		const digest = createHash('sha256').update('hello').digest('hex');
		assert.equal(q.headers['x-amz-content-sha256'], digest);
		assert.equal(q.headers['x-amz-security-token'], 'TOK');
		assert.match(date, /^\d{8}T\d{6}Z$/);
		const signed = 'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token';
		const scope = `${date.slice(0, 8)}/eu-west-3/s3/aws4_request`;
		const mac = (key, text) => createHmac('sha256', key).update(text).digest();
		const request = [
			'PUT',
			'/b/k%2Bk',
			'partNumber=1&uploadId=u',
			...signed.split(';').map((name) => `${name}:${q.headers[name]}`),
			'',
			signed,
			digest,
		].join('\n');
		const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${createHash('sha256').update(request).digest('hex')}`;
		const key = scope.split('/').reduce(mac, 'AWS4hush');
		assert.equal(
			q.headers.authorization,
			`AWS4-HMAC-SHA256 Credential=AKIA/${scope}, SignedHeaders=${signed}, Signature=${mac(key, text).toString('hex')}`,
		);
	});

	it('nothing of a header that holds a line of its own', async () => {
		const r = await serve(echo, (url) => send([`GET ${url}/ header=X:~a\rY:~b`]));
		assert.match(r.in[0].why, /a header has a control character$/);
		assert.equal(r.seen.requests.length, 0);
	});
});

describe('answers', { concurrency: 4 }, () => {
	it('come as they are stored, never inflated', async () => {
		const stored = '\x1f\x8b not inflated';
		const r = await serve(
			(request, response) => {
				response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/gzip' });
				response.end(Buffer.from(stored, 'latin1'));
			},
			(url) => send([`GET ${url}/`, `GET ${url}/ sink=0`]),
		);
		for (const c of r.in) {
			assert.match(c.body, / not inflated$/);
			assert.equal(c.type, 'application/gzip');
		}
		assert.equal(r.in[1].sunk, stored.length);
		assert.equal(r.in[1].len, 0);
	});

	it('keep their headers, whatever their letters', async () => {
		const r = await serveRaw(
			(socket) =>
				socket.write(
					'HTTP/1.1 206 Partial Content\r\ncontent-length: 3\r\nCONTENT-RANGE: bytes 0-2/12345678901\r\n' +
						'etag: "e"\r\nX-Amz-Request-Id: R1\r\nX-AMZ-BUCKET-REGION: eu-x\r\n' +
						`x-long: ${'x'.repeat(5000)}\r\n\r\nabc`,
				),
			(url) => send([`GET ${url}/`]),
		);
		const [c] = r.in;
		assert.deepEqual(
			[c.status, c.body, c.size, c.etag, c.request_id, c.region],
			[206, 'abc', 12345678901, '"e"', 'R1', 'eu-x'],
		);
	});

	it('of another status are answers, and their body is not a piece of the object', async () => {
		const r = await serve(
			(request, response) => {
				response.writeHead(Number(request.url.slice(1)), { Location: 'http://127.0.0.1:1/' });
				response.end('no such key');
			},
			(url) => send([301, 307, 400, 403, 404, 412, 416, 501].map((s) => `GET ${url}/${s} sink=0`)),
		);
		assert.deepEqual(r.in.map((c) => c.status), [301, 307, 400, 403, 404, 412, 416, 501]);
		for (const c of r.in) assert.deepEqual([c.body, c.sunk, c.why, c.tries], ['no such key', 0, '', 1]);
		assert.equal(r.sent, 8);
	});

	it('are bounded', async () => {
		const r = await serveRaw(
			(socket, n, head) => {
				if (head.startsWith('GET /headers')) {
					socket.write('HTTP/1.1 200 OK\r\n');
					for (let i = 0; i < 300; i++) socket.write(`X-${i}: ${'x'.repeat(1000)}\r\n`);
				} else if (head.startsWith('GET /header')) {
					socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300000)}`);
				} else ok(socket, 'x'.repeat(1001));
			},
			(url) =>
				send([
					`GET ${url}/headers`,
					`GET ${url}/header`,
					`GET ${url}/body max=1000`,
					`GET ${url}/body max=1001`,
					`GET ${url}/body sink=500`,
				]),
		);
		assert.equal(r.in[0].why, `${r.host}: the headers of the answer are too large`);
		assert.notEqual(r.in[1].why, '');
		assert.equal(r.in[2].why, `${r.host}: the answer is larger than 1000 bytes`);
		assert.equal(r.in[3].len, 1001);
		assert.equal(r.in[4].why, `${r.host}: the answer was not read to its end`);
		assert.equal(r.sent, 5);
	});
});

describe('failures', { concurrency: 8 }, () => {
	it('of a busy server pass', async () => {
		const states = [429, 500, 502, 503, 504];
		const count = {};
		const r = await serve(
			(request, response) => {
				const nth = (count[request.url] = (count[request.url] ?? 0) + 1);
				const slow = request.url === '/slow';
				if (nth <= 2) response.writeHead(slow ? 400 : states[request.url.slice(1)]);
				response.end(nth <= 2 && slow ? '<Error><Code>SlowDown</Code></Error>' : `${nth}`);
			},
			(url) => send([...states.map((_, i) => `GET ${url}/${i}`), `PUT ${url}/slow text=abc`]),
		);
		for (const c of r.in) assert.deepEqual([c.status, c.body, c.tries, c.why], [200, '3', 3, '']);
		assert.equal(r.sent, 18);
		for (const q of r.seen.requests.filter((one) => one.method === 'PUT'))
			assert.equal(q.body.toString(), 'abc');
	});

	it('of a busy server are reported after as many tries as were asked', async () => {
		const r = await serve(
			(request, response) => {
				response.writeHead(503, { 'x-amz-request-id': 'R9' });
				response.end('<Error><Code>SlowDown</Code></Error>');
			},
			(url) => send([`GET ${url}/ tries=3`, `GET ${url}/ tries=1`]),
		);
		assert.deepEqual(r.in.map((c) => [c.status, c.tries, c.why, c.request_id]), [
			[503, 3, '', 'R9'],
			[503, 1, '', 'R9'],
		]);
	});

	it('pause at random, longer each time, 6 tries at most', async () => {
		const r = await serve(
			(request, response) => response.writeHead(500).end(),
			(url) => send(Array.from({ length: 20 }, (_, i) => `GET ${url}/${i}`)),
		);
		assert.equal(r.sent, 120);
		for (const c of r.in) assert.deepEqual([c.status, c.tries], [500, 6]);
		const pauses = Array.from({ length: 5 }, () => []);
		for (let i = 0; i < 20; i++) {
			const at = r.seen.requests.filter((q) => q.url === `/${i}`).map((q) => q.at);
			for (let k = 0; k < 5; k++) pauses[k].push(at[k + 1] - at[k]);
		}
		// Half of them are below the middle of their range, give or take what a busy machine adds.
		for (const [k, all] of pauses.entries()) {
			const middle = [...all].sort((a, b) => a - b)[10];
			assert.ok(middle < 200 * 2 ** k + 500, `${all}`);
		}
		assert.ok(Math.max(...pauses[4]) > 1000, `${pauses[4]}`);
		assert.ok(new Set(pauses[4].map(Math.round)).size > 5, `${pauses[4]}`);
	});

	it('wait as long as the server asks', async () => {
		const r = await serve(
			(request, response, n) =>
				n === 1 ? response.writeHead(503, { 'Retry-After': '2' }).end() : response.end('x'),
			(url) => send([`GET ${url}/`]),
		);
		assert.deepEqual([r.in[0].status, r.in[0].tries], [200, 2]);
		assert.ok(r.seen.requests[1].at - r.seen.requests[0].at > 1950);
	});

	it('do not wait beyond the limit', async () => {
		const r = await serve(
			(request, response) => response.writeHead(503, { 'Retry-After': '60' }).end('busy'),
			(url) => send([`GET ${url}/`], { limit: 15000 }),
		);
		assert.deepEqual([r.in[0].status, r.in[0].tries, r.in[0].body], [503, 1, 'busy']);
		assert.ok(r.seconds < 10, `${r.seconds}`);
	});

	it('of the connection pass: cut before, within and after the headers, and within the body', async () => {
		const cuts = {
			'/none': '',
			'/head': 'HTTP/1.1 200 OK\r\nContent-',
			'/interim': 'HTTP/1.1 100 Continue\r\n\r\n',
			'/after': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
			'/body': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwr',
			'/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwr\r\n',
		};
		const seen = {};
		const r = await serveRaw(
			(socket, n, head) => {
				const url = head.split(' ')[1];
				if (url in seen) return ok(socket, 'right');
				seen[url] = true;
				return socket.end(cuts[url]);
			},
			(url) => send(Object.keys(cuts).map((cut) => `GET ${url}${cut}`)),
		);
		for (const c of r.in) assert.deepEqual([c.status, c.body, c.why], [200, 'right', ''], JSON.stringify(c));
		assert.equal(r.sent, 12);
	});

	it('of a server that speaks something else are reported', async () => {
		const r = await serveRaw(
			(socket, n, head) =>
				socket.end(head.startsWith('GET /ssh') ? 'SSH-2.0-x\r\n' : 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'),
			(url) => send([`GET ${url}/ssh`, `GET ${url}/length`]),
		);
		for (const c of r.in) assert.equal(c.why, `${r.host}: the answer is not HTTP`);
		assert.equal(r.sent, 2);
	});

	it('within what the sink got are reported, and not tried again', async () => {
		const r = await serveRaw(
			(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwr'),
			(url) => send([`GET ${url}/ sink=0`]),
		);
		assert.equal(r.sent, 1);
		assert.equal(r.in[0].sunk, 2);
		assert.equal(r.in[0].why, `${r.host}: the answer broke off`);
	});

	it('of a length that lies: an answer that is shorter is one that broke', async () => {
		const r = await serveRaw(
			(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort'),
			(url) => send([`GET ${url}/ tries=2`]),
		);
		assert.equal(r.sent, 2);
		assert.match(r.in[0].why, new RegExp(`^${r.host}: the answer broke off \\(2 tries\\)$`));
		assert.equal(r.in[0].status, 0);
	});

	it('of a length that lies: what is left of an answer does not fail the next one', async () => {
		let n = 0;
		const r = await serveRaw(
			(socket) => {
				const extra = n++ ? '' : 'and more';
				socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright${extra}`);
			},
			(url) => send([`GET ${url}/1`, `GET ${url}/2`], { atOnce: 1 }),
		);
		for (const c of r.in) assert.equal(c.why || c.body, 'right');
	});

	it('of a server that never answers end with the limit, each with a sentence', async () => {
		const r = await serveRaw(
			() => undefined,
			(url) => send(Array.from({ length: 5 }, (_, i) => `GET ${url}/${i}`), { atOnce: 2, limit: 700 }),
		);
		assert.equal(r.calls, 5);
		for (const c of r.in) assert.equal(c.why, `${r.host}: not done within the time limit of 0.7 s`);
		assert.ok(r.seconds < 10, `${r.seconds}`);
	});

	it('of a server that never answers end with the limit of each try, and that of the last with all', async () => {
		const r = await serveRaw(
			() => undefined,
			(url) => send([`GET ${url}/ try=300 tries=2 if-reached=1`, `GET ${url}/ try=5000`], { limit: 2000 }),
		);
		assert.equal(r.in[0].why, `${r.host}: no answer in time (2 tries)`);
		assert.match(r.in[1].why, /: (no answer in time|not done within the time limit of 2 s)$/);
		assert.ok(r.seconds < 20, `${r.seconds}`);
	});

	it('of a server that goes silent are a time-out', async () => {
		const r = await serveRaw(
			(socket, n) => {
				if (n > 1) ok(socket, 'right');
				else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\nwrong');
			},
			(url) => send([`GET ${url}/ stall=2`]),
		);
		assert.deepEqual([r.in[0].body, r.in[0].tries], ['right', 2]);
		assert.ok(r.seconds > 1.9 && r.seconds < 15, `${r.seconds}`);
	});

	it('of a server that always goes silent are two time-outs, not six', async () => {
		const r = await serveRaw(
			(socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\nhalf'),
			(url) => send([`GET ${url}/ stall=1`], { limit: 60000 }),
		);
		assert.equal(r.in[0].why, `${r.host}: no answer in time (2 tries)`);
	});

	it('that wait for a server that has gone silent fail at once, those for others do not', async () => {
		const other = await serve(
			(request, response) => response.end('right'),
			(url) =>
				serveRaw(
					(socket, n) => (n > 2 ? undefined : ok(socket, 'right')),
					(gone) =>
						send([1, 2, 3, 4, 5, 6, 7, 8].map((i) => `GET ${i === 8 ? url : gone}/${i} stall=1`), { atOnce: 2, limit: 60000 }),
				),
		);
		const failed = other.in.filter((c) => c.why);
		assert.equal(failed.length, 5);
		for (const c of failed) assert.match(c.why, /: no answer in time( \(2 tries\))?$/);
		assert.ok(failed.some((c) => c.tries < 2)); // they did not all wait
		assert.equal(other.in[7].body, 'right');
	});

	it('of a server that is slow at first are none', async () => {
		const r = await serve(
			async (request, response) => {
				await sleep(1500);
				response.end('late');
			},
			(url) => send([`GET ${url}/`]),
		);
		assert.deepEqual([r.in[0].body, r.in[0].tries], ['late', 1]);
	});

	it('of a machine that refuses are tried again, and told', async () => {
		const server = net.createServer();
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address();
		await new Promise((resolve) => server.close(resolve));
		const r = await send(['tries=3', 'tries=3 if-reached=1'].map((how) => `GET http://127.0.0.1:${port}/a?X-Amz-Signature=hush ${how}`));
		assert.equal(r.in[0].why, `127.0.0.1:${port}: no connection: Connection refused (3 tries)`);
		assert.equal(r.in[1].why, `127.0.0.1:${port}: no connection: Connection refused`);
		assert.equal(r.sent, 4);
	});

	it('of the file that is sent are reported', async () => {
		const file = path.join(folder, 'short');
		writeFileSync(file, 'abc');
		const r = await serve(
			(request, response) => response.end(),
			(url) => send([`PUT ${url}/ file=${file}:0:10`]),
		);
		assert.equal(r.in[0].why, `${r.seen.host}: the file became shorter while it was sent`);
		assert.equal(r.sent, 1);
	});
});

describe('TLS', () => {
	it('with a certificate of nobody is not spoken', async (t) => {
		const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, name));
		try {
			execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert,
				'-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
			{ stdio: 'ignore' });
		} catch {
			t.skip('no openssl');
			return;
		}
		let requests = 0;
		const server = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, () => requests++);
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address();
		const r = await send([`GET https://127.0.0.1:${port}/`, `GET https://localhost:${port}/ clear=1`]);
		assert.equal(r.in[0].why, `127.0.0.1:${port}: its certificate cannot be trusted`);
		assert.equal(r.in[1].why, `localhost:${port}: its certificate cannot be trusted`);
		assert.equal(r.sent, 2);
		assert.equal(requests, 0);
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
});

describe('clear text', { concurrency: 4 }, () => {
	it('leaves this machine only when the call allows it', async () => {
		const r = await send([
			'GET http://bucket.example/a?sig=hush',
			'GET http://127.0.0.1.example/',
			'GET ftp://127.0.0.1/',
			'GET nothing',
			'BREW http://127.0.0.1:1/',
		]);
		assert.deepEqual(r.in.map((c) => c.why), [
			'bucket.example: only https:// is allowed (http:// only on this machine)',
			'127.0.0.1.example: only https:// is allowed (http:// only on this machine)',
			'127.0.0.1: only https:// is allowed (http:// only on this machine)',
			'this is not a complete URL (https://HOST/…)',
			'127.0.0.1:1: no method BREW',
		]);
		assert.equal(r.sent, 0);
	});

	it('goes through the proxy then, but never to this machine', async () => {
		const proxied = await serve(
			(request, response) => response.end(`of ${request.url} ${request.headers.host}`),
			async (url) => {
				const env = { http_proxy: url, all_proxy: url };
				const far = await send(['GET http://bucket.example/a%20b clear=1'], { env });
				const near = await serve(
					(request, response) => response.end('near'),
					(here) => send([`GET ${here}/ clear=1`, `GET ${here}/`], { env }),
				);
				return { far, near };
			},
		);
		assert.equal(proxied.far.in[0].body, 'of http://bucket.example/a%20b bucket.example');
		assert.deepEqual(proxied.near.in.map((c) => c.body), ['near', 'near']);
		assert.equal(proxied.seen.requests.length, 1);
	});

	it('says no password of a proxy', async () => {
		const env = { http_proxy: 'http://me:hush@127.0.0.1:1' };
		const r = await send(['GET http://bucket.example/a clear=1 tries=2'], { env });
		assert.match(r.in[0].why, /^bucket\.example: no connection: .* \(2 tries\)$/);
		assert.ok(!JSON.stringify(r).includes('hush'));
	});
});
