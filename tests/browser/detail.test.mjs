// Single devices (--detail): what stands out is drawn, and all names are harmless.

import assert from 'node:assert/strict';
import test from 'node:test';
import { statSync } from 'node:fs';
import { recorded, shown, texts, visit } from './page.mjs';
import { recording } from './runs.mjs';

const BUCKETS = 240;
const MOUNT = '/mnt/"><img src=x onerror="window.pwned=1"></script>\u001b[31m\n=cmd(1)';

const points = f => Array.from({ length: BUCKETS }, (_, i) => Number(f(i).toPrecision(4)));
const series = (name, f, more = {}) => {
	const p = points(f);
	return { name, n: 600, mean: p.reduce((a, b) => a + b) / BUCKETS, max: Math.max(...p), sum: null, first: null,
		last: null, busy: null, points: p, ...more };
};
const space = (name, used, size) => [
	series(`file_system.${name}.used_bytes`, used, { first: used(0), last: used(BUCKETS - 1) }),
	series(`file_system.${name}.free_bytes`, i => size - used(i), { first: size - used(0), last: size - used(BUCKETS - 1) })];

function withDetail(cpus) {
	const run = recording(600);
	const traffic = (name, rate) => series(name, i => rate * (1 + Math.sin(i / 9)), { sum: rate * 600 });
	run.rtrack.detail = { from: run.metadata.start_time, step: 600 / BUCKETS, buckets: BUCKETS, series: [
		...Array.from({ length: cpus }, (_, c) => series(`cpu.${c}.usage`, i => (c === 1 ? 0.97 : 0.1 + 0.05 * Math.sin(i + c)),
			{ busy: c === 1 ? 1 : 0 })),
		traffic('interface.eth0.received_bytes', 1e7), traffic('interface.eth0.sent_bytes', 1e5),
		traffic('interface.eth1.received_bytes', 1e3), traffic('interface.eth1.sent_bytes', 1e3),
		...space('/', () => 4e10, 1e11), ...space(MOUNT, i => 1e9 + 4e7 * i, 1.06e10),
		traffic('disk.sda.read_bytes', 1e6), traffic('disk.sda.written_bytes', 3e6),
	] };
	return recorded(run);
}

for (const cpus of [2, 8, 256])
	test(`${cpus} CPUs: a table of the most used, a line for each that stands out`, async () => {
		const { model, file } = withDetail(cpus);
		const { page, problems, close } = await visit(file);
		assert.equal(model.detail.kinds.length, 4);
		for (const kind of model.detail.kinds) {
			const box = `#detail [data-id=${kind.id}]`;
			assert.deepEqual(await texts(page, `${box} tbody th`), kind.rows.map(r => shown(r.name)));
			assert.deepEqual(await texts(page, `${box} tbody td`), kind.rows.flatMap(r => r.cells.map(c => shown(c.text))));
			const drawn = kind.charts.flatMap(c => c.key.map(k => shown(k.label)));
			assert.deepEqual(await texts(page, `${box} .key-list li`), drawn);
			assert.ok(drawn.length <= 9);
			const inside = await page.locator(`${box} figure > svg path`).evaluateAll(all => all.every(node => {
				const [p, s] = [node.getBoundingClientRect(), node.closest('figure').getBoundingClientRect()];
				return p.left >= s.left - 1 && p.right <= s.right + 1;
			}));
			assert.ok(inside, `${kind.id}: within the picture`);
		}
		assert.deepEqual(model.detail.kinds.map(k => k.charts.flatMap(c => c.key.map(l => l.label.split('>')[0]))), [
			['Mean of all CPUs, and their range', 'CPU 1'], ['eth0 received'], ['/mnt/"'], ['sda read', 'sda written']]);
		assert.equal(model.detail.kinds[0].rest, cpus > 8 ? `${cpus - 8} others that were used less.` : '');
		assert.match(model.verdict.find(v => v.id === 'file_systems').text, /^The file system on \/mnt.* filled up to 99\.6% during/);
		assert.ok(statSync(file).size < (cpus > 8 ? 250e3 : 225e3), `${statSync(file).size} bytes`);
		assert.equal(await page.evaluate(() => window.pwned), undefined);
		assert.deepEqual(problems, []);
		await close();
	});

test('the navigation leads there, and nothing is wider than a telephone', async () => {
	const { file } = withDetail(8);
	const { page, problems, close } = await visit(file, { viewport: { width: 390, height: 800 } });
	assert.ok((await texts(page, '.top nav a')).includes('Devices'));
	assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
	assert.deepEqual(problems, []);
	await close();
});

test('without a style and a script the pictures and tables are there', async () => {
	const { file, model } = withDetail(8);
	const { page, close } = await visit(file, { javaScriptEnabled: false });
	await page.locator('style').evaluateAll(all => all.forEach(node => node.remove())).catch(() => {});
	assert.equal(await page.locator('#detail figure > svg').count(), model.detail.kinds.filter(k => k.charts.length).length);
	assert.equal(await page.locator('#detail table').count(), 4);
	await close();
});

test('a recording without --detail has no such section', async () => {
	const { page, close } = await visit(recorded(recording(60)).file);
	assert.equal(await page.locator('#detail').count(), 0);
	assert.ok(!(await texts(page, '.top nav a')).includes('Devices'));
	await close();
});
