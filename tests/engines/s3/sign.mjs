// Requests signed with AWS Signature Version 4, for the tests: shares no code with rtrack or libcurl.

import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';

const sha256 = data => createHash('sha256').update(data).digest('hex');
const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
const hex = byte => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

// As S3 wants it: all bytes but these are escaped, once.
export const escape = (text, kept = '') => Array.from(Buffer.from(text), byte => {
	const c = String.fromCharCode(byte);
	return /[A-Za-z0-9._~-]/.test(c) || kept.includes(c) ? c : hex(byte);
}).join('');
export const path = (bucket, key) => `/${bucket}${key === undefined ? '' : `/${escape(key, '/')}`}`;
export const query = fields => Object.keys(fields).sort().map(k => `${escape(k)}=${escape(String(fields[k]))}`).join('&');

function scoped(env, when) {
	const time = when.toISOString().replace(/[-:]|\.\d+/g, ''), day = time.slice(0, 8);
	const scope = `${day}/${env.AWS_REGION}/s3/aws4_request`;
	const key = [env.AWS_REGION, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${env.AWS_SECRET_ACCESS_KEY}`, day));
	const sign = request => hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')).toString('hex');
	return { time, scope, sign };
}

// The headers of a signed request. env: AWS_ variables.
export function signed(env, method, host, where, fields = {}, body = '', headers = {}) {
	const { time, scope, sign } = scoped(env, new Date());
	const all = { ...headers, host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': time };
	if (env.AWS_SESSION_TOKEN)
		all['x-amz-security-token'] = env.AWS_SESSION_TOKEN;
	const names = Object.keys(all).sort();
	const request = [method, where, query(fields), ...names.map(n => `${n}:${all[n]}`), '', names.join(';'),
		all['x-amz-content-sha256']].join('\n');
	all.authorization = `AWS4-HMAC-SHA256 Credential=${env.AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names.join(';')}, ` +
		`Signature=${sign(request)}`;
	return all;
}

// A URL that anyone may use for so many seconds.
export function presigned(env, method, endpoint, bucket, key, seconds) {
	const { time, scope, sign } = scoped(env, new Date()), { host } = new URL(endpoint), where = path(bucket, key);
	const fields = {
		'X-Amz-Algorithm': 'AWS4-HMAC-SHA256', 'X-Amz-Credential': `${env.AWS_ACCESS_KEY_ID}/${scope}`,
		'X-Amz-Date': time, 'X-Amz-Expires': seconds, 'X-Amz-SignedHeaders': 'host',
	};
	const request = [method, where, query(fields), `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
	return `${endpoint}${where}?${query(fields)}&X-Amz-Signature=${sign(request)}`;
}

// Sends one and resolves to { status, headers, body }.
export function ask(env, method, bucket, key, fields = {}, body = '', headers = {}) {
	const { hostname, port, host } = new URL(env.AWS_ENDPOINT_URL), where = path(bucket, key), q = query(fields);
	return new Promise((resolve, reject) => {
		const request = http.request({
			method, hostname, port, path: q ? `${where}?${q}` : where,
			headers: { ...signed(env, method, host, where, fields, body, headers), 'content-length': Buffer.byteLength(body) },
		}, answer => {
			const pieces = [];
			answer.on('data', piece => pieces.push(piece));
			answer.on('error', reject);
			answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) }));
		});
		request.on('error', reject);
		request.end(body);
	});
}
