// Time and money on each server: what is asked for, what is computed from the answers (here again, on its
// own), and what a report is without them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { inTurn, json, never, start } from './keeper_stub.mjs';
import { many, recording, servers } from './keeper_many.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name),
	),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-time-cost-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

async function report(what, args = [], answers = many) {
	const name = path.join(folder, String(files++));
	const stub = await start(answers);
	const input = typeof what === 'string' ? what : `${name}.in.json`;
	if (input !== what)
		writeFileSync(input, JSON.stringify(what));
	try {
		const { status, stderr } = await new Promise((resolve, reject) => {
			const child = spawn(command, ['-o', `${name}.html`, '-j', `${name}.json`, '--text', `${name}.txt`, '--markdown',
				`${name}.md`, '--keeper-url', stub.url, '--keeper-timeout', '60s', '--keeper-cache', '', '--arch', 'x86_64', ...args, input],
			{ env: clean, stdio: ['ignore', 'inherit', 'pipe'] });
			let text = '';
			child.stderr.on('data', (piece) => (text += piece));
			child.on('error', reject);
			child.on('close', (code) => resolve({ status: code, stderr: text }));
		});
		assert.equal(status, 0, stderr);
		const read = (kind) => readFileSync(`${name}.${kind}`, 'utf8');
		const model = JSON.parse(read('json'));
		return { stderr, model, page: read('html').replaceAll('\u00a0', ' '), text: read('txt'), markdown: read('md'), file: `${name}.html`,
			requests: stub.requests, of: model.prices.time_cost,
			sizes: stub.requests.filter((q) => q.path === '/servers').map((q) => Number(q.query.get('vcpus_min'))) };
	} finally {
		await stub.close();
	}
}

// Geekbench's score of all CPUs grows less than their number.
const perCpu = (s, of = s.multi, k = 18) => (of / s.vcpus) * (1 + s.vcpus / k);

// The same rules again: seconds and money on each server that has the memory.
function computed({ wall, idle, cpu, width, memory, here, cpus = 8 }) {
	const one = cpu / (wall - idle) <= cpus / 2;
	const points = servers.filter((s) => s.memory_amount - Math.max(512, 0.06 * s.memory_amount) >= memory * 1024).map((s) => {
		const on = cpu / Math.min(s.vcpus, width);
		const speed = one ? s.single / here.single : perCpu(s) / perCpu(here);
		const time = idle + on / speed;
		return { server: s.name, vendor: s.vendor_id, time, most: time * 1.4, cost: (s.min_price_ondemand / 3600) * time };
	}).filter((p) => p.server !== here.name);
	points.push({ server: here.name, vendor: here.vendor_id, now: true, time: wall, cost: (here.min_price_ondemand / 3600) * wall });
	return points.filter((p) => !points.some((q) => q.time <= p.time && q.cost <= p.cost && (q.time < p.time || q.cost < p.cost)))
		.sort((a, b) => a.cost - b.cost);
}

const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 2e-3 * Math.abs(b), `${what}: ${a}, not ${b}`);
const server = (name) => servers.find((s) => s.name === name);

