// A stub of the Keeper API on loopback. `node tests/services/keeper_stub.mjs` serves the fixtures and
// prints the address; tests import start() and replace the answers of paths.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

const fixture = (name) =>
	readFileSync(fileURLToPath(new URL(`../fixtures/keeper/${name}`, import.meta.url)));

export const json =
	(body, status = 200, headers = {}) =>
	(_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(
			typeof body === 'string' || Buffer.isBuffer(body)
				? body
				: JSON.stringify(body),
		);
	};

// Gives these answers in turn, and then repeats the last one.
export const inTurn = (...answers) => {
	let n = 0;
	return (request, response) => answers[Math.min(n++, answers.length - 1)](request, response);
};

export const never = () => {};

// The service compares a configuration as the text in which its database has it: with a blank after each
// colon. It selects the best of the scores of a benchmark.
const stored = (config) => JSON.stringify(config, null, 1).replace(/\n\s*/g, ' ').replace(/{ | }/g, (m) => m.trim());
export function selected(scores, query) {
	const config = query.get('benchmark_config');
	const of = scores.filter((s) => s.benchmark_id === query.get('benchmark_id') &&
		(!config || stored(s.config ?? {}) === config)).map((s) => s.score);
	return of.length ? Math.max(...of) : null;
}

const good = {
	'/servers': json(fixture('servers.json')),
	'/regions': json(fixture('regions.json')),
	'/server/hcloud/cx-two/prices': json(fixture('prices.json')),
	'/server/hcloud/cx-two/benchmarks': json(fixture('benchmarks.json')),
	'/v2/server/hcloud/cx-two': json(fixture('server.json')),
};

// Serves on a free port: {url, requests: [{path, query, headers}], close}. Unknown paths
// answer 404, like the service.
export async function start(answers = {}) {
	const routes = { ...good, ...answers };
	const requests = [];
	const server = http.createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url, 'http://localhost');
		requests.push({
			path: pathname,
			url: request.url,
			query: searchParams,
			headers: request.headers,
		});
		const answer = routes[pathname] ?? json({ detail: 'Server not found' }, 404);
		answer(request, response);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(resolve);
			}),
	};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const stub = await start();
	console.log(stub.url);
}
