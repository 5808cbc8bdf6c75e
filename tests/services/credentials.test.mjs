// Credentials for stores, from stubs of STS, a container's service and the instance's metadata service: which source
// counts, refresh, and answers that no service should give. Each secret of the stubs begins with HUSH, so that no
// sentence may have it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';

const build = process.env.B ?? 'build/release';
const cli = path.resolve(`${build}/tests/services/credentials_cli`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rtrack-credentials-'));
after(() => fs.rmSync(folder, { recursive: true }));
// What a sanitizer and a coverage build need; nothing of AWS.
const clean = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/^AWS_|_proxy$|^HOME$/i.test(name)),
);

let made = 0;
function file(text) {
	const name = path.join(folder, `file${made++}`);
	fs.writeFileSync(name, text);
	return name;
}

// A HOME with these files in .aws.
function home(files = {}) {
	const dir = path.join(folder, `home${made++}`);
	fs.mkdirSync(path.join(dir, '.aws'), { recursive: true });
	for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(dir, '.aws', name), text);
	return dir;
}

// Runs the program; args: times, "refresh", "forget".
function take(env, args = []) {
	const began = Date.now();
	return new Promise((resolve, reject) => {
		execFile(cli, args.map(String), { env: { ...clean, HOME: path.join(folder, 'none'), ...env }, maxBuffer: 1 << 24 },
			(error, stdout, stderr) => {
				if (stderr || !stdout) return reject(new Error(`${cli}: ${stderr || error}`));
				const all = JSON.parse(stdout);
				for (const k of all.keys) assert.doesNotMatch(k.error ?? '', /HUSH/);
				resolve({ ...all, first: all.keys[0], ms: Date.now() - began });
			});
	});
}

// Serves the answers of a function of the request and its body. Undefined: it never answers.
let servers = [];
async function serve(answer) {
	const requests = [];
	const server = http.createServer(async (request, response) => {
		let body = '';
		for await (const piece of request) body += piece;
		const asked = { method: request.method, url: request.url, headers: request.headers, body };
		requests.push(asked);
		const a = answer(asked, requests.length);
		if (a === undefined) return;
		if (a === 'cut') return void request.socket.destroy();
		response.writeHead(a.status ?? 200, a.headers ?? {}).end(a.body ?? '');
	});
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	servers.push(server);
	return { url: `http://127.0.0.1:${server.address().port}`, requests };
}
afterEach(async () => {
	for (const s of servers) {
		s.closeAllConnections();
		await new Promise((done) => s.close(done));
	}
	servers = [];
});

const iso = (s) => new Date(s * 1000).toISOString().replace('.000Z', 'Z');
const now = Math.floor(Date.now() / 1000);
const json = (value) => ({ body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } });
const keys = (access, expires = now + 6 * 3600) => ({
	AccessKeyId: access, SecretAccessKey: 'HUSH/key+1', Token: 'HUSHtoken==', Expiration: iso(expires),
});
const sts = (access, expires = now + 3600) => ({
	body: `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn></AssumedRoleUser>
    <Credentials><AccessKeyId>${access}</AccessKeyId><SecretAccessKey>HUSH/key+1</SecretAccessKey>
      <SessionToken>HUSHtoken==</SessionToken><Expiration>${iso(expires)}</Expiration></Credentials>
  </AssumeRoleWithWebIdentityResult>
  <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
</AssumeRoleWithWebIdentityResponse>`,
	headers: { 'Content-Type': 'text/xml' },
});

// The metadata service of an instance with a role; version 1 is not there.
const roles = '/latest/meta-data/iam/security-credentials/';
function metadata({ role = 'my.role+1', answer = () => json({ Code: 'Success', ...keys('ASIAINSTANCE') }) } = {}) {
	return (q) => {
		if (q.url === '/latest/api/token')
			return q.method === 'PUT' && q.headers['x-aws-ec2-metadata-token-ttl-seconds'] === '21600'
				? { body: 'HUSHimds==' }
				: { status: 400 };
		if (q.headers['x-aws-ec2-metadata-token'] !== 'HUSHimds==') return { status: 401 };
		if (q.url === roles) return role ? { body: role } : { status: 404 };
		return q.url === roles + encodeURIComponent(role) ? answer(q) : { status: 404 };
	};
}

