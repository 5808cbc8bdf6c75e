// A small S3 client that shares no code with rtrack: what tests put into a store and look up in it.
//
//   client.mjs make BUCKET…               makes buckets
//   client.mjs put BUCKET KEY FILE        writes an object
//   client.mjs fill BUCKET PREFIX FOLDER  every file below the folder, 16 at once, under its path in it
//   client.mjs copies BUCKET PREFIX N FILE   writes the same object under N keys: PREFIX000000 and so on
//   client.mjs get BUCKET KEY             prints an object's bytes
//   client.mjs type BUCKET KEY            prints its content type
//   client.mjs list BUCKET [PREFIX]       prints keys, one a line; JSON texts, since a key may hold anything
//   client.mjs uploads BUCKET             prints the keys of multipart uploads that are neither complete nor aborted
//   client.mjs delete BUCKET [PREFIX]     deletes all objects whose key begins so
//   client.mjs policy BUCKET FILE|-       sets the bucket's policy, or removes it
//   client.mjs own-policy USER FILE       sets the policy of the user whose keys these are
//   client.mjs presign METHOD BUCKET KEY  prints a URL that is valid for an hour
//   client.mjs session USER SECONDS       prints keys that expire, of STS GetSessionToken, as variables for eval
//
// The server and the keys are those of the AWS_ variables.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask, presigned, query } from './sign.mjs';

const env = process.env;

async function must(...request) {
	const answer = await ask(env, ...request);
	if (answer.status >= 300)
		throw new Error(`${request[0]} ${request[1]} ${request[2] ?? ''}: ${answer.status} ${answer.body}`);
	return answer;
}

const unescape = text => text.replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (all, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name] ??
	String.fromCodePoint(name[1] === 'x' ? parseInt(name.slice(2), 16) : Number(name.slice(1))));

async function list(bucket, prefix = '') {
	const keys = [];
	for (let after = ''; ;) {
		const page = (await must('GET', bucket, '', { 'list-type': 2, prefix, 'encoding-type': 'url', ...after && { 'start-after': after } }))
			.body.toString();
		const found = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(m => decodeURIComponent(unescape(m[1]).replaceAll('+', '%20')));
		keys.push(...found);
		if (!page.includes('<IsTruncated>true'))
			return keys;
		after = found.at(-1);
	}
}

// Runs the jobs, a few at once.
async function atOnce(jobs, n = 16) {
	const rest = jobs[Symbol.iterator]();
	await Promise.all(Array.from({ length: n }, async () => {
		for (const job of rest)
			await job();
	}));
}

const files = (folder, below = '') => readdirSync(join(folder, below), { withFileTypes: true }).flatMap(entry =>
	entry.isDirectory() ? files(folder, join(below, entry.name)) : [join(below, entry.name)]);

// A call of the IAM or STS interface.
async function api(fields) {
	const { status, body } = await ask(env, 'POST', '', undefined, {}, query({ Version: '2011-06-15', ...fields }),
		{ 'content-type': 'application/x-www-form-urlencoded' });
	if (status >= 300)
		throw new Error(`${fields.Action}: ${status} ${body}`);
	return name => body.toString().match(new RegExp(`<${name}>([^<]*)`))?.[1];
}

const ownPolicy = (user, text) => api({ Action: 'PutUserPolicy', PolicyName: 'p', UserName: user, PolicyDocument: text });

// The user itself must be allowed to ask for such keys; NAME's cap "user-policy=*" lets it say so.
async function session(user, seconds) {
	const policy = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['sts:GetSessionToken', 's3:*'], Resource: ['*'] }] });
	await ownPolicy(user, policy);
	const field = await api({ Action: 'GetSessionToken', DurationSeconds: seconds });
	return `AWS_ACCESS_KEY_ID='${field('AccessKeyId')}' AWS_SECRET_ACCESS_KEY='${field('SecretAccessKey')}' ` +
		`AWS_SESSION_TOKEN='${field('SessionToken')}' EXPIRES='${field('Expiration')}'`;
}

const commands = {
	make: (...buckets) => Promise.all(buckets.map(bucket => must('PUT', bucket))),
	put: (bucket, key, file) => must('PUT', bucket, key, {}, readFileSync(file)),
	fill: (bucket, prefix, folder) => atOnce(files(folder).map(f => () => must('PUT', bucket, prefix + f, {}, readFileSync(join(folder, f))))),
	copies(bucket, prefix, n, file) {
		const data = readFileSync(file), keys = Array.from({ length: Number(n) }, (_, i) => prefix + String(i).padStart(6, '0'));
		return atOnce(keys.map(key => () => must('PUT', bucket, key, {}, data)));
	},
	get: async (bucket, key) => (await must('GET', bucket, key)).body,
	type: async (bucket, key) => (await must('HEAD', bucket, key)).headers['content-type'],
	list: async (bucket, prefix) => (await list(bucket, prefix)).map(key => JSON.stringify(key)).join('\n'),
	async uploads(bucket) {
		const page = (await must('GET', bucket, '', { uploads: '' })).body.toString();
		return [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(m => unescape(m[1])).join('\n');
	},
	delete: async (bucket, prefix) => atOnce((await list(bucket, prefix)).map(key => () => must('DELETE', bucket, key))),
	policy: (bucket, file) => file === '-' ? must('DELETE', bucket, undefined, { policy: '' })
		: must('PUT', bucket, undefined, { policy: '' }, readFileSync(file)),
	presign: async (method, bucket, key) => presigned(env, method, env.AWS_ENDPOINT_URL, bucket, key, 3600),
	'own-policy': async (user, file) => void await ownPolicy(user, readFileSync(file, 'utf8')),
	session,
};

const [name, ...args] = process.argv.slice(2);
try {
	const said = await commands[name](...args);
	if (Buffer.isBuffer(said))
		process.stdout.write(said);
	else if (typeof said === 'string' && said)
		console.log(said);
} catch (error) {
	console.error(`client.mjs ${name}: ${error.message}`);
	process.exitCode = 1;
}
