// The lines to paste of rtrack-report, read as the tools read them: JSON and YAML by parsers, the others by
// the syntax that their manuals give; and every amount in bytes, against the advice.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'yaml';

const command = `${process.env.B ?? 'build/release'}/rtrack-report`;
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-snippets-'));
after(() => rmSync(folder, { recursive: true }));
const MIB = 1048576;
let files = 0;

// What is advised of runs with these samples: {cpu, memory, gpu, vram, time} and the snippets by id.
function advice({ cpu = 1, memory_mib, gpu = 0, vram_mib = 0, runs = 1, seconds = 60 }) {
	const names = Array.from({ length: runs }, (_, i) => {
		const name = path.join(folder, `${files++}.json`), at = 1000 + i * 10000;
		writeFileSync(name, JSON.stringify({
			metadata: { interval: 1, start_time: at, stop_time: at + seconds },
			server_info: { vcpus: 512, memory_mb: 4194304, gpu_count: 8 },
			rtrack: { job: { name: 'job' }, exit: { code: 0, cause: 'exited' } },
			process_metrics: {
				timestamp: [at + 1, at + 2],
				cpu_usage: [cpu, cpu],
				...(memory_mib ? { memory: [1024, memory_mib * 1024] } : {}),
				gpu_usage: [gpu, gpu],
				gpu_vram: [vram_mib, vram_mib],
			},
		}));
		return name;
	});
	const out = path.join(folder, 'out.json');
	execFileSync(command, ['--offline', '-j', out, ...names]);
	const model = JSON.parse(readFileSync(out, 'utf8')).advice;
	return {
		...Object.fromEntries(model.items.map((i) => [i.id, i.value ?? 0])),
		paste: Object.fromEntries(model.snippets.map((s) => [s.id, s.text])),
	};
}

const cases = {
	'a small job': { memory_mib: 50 },
	'a job of no known memory': { cpu: 3 },
	'three runs': { cpu: 2, memory_mib: 933, runs: 3, seconds: 3601 },
	'a GPU': { cpu: 4, memory_mib: 7000, gpu: 1, vram_mib: 7000, runs: 4 },
	'a large job': { cpu: 100, memory_mib: 400000, gpu: 4, vram_mib: 70000, runs: 3, seconds: 9e5 },
};

// Lines that each match one of these, none twice: {name: the first group}.
function lines(text, syntax) {
	const found = {};
	for (const line of text.split('\n')) {
		const [name, match] = Object.entries(syntax)
			.map(([key, re]) => [key, re.exec(line)])
			.find(([, m]) => m) ?? [];
		assert.ok(match, `not in the manual: ${line}`);
		assert.ok(!(name in found), `twice: ${line}`);
		found[name] = match[1] === undefined ? true : Number(match[1]);
	}
	return found;
}

// As much as the advice, or up to a megabyte more where units differ.
function amounts(a, { cpu, memory, gpu, minutes }) {
	assert.equal(Number(cpu ?? 0), a.cpu);
	assert.equal(Number(gpu ?? 0), a.gpu ?? 0);
	assert.equal(Number(minutes ?? 0), a.time ?? 0);
	assert.equal(memory === undefined, !a.memory);
	if (a.memory)
		assert.ok(memory >= a.memory * MIB && memory < a.memory * MIB + 1e6, `${memory} bytes`);
}
const mib = (n) => (n === undefined ? undefined : n * MIB);
const mb = (n) => (n === undefined ? undefined : n * 1e6);

const quantity = (text) => {
	if (text === undefined) return undefined;
	const [, n, unit] = /^([1-9]\d*)(Mi)?$/.exec(String(text));
	return Number(n) * (unit ? MIB : 1);
};

