// Filters and spot prices, against a stub that filters like the real service.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { json, start } from './keeper_stub.mjs';
import { real, servers } from './keeper_real.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const clean = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name),
	),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-filters-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

// A job of half an hour on this server, which needs one CPU and 128 MiB.
const recording = (cloud = null) => ({
	metadata: { interval: 1, start_time: 1000, stop_time: 2800 },
	server_info: { vcpus: 2, memory_mb: 4096 },
	cloud_info: cloud,
	rtrack: { exit: { code: 0, cause: 'exited' } },
	process_metrics: { timestamp: [1001, 1002], cpu_usage: [0.5, 0.5], memory: [1024, 1024] },
	system_metrics: { timestamp: [1001, 1002], cpu_usage: [0.5, 0.5] },
});

function run(args) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { env: clean, stdio: ['ignore', 'inherit', 'pipe'] });
		let stderr = '';
		child.stderr.on('data', (text) => (stderr += text));
		child.on('error', reject);
		child.on('close', (status) => resolve({ status, stderr }));
	});
}

// {status, stderr, requests, prices, model, page, text, markdown, metrics} of a report with these options.
async function ask(args, { cloud, answers = {}, keep } = {}) {
	const name = path.join(folder, String(files++));
	const stub = await start({ ...real, ...answers });
	writeFileSync(`${name}.rec`, JSON.stringify(recording(cloud)));
	const out = { '-o': 'html', '-j': 'json', '--text': 'txt', '--markdown': 'md', '--openmetrics': 'prom' };
	const result = await run([
		...Object.entries(out).flatMap(([option, ext]) => [option, `${name}.${ext}`]),
		...['--keeper-url', stub.url, '--keeper-timeout', '60s', '--keeper-cache', keep ?? '', ...args],
		...(args.includes('--arch') ? [] : ['--arch', 'x86_64']), `${name}.rec`,
	]);
	await stub.close();
	const read = (ext) => (existsSync(`${name}.${ext}`) ? readFileSync(`${name}.${ext}`, 'utf8') : null);
	const model = JSON.parse(read('json') ?? 'null');
	return {
		...result, model, prices: model?.prices, page: read('html'), text: read('txt'), markdown: read('md'),
		metrics: read('prom'), requests: stub.requests, url: stub.url, command: `${name}.rec`,
	};
}

const listed = (r) => r.prices.servers.map((s) => `${s.vendor} ${s.server} ${s.price_hour.value}`);
const calls = (r, name) => r.requests.filter((q) => q.path === '/servers').map((q) => q.query.getAll(name).join());

describe('compliance', { concurrency: 4 }, () => {
	it('lists nothing of a vendor that does not comply', async () => {
		const r = await ask(['--compliance', 'hipaa', '--vendor', 'hcloud']);
		assert.equal(r.status, 0);
		assert.deepEqual(listed(r), []);
		assert.equal(
			r.prices.why,
			'No server fits: at least 1 CPU, 128 MiB of memory and room for the system, 0.5 GiB or 6% of it; architecture x86_64; vendor hcloud; compliance ' +
				'hipaa. Left out because the service does not confirm compliance with hipaa: hcloud.',
		);
		assert.equal(r.stderr, `rtrack-report: no prices: ${r.prices.why.replace('The cheapest servers are unknown: ', '')}\n`);
		// An answer that other filters narrow down to the vendor's rows proves nothing.
		const narrow = await ask(['--compliance', 'hipaa', '--vendor', 'hcloud', '--region', 'nbg1']);
		assert.deepEqual(listed(narrow), []);
	});

	it('lists what complies, and names what does not', async () => {
		const r = await ask(['--compliance', 'HIPAA', '--vendor', 'hcloud,aws', '--vendor', 'gcp']);
		assert.deepEqual(listed(r), ['gcp e2-medium 0.03', 'aws t3.medium 0.04']);
		assert.equal(r.prices.filters_why, 'Left out because the service does not confirm compliance with hipaa: hcloud.');
		assert.ok(r.page.includes(r.prices.filters_why));
		assert.ok(r.text.replace(/\s+/g, ' ').includes(r.prices.filters_why));
		assert.deepEqual(calls(r, 'vendor'), ['hcloud', 'aws', 'gcp', 'aws,gcp']);
		assert.equal(r.stderr, '');
	});

	it('is enough with one of several frameworks', async () => {
		const r = await ask(['--compliance', 'hipaa,iso27001', '--vendor', 'hcloud']);
		assert.deepEqual(listed(r), ['hcloud cx23 0.006', 'hcloud ccx13 0.02']);
		assert.equal(r.prices.filters_why, '');
		const alone = await ask(['--compliance', 'hipaa']);
		assert.deepEqual(listed(alone), ['gcp e2-medium 0.03', 'aws t3.medium 0.04']);
	});

	it('is not known where the service does not answer that', async () => {
		const r = await ask(['--compliance', 'hipaa', '--vendor', 'aws'], { answers: {
			'/servers': (request, response) =>
				(request.url.includes('vcpus_min=1&vendor=aws&compliance_framework=hipaa&order_by') ? json({}, 500)
					: real['/servers'])(request, response),
		} });
		assert.equal(r.prices.known, false);
		assert.match(r.prices.why, /^The cheapest servers are unknown: .* status 500$/);
	});
});

