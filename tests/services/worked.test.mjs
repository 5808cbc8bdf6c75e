// The worked examples of docs/advice.md, three ways: the document's tables, an independent script in exact
// fractions (tests/worked/examples.mjs), and what rtrack-report makes of recordings with these inputs.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import {
	asks, costs, money, moneyTable, number, resources, resourceTable, waiting, waits, waitTable, words,
} from '../worked/examples.mjs';
import { json, start } from './keeper_stub.mjs';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-worked-'));
after(() => rmSync(folder, { recursive: true }));
const clean = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name),
	),
);
let files = 0;

// A recording of these samples, one a second, that lasted so long.
function recording({ cpu = ['1'], memory_kb = 102400, gpu, vram_mib = 0, died_mib, seconds, here }) {
	const n = Math.max(cpu.length, gpu?.length ?? 0);
	const column = (values) => Array.from({ length: n }, (_, i) => Number(values[i % values.length]));
	assert.ok([cpu, gpu ?? cpu].every((v) => n % v.length === 0), 'means stay as they are');
	const timestamp = column([0]).map((_, i) => 1001 + i);
	return {
		metadata: { interval: 1, start_time: 1000, stop_time: 1000 + Number(seconds ?? n) },
		server_info: { vcpus: 64, memory_mb: 262144, gpu_count: gpu ? 4 : 0 },
		cloud_info: here ? { vendor: here.vendor, instance_type: 'present', region: 'r1' } : null,
		rtrack: {
			exit: died_mib ? { signal: 'KILL', cause: 'oom' } : { code: 0, cause: 'exited' },
			limits: died_mib
				? { memory_bytes: died_mib * 1048576, memory_from: 'memory.max', hidden_cgroups: false }
				: null,
		},
		process_metrics: {
			timestamp,
			cpu_usage: column(cpu),
			// The peak is one sample's.
			memory: timestamp.map((_, i) => (i === n - 1 ? memory_kb : Math.min(1024, memory_kb))),
			gpu_usage: column(gpu ?? ['0']),
			gpu_vram: timestamp.map((_, i) => (i === 0 ? vram_mib : 0)),
		},
		system_metrics: { timestamp, cpu_usage: column(['0']) },
	};
}

const offer = ({ vendor = 'aws', price = '0.5', billing } = {}) => ({
	vendor_id: vendor,
	server_id: 'offer',
	name: 'offer',
	vcpus: 64,
	memory_amount: 262144,
	gpu_count: 4,
	gpu_memory_total: 327680,
	gpu_memory_min: 81920,
	min_price_ondemand: Number(price),
	cpu_architecture: 'x86_64',
	status: 'active',
	...(billing
		? { vendor: { minimum_billing_seconds: billing[0], billing_increment_seconds: billing[1] } }
		: {}),
});
const present = ({ vendor, price }) => ({
	vendor_id: vendor,
	region_id: 'r1',
	server_id: 'present',
	operating_system: 'Linux',
	allocation: 'ondemand',
	unit: 'hour',
	price: Number(price),
	currency: 'USD',
	status: 'active',
});