const read = {
	slurm(a, text) {
		const l = lines(text, {
			cpu: /^#SBATCH --cpus-per-task=([1-9]\d*)$/,
			memory: /^#SBATCH --mem=([1-9]\d*)M$/,
			gpu: /^#SBATCH --gres=gpu:([1-9]\d*)$/,
			minutes: /^#SBATCH --time=([1-9]\d*)$/,
		});
		amounts(a, { ...l, memory: mib(l.memory) });
	},
	kubernetes(a, text) {
		const { resources } = parse(text, { strict: true, version: '1.1' });
		const { requests, limits = {} } = resources;
		assert.equal(typeof requests.cpu, 'string');
		assert.deepEqual(Object.keys(requests), a.memory ? ['cpu', 'memory'] : ['cpu']);
		assert.equal(requests.memory, limits.memory);
		assert.equal(limits.cpu, undefined);
		const deadline = /^# .*activeDeadlineSeconds: (\d+)$/m.exec(text)?.[1];
		amounts(a, {
			cpu: requests.cpu,
			memory: quantity(requests.memory),
			gpu: limits['nvidia.com/gpu'],
			minutes: deadline && deadline / 60,
		});
	},
	// 'MB' of its MemoryUnit are 1024² bytes.
	nextflow(a, text) {
		const l = lines(text, {
			open: /^process \{$/,
			cpu: /^    cpus = ([1-9]\d*)$/,
			memory: /^    memory = '([1-9]\d*) MB'$/,
			gpu: /^    accelerator = ([1-9]\d*)$/,
			minutes: /^    time = '([1-9]\d*) min'$/,
			close: /^\}$/,
		});
		assert.ok(l.open && l.close && text.endsWith('\n}'));
		amounts(a, { ...l, memory: mib(l.memory) });
	},
	snakemake(a, text) {
		const l = lines(text, {
			cpu: /^threads: ([1-9]\d*)$/,
			resources: /^resources:$/,
			memory: /^    mem_mb=([1-9]\d*),?$/,
			gpu: /^    gpu=([1-9]\d*),?$/,
			minutes: /^    runtime=([1-9]\d*),?$/,
		});
		// A comma between keywords, none after the last.
		assert.doesNotMatch(text, /,$/);
		assert.doesNotMatch(text, /\d\n    /);
		assert.doesNotMatch(text, /resources:$/);
		amounts(a, { ...l, memory: mb(l.memory) });
	},
	metaflow(a, text) {
		const m = /^@resources\(([a-z]+=[1-9]\d*(?:, [a-z]+=[1-9]\d*)*)\)(?:\n@timeout\(minutes=([1-9]\d*)\))?$/.exec(text);
		assert.ok(m, text);
		const keys = Object.fromEntries(m[1].split(', ').map((pair) => pair.split('=')));
		for (const key of Object.keys(keys)) assert.ok(['cpu', 'memory', 'gpu'].includes(key), key);
		amounts(a, { ...keys, memory: mb(keys.memory), minutes: m[2] });
		// AWS Batch reads MiB.
		if (a.memory) assert.ok(Number(keys.memory) >= a.memory);
	},
	aws_batch(a, text) {
		const { containerProperties, timeout, ...rest } = JSON.parse(text);
		assert.deepEqual(rest, {});
		const by = Object.fromEntries(containerProperties.resourceRequirements.map((r) => {
			assert.deepEqual(Object.keys(r), ['type', 'value']);
			assert.match(r.value, /^[1-9]\d*$/);
			return [r.type, r.value];
		}));
		assert.ok(!timeout || timeout.attemptDurationSeconds >= 60);
		amounts(a, {
			cpu: by.VCPU,
			memory: mib(by.MEMORY),
			gpu: by.GPU,
			minutes: timeout && timeout.attemptDurationSeconds / 60,
		});
	},
	github(a, text) {
		const y = parse(text, { strict: true });
		if (Array.isArray(y['runs-on'])) assert.deepEqual(y['runs-on'], ['self-hosted', 'linux']);
		else fits(a, /# .*?(\d+) CPUs, (\d+) GB(?:, (\d+) GPU of (\d+) GB)?$/m.exec(text));
		assert.equal(y['timeout-minutes'] ?? 0, a.time ?? 0);
	},
	gitlab(a, text) {
		const y = parse(text, { strict: true });
		assert.equal(y.timeout, a.time ? `${a.time} minute${a.time === 1 ? '' : 's'}` : undefined);
		if (y.tags) {
			assert.match(y.tags[0], /^saas-linux-[a-z0-9]+-amd64(-gpu-standard)?$/);
			fits(a, /^tags.* # (\d+) CPUs, (\d+) GB(?:, (\d+) GPU of (\d+) GB)?$/m.exec(text));
		}
		const v = y.variables;
		assert.equal(v.KUBERNETES_MEMORY_LIMIT, v.KUBERNETES_MEMORY_REQUEST);
		amounts({ ...a, gpu: 0, time: 0 },
			{ cpu: v.KUBERNETES_CPU_REQUEST, memory: quantity(v.KUBERNETES_MEMORY_REQUEST) });
	},
};

function fits(a, found) {
	const [, cpus, gb, gpus = 0, vram_gb = 0] = found;
	assert.ok(Number(cpus) >= a.cpu);
	assert.ok(gb * 1e9 >= (a.memory ?? 0) * MIB);
	assert.ok(Number(gpus) >= (a.gpu ?? 0));
	assert.ok(vram_gb * 1e9 >= (a.vram ?? 0) * MIB);
}

for (const [name, inputs] of Object.entries(cases))
	describe(`lines to paste of ${name}:`, () => {
		const a = advice(inputs);
		assert.equal(Boolean(a.time), (inputs.runs ?? 1) >= 3);
		assert.deepEqual(Object.keys(a.paste), Object.keys(read));
		for (const [id, check] of Object.entries(read)) it(id, () => check(a, a.paste[id]));
	});