describe('filters', { concurrency: 4 }, () => {
	for (const [args, expected] of [
		[['--vendor', 'AWS'], ['aws t3.medium 0.04']],
		[['--vendor', 'aws,gcp'], ['gcp e2-medium 0.03', 'aws t3.medium 0.04']],
		[['--vendor', 'Hetzner'], ['hcloud cx23 0.006', 'hcloud ccx13 0.02']],
		[['--country', 'fi'], ['hcloud cx23 0.006']],
		[['--country', 'Germany'], ['hcloud cx23 0.01', 'hcloud ccx13 0.02', 'gcp e2-medium 0.04',
			'aws t3.medium 0.05']],
		// One call for each; a server in both is listed at its lower price.
		[['--country', 'de,fi'], ['hcloud cx23 0.006', 'hcloud ccx13 0.02', 'gcp e2-medium 0.04',
			'aws t3.medium 0.05']],
		[['--cpu-allocation', 'dedicated'], ['hcloud ccx13 0.02']],
		[['--keeper-filter', 'cpu_manufacturer=AMD'], ['hcloud ccx13 0.02']],
		[['--keeper-filter', 'cpu_manufacturer=AMD', '--keeper-filter', 'cpu_manufacturer=Intel'],
			['hcloud cx23 0.006', 'hcloud ccx13 0.02']],
		// The stub drops this one.
		[['--keeper-filter', 'storage_size=41'], ['hcloud ccx13 0.02']],
		[['--arch', 'AArch64,X86-64', '--vendor', 'aws'], ['aws t3.medium 0.04', 'aws m7g.large 0.08']],
		[['--region', 'NBG1'], ['hcloud cx23 0.01', 'hcloud ccx13 0.02']],
		[['--region', 'gcp~EUROPE-WEST3'], ['gcp e2-medium 0.04']],
		[['--region', 'Frankfurt'], ['gcp e2-medium 0.04', 'aws t3.medium 0.05']],
		[['--region', 'AWS~frankfurt'], ['aws t3.medium 0.05']],
		[['--region', 'Hetzner~fsn1,hetzner~hel1'], ['hcloud cx23 0.006']],
		// More than the service accepts in one call.
		[['--region', 'nbg1, hel1 ,fsn1,ash,EU-CENTRAL-1'], ['hcloud cx23 0.006', 'hcloud ccx13 0.02',
			'aws t3.medium 0.05']],
		[['--currency', 'eur'], ['hcloud cx23 0.006', 'hcloud ccx13 0.02', 'gcp e2-medium 0.03',
			'aws t3.medium 0.04']],
	])
		it(`${args.join(' ')}`, async () => {
			const r = await ask(args);
			assert.equal(r.stderr, '');
			assert.equal(r.status, 0);
			assert.deepEqual(listed(r), expected);
		});

	for (const [args, sentence] of [
		[['--vendor', 'hetznr'], '--vendor: unknown value "hetznr"; did you mean hcloud? (known: aws, gcp, azure, ' +
			'hcloud, upcloud, alicloud, ovh, vultr)'],
		[['--vendor', 'aws,'], null],
		[['--vendor', ','], '--vendor needs a value: ID[,ID]'],
		[['--compliance', 'hippa'], '--compliance: unknown value "hippa"; did you mean hipaa? (known: hipaa, ' +
			'iso27001, soc2t2)'],
		[['--country', 'Germny'], '--country: unknown value "Germny"; did you mean DE?'],
		[['--cpu-allocation', 'dedicate'], '--cpu-allocation: unknown value "dedicate"; did you mean Dedicated? ' +
			'(known: Shared, Burstable, Dedicated)'],
		[['--arch', 'x86_46'], '--architecture: unknown value "x86_46"; did you mean x86_64? (known: x86_64, arm64, i386, ' +
			'arm64_mac, x86_64_mac)'],
		[['--currency', 'euro'], '--currency: unknown value "euro"; did you mean EUR?'],
		[['--currency', 'EUR,USD'], '--currency: unknown value "EUR,USD"; give one code, such as EUR or USD'],
		[['--country', 'Atlantis'], '--country: unknown value "Atlantis"; give a country\'s ISO code or name, such as DE or Germany'],
		[['--vendor', 'aws', '--region', 'hcloud~fsn1'],
			'--region hcloud~fsn1 contradicts --vendor aws: it is a region of hcloud'],
		[['--keeper-filter', 'gpu_min=x'], '--keeper-filter: gpu_min: "x" is not a whole number from 0 to 1000000000'],
		[['--keeper-filter', 'gpu_max=1'], /^--keeper-filter: unknown name "gpu_max" \(known: vcpus_min, memory_min, /],
		[['--keeper-records'], /^--keeper-records .*--json/],
		[['--region', 'gpc~us-central1'], /^--region gpc~us-central1: unknown value "gpc"; did you mean gcp\?/],
	])
		it(`${args.join(' ')} is wrong before anything is read`, async () => {
			const r = await run([...args, '-o', '-', path.join(folder, 'nothing')]);
			if (!sentence)
				return assert.equal(r.status, 1); // no such file
			assert.equal(r.status, 2);
			if (sentence instanceof RegExp)
				assert.match(r.stderr.slice('rtrack-report: '.length), sentence);
			else
				assert.equal(r.stderr, `rtrack-report: ${sentence}\n`);
		});

	it('minimums replace what the job needs, and each query has its own answer in the cache', async () => {
		const keep = path.join(folder, 'cache-of-parameters');
		const more = (...all) => all.flatMap((text) => ['--keeper-filter', text]);
		const plain = await ask([], { keep });
		assert.deepEqual(calls(plain, 'vcpus_min'), ['1']);
		const none = await ask(more('vcpus_min=3', 'memory_min=0.5'), { keep });
		assert.deepEqual([calls(none, 'vcpus_min')[0], calls(none, 'memory_min')[0]], ['3', '0.500']);
		assert.equal(none.prices.why, 'No server fits: at least 3 CPUs, 512 MiB of memory; architecture x86_64.');
		const amd = await ask(more('cpu_manufacturer=AMD'), { keep });
		assert.deepEqual([...new Set(calls(amd, 'cpu_manufacturer'))], ['AMD']);
		assert.match(amd.prices.asked, /; cpu_manufacturer=AMD$/);
		assert.deepEqual(listed(amd), ['hcloud ccx13 0.02']);
		assert.ok(amd.page.includes('cpu_manufacturer=AMD'));
	});

	it('the model has the whole record of each server if it is asked for', async () => {
		const r = await ask(['--keeper-records', '--vendor', 'hcloud']);
		const { prices, ...rest } = servers.find((s) => s.name === 'ccx13');
		assert.deepEqual(r.prices.servers[1].record, { ...rest, min_price_ondemand: 0.02, min_price_spot: null,
			selected_benchmark_score: 1000 });
		assert.equal(r.prices.servers[0].record.server_id, '114');
		const plain = await ask(['--vendor', 'hcloud']);
		assert.ok(!('record' in plain.prices.servers[0]));
		// What is larger than 64 KiB is not kept.
		const row = { ...rest, min_price_ondemand: 0.02 };
		const large = await ask(['--keeper-records'], {
			answers: { '/servers': json([row, { ...row, server_id: '9', name: 'large', text: 'x'.repeat(65536) }]) },
		});
		assert.deepEqual(large.prices.servers.map((s) => s.record?.name ?? null), ['ccx13', null]);
	});

	it('a price that no server has leaves the server out, with a warning', async () => {
		const all = servers.map((s) => ({ ...s, min_price_ondemand: 0.04, min_price_spot: null }));
		for (const price of [1e300, 5000, -1, 'Infinity', '0.01', [1]]) {
			const rows = [{ ...all[0], min_price_ondemand: price, name: 'odd' }, ...all.slice(1)];
			const r = await ask(['--arch', 'x86_64'], { answers: { '/servers': json(rows) } });
			assert.deepEqual(r.prices.servers.map((s) => s.server), ['e2-medium', 't3.medium', 'ccx13'].sort((a, b) =>
				r.prices.servers.findIndex((s) => s.server === a) - r.prices.servers.findIndex((s) => s.server === b)), String(price));
			assert.equal(r.prices.filters_why, 'Left out for a price that no server has: hcloud odd.');
			assert.equal(r.stderr, 'rtrack-report: servers are left out for a price that no server has: hcloud odd\n');
			assert.ok(r.page.includes(r.prices.filters_why));
		}
		for (const price of [null, 0, undefined]) {
			const r = await ask([], { answers: { '/servers': json([{ ...all[0], min_price_ondemand: price }, ...all.slice(1)]) } });
			assert.equal(r.prices.filters_why + r.stderr, '', String(price));
		}
	});

	it('a region that the service does not list is wrong', async () => {
		for (const [args, sentence] of [
			[['--region', 'nbg11'], '--region: unknown region "nbg11"; the nearest is nbg1'],
			[['--region', 'nbg1,us-esat-1'], '--region: unknown region "us-esat-1"; the nearest is us-east-1'],
			[['--region', 'us-east-1', '--vendor', 'gcp'],
				'--region: unknown region "us-east-1" for this vendor; give the id, the name or the city of one'],
			[['--region', 'gcp~nbg1'], '--region: unknown region "gcp~nbg1" for this vendor; give the id, the name or the city of one'],
			[['--region', 'atlantis'], '--region: unknown region "atlantis"; give the id, the name or the city of one'],
			[['--region', 'Frankfrut'], '--region: unknown region "Frankfrut"; the nearest is Frankfurt'],
		]) {
			const r = await ask(args);
			assert.equal(r.status, 2);
			assert.ok(r.stderr.startsWith(`rtrack-report: ${sentence}`), r.stderr);
			assert.equal(r.model, null, 'nothing is written');
			assert.deepEqual(calls(r, 'vendor'), []);
		}
	});

	it('a region is asked for as it is where the service lists none, and that is said', async () => {
		const r = await ask(['--region', 'us-east-1'], { answers: { '/regions': json({}, 500) } });
		assert.deepEqual(calls(r, 'regions'), ['us-east-1']);
		assert.deepEqual(listed(r), ['aws t3.medium 0.04']);
		assert.match(r.prices.filters_why, /^The regions could not be checked: .*status 500\.$/);
		assert.ok(r.page.includes('The regions could not be checked'));
	});

	it('a region is checked by the cache where nothing is asked', async () => {
		const keep = path.join(folder, 'cache');
		assert.equal((await ask(['--region', 'nbg1'], { keep })).status, 0);
		// The cache is for the address that answered, and another port is another address.
		const stub = await start(real);
		const file = path.join(folder, 'offline.rec');
		writeFileSync(file, JSON.stringify(recording()));
		const report = (...args) => run(['--keeper-url', stub.url, '--keeper-timeout', '60s', '--keeper-cache', keep, '-j', `${file}.json`,
			'--arch', 'x86_64', ...args, file]);
		assert.equal((await report('--region', 'nbg1')).status, 0);
		await stub.close();
		const wrong = await report('--offline', '--region', 'nbg7');
		assert.equal(wrong.status, 2);
		assert.match(wrong.stderr, /--region: unknown region "nbg7"; the nearest is nbg1/);
		assert.deepEqual(await report('--offline', '--region', 'nbg1'), { status: 0, stderr: '' });
		const prices = JSON.parse(readFileSync(`${file}.json`)).prices;
		assert.deepEqual(prices.servers.map((s) => s.server), ['cx23', 'ccx13']);
	});

	it('a region that is a number is known by its name', async () => {
		const r = await ask(['--region', 'gcp~1380,2']);
		assert.match(r.prices.asked, /; region gcp~europe-west3 or nbg1-dc3$/);
		for (const [region, where] of [
			['1380', 'On-demand price in europe-west3.'],
			['europe-west3', 'On-demand price in europe-west3.'],
			['europe-west9', 'No price in europe-west9 is known: this is the lowest price of all regions (us-central1).'],
			['unknown', 'The region is unknown: this is the lowest price of all regions (us-central1).'],
		]) {
			const { prices } = await ask([], { cloud: { vendor: 'gcp', instance_type: 'e2-medium', region } });
			assert.equal(prices.present.where, where);
		}
	});
});

const on = (vendor, instance_type, region) => ({ cloud: { vendor, instance_type, region } });

describe('spot prices', { concurrency: 4 }, () => {
	const verdict = (r) => r.model.verdict.find((s) => s.id === 'cost').text;
	const flat = (text) => text.replace(/\s+/g, ' ');

	it('are called so, and compared with the spot price of this server', async () => {
		const r = await ask(['--spot', '--fail-if', 'cost > 99 USD'], on('aws', 't3.medium', 'us-east-1'));
		assert.deepEqual(listed(r), ['gcp e2-medium 0.012', 'aws t3.medium 0.02']);
		assert.equal(r.prices.servers[0].spot, true);
		assert.equal(r.prices.present.spot, false);
		// Half an hour at 0.02, compared with half an hour at 0.012; this server is 0.04 on demand.
		assert.equal(r.prices.savings.percent, 40);
		assert.equal(r.prices.savings.amount, 0.004);
		assert.equal(r.prices.savings.spot, true);
		assert.equal(r.prices.savings.text, 'Saves $0.004 (40%) for a run that takes as long there, comparing spot prices');
		assert.equal(r.prices.savings_why, '');
		assert.equal(
			verdict(r),
			'On this server, aws t3.medium at $0.04/h, the run cost $0.02. The cheapest server per hour that fits is ' +
				'Google Cloud Platform e2-medium at a spot price of $0.012/h: this run would cost $0.006 ' +
				'($0.0051 to $0.0072) there, 40% less, comparing spot prices.',
		);
		assert.match(r.page, /Servers that fit, lowest price per hour first; spot prices in USD/);
		assert.match(r.page, /<dt>Spot price per hour<dd>\$0\.02\/h</);
		assert.match(r.page, /Price per hour, on demand/);
		assert.match(flat(r.text), /t3\.medium, \$0\.04\/h on demand \(spot price: \$0\.02\/h\)/);
		assert.match(flat(r.text), /Per hour, spot/);
		assert.match(r.markdown.replaceAll('\\', ''), /\$0\.012\/h \(spot price\); the run there \$0\.006 \(.*\), predicted/);
		assert.match(r.metrics, /^rtrack_run_cost\{.*server="cheapest",currency="USD",price="spot"\} 0\.006$/m);
		assert.match(r.metrics, /^rtrack_run_cost\{.*server="present",currency="USD"\} 0\.02$/m);
		assert.match(r.model.gates.price, /^Cost at \$0\.04 an hour, the price of aws t3\.medium/);
	});

	it('are called so in the tile and the gates where this server is not known', async () => {
		const r = await ask(['--spot', '--fail-if', 'cost > 99 USD']);
		assert.equal(r.model.tiles.find((t) => t.id === 'cost').note,
			'on the cheapest, Google Cloud Platform e2-medium, at its spot price');
		assert.match(r.model.gates.price, /^Cost at \$0\.012 an hour, the spot price of gcp e2-medium/);
		assert.equal(r.model.trend.spot, true);
	});

	it('are not compared with a price on demand', async () => {
		// hcloud has no spot prices: compares on-demand prices, 0.006 with 0.03.
		const r = await ask(['--spot'], on('hcloud', 'cx23', 'hel1'));
		assert.equal(r.prices.savings.percent, -400);
		assert.equal(r.prices.savings.spot, false);
		assert.match(r.prices.savings.text,
			/^Extra cost of \$0\.012 \(400%\) for a run that takes as long there, comparing on-demand prices because this server's spot price is unknown$/);
		assert.match(verdict(r), /400% more, comparing on-demand prices because this server's spot price is unknown/);
		const only = servers.find((s) => s.server_id === '5501');
		const none = await ask(['--spot'], {
			...on('hcloud', 'cx23', 'hel1'),
			answers: { '/servers': json([{ ...only, min_price_ondemand: null, min_price_spot: 0.012 }]) },
		});
		assert.equal(none.prices.savings, null);
		assert.equal(none.prices.savings_alone, null);
		assert.match(none.prices.savings_why, /^No savings are shown: this server's spot price is unknown/);
		assert.ok(none.page.includes('No savings are shown'));
		assert.ok(none.text.includes('No savings are shown'));
		assert.doesNotMatch(verdict(none), /less|more/);
	});

	it('do not hide that this server is the cheapest', async () => {
		const r = await ask(['--spot', '--vendor', 'gcp'], on('gcp', 'e2-medium', 'us-central1'));
		assert.match(verdict(r), /the run cost \$0\.015\. It is the cheapest per hour that fits, at a spot price of \$0\.012\/h\.$/);
		assert.equal(r.prices.savings.percent, 0);
	});

	it('are not part of a report that does not ask for them', async () => {
		const r = await ask([], on('aws', 't3.medium', 'us-east-1'));
		assert.match(verdict(r), /Hetzner Cloud cx23 at \$0\.006\/h: this run would cost \$0\.003 \(.*\) there, 85% less\./);
		assert.equal(r.prices.savings.spot, false);
		for (const text of [r.text, r.markdown, r.metrics])
			assert.doesNotMatch(text, /spot/i);
	});
});

describe('vendors', { concurrency: 4 }, () => {
	it('have a short name', async () => {
		const r = await ask([], on('hcloud', 'cx23', 'hel1'));
		assert.deepEqual(r.prices.servers.map((s) => [s.vendor, s.vendor_short, s.vendor_name]).slice(1), [
			['hcloud', 'Hetzner', 'Hetzner Cloud'],
			['gcp', 'GCP', 'Google Cloud Platform'],
			['aws', 'AWS', 'Amazon Web Services'],
		]);
		assert.equal(r.prices.present.vendor_short, 'Hetzner');
	});

	it('bill as any row of theirs says', async () => {
		const row = (server_id, price, vendor) => ({
			...{ vendor_id: 'hcloud', server_id, name: server_id, vcpus: 2, memory_amount: 4096, vendor },
			...{ min_price_ondemand: price, cpu_architecture: 'x86_64', status: 'active' },
		});
		const bill = (minimum_billing_seconds, billing_increment_seconds) =>
			({ name: 'Hetzner Cloud', minimum_billing_seconds, billing_increment_seconds });
		const billing = async (...rows) => {
			const r = await ask([], { ...on('hcloud', 'cx23', 'hel1'), answers: { '/servers': json(rows) } });
			return [r.prices.present.billing, ...r.prices.servers.map((s) => s.billing)];
		};
		assert.deepEqual(await billing(row('a', 1, bill(60, 1)), row('b', 2, null), row('c', 3, bill(null, null))),
			Array(4).fill('at least 1 min, by the second'));
		assert.deepEqual(await billing(row('a', 1, bill(0, 60))), Array(2).fill('in steps of 1 min'));
		assert.deepEqual(await billing(row('a', 1, bill(null, 60))),
			Array(2).fill('at least 1 h, in steps of 1 min (minimum assumed)'));
		assert.deepEqual(await billing(row('a', 1, bill(60, null))), Array(2).fill('in steps of 1 h (steps assumed)'));
		assert.deepEqual(await billing(row('a', 1, null)), Array(2).fill('in steps of 1 h (assumed)'));
	});
});

describe('no prices', { concurrency: 2 }, () => {
	it('is one line on standard error, unless --offline asked for it', async () => {
		const r = await ask([], { answers: { '/servers': json({}, 500) } });
		assert.equal(r.status, 0);
		assert.equal(r.stderr, `rtrack-report: no prices: ${r.prices.why.replace('The cheapest servers are unknown: ', '')}\n`);
		assert.match(r.stderr, /status 500\n$/);
		assert.equal((await ask(['--offline'])).stderr, '');
		assert.equal((await ask([])).stderr, '');
	});
});