async function report(example) {
	const { here, there } = example;
	const stub = await start({
		'/servers': json([offer(there)]),
		...(here ? { [`/server/${here.vendor}/present/prices`]: json([present(here)]) } : {}),
	});
	const name = path.join(folder, String(files++));
	writeFileSync(`${name}.in.json`, JSON.stringify(recording(example)));
	const args = ['-j', `${name}.json`, '--arch', 'x86_64', '--keeper-url', stub.url, '--keeper-timeout', '60s', '--keeper-cache', ''];
	const child = spawn(command, [...args, `${name}.in.json`], {
		env: clean,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	const status = await new Promise((resolve) => child.on('close', resolve));
	await stub.close();
	assert.equal(status, 0);
	const { query } = stub.requests.find((r) => r.path === '/servers');
	return { model: JSON.parse(readFileSync(`${name}.json`, 'utf8')), query };
}

const near = (got, want, what) => {
	const n = number(want);
	assert.ok(Math.abs(got - n) <= 1e-12 + 1e-9 * Math.abs(n), `${what}: ${got}, not ${n}`);
};

describe('the document', () => {
	const text = readFileSync('docs/advice.md', 'utf8');
	it('has what the script computes', () => {
		assert.ok(text.includes(`\n${resourceTable()}\n`), resourceTable());
		assert.ok(text.includes(`\n${moneyTable()}\n`), moneyTable());
		assert.ok(text.includes(`\n${waitTable()}\n`), waitTable());
	});
});

describe('what is asked for:', { concurrency: 3 }, () => {
	for (const example of resources)
		it(example.name, async () => {
			const want = asks(example);
			const { model, query } = await report(example);
			const items = Object.fromEntries(model.advice.items.map((i) => [i.id, i.value]));
			assert.equal(items.cpu, Number(want.cpu));
			assert.equal(model.advice.resource_tracker.cpu, Number(want.cpu_mean));
			assert.equal(items.memory, Number(want.memory));
			assert.equal(items.gpu ?? 0, Number(want.gpu));
			assert.equal(items.vram ?? 0, Number(want.vram));
			// In this order at the end of their formulas, too; and GiB to the service.
			for (const item of model.advice.items)
				assert.ok(item.formula.includes(String(item.value)), item.formula);
			assert.equal(query.get('vcpus_min'), String(want.cpu));
			const room = Math.max(Number(want.memory) + 512, Number(want.memory) / 0.94);
			assert.equal(query.get('memory_min'), (Math.floor(room / 1024 * 1000) / 1000).toFixed(3));
			assert.equal(Number(query.get('gpu_min') ?? 0), Number(want.gpu));
			if (want.gpu)
				assert.equal(Number(query.get('gpu_memory_total')), Number(want.vram) / 1024);
			const slurm = model.advice.snippets.find((s) => s.id === 'slurm').text;
			assert.match(slurm, new RegExp(`^#SBATCH --mem=${want.memory}M$`, 'm'));
			const said = model.verdict.find((s) => s.id === 'advice').text;
			assert.match(said, new RegExp(`ask for ${want.cpu} CPUs? and ${want.memory} MiB of memory`));
			assert.ok(!example.died_mib || items.memory > example.died_mib);
		});
});

describe('what it costs:', { concurrency: 3 }, () => {
	for (const example of money)
		it(example.name, async () => {
			const want = costs(example);
			const { prices } = (await report(example)).model;
			const there = prices.servers[0];
			near(prices.present.run_cost.value, want.here, 'here');
			near(prices.present.alone.value, want.here_alone, 'here, alone');
			near(there.run_cost.value, want.there, 'there');
			near(there.alone.value, want.there_alone, 'there, alone');
			for (const [key, saved] of [['savings', want.saved], ['savings_alone', want.saved_alone]]) {
				near(prices[key].percent, saved.percent, `${key}, %`);
				near(prices[key].amount, saved.amount, key);
				assert.equal(prices[key].extra, saved.amount[0] < 0n);
				assert.match(prices[key].text, saved.amount[0] < 0n ? /^Extra cost of/ : /^Saves/);
			}
		});
	it('360 times as much alone', () => {
		const { here, here_alone } = costs(money[0]);
		assert.equal(here[0] * 360n * here_alone[1], here_alone[0] * here[1]);
	});
});

// Ten rows of a constant use; the wait is the kernel's total.
function constant({ seconds, cpus, cores, waited, others = '0' }) {
	const ten = (v) => Array.from({ length: 10 }, () => v);
	const timestamp = ten(0).map((_, i) => 1000 + ((i + 1) * Number(seconds)) / 10);
	return {
		metadata: { interval: Number(seconds) / 10, start_time: 1000, stop_time: 1000 + Number(seconds) },
		server_info: { vcpus: cpus, memory_mb: 8192 },
		rtrack: {
			exit: { code: 0, cause: 'exited' },
			totals: { wall_s: Number(seconds), cpu_wait_s: Number(waited) },
		},
		process_metrics: { timestamp, cpu_usage: ten(Number(cores)) },
		system_metrics: { timestamp, cpu_usage: ten(Number(cores) + Number(others)) },
	};
}

describe('waiting for a CPU:', () => {
	for (const example of waiting)
		it(example.name, () => {
			const want = waits(example), name = path.join(folder, String(files++));
			writeFileSync(`${name}.in.json`, JSON.stringify(constant(example)));
			const { status } = spawnSync(command, ['-j', `${name}.json`, '--offline', `${name}.in.json`], {
				env: clean,
				stdio: ['ignore', 'inherit', 'inherit'],
			});
			assert.equal(status, 0);
			const { verdict, advice } = JSON.parse(readFileSync(`${name}.json`, 'utf8'));
			assert.equal(advice.items[0].value, Number(want.cpus));
			assert.equal(advice.resource_tracker.cpu, Math.max(1, Math.round(Number(example.cores))));
			const said = verdict.find((s) => s.id === 'bottleneck')?.text ?? '';
			if (want.says === 'none') return assert.doesNotMatch(said, /CPU/);
			assert.ok(said.includes(words[want.says]), said);
			if (want.says !== 'limit' && want.says !== 'idle')
				assert.ok(said.includes(`would have used at most ${number(want.wanted).toFixed(2)} core`), said);
		});
});