describe('time and cost', { concurrency: 2 }, () => {
	for (const [what, run, rule] of [
		['of a job that keeps all CPUs busy', { cores: () => 8 }, { cpu: 4800, idle: 0, width: 8, memory: 5 }],
		['of a job with one thread', { cores: () => 1 }, { cpu: 600, idle: 0, width: 1, memory: 5 }],
		['of a job that waits for half of the time', { cores: (i) => (i % 2 ? 4 : 0), busy: (i) => i % 2 },
			{ cpu: 1200, idle: 300, width: 4, memory: 5 }],
		['of a job that sleeps within its samples', { cores: () => 1, busy: () => 0.25 },
			{ cpu: 600, idle: 450, width: 4, memory: 5 }],
		['of one whose main thread was not measured', { cores: () => 1, busy: () => 0.25, main: false },
			{ cpu: 600, idle: 450, width: 4, memory: 5 }],
	])
		it(what, async () => {
			const r = await report(recording(run));
			const expected = computed({ wall: 600, here: server('m7.8'), ...rule });
			const found = r.of.frontier.filter((p) => !p.now || expected.some((q) => q.now));
			assert.deepEqual(found.map((p) => p.server), expected.map((p) => p.server));
			expected.forEach((p, i) => {
				near(found[i].time.value, p.time, `${p.server}, time`);
				near(found[i].cost.value, p.cost, `${p.server}, cost`);
			});
			assert.ok(r.requests.length <= 8, r.requests.map((q) => q.url).join('\n'));
			assert.ok(r.sizes.includes(1));
			assert.equal(new Set(r.sizes).size, r.sizes.length);
			assert.ok(r.of.sentence.startsWith(`The cheapest run: ${expected[0].server}, $`));
			for (const face of [r.page, r.text.replace(/\s+/g, ' '), r.markdown.replaceAll('\\', '')])
				assert.ok(face.includes(r.of.sentence));
			assert.match(r.page, /id="time-cost"/);
			assert.ok(r.page.indexOf('id="time-cost"') < r.page.indexOf('id="prices"'));
		});

	it('names what is cheapest, fastest, as fast as now, and fastest for as much', async () => {
		const r = await report(recording({ cores: () => 8 }));
		const rows = Object.fromEntries(r.of.frontier.flatMap((p) => p.is.split(', ').map((is) => [is, p])));
		const now = rows['this server'];
		const all = r.of.frontier;
		assert.equal(now.cost.value, r.model.prices.present.run_cost.value);
		assert.equal(now.time.value, r.model.run.duration.value);
		assert.equal(rows.cheapest, all.filter((p) => !p.now)[0]);
		assert.equal(rows.fastest.time.value, Math.min(...all.map((p) => p.time.value)));
		const about = (p) => p.least <= now.time.value && p.most >= now.time.value;
		assert.equal(rows['about as fast as now'] ?? rows['as fast as now'], all.find((p) => p.time.value <= now.time.value || about(p)));
		const within = all.filter((p) => p.cost.value <= now.cost.value && !p.now).at(-1);
		assert.equal(rows['fastest for today\'s cost'] ?? rows.fastest, within);
		assert.match(r.of.sentence, /^The cheapest run: cx\.8, \$0\.008\d+ \(\$[\d.]+ to \$[\d.]+\), 11 min 16 s \(.*\), about as fast as now\.$/);
	});

	it('says where the proposed servers are, and how to start one', async () => {
		for (const [args, allocation, vendor, line] of [
			[['--vendor', 'aws'], 'ondemand', 'aws', (p) => `aws ec2 run-instances --region one --instance-type ${p.server} --image-id IMAGE_ID --key-name KEY_NAME`],
			[['--vendor', 'gcp', '--spot'], 'spot', 'gcp', (p) => `gcloud compute instances create NAME --zone=one-a --machine-type=${p.server} ` +
				'--image-family=IMAGE_FAMILY --image-project=IMAGE_PROJECT --provisioning-model=SPOT'],
			[['--vendor', 'hcloud'], 'ondemand', 'hcloud', (p) => `hcloud server create --name NAME --type ${p.server} --location one --image IMAGE --ssh-key KEY_NAME`],
		]) {
			const r = await report(recording({ cores: () => 8 }), args);
			const asked = r.requests.filter((q) => q.path === '/server_prices');
			assert.ok(r.requests.length <= 8 && asked.length >= 1 && asked.every((q) => q.query.get('allocation') === allocation));
			const run = r.of.frontier.find((p) => p.is.includes('cheapest'));
			const [first] = r.model.prices.proposed;
			assert.deepEqual([first.server, first.vendor, first.region, first.zone, first.allocation, first.price_day, first.command],
				[run.server, vendor, 'one', 'one-a', allocation, '2026-07-01', line(first)]);
			assert.deepEqual([first.time, first.least, first.most, first.cost, first.price_hour],
				[run.time, run.least, run.most, run.cost, run.price_hour]);
			assert.match(first.text, /^(Spot|On demand) in one, zone one-a: \$[\d.]+\/h, a price of 2026-07-01\. The run would take .* \(.* to .*\) and cost /);
			const last = r.model.prices.proposed.at(-1);
			assert.ok(last.is.endsWith('lowest price per hour') && last.server === r.model.prices.servers[0].server);
			for (const p of r.model.prices.proposed) {
				assert.ok(r.page.includes(p.command) && r.text.split('\n').some((l) => l.trim() === p.command), r.text);
				assert.ok(r.page.includes(p.text) && r.text.replace(/\s+/g, ' ').includes(p.text));
			}
		}
	});

	it('says that a region is not known, and leaves a word to replace', async () => {
		const { '/server_prices': _places, ...rest } = many;
		const r = await report(recording({ cores: () => 8 }), ['--vendor', 'aws'], rest);
		const [first] = r.model.prices.proposed;
		assert.deepEqual([first.region, first.zone, first.price_day], [null, null, null]);
		assert.match(first.text, /^On demand: \$[\d.]+\/h, in a region that is not known\. /);
		assert.match(first.command, /^aws ec2 run-instances --region REGION --instance-type /);
	});

	it('gives each predicted time and cost a range, by how well the score predicts', async () => {
		const arm = servers.map((s) => ({ ...s, cpu_architecture: s.vendor_id === 'gcp' ? 'arm64' : 'x86_64',
			selected_benchmark_score: s.name.startsWith('cx.') ? null : s.multi }));
		for (const [job, idle] of [[{ cores: () => 8 }, 0], [{ cores: (i) => (i % 2 ? 8 : 0), busy: (i) => i % 2 }, 300]]) {
			const r = await report(recording(job), ['--arch', 'arm64,x86_64'], { ...many, '/servers': json(arm) });
			const ranges = new Set();
			for (const p of r.of.frontier.filter((q) => !q.now)) {
				const far = p.cpus.value > 16 || p.cpus.value < 4;
				const range = p.server.startsWith('cx.') || (p.vendor === 'gcp' && far) ? 2.2 : p.vendor === 'gcp' || far ? 1.7 : 1.4;
				// In 300 s no thread ran: these are the same at any speed.
				const most = idle + (p.time.value - idle) * range;
				ranges.add(range);
				assert.ok(p.most >= most * 0.999 && p.most <= most * 1.1, `${p.server}: ${p.most}, not ${most}`);
				assert.ok(p.least <= (idle + (p.time.value - idle) / range) * 1.001, `${p.server}: ${p.least}`);
				near(p.cost_most, p.cost.value * p.most / p.time.value, 'cost');
				assert.ok(p.range && p.cost_range && r.page.includes(p.range) && r.page.includes(p.cost_range));
				assert.ok(p.formula.includes(`; ÷ and × ${range}) = `), p.formula);
			}
			assert.ok(ranges.size > 1, [...ranges].join());
			for (const s of r.model.prices.servers)
				assert.ok(s.estimate.least < s.estimate.duration.value && s.estimate.most > s.estimate.duration.value);
		}
	});

	it('asks for the scores of a workload, and says which ones they are', async () => {
		for (const [args, id, config, words] of [
			[[], 'geekbench:score', '{"cores": "multi"}', 'Geekbench, all CPUs'],
			[['--workload', 'geekbench:clang'], 'geekbench:clang', '{"cores": "multi"}', 'geekbench:clang, all CPUs'],
			[['--workload', 'CICD'], 'workload_profile:cicd', null, 'workload_profile:cicd, all CPUs'],
		]) {
			const r = await report(recording({ cores: () => 8 }), args);
			const asked = r.requests.filter((q) => q.path === '/servers');
			assert.ok(asked.every((q) => q.query.get('benchmark_id') === id && q.query.get('benchmark_config') === config));
			const here = server('m7.8');
			const of = { 'geekbench:score': (s) => s.multi, 'geekbench:clang': (s) => s.multi * (s.vendor_id === 'aws' ? 3 : 2),
				'workload_profile:cicd': (s) => s.multi * (s.vendor_id === 'gcp' ? 3 : 2) }[id];
			for (const p of r.of.frontier.filter((q) => !q.now)) {
				const s = server(p.server);
				const k = { 'geekbench:score': 18, 'geekbench:clang': 64 }[id] ?? Infinity;
				near(p.speed, perCpu(s, of(s), k) / perCpu(here, of(here), k), p.server);
				assert.equal(p.score, words);
			}
			assert.ok(r.of.notes.startsWith(`Speeds of cores are from the scores of ${words}.`), r.of.notes);
			for (const face of [r.page, r.text.replace(/\s+/g, ' '), r.markdown.replaceAll('\\', '')])
				assert.ok(face.includes(`from the scores of ${words}`));
		}
		const one = await report(recording({ cores: () => 1 }));
		assert.ok(one.requests.some((q) => q.url.includes('benchmark_config=%7B%22cores%22%3A%20%22single%22%7D')));
	});

	it('falls back to stress-ng where scores are refused, and says so', async () => {
		for (const status of [401, 403, 422]) {
			const refusing = (request, response) =>
				(new URL(request.url, 'http://localhost').searchParams.has('benchmark_id') ? json({ detail: 'no' }, status)
					: many['/servers'])(request, response);
			const r = await report(recording({ cores: () => 8 }), [], { ...many, '/servers': refusing });
			const here = server('m7.8');
			assert.ok(r.requests.length <= 8);
			assert.equal(r.requests.filter((q) => q.query.has('benchmark_id')).length, 1);
			for (const p of r.of.frontier.filter((q) => !q.now)) {
				near(p.speed, server(p.server).score / server(p.server).vcpus / (here.score / here.vcpus), p.server);
				assert.equal(p.score, 'stress-ng, all CPUs');
				assert.ok(p.most >= 2.2 * p.time.value);
			}
			assert.match(r.of.notes, /^Speeds of cores are known only from stress-ng's score, .* 2\.2 times as long/);
		}
	});

	it('compares no scores of two benchmarks where it falls back', async () => {
		// Only this server, which does not fit, has a score of the first benchmark, and none of the second.
		const of = (id) => servers.map((s) => ({ ...s, ...(s.name === 'm7.8' && { cpu_architecture: 'arm64' }),
			selected_benchmark_score: (s.name === 'm7.8') === (id === 'geekbench:score') ? 100 : null }));
		const r = await report(recording({ cores: () => 1 }), [], { ...many, '/server/aws/m7.8/benchmarks': json([]),
			'/servers': (request, response) => json(of(new URL(request.url, 'http://localhost').searchParams.get('benchmark_id')))(request, response) });
		assert.ok(r.requests.some((q) => q.query.get('benchmark_id') === 'stress_ng:best1'));
		const here = server('m7.8');
		for (const p of r.of.frontier.filter((q) => !q.now))
			near(p.speed, server(p.server).score / server(p.server).vcpus / (here.score / here.vcpus), p.server);
	});

	it('takes the median of runs on such a server instead of a prediction', async () => {
		const there = [500, 540, 700].map((seconds, i) => {
			const file = path.join(folder, `there${i}.json`);
			const run = recording({ seconds, cores: () => 8, type: ['gcp', 'c3.8'] });
			for (const key of ['start_time', 'stop_time'])
				run.metadata[key] -= 86400 * (i + 1);
			for (const key of ['process_metrics', 'system_metrics'])
				run[key].timestamp = run[key].timestamp.map((t) => t - 86400 * (i + 1));
			writeFileSync(file, JSON.stringify(run));
			return file;
		});
		const r = await report(recording({ cores: () => 8 }), there);
		const p = r.of.frontier.find((q) => q.server === 'c3.8');
		assert.deepEqual([p.time.value, p.least, p.most, p.measured], [540, 500, 700, 3]);
		near(p.cost.value, server('c3.8').min_price_ondemand / 3600 * 540, 'cost');
		assert.match(p.formula, /^measured: the median of 3 runs there is 9 min; × /);
	});

	it('leaves room for the system', async () => {
		// 4 GiB × 1.2 are an ask of 5 GiB; c7.2 has 4, r7.1 has 8.
		const r = await report(recording({ cores: () => 1, gib: 6.2 }));
		assert.match(r.model.prices.asked, /8 GiB of memory and room for the system, 0\.5 GiB or 6% of it/);
		for (const s of [...r.model.prices.servers, ...r.of.frontier.filter((q) => !q.now)])
			assert.ok(s.memory.value >= 8.5 * 2 ** 30, `${s.server}: ${s.memory.text}`);
		assert.ok(r.requests.filter((q) => q.path === '/servers').every((q) => Number(q.query.get('memory_min')) >= 8.5));
	});

	it('asks for at most eight things, whatever else is asked', async () => {
		const wide = recording({ cores: () => 60, vcpus: 64, type: ['aws', 'm7.64'] });
		for (const args of [[], ['--region', 'hcloud~one'], ['--country', 'DE,FI'], ['--country', 'DE,FI,US,GB'], ['--spot']]) {
			const r = await report(wide, args);
			const list = args[1]?.split(',').length ?? 1;
			assert.ok(r.requests.length <= 8, r.requests.map((q) => q.url).join('\n'));
			if (list < 3) {
				assert.ok(r.sizes.length > list, r.requests.map((q) => q.url).join('\n'));
				assert.equal(r.sizes.filter((n) => n === 64).length + r.sizes.filter((n) => n > 32 && n < 64).length > 0, true);
			}
		}
	});

	it('asks for at most eight things where scores are missing or refused', async () => {
		// More rows than are asked for at first, of which few fit.
		const rows = Array.from({ length: 250 }, (_, i) => ({ ...server(i % 50 ? 'm7.8' : 'c7.8'), server_id: `s${i}`, name: `s${i}`, api_reference: `s${i}`,
			cpu_architecture: i % 50 ? 'arm64' : 'x86_64' }));
		const limited = (request) => rows.slice(0, Number(new URL(request.url, 'http://localhost').searchParams.get('limit')));
		const answers = {
			missing: (request, response) => json(limited(request))(request, response),
			refused: (request, response) => (new URL(request.url, 'http://localhost').searchParams.has('benchmark_id')
				? json({ detail: 'no' }, 401) : json(limited(request)))(request, response),
		};
		for (const [what, list] of Object.entries(answers))
			for (const countries of ['DE', 'DE,FI', 'DE,FI,US', 'DE,FI,US,GB']) {
				const r = await report(recording({ cores: () => 1 }), ['--country', countries], { ...many, '/servers': list });
				assert.ok(r.requests.length <= 8, `${what}, ${countries}:\n${r.requests.map((q) => q.url).join('\n')}`);
				assert.equal(r.model.prices.known, true);
				assert.ok(r.of.frontier.length > 0);
				const asked = r.requests.filter((q) => q.path === '/servers');
				assert.equal(new Set(asked.map((q) => q.query.get('countries'))).size, countries.split(',').length);
			}
	});

	it('asks for a size only if no answer has it', async () => {
		// With 100 GiB, no server has fewer than 16 CPUs.
		const r = await report(recording({ cores: () => 1, gib: 100 }));
		assert.deepEqual(r.sizes, [1]);
		assert.ok(r.of.frontier.every((p) => p.now || p.cpus.value >= 16));
	});

	it('comes from the cache without a request, also without a network', async () => {
		const cache = path.join(folder, 'cache');
		const run = recording();
		const file = path.join(folder, 'cached.json');
		const stub = await start(many);
		writeFileSync(file, JSON.stringify(run));
		const once = (args) => new Promise((resolve) => {
			const out = path.join(folder, `cached${files++}.json`);
			spawn(command, ['-j', out, '--keeper-url', stub.url, '--keeper-cache', cache, '--arch', 'x86_64', ...args, file],
				{ env: clean, stdio: 'inherit' }).on('close', () => resolve(JSON.parse(readFileSync(out, 'utf8')).prices));
		});
		const first = await once([]);
		const asked = stub.requests.length;
		assert.ok(asked > 3 && asked <= 8);
		assert.deepEqual((await once([])).time_cost, first.time_cost);
		assert.deepEqual((await once(['--offline'])).time_cost, first.time_cost);
		assert.equal(stub.requests.length, asked);
		await stub.close();
		assert.deepEqual((await once(['--offline'])).time_cost, first.time_cost);
		const nothing = await report(run, ['--offline']);
		assert.equal(nothing.of, null);
		assert.equal(nothing.requests.length, 0);
	});

	it('is on a page made from the page again, without a network', async () => {
		const first = await report(recording());
		const again = await report(first.file, ['--offline']);
		assert.deepEqual(again.of, first.of);
		assert.equal(again.requests.length, 0);
	});

	it('is not there where nothing can be said', async () => {
		const without = (change) => {
			const run = recording();
			change(run);
			return run;
		};
		for (const [what, run] of Object.entries({
			'a short run': recording({ seconds: 8 }),
			'no CPU usage': without((r) => {
				for (const name of ['utime', 'stime', 'cpu_usage', 'state_cpu', 'state_cpu_wait', 'state_sleep', 'cpu_wait'])
					delete r.process_metrics[name];
			}),
			'no job': without((r) => {
				r.process_metrics = { timestamp: [] };
				r.metadata.track_processes = false;
			}),
			'no memory': without((r) => {
				delete r.process_metrics.memory;
				delete r.system_metrics.memory_used;
			}),
		})) {
			const r = await report(run);
			assert.equal(r.of, null, what);
			assert.ok(!r.page.includes('time-cost') && !r.text.includes('Time and cost'), what);
			// Of a job of which nothing is known any server would fit, so that none is asked for.
			assert.equal(r.sizes.length, what === 'no job' ? 0 : 1, what);
			assert.ok(!r.requests.some((q) => q.query.has('benchmark_id')), what);
		}
	});

	it('does without this server', async () => {
		for (const type of [null, ['aws', 'x9.huge'], ['nobody', 'm7.8']]) {
			const r = await report(recording({ type }));
			assert.ok(r.of.frontier.every((p) => !p.now && p.speed === null));
			assert.match(r.of.sentence, /^The cheapest run: \S+, \$[\d.]+ \(.*\), .* \(.*\)(; (about )?as fast as now for|, (about )?as fast as now)/);
			assert.match(r.of.notes, /^No speeds of cores are known/);
		}
	});

	it('says which speeds are not known', async () => {
		const one = (change) => (request, response) => {
			const query = new URL(request.url, 'http://localhost').searchParams;
			return json(servers.filter((s) => s.vcpus >= Number(query.get('vcpus_min'))).map(change))(request, response);
		};
		const none = await report(recording(), [], { ...many, '/servers': one((s) => ({ ...s, score: null })) });
		assert.match(none.of.notes, /^(No speeds of cores are known|Of \d+ servers no speed is known)/);
		const all = await report(recording(), [], {
			...many,
			'/servers': one((s) => ({ ...s, selected_benchmark_score: s.vendor_id === 'gcp' ? null : s.multi,
				score: s.vendor_id === 'gcp' ? null : s.score })),
		});
		assert.match(all.of.notes, / Of \d+ servers no speed is known: their cores are taken to be as fast as here\./);
		for (const p of all.of.frontier.filter((q) => q.vendor === 'gcp'))
			assert.match(p.formula, /taken to be as fast/);
	});

	it('is in the currency, and at the spot prices, that were asked for', async () => {
		const inEur = servers.map((s) => ({ ...s, selected_benchmark_score: s.multi, currency: 'EUR' }));
		const r = await report(recording(), ['--currency', 'eur'], { ...many, '/servers': json(inEur) });
		assert.match(r.of.sentence, / EUR/);
		assert.ok(r.of.frontier.every((p) => p.cost.unit === 'EUR' && !p.now));
		const other = await report(recording(), ['--currency', 'eur']
			, { ...many, '/servers': json(inEur.map((s) => ({ ...s, currency: 'USD' }))) });
		assert.equal(other.of, null);
		const spot = await report(recording(), ['--spot']);
		const now = spot.of.frontier.find((p) => p.now);
		near(now.price_hour.value, server('m7.8').min_price_spot, 'spot price here');
		near(spot.of.frontier[0].price_hour.value, servers.find((s) => s.name === spot.of.frontier[0].server).min_price_spot,
			'spot price there');
		assert.match(spot.page, /at spot prices/);
	});

	it('is right with one server, with none, and with hundreds that cost the same', async () => {
		const alike = (n) => json(Array.from({ length: n }, (_, i) => ({
			...server('cx.8'), name: `same${i}`, api_reference: `same${i}`, server_id: String(i), score: null })));
		const none = await report(recording(), [], { ...many, '/servers': json([]) });
		assert.equal(none.of, null);
		const one = await report(recording(), [], { ...many, '/servers': alike(1) });
		assert.equal(one.of.points, 1);
		assert.equal(one.of.frontier.length, 2);
		const hundreds = await report(recording(), [], { ...many, '/servers': alike(250) });
		assert.equal(hundreds.of.points, 1);
		assert.equal(hundreds.of.frontier.length, 2);
		assert.match(hundreds.of.frontier[0].more, /^\d+ more servers$/);
		const dearer = await report(recording(), [], {
			...many, '/servers': json([{ ...server('m7.8'), server_id: 'x', name: 'x', api_reference: 'x', min_price_ondemand: 9 }]) });
		assert.match(dearer.of.sentence, /^The cheapest run: this server, \$[\d.]+, 10 min; none of the others costs less\.$/);
	});

	it('leaves out sizes without an answer, and says so', async () => {
		const list = many['/servers'];
		const wide = recording({ cores: () => 16, vcpus: 16, type: ['aws', 'm7.16'] });
		for (const bad of [json('', 500), json('{"detail": "no"}', 422), json('<html>'), json('[1, {"vendor_id": 3}, null]')]) {
			const r = await report(wide, [], { ...many, '/servers': inTurn(list, bad) });
			assert.equal(r.model.prices.known, true);
			assert.ok(r.of.frontier.length > 0);
			assert.ok(r.requests.length <= 8 + 2 * 5, String(r.requests.length)); // a 500 is tried again
		}
		const refused = await report(wide, [], { ...many, '/servers': inTurn(list, json('{"detail": "no"}', 422)) });
		assert.match(refused.of.notes, /Servers with at least 1 CPUs? are missing: .*status 422: no\.$/);
		const began = performance.now();
		const silent = await report(wide, ['--keeper-timeout', '6s'], { ...many, '/servers': inTurn(list, never) });
		assert.equal(silent.model.prices.known, true);
		assert.ok(performance.now() - began < 60000);
	});
});