const identity = (url, token = file('HUSH.web.token\n'), more = {}) => ({
	AWS_WEB_IDENTITY_TOKEN_FILE: token, AWS_ROLE_ARN: 'arn:aws:iam::1:role/a b', AWS_ENDPOINT_URL_STS: url,
	AWS_EC2_METADATA_DISABLED: 'true', ...more,
});
const container = (url, more = {}) => ({
	AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/v1/credentials?a=b`, AWS_EC2_METADATA_DISABLED: 'true', ...more,
});
const instance = (url, more = {}) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: `${url}/`, ...more });
const good = { secret: 'HUSH/key+1', token: 'HUSHtoken==' };

describe('the order of the sources', () => {
	it('is that of the AWS tools, and the first one that is configured counts', async () => {
		const s = await serve(() => sts('ASIASTS'));
		const c = await serve(() => json(keys('ASIACONTAINER')));
		const i = await serve(metadata());
		const all = {
			...instance(i.url), ...container(c.url), ...identity(s.url), AWS_EC2_METADATA_DISABLED: 'false',
			AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'HUSH1',
			HOME: home({
				credentials: '[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=HUSH2\n',
				config: '[default]\naws_access_key_id=AKIACONFIG\naws_secret_access_key=HUSH3\n',
			}),
		};
		const expect = async (access) => assert.equal((await take(all)).first.access, access);
		await expect('AKIAENV');
		delete all.AWS_ACCESS_KEY_ID;
		await expect('ASIASTS');
		delete all.AWS_WEB_IDENTITY_TOKEN_FILE;
		await expect('AKIAFILE');
		fs.unlinkSync(path.join(all.HOME, '.aws/credentials'));
		await expect('AKIACONFIG');
		fs.unlinkSync(path.join(all.HOME, '.aws/config'));
		await expect('ASIACONTAINER');
		delete all.AWS_CONTAINER_CREDENTIALS_FULL_URI;
		await expect('ASIAINSTANCE');
		assert.deepEqual([s.requests.length, c.requests.length, i.requests.length], [1, 1, 3]);
		all.AWS_EC2_METADATA_DISABLED = 'TRUE';
		assert.match((await take(all)).first.error, /^no credentials: .* AWS_EC2_METADATA_DISABLED is true\)$/);
		assert.equal(i.requests.length, 3);
	});

	it('does not go on to the next source after a failure', async () => {
		const s = await serve(() => ({ status: 403 }));
		const i = await serve(metadata());
		const { first } = await take({ ...identity(s.url), ...instance(i.url), AWS_EC2_METADATA_DISABLED: '' });
		assert.match(first.error, /AssumeRoleWithWebIdentity .* answered 403$/);
		assert.equal(i.requests.length, 0);
	});
});

describe('web identity', () => {
	it('sends the token, the role and a session, and nothing else', async () => {
		const s = await serve(() => sts('ASIASTS'));
		const { first } = await take(identity(s.url));
		assert.deepEqual(first, { access: 'ASIASTS', ...good, expires: now + 3600 });
		const [q] = s.requests;
		const form = new URLSearchParams(q.body);
		assert.equal(q.method, 'POST');
		assert.equal(q.url, '/');
		assert.equal(q.headers['content-type'], 'application/x-www-form-urlencoded');
		assert.equal(q.headers.authorization, undefined);
		assert.match(form.get('RoleSessionName'), /^rtrack-report-\d+$/);
		form.delete('RoleSessionName');
		assert.deepEqual(Object.fromEntries(form), {
			Action: 'AssumeRoleWithWebIdentity', Version: '2011-06-15', RoleArn: 'arn:aws:iam::1:role/a b',
			WebIdentityToken: 'HUSH.web.token',
		});
	});

	it('reads the token again each time', async () => {
		const token = file('HUSH1');
		const s = await serve((q, n) => {
			fs.writeFileSync(token, `HUSH${n + 1}`);
			return sts(`ASIA${n}`, now + 3600 * n);
		});
		const { keys: k } = await take(identity(s.url, token), [now, now + 3500]);
		assert.deepEqual(k.map((x) => x.access), ['ASIA1', 'ASIA2']);
		assert.deepEqual(s.requests.map((q) => new URLSearchParams(q.body).get('WebIdentityToken')), ['HUSH1', 'HUSH2']);
	});

	it('comes from a profile, too, with the session and the endpoint of it', async () => {
		const s = await serve(() => sts('ASIASTS'));
		const token = file('HUSHt');
		const { first } = await take({
			AWS_PROFILE: 'ci',
			HOME: home({
				credentials: '[ci]\naws_access_key_id=no\naws_secret_access_key=no\n',
				config: `[profile ci]\nrole_arn = arn:r\nweb_identity_token_file = ${token}\n` +
					'role_session_name = me@here\nservices = s\n' +
					`[services s]\nsts =\n  endpoint_url = ${s.url}/sts/\n`,
			}),
		});
		assert.equal(first.access, 'ASIASTS');
		assert.equal(s.requests[0].url, '/sts/');
		assert.equal(new URLSearchParams(s.requests[0].body).get('RoleSessionName'), 'me@here');
	});

	it('uses AWS_ROLE_SESSION_NAME, and AWS_ENDPOINT_URL as stores with an STS of their own have it', async () => {
		const s = await serve(() => sts('ASIASTS'));
		await take(identity(undefined, undefined, { AWS_ENDPOINT_URL_STS: '', AWS_ENDPOINT_URL: s.url, AWS_ROLE_SESSION_NAME: 'x y' }));
		assert.equal(new URLSearchParams(s.requests[0].body).get('RoleSessionName'), 'x y');
	});

	it('says the code of a refusal, and nothing that was sent', async () => {
		const s = await serve((q) => ({
			status: 400,
			body: `<ErrorResponse><Error><Code>ExpiredTokenException</Code><Message>${q.body}</Message></Error></ErrorResponse>`,
		}));
		const { first } = await take(identity(s.url));
		assert.match(first.error, /^AssumeRoleWithWebIdentity of the role arn:aws:iam::1:role\/a b: 127\.0\.0\.1:\d+ answered 400 ExpiredTokenException$/);
		assert.equal(s.requests.length, 1);
	});

	it('tries again where that may help', async () => {
		const s = await serve((q, n) => (n === 1 ? { status: 503 } : n === 2 ? 'cut' : sts('ASIASTS')));
		assert.equal((await take(identity(s.url))).first.access, 'ASIASTS');
		assert.equal(s.requests.length, 3);
	});

	it('refuses a token that cannot be one', async () => {
		const s = await serve(() => sts('ASIASTS'));
		for (const [text, sentence] of [['', 'empty'], ['a\nHUSH', 'byte 1 '], ['HUSH\0', 'byte 4 '], ['x'.repeat(70000), 'larger than 64 KiB']])
			assert.ok((await take(identity(s.url, file(text)))).first.error.includes(sentence));
		assert.equal(s.requests.length, 0);
	});
});

describe('a container', () => {
	it('is asked with the token of the file, which is read again, before that of the variable', async () => {
		const token = file('HUSHfile1\n');
		const c = await serve((q, n) => {
			fs.writeFileSync(token, `HUSHfile${n + 1}`);
			return json(keys(`ASIA${n}`, now + 3600 * n));
		});
		const env = container(c.url, {
			AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: token, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'HUSHvariable',
		});
		const { keys: k } = await take(env, [now, now + 3500]);
		assert.deepEqual(k[0], { access: 'ASIA1', ...good, expires: now + 3600 });
		assert.equal(k[1].access, 'ASIA2');
		assert.deepEqual(c.requests.map((q) => [q.method, q.url, q.headers.authorization]), [
			['GET', '/v1/credentials?a=b', 'HUSHfile1'], ['GET', '/v1/credentials?a=b', 'HUSHfile2'],
		]);
		delete env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
		await take(env, ['forget', now]);
		assert.equal(c.requests[2].headers.authorization, 'HUSHvariable');
		delete env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
		await take(env);
		assert.equal(c.requests[3].headers.authorization, undefined);
	});

	it('says the code of a refusal', async () => {
		const c = await serve(() => ({ status: 400, body: '{"code":"InvalidToken","message":"HUSH"}' }));
		assert.match((await take(container(c.url))).first.error,
			/^the container's credentials service: 127\.0\.0\.1:\d+ answered 400 InvalidToken$/);
	});

	it('is not followed elsewhere', async () => {
		const other = await serve(() => json(keys('ASIAOTHER')));
		const c = await serve(() => ({ status: 302, headers: { Location: other.url } }));
		assert.match((await take(container(c.url))).first.error, /answered 302$/);
		assert.equal(other.requests.length, 0);
	});
});

describe('an instance', () => {
	it('is asked in version 2: a token, the role, its keys', async () => {
		const i = await serve(metadata());
		const { first } = await take(instance(i.url));
		assert.deepEqual(first, { access: 'ASIAINSTANCE', ...good, expires: now + 6 * 3600 });
		assert.deepEqual(i.requests.map((q) => `${q.method} ${q.url}`), [
			'PUT /latest/api/token', `GET ${roles}`, `GET ${roles}my.role%2B1`,
		]);
	});

	it('is never asked in version 1', async () => {
		const i = await serve((q) => (q.method === 'PUT' ? { status: 404 } : json(keys('ASIAV1'))));
		assert.match((await take(instance(i.url))).first.error, /the instance's metadata service: 127\.0\.0\.1:\d+ answered 404\)$/);
		assert.deepEqual(i.requests.map((q) => q.method), ['PUT']);
	});

	it('without a role is reported', async () => {
		const i = await serve(metadata({ role: '' }));
		assert.match((await take(instance(i.url))).first.error, /metadata service: this instance has no role\)$/);
	});

	it('that never answers costs two seconds', async () => {
		const i = await serve(() => undefined);
		const { first, ms } = await take(instance(i.url));
		assert.match(first.error, /metadata service: 127\.0\.0\.1:\d+: no answer in time \(2 tries\)/);
		assert.equal(i.requests.length, 2);
		assert.ok(ms >= 1900 && ms < 60000, `${ms} ms`);
	});

	it('whose port is closed is reported at once', async () => {
		const i = await serve(() => undefined);
		servers.pop().close();
		const { first } = await take(instance(i.url));
		assert.match(first.error, /metadata service: 127\.0\.0\.1:\d+: no connection/);
	});

	it('is never asked through a proxy', async () => {
		const i = await serve(metadata());
		const proxy = await serve(() => json(keys('ASIAPROXY')));
		const { first } = await take(instance(i.url, { http_proxy: proxy.url, all_proxy: proxy.url }));
		assert.equal(first.access, 'ASIAINSTANCE');
		assert.equal(proxy.requests.length, 0);
	});
});

describe('hostile answers', () => {
	const bodies = {
		'nothing': '',
		'a page': '<html><body>HUSH</body></html>',
		'no object': '["HUSH"]',
		'a deep one': '['.repeat(60000),
		'a huge one': `{"AccessKeyId":"${'x'.repeat(1 << 20)}"}`,
		'a newline in a key': JSON.stringify({ ...keys('A'), SecretAccessKey: 'HUSH\r\nX-Evil: 1' }),
		'a newline in the token': JSON.stringify({ ...keys('A'), Token: 'HUSH\nX-Evil: 1' }),
		'keys that are numbers': '{"AccessKeyId":1,"SecretAccessKey":2,"Token":3}',
		'no time': JSON.stringify({ ...keys('A'), Expiration: 'HUSH' }),
		'keys that expired': JSON.stringify(keys('A', now - 60)),
		'a failure': JSON.stringify({ Code: 'AssumeRoleUnauthorizedAccess', Message: 'HUSH' }),
		'an escape': '{"code":"\\u001b[31mHUSH"}',
	};
	for (const [name, body] of Object.entries(bodies))
		it(`${name}: a sentence without it`, async () => {
			const c = await serve(() => ({ body }));
			const i = await serve(metadata({ answer: () => ({ body }) }));
			const s = await serve(() => ({ body }));
			for (const env of [container(c.url), instance(i.url), identity(s.url)]) {
				const { first } = await take(env);
				assert.ok(first.error.length > 20 && first.error.length < 400, first.error);
			}
		});

	it('a role or a token of the metadata service that could be a header', async () => {
		for (const role of ['a\r\nX: y', '../../x y', '\x1b[31m', 'x'.repeat(300)]) {
			const i = await serve(metadata({ role }));
			const { first } = await take(instance(i.url));
			if (role.startsWith('a')) assert.match(first.error, /answered 404\)$/);
			else assert.match(first.error, /its answer is not the name of a role\)$/);
		}
		const i = await serve(() => ({ body: 'HUSH x' }));
		assert.match((await take(instance(i.url))).first.error, /its answer is not a token\)$/);
	});

	it('an entity in the XML of STS', async () => {
		const s = await serve(() => ({ body: `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${sts('&b;').body}` }));
		assert.match((await take(identity(s.url))).first.error, /document type, which is refused$/);
	});
});

describe('refresh', () => {
	let n, fail, c;
	beforeEach(async () => {
		n = 0;
		fail = false;
		c = await serve(() => (fail ? { status: 403 } : json(keys(`ASIA${++n}`, now + 3600 * n))));
	});

	it('takes new keys five minutes before the old ones expire, not earlier', async () => {
		const at = [now, now + 3200, now + 3299, now + 3300, now + 3400, now + 6899, now + 6901];
		const { keys: k } = await take(container(c.url), at);
		assert.deepEqual(k.map((x) => x.access), ['ASIA1', 'ASIA1', 'ASIA1', 'ASIA2', 'ASIA2', 'ASIA2', 'ASIA3']);
	});

	it('goes on with the old ones while they are valid, and asks for others every 30 s only', async () => {
		let asked = 0;
		c = await serve(() => (asked++ ? { status: 403 } : json(keys('ASIA1', now + 3600))));
		const at = [now, now + 3400, now + 3410, now + 3429, now + 3431, now + 3599, now + 3601];
		const { keys: k } = await take(container(c.url), at);
		assert.deepEqual(k.map((x) => x.access ?? 'none'), ['ASIA1', 'ASIA1', 'ASIA1', 'ASIA1', 'ASIA1', 'ASIA1', 'none']);
		assert.match(k[6].error, /answered 403$/);
		assert.equal(asked, 5);
	});

	it('does not ask for each request where keys live shorter than that', async () => {
		let asked = 0;
		c = await serve(() => json(keys(`ASIA${++asked}`, now + 120 + asked)));
		const { keys: k } = await take(container(c.url), [now, now + 1, now + 29, now + 31, now + 40]);
		assert.deepEqual(k.map((x) => x.access), ['ASIA1', 'ASIA1', 'ASIA1', 'ASIA2', 'ASIA2']);
	});

	it('asks again 10 s after a failure, for thousands of requests may want to know', async () => {
		let asked = 0;
		c = await serve(() => (asked++ ? json(keys('ASIA1')) : { status: 403 }));
		const { keys: k } = await take(container(c.url), [now, now + 1, now + 9, now + 10]);
		assert.match(k[0].error, /answered 403$/);
		assert.deepEqual([k[1], k[2]], [k[0], k[0]]);
		assert.equal(k[3].access, 'ASIA1');
		assert.equal(asked, 2);
	});

	it('takes others when the server refused the old ones', async () => {
		const { keys: k } = await take(container(c.url), [now, 'refresh', now]);
		assert.deepEqual([k[0].access, k[1], k[2].access], ['ASIA1', true, 'ASIA2']);
		const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' };
		assert.equal((await take(env, [now, 'refresh'])).keys[1], false);
	});
});

it('forgotten secrets are no longer in the memory that the environment came in', async () => {
	const env = {
		AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'HUSHkey', AWS_SESSION_TOKEN: 'HUSHtoken',
		AWS_CONTAINER_AUTHORIZATION_TOKEN: 'HUSHauth',
	};
	assert.match((await take(env, [now])).environ, /HUSHkey[^]*HUSHauth|HUSHauth[^]*HUSHkey/);
	const { keys: k, environ } = await take(env, ['forget', now]);
	assert.equal(k[0].secret, 'HUSHkey');
	assert.doesNotMatch(environ, /HUSH/);
	assert.match(environ, /AWS_ACCESS_KEY_ID=AKIA/);
});
