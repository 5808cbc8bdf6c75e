// A long recording as it is written: its page is made from its head. A journal is made here and recovered, since to
// record more than 2,000 samples takes too long.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';

const B = process.env.B ?? 'build/release';
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-overview-'));
const file = (name) => path.join(folder, name);
after(() => rmSync(folder, { recursive: true }));

const table = Array.from({ length: 256 }, (_, n) => {
	for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
	return n >>> 0;
});

function crc32(bytes) {
	let c = 0xffffffff;
	for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
	return (c ^ 0xffffffff) >>> 0;
}

// docs/snapshot.md, the journal.
function journal(start, rows) {
	const columns = ['process_timestamp', 'process_cpu_usage', 'process_memory', 'process_write_bytes',
		'system_timestamp', 'system_cpu_usage', 'system_memory_used'];
	const head = { metadata: { interval: 1, start_time: start, track_processes: true, track_system: true, children: true },
		server_info: { vcpus: 4, memory_mb: 8192 }, rtrack: { format: 2, job: { name: 'long', argv: ['./long'] } }, columns };
	const records = Array.from({ length: rows }, (_, i) => {
		const record = Buffer.alloc(20 + 8 * columns.length), cores = 2 + Math.sin(i / 300), at = start + 1 + i;
		record.writeUInt32LE(0x52545231, 0);
		record.writeBigUInt64LE(BigInt(i), 8);
		[at, cores, 1e6 * (500 + (i % 97)), i % 7 ? 0 : 1e6, at, cores + 0.5, 3e9].forEach((v, k) => record.writeDoubleLE(v, 16 + 8 * k));
		record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
		return record;
	});
	return Buffer.concat([Buffer.from(`rtrack-journal 1\n${JSON.stringify(head)}\n`), ...records]);
}

function report(...args) {
	return spawnSync(`${B}/rtrack-report`, ['--offline', '--keeper-cache', '', '--now', '1796000000', ...args],
		{ encoding: 'utf8', maxBuffer: 1 << 26 });
}

function model(...args) {
	const r = report('-j', '-', ...args);
	assert.equal(r.stderr, '');
	const m = JSON.parse(r.stdout);
	delete m.inputs;
	delete m.run.file;
	delete m.recording.packed; // has also the columns that were not measured, where they come from rows
	return m;
}

let text; // of the recording

before(() => {
	writeFileSync(file('a.json.gz.partial'), journal(1795234310, 3000));
	const r = spawnSync(`${B}/rtrack-collect`, ['--recover', file('a.json.gz.partial')], { encoding: 'utf8' });
	assert.equal(r.status, 0, r.stderr);
	text = gunzipSync(readFileSync(file('a.json.gz'))).toString();
	writeFileSync(file('cut.json'), text.slice(0, text.indexOf('"process_metrics"') + 100));
	const { overview, ...rtrack } = JSON.parse(text).rtrack;
	assert.equal(overview.buckets, 240);
	writeFileSync(file('rows.json.gz'), gzipSync(JSON.stringify({ ...JSON.parse(text), rtrack })));
});

it('is the same as from all rows', () => {
	assert.deepEqual(model(file('a.json.gz')), model(file('rows.json.gz')));
});

it('needs nothing after the head: a file that ends there is read, but not for its rows', () => {
	const whole = model(file('a.json.gz'));
	assert.deepEqual(model(file('cut.json')), whole);
	assert.ok(whole.charts[0].data.mean[0].every((v) => v >= 1 && v <= 3));
	const csv = report('--csv', '-', file('cut.json'));
	assert.equal(csv.status, 1);
	assert.match(csv.stderr, /^rtrack-report: .*cut\.json/);
	assert.equal(report('--csv', '-', file('a.json.gz')).stdout.trim().split('\n').length, 3001);
});

it('is history by its head', () => {
	writeFileSync(file('early.json'), text.replaceAll('1795234310', '1795134310').slice(0, text.indexOf('"overview"') + 20));
	const m = model(file('cut.json'), file('early.json'));
	assert.equal(m.history.length, 1);
	assert.equal(m.history[0].cpu_mean.value, m.usage.rows[0].now.value);
});
