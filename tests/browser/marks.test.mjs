// Limits are lines and phases are bands on the charts, each with its words.

import assert from 'node:assert/strict';
import test from 'node:test';
import { drag, hover, model, open, settled, texts } from './page.mjs';

// Notes what is written on each chart's canvas, since the last time it was cleared.
function listen() {
	const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
	Object.assign(CanvasRenderingContext2D.prototype, {
		clearRect(...args) {
			this.canvas.written = [];
			clearRect.apply(this, args);
		},
		fillText(text, ...args) {
			(this.canvas.written ??= []).push(text);
			(this.canvas.aligned ??= {})[text] = this.textAlign;
			fillText.call(this, text, ...args);
		},
	});
}

async function written(page, chart) {
	await settled(page);
	return page.locator(`[data-chart="${chart}"] canvas`).evaluate(canvas => canvas.written);
}

// A colour of a chart's canvas, at shares of the plotting area.
function colourAt(page, chart, x, y) {
	return page.evaluate(({ chart, x, y }) => {
		const canvas = document.querySelector(`[data-chart="${chart}"] canvas`);
		const over = document.querySelector(`[data-chart="${chart}"] .u-over`);
		const [at, all] = [over.getBoundingClientRect(), canvas.getBoundingClientRect()];
		const ratio = canvas.width / all.width;
		return [...canvas.getContext('2d').getImageData((at.left - all.left + at.width * x) * ratio,
			(at.top - all.top + at.height * y) * ratio, 1, 1).data].join();
	}, { chart, x, y });
}

// The ordinary run, with limits and phases.
function marked() {
	const m = model('ordinary');
	const { from } = m.charts[0].data;
	m.charts[0].data.limits = [[8, '8 CPUs allowed'], [64, '64 CPUs of the machine']];
	m.charts[1].data.limits = [[12 * 2 ** 30, 'memory limit 12 GiB'], [12.5 * 2 ** 30, 'high 12.5 GiB']];
	const names = ['assemble', 'polish', 'x'];
	const row = (name, index) => ({ name, index, count: 1, total: m.run.duration, mean: m.run.duration,
		share: m.run.duration, measures: [] });
	m.phases = { known: true, left_out: 0, rows: names.map(row), data: { names,
		bands: [[0, from + 600, from + 1800], [1, from + 1800, from + 3000], [2, from + 3100, from + 3110]] } };
	return m;
}

test('limits within reach are lines with their words, far ones are not', async () => {
	const m = marked();
	delete m.phases;
	const { page, problems, close } = await open(m, { before: listen });
	const cpu = await written(page, 'cpu');
	assert.ok(cpu.includes('8 CPUs allowed'), cpu.join());
	assert.ok(!cpu.some(text => text.includes('64 CPUs')), cpu.join());
	assert.ok(cpu.includes('8 cores') && !cpu.includes('12 cores'), 'the axis reaches the limit');
	const memory = await written(page, 'memory');
	assert.ok(memory.includes('memory limit 12 GiB') && memory.includes('high 12.5 GiB'), memory.join());
	assert.ok(!(await written(page, 'network')).some(text => /CPUs|limit/.test(text)));
	// Before anything was held in memory, its limit is out of reach.
	await drag(page, 'memory', 0.0001, 0.02);
	assert.ok(!(await written(page, 'memory')).some(text => /limit|high/.test(text)));
	assert.deepEqual(problems, []);
	await close();
});

test('phases are bands with their names on every chart', async () => {
	const m = marked();
	const { page, problems, close } = await open(m, { before: listen });
	for (const { id } of m.charts) {
		const all = await written(page, id);
		assert.ok(all.includes('assemble') && all.includes('polish'), `${id}: ${all}`);
		assert.ok(!all.includes('x'), 'no room for its name');
		const [outside, first, second] = [await colourAt(page, id, 0.05, 0.03),
			await colourAt(page, id, 0.4, 0.03), await colourAt(page, id, 0.7, 0.03)];
		assert.equal(new Set([outside, first, second]).size, 3, id);
	}
	// Also when they are drawn again, after the axes.
	await page.getByRole('button', { name: 'UTC', exact: true }).click();
	await settled(page);
	assert.equal(await page.locator('[data-chart=cpu] canvas').evaluate(canvas => canvas.aligned.assemble), 'left');
	await hover(page, 'cpu', 0.3);
	assert.match((await texts(page, '[data-chart=cpu] .tip b'))[0], / · assemble$/);
	await hover(page, 'cpu', 0.05);
	assert.match((await texts(page, '[data-chart=cpu] .tip b'))[0], /^[\d:]+$/);
	await drag(page, 'cpu', 0.843, 0.85);
	assert.ok((await written(page, 'cpu')).includes('x'), 'zoomed, there is room');
	assert.deepEqual(problems, []);
	await close();
});

test('pointing at a phase in its table lights its bands', async () => {
	const { page, close } = await open(marked());
	await settled(page);
	const plain = await colourAt(page, 'cpu', 0.4, 0.03);
	await page.locator('#phases tbody tr').first().hover();
	await settled(page);
	assert.notEqual(await colourAt(page, 'cpu', 0.4, 0.03), plain);
	await page.mouse.move(1, 1);
	await settled(page);
	assert.equal(await colourAt(page, 'cpu', 0.4, 0.03), plain);
	await close();
});

test('names of phases and words of limits are text, whatever they are', async () => {
	const m = marked();
	const attack = '</script><img src=x onerror=window.pwned=1>';
	m.phases.data.names = [attack, '__proto__', ''];
	m.charts[0].data.limits = [[8, attack], [7.9, ''], [-1, 'below'], [null, 'none']];
	const { page, url, requests, problems, close } = await open(m, { before: listen });
	assert.ok((await written(page, 'cpu')).includes(attack));
	assert.ok((await written(page, 'disk_io')).some(text => text.startsWith('</script>')));
	await hover(page, 'cpu', 0.3);
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	assert.deepEqual(requests, [url]);
	assert.deepEqual(problems, []);
	await close();
});
