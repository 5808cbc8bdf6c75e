// A proxy between rtrack and a store that counts what passes and breaks it on demand.
//
//   proxy.mjs PORT [CERTIFICATE KEY]   forwards to AWS_ENDPOINT_URL, with the Host header as it was signed; with TLS
//   GET  /-/seen          what passed since it was asked last, as JSON: requests, kinds, in and out (bytes of bodies), connections,
//                         most (requests at once), faults, regions (that requests were signed for), keys (times that keys were given)
//   POST /-/rules         sets the rules: a JSON list of { kind?, path?, share?, first?, after?, fault, … }
//   POST /-/credentials   sets what GET /-/credentials answers, as a container's agent does, to one whose Authorization is "ticket";
//                         NOW+5 in it is the time in 5 s
//
// kind and path are regular expressions; the first rule that fits a request counts. share: for so many of them, 0 to 1, and no
// request more than twice; first: for the first so many alone; after: not for the first so many. Kinds: get, range, head, list,
// put, first-put (If-None-Match), delete, uploads, part, complete, abort, other. Faults:
//
//   status     answers `status` with the error `code`, without asking the store; `headers`: more headers
//   error-200  answers 200 with that error in the body
//   cut-before closes the connection before the request is read; cut-request: after `bytes` of its body
//   drop       does what is asked, and closes the connection without an answer
//   cut        closes it after half of the answer's body
//   hang       never answers; slow: answers after `ms`; drip: a byte each `ms`
//   longer, shorter   a Content-Length that is `by` (16) too large or small
//   truncate   half of the body, with the length of that half
//   no-etag, new-etag   an ETag less, another one each time
//   whole      200 and the whole object for a Range request
//   other-range  another range than that asked for
//   repeat     the first list page again, for ever
//   garbage    200 and `bytes` (4096) of noise; xml: 200 and `text`

import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { ask } from './sign.mjs';

const store = new URL(process.env.AWS_ENDPOINT_URL);
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
let rules = [], credentials = '', seen, pages = new Map(), state = 1, now = 0;
const forget = () => seen = { requests: 0, kinds: {}, in: 0, out: 0, connections: 0, most: 0, faults: 0, regions: {}, keys: 0 };
forget();

