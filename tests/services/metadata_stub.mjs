// Metadata services of eight vendors on loopback: each answers its own requests as it does in truth, and
// nothing else. They are told apart by the Host that the request names, and by its path.
import http from 'node:http';
import net from 'node:net';

const link = '169.254.169.254';
const text = (body) => ({ body });
const json = (value) => ({ body: JSON.stringify(value), type: 'application/json' });

// A service that wants a token first, as a PUT with this header gives one.
const withToken = (host, prefix, files) => (request) => {
	if (request.headers.host !== host) return undefined;
	if (request.url === '/latest/api/token') {
		if (request.method !== 'PUT') return { status: 405, body: '' };
		return request.headers[`${prefix}-ttl-seconds`] === '21600'
			? text('AQAEAtoken==')
			: { status: 400, body: 'no lifetime' };
	}
	if (!(request.url in files)) return undefined;
	return request.headers[prefix] === 'AQAEAtoken=='
		? text(files[request.url])
		: { status: 401, body: 'Unauthorized' };
};

const files = (host, all, allowed = () => true) => (request) =>
	request.headers.host === host && request.method === 'GET' && request.url in all
		? allowed(request)
			? all[request.url]
			: { status: 403, body: '' }
		: undefined;

export const vendors = {
	aws: withToken(link, 'x-aws-ec2-metadata-token', {
		'/latest/meta-data/services/domain': 'amazonaws.com',
		'/latest/meta-data/instance-type': 'm5.large',
		'/latest/meta-data/placement/region': 'eu-west-1',
		'/latest/dynamic/instance-identity/document': JSON.stringify({
			accountId: '123456789012',
			availabilityZone: 'eu-west-1b',
			instanceType: 'm5.large',
			region: 'eu-west-1',
		}),
	}),
	gcp: files(
		'metadata.google.internal',
		{
			'/computeMetadata/v1/instance/machine-type': text('projects/12/machineTypes/e2-medium'),
			'/computeMetadata/v1/instance/zone': text('projects/12/zones/us-central1-a'),
			'/computeMetadata/v1/project/project-id': text('some-project-12'),
		},
		(request) => request.headers['metadata-flavor'] === 'Google',
	),
	azure: files(
		link,
		{
			'/metadata/instance?api-version=2021-02-01': json({
				compute: {
					vmSize: 'Standard_D2s_v3',
					location: 'westeurope',
					zone: '2',
					subscriptionId: '00000000-aaaa-bbbb-cccc-000000000012',
				},
				network: { interface: [] },
			}),
		},
		(request) => request.headers.metadata === 'true',
	),
	hcloud: files(link, {
		'/hetzner/v1/metadata': text(
			'#cloud-config\navailability-zone: fsn1-dc14\nhostname: h\ninstance-id: 4711\nregion: eu-central\n',
		),
	}),
	upcloud: files(link, {
		'/metadata/v1.json': json({ cloud_name: 'upcloud', instance_id: '00f', region: 'fi-hel1' }),
	}),
	alicloud: withToken('100.100.100.200', 'x-aliyun-ecs-metadata-token', {
		'/latest/meta-data/instance/instance-type': 'ecs.g6.large',
		'/latest/meta-data/region-id': 'cn-hangzhou',
		'/latest/meta-data/zone-id': 'cn-hangzhou-i',
		'/latest/meta-data/owner-account-id': '1234567890123456',
	}),
	ovh: files(link, {
		'/openstack/latest/network_data.json': json({
			services: [{ type: 'dns', address: '213.186.33.99' }],
		}),
		'/openstack/latest/meta_data.json': json({ availability_zone: 'GRA11', project_id: '0abc', uuid: 'x' }),
		'/latest/meta-data/instance-type': text('b2-7'),
	}),
	vultr: files(link, {
		'/v1.json': json({ instanceid: '576965', region: { regioncode: 'EWR' } }),
	}),
};

// Ways to answer that no service should have.
export const odd = {
	page: () => ({ body: '<html><body>Please log in</body></html>', type: 'text/html' }),
	redirect: (request) => ({ status: 302, location: `http://${request.headers.host}/elsewhere` }),
	unavailable: () => ({ status: 503, body: 'busy' }),
	huge: () => ({ body: 'a'.repeat(1 << 20) }),
	nested: () => ({ body: '['.repeat(60000) }),
	chunked: (vendor) => (request) => {
		const answer = vendor(request);
		return answer && { ...answer, chunked: true };
	},
	silent: () => 'silent',
	drip: () => 'drip',
	garbage: () => 'garbage',
	cut: () => 'cut',
};

function answer(socketOf, response, a) {
	const socket = socketOf;
	if (a === 'silent') return;
	if (a === 'garbage') return void socket.end(Buffer.from([0, 255, 13, 10, 13, 10, 72, 84]));
	if (a === 'cut')
		return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\namazonaws.com');
	if (a === 'drip') {
		socket.write('HTTP/1.1 200 OK\r\n');
		const timer = setInterval(() => socket.write('X-A: b\r\n'), 20);
		socket.on('close', () => clearInterval(timer));
		socket.on('error', () => clearInterval(timer));
		return;
	}
	if (!a) return void response.writeHead(404).end('not found');
	const head = { 'Content-Type': a.type ?? 'text/plain' };
	if (a.location) head.Location = a.location;
	response.writeHead(a.status ?? 200, head);
	if (a.chunked) for (const c of a.body ?? '') response.write(c);
	response.end(a.chunked ? undefined : (a.body ?? ''));
}

// Serves with handlers, the first of which that knows an answer gives it. Returns the address, what was
// asked, and a way to stop.
export async function start(...handlers) {
	const requests = [];
	const server = http.createServer((request, response) => {
		requests.push({
			method: request.method,
			url: request.url,
			host: request.headers.host,
			headers: request.headers,
		});
		let a;
		for (const h of handlers) a ??= h(request);
		response.on('error', () => {});
		answer(request.socket, response, a);
	});
	const sockets = new Set();
	server.on('connection', (s) => {
		sockets.add(s);
		s.on('error', () => {});
		s.on('close', () => sockets.delete(s));
	});
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	return {
		base: `http://127.0.0.1:${server.address().port}`,
		requests,
		close: () =>
			new Promise((done) => {
				for (const s of sockets) s.destroy();
				server.close(done);
			}),
	};
}

// A port where nobody listens.
export async function nobody() {
	const server = net.createServer();
	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address();
	await new Promise((done) => server.close(done));
	return `http://127.0.0.1:${port}`;
}