// The same faults in the same order each time.
function random() {
	state = (state + 0x6d2b79f5) | 0;
	let t = Math.imul(state ^ (state >>> 15), 1 | state);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function kindOf({ method, url, headers }) {
	const { pathname, searchParams: q } = new URL(url, store), object = /^\/[^/]+\/./.test(pathname);
	if (q.has('uploads'))
		return 'uploads';
	if (q.has('uploadId'))
		return { PUT: 'part', POST: 'complete', DELETE: 'abort' }[method] ?? 'other';
	if (!object)
		return method === 'GET' ? 'list' : 'other';
	return { GET: headers.range ? 'range' : 'get', HEAD: 'head', DELETE: 'delete',
		PUT: headers['if-none-match'] ? 'first-put' : 'put' }[method] ?? 'other';
}

function ruleFor(request, kind) {
	return rules.find(rule => {
		if (rule.kind && !new RegExp(`^(${rule.kind})$`).test(kind) || rule.path && !new RegExp(rule.path).test(request.url))
			return false;
		rule.met = (rule.met ?? 0) + 1;
		return rule.met > (rule.after ?? 0) && (rule.first === undefined || rule.met - (rule.after ?? 0) <= rule.first) &&
			(rule.share === undefined || random() < rule.share && seldom(rule, request));
	});
}

// Which requests of a share fail depends on their order, which is chance: one that failed twice is left alone, as rtrack tries
// four times.
function seldom(rule, { method, url, headers }) {
	const failed = rule.failed ??= new Map(), key = `${method} ${headers.range ?? ''} ${url}`;
	failed.set(key, (failed.get(key) ?? 0) + 1);
	return failed.get(key) <= 2;
}

const xml = (code, message = 'made by the proxy') =>
	`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message><RequestId>tx-of-proxy</RequestId></Error>`;

function body(stream) {
	return new Promise((resolve, reject) => {
		const pieces = [];
		stream.on('data', piece => pieces.push(piece)).on('end', () => resolve(Buffer.concat(pieces))).on('error', reject).resume();
	});
}

// Passes the request on; resolves to the answer, whose body has not been read.
function forward(request, sent) {
	const headers = {};
	for (let i = 0; i < request.rawHeaders.length; i += 2)
		headers[request.rawHeaders[i]] = request.rawHeaders[i + 1];
	return new Promise((resolve, reject) => {
		const up = http.request({ agent, hostname: store.hostname, port: store.port, method: request.method, path: request.url, headers }, resolve);
		up.on('error', reject);
		if (sent)
			up.end(sent);
		else
			request.on('error', reject).pipe(up);
	});
}

// An answer whose head may lie: written past node's own server, which would correct it.
function raw(socket, status, headers, bytes) {
	const lines = [`HTTP/1.1 ${status} Made`, ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`), '', ''];
	socket.write(lines.join('\r\n'));
	socket.write(bytes);
	seen.out += bytes.length;
}

const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

function answer(response, status, headers, bytes) {
	seen.out += bytes.length;
	response.writeHead(status, { ...headers, 'content-length': bytes.length });
	response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

// Faults that need no store. True: the request has been dealt with.
async function without(rule, request, response) {
	const socket = request.socket, send = (status, text, headers = {}) =>
		answer(response, status, { 'content-type': 'application/xml', 'x-amz-request-id': 'tx-of-proxy', ...headers }, Buffer.from(text));
	switch (rule.fault) {
	case 'cut-before':
		socket.destroy();
		return true;
	case 'hang':
		request.resume();
		return true;
	case 'cut-request': {
		let n = 0;
		request.on('data', piece => (n += piece.length) >= (rule.bytes ?? 1) && socket.destroy());
		request.on('end', () => socket.destroy());
		request.resume();
		return true;
	}
	case 'status': case 'error-200': case 'garbage': case 'xml':
		await body(request).catch(() => '');
		if (rule.fault === 'garbage')
			send(200, Buffer.from(Array.from({ length: rule.bytes ?? 4096 }, () => random() * 256)));
		else if (rule.fault === 'xml')
			send(200, rule.text);
		else
			send(rule.fault === 'status' ? rule.status : 200, xml(rule.code ?? 'InternalError', rule.message), rule.headers);
		return true;
	}
	return false;
}

// Faults that change the store's answer.
async function changed(rule, request, response, up) {
	const socket = request.socket, headers = { ...up.headers }, bytes = await body(up), half = bytes.subarray(0, bytes.length >> 1);
	delete headers['transfer-encoding'];
	headers['content-length'] = bytes.length;
	switch (rule.fault) {
	case 'drop':
		return socket.destroy();
	case 'cut':
		raw(socket, up.statusCode, headers, half);
		return socket.end(() => socket.destroy());
	case 'drip':
		response.writeHead(up.statusCode, headers);
		for (const byte of bytes) {
			if (!response.writable || socket.destroyed)
				return;
			response.write(Buffer.from([byte]));
			await wait(rule.ms);
		}
		return response.end();
	case 'longer': case 'shorter':
		headers['content-length'] += (rule.fault === 'longer' ? 1 : -1) * (rule.by ?? 16);
		raw(socket, up.statusCode, headers, bytes);
		return socket.end();
	case 'truncate':
		return answer(response, up.statusCode, headers, half);
	case 'no-etag':
		delete headers.etag;
		break;
	case 'new-etag':
		headers.etag = `"${(now += 1)}"`;
		break;
	case 'whole': {
		const [, bucket, key] = new URL(request.url, store).pathname.match(/^\/([^/]+)\/(.*)$/);
		const all = await ask(process.env, 'GET', bucket, decodeURIComponent(key));
		return answer(response, all.status, { etag: all.headers.etag }, all.body);
	}
	case 'other-range':
		headers['content-range'] = headers['content-range']?.replace(/(\d+)-(\d+)/, (_, a, b) => `${Number(a) + 7}-${Number(b) + 7}`);
		break;
	case 'repeat': {
		const prefix = new URL(request.url, store).searchParams.get('prefix');
		if (!pages.has(prefix))
			pages.set(prefix, Buffer.from(bytes.toString().replace('<IsTruncated>false', '<IsTruncated>true')));
		return answer(response, 200, headers, pages.get(prefix));
	}
	}
	answer(response, up.statusCode, headers, bytes);
}

async function serve(request, response) {
	const kind = kindOf(request), rule = ruleFor(request, kind);
	seen.requests++;
	seen.kinds[kind] = (seen.kinds[kind] ?? 0) + 1;
	seen.faults += rule ? 1 : 0;
	const region = request.headers.authorization?.match(/Credential=[^/]*\/\d+\/([^/]*)/)?.[1] ?? '';
	seen.regions[region] = (seen.regions[region] ?? 0) + 1;
	request.on('data', piece => seen.in += piece.length);
	request.pause();
	if (rule?.fault === 'slow')
		await wait(rule.ms);
	if (rule && await without(rule, request, response))
		return;
	const up = await forward(request);
	if (rule && rule.fault !== 'slow')
		return changed(rule, request, response, up);
	response.writeHead(up.statusCode, up.rawHeaders);
	up.on('data', piece => seen.out += piece.length).on('error', () => response.destroy()).pipe(response);
}

async function control(request, response) {
	if (request.url === '/-/credentials' && request.method === 'GET') {
		seen.keys++;
		response.statusCode = request.headers.authorization === 'ticket' ? 200 : 403;
		return response.end(response.statusCode === 200 ? String(credentials).replace(/NOW\+(\d+)/,
			(_, s) => new Date(Date.now() + 1000 * s).toISOString()) : '{}');
	}
	if (request.url === '/-/credentials')
		credentials = await body(request);
	if (request.url === '/-/rules') {
		rules = JSON.parse(await body(request));
		pages = new Map();
		state = 1;
	}
	response.end(`${JSON.stringify(seen)}\n`);
	forget();
}

let busy = 0;
const [, , port, certificate, key] = process.argv;
const tls = certificate ? { cert: readFileSync(certificate), key: readFileSync(key) } : {};
const server = (certificate ? https : http).createServer({ ...tls, keepAliveTimeout: 60000 }, (request, response) => {
	const failed = () => request.socket.destroy();
	if (request.url.startsWith('/-/'))
		return control(request, response).catch(failed);
	seen.connections += request.socket.counted ? 0 : 1;
	request.socket.counted = true;
	seen.most = Math.max(seen.most, ++busy);
	response.on('close', () => busy--);
	response.on('error', failed);
	serve(request, response).catch(failed);
});
server.on('connection', socket => socket.on('error', () => {}));
server.on('clientError', (_, socket) => socket.destroy());
server.listen(Number(port), '127.0.0.1');
