// The charts are drawn, and move together.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HEADS, drag, hover, model, open, pixels, recorded, settled, texts, visit } from './page.mjs';
import { recording } from './runs.mjs';

const m = model('ordinary');
const ids = m.charts.map(c => c.id);
const same = all => new Set(all).size === 1;
const second = text => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

async function zoomed(page) {
	const [from] = await hover(page, 'memory', 0.002);
	const [to] = await hover(page, 'memory', 0.998);
	return [second(from), second(to)];
}

test('every series of every chart is on its canvas', async () => {
	const { page, close } = await open(m);
	await settled(page);
	for (const chart of m.charts) {
		const names = chart.series.map(s => s.look);
		const counts = await pixels(page, chart.id, names);
		counts.forEach((count, i) => assert.ok(count > 20, `${chart.id} ${names[i]}: ${count}`));
	}
	await close();
});

test('a single sample is drawn as a point', async () => {
	const one = model('minimal');
	const { page, close } = await open(one);
	await settled(page);
	for (const chart of one.charts.filter(c => c.known))
		assert.ok((await pixels(page, chart.id, ['tree']))[0] > 5, chart.id);
	await close();
});

test('the cursor is on all charts at once, and the legends read the data there', async () => {
	const { page, close } = await open(m);
	assert.ok((await texts(page, HEADS)).every(text => text === 'Mean'));
	const means = await texts(page, '.digest tbody td:nth-child(2)');
	for (const chart of ids) {
		const heads = await hover(page, chart, 0.4);
		assert.equal(heads.length, ids.length);
		assert.ok(same(heads), heads.join());
	}
	const [head] = await texts(page, HEADS);
	const { x, mean } = m.charts[0].data;
	const at = x.findIndex(v => Math.round(v) === second(head));
	assert.ok(at > 0, head);
	const [value] = await texts(page, '[data-chart=cpu] .digest tbody td');
	assert.equal(value, `${mean[0][at].toFixed(2)} cores`);
	await page.mouse.move(1, 1);
	await settled(page);
	assert.ok((await texts(page, HEADS)).every(text => text === 'Mean'));
	assert.deepEqual(await texts(page, '.digest tbody td:nth-child(2)'), means);
	await close();
});

test('a zoom in one chart is a zoom in all, a double click shows the whole run', async () => {
	const { page, close } = await open(m);
	const reset = page.getByRole('button', { name: 'Whole run' });
	assert.ok(await reset.isDisabled());
	const whole = await zoomed(page);
	await drag(page, 'network', 0.4, 0.6);
	assert.ok(await reset.isEnabled());
	const part = await zoomed(page);
	assert.ok(Math.abs((part[1] - part[0]) / (whole[1] - whole[0]) - 0.2) < 0.03, part.join());
	assert.equal(await page.locator('.u-select').evaluateAll(all =>
		all.filter(node => node.offsetWidth > 0).length), 0, 'no selection is left over');
	for (const chart of ids) {
		const heads = await hover(page, chart, 0.1);
		assert.ok(same(heads), heads.join());
		assert.ok(second(heads[0]) >= part[0] && second(heads[0]) < part[0] + 0.2 * (part[1] - part[0]));
	}
	await page.locator('[data-chart=cpu] .u-over').dblclick();
	await settled(page);
	assert.deepEqual(await zoomed(page), whole);
	assert.ok(await reset.isDisabled());
	await drag(page, 'cpu', 0.1, 0.3);
	await reset.click();
	await settled(page);
	assert.deepEqual(await zoomed(page), whole);
	await close();
});

test('all of it works from the keyboard', async () => {
	const { page, close } = await open(m);
	const plot = page.locator('[data-chart=disk_io] .plot');
	await plot.focus();
	for (const key of ['End', 'ArrowLeft', 'ArrowLeft'])
		await page.keyboard.press(key);
	await settled(page);
	const heads = await texts(page, HEADS);
	assert.ok(same(heads) && heads[0] !== 'Mean', heads.join());
	const [said] = await texts(page, 'output');
	assert.ok(said.startsWith(`${heads[0]}: Job disk read `), said);
	await page.keyboard.press('+');
	await settled(page);
	assert.ok(await page.getByRole('button', { name: 'Whole run' }).isEnabled());
	await page.keyboard.press('0');
	await settled(page);
	assert.ok(await page.getByRole('button', { name: 'Whole run' }).isDisabled());
	await close();
});

test('a name in the legend hides its line and its band', async () => {
	const { page, close } = await open(m);
	await settled(page);
	const key = page.getByRole('button', { name: 'Machine memory used' });
	await key.click();
	await settled(page);
	assert.equal(await key.getAttribute('aria-pressed'), 'false');
	const [tree, system] = await pixels(page, 'memory', ['tree', 'system']);
	assert.ok(tree > 50);
	assert.equal(system, 0);
	await key.click();
	await settled(page);
	assert.ok((await pixels(page, 'memory', ['system']))[0] > 50);
	await close();
});

test('times are those of UTC or of the place, on the charts and in the text', async () => {
	const { page, close } = await open(m);
	const told = await texts(page, 'time');
	assert.ok(told.includes(m.run.start.text));
	const [elapsed] = await hover(page, 'cpu', 0.5);
	await page.getByRole('button', { name: 'UTC', exact: true }).click();
	const [utc] = await hover(page, 'cpu', 0.5);
	assert.ok(Math.abs(second(utc) - second(elapsed) - Math.floor(m.charts[0].data.from) % 86400) <= 1, `${elapsed} ${utc}`);
	await page.getByRole('button', { name: 'Local time' }).click();
	const [local] = await hover(page, 'cpu', 0.5);
	// Asia/Kolkata is 5:30 ahead of UTC.
	assert.equal(second(local) - second(utc), 19800);
	const here = await texts(page, 'time');
	assert.equal(here.length, told.length);
	here.forEach((text, i) => assert.equal(Date.parse(text.replace(' UTC', '').replace(' ', 'T').replace(' ', '')),
		Date.parse(told[i].replace(' UTC', 'Z').replace(' ', 'T')), `${text} was ${told[i]}`));
	assert.ok(here.every(text => text.endsWith(' UTC+05:30')), here.join());
	await page.getByRole('button', { name: 'UTC', exact: true }).click();
	assert.deepEqual(await texts(page, 'time'), told);
	await close();
});

test('where nothing was measured the line has a gap', async () => {
	const { page, close } = await open(m);
	const { x, mean } = m.charts[1].data;
	const gap = mean[0].findIndex(v => v === null) + 3;
	await hover(page, 'memory', x[gap] / x[x.length - 1]);
	const values = await texts(page, '[data-chart=memory] .digest tbody td:nth-child(2)');
	assert.equal(values[0], '–');
	assert.match(values[1], /GiB$/);
	await close();
});

// The tint of an area is faint: 48 of 255 of its colour.
test('the area around a line reaches from the lowest to the highest sample, and ends at gaps', async () => {
	const one = structuredClone(m), memory = one.charts.find(c => c.id === 'memory');
	const n = 100, end = memory.data.x.at(-1), level = v => Array.from({ length: n }, (_, i) => (i >= 40 && i < 60 ? null : v));
	memory.series = memory.series.slice(0, 1);
	memory.data = { ...memory.data, series: undefined, x: Array.from({ length: n }, (_, i) => end * i / (n - 1)),
		mean: [level(2 ** 30)], min: [level(2 ** 29)], max: [level(2 ** 31)], limits: [] };
	const { page, close } = await open(one);
	await settled(page);
	const tinted = await page.evaluate(() => {
		const canvas = document.querySelector('[data-chart=memory] canvas');
		const over = document.querySelector('[data-chart=memory] .u-over');
		const ctx = canvas.getContext('2d'), ratio = canvas.width / canvas.clientWidth;
		const shares = [0.1, 0.3, 0.45, 0.5, 0.55, 0.7, 0.9];
		return shares.map(share => {
			const { data } = ctx.getImageData(Math.round((over.offsetLeft + share * over.offsetWidth) * ratio),
				over.offsetTop * ratio, 1, over.offsetHeight * ratio);
			let count = 0;
			for (let i = 3; i < data.length; i += 4)
				count += data[i] >= 40 && data[i] <= 60;
			return count / (over.offsetHeight * ratio);
		});
	});
	tinted.forEach((share, i) => assert.ok(i >= 2 && i <= 4 ? share < 0.1 : share > 0.6, tinted.join()));
	await close();
});

test('opening the page makes no format of numbers or dates, and shows all charts in one step', async () => {
	const { page, close } = await visit(recorded(recording(600)).file, { before: () => {
		window.formats = 0;
		for (const name of ['NumberFormat', 'DateTimeFormat'])
			Intl[name] = class extends Intl[name] {
				constructor(...rest) {
					super(...rest);
					window.formats++;
				}
			};
		window.steps = [];
		new MutationObserver(all => window.steps.push(all.filter(({ target }) => target.matches('.plot')).length))
			.observe(document, { attributes: true, attributeFilter: ['hidden'], subtree: true });
	} });
	await settled(page);
	const { formats, steps } = await page.evaluate(() => ({ formats: window.formats, steps: window.steps.filter(Boolean) }));
	assert.equal(formats, 0);
	assert.deepEqual(steps, [await page.locator('.known.drawn').count()]);
	await close();
});

test('drawing a chart changes no text, and makes no tooltip', async () => {
	const { page, close } = await visit(recorded(recording(600)).file, { before: () => {
		window.written = 0;
		// The buttons come before the charts are drawn.
		new MutationObserver(all => (window.written += all.filter(({ target }) => target.matches('.digest th, .digest td')
			&& document.querySelector('.plot canvas')).length)).observe(document, { childList: true, subtree: true });
	} });
	await settled(page);
	assert.deepEqual(await page.evaluate(() => [window.written, document.querySelectorAll('.tip').length]), [0, 0]);
	await hover(page, 'cpu', 0.5);
	assert.equal(await page.locator('.tip').count(), 1);
	await page.mouse.move(0, 0);
	await settled(page);
	assert.deepEqual([...new Set(await texts(page, HEADS))], ['Mean']);
	await close();
});

// The machine has far more processes and memory than the job.
function beside() {
	const run = recording(600);
	run.system_metrics.memory_used = run.system_metrics.memory_used.map(v => v * 50);
	return run;
}

test('a chart has the scale of the job; a line of the machine far above it is drawn on demand', async () => {
	const { file, model: { charts } } = recorded(beside());
	const apart = charts.flatMap(({ id, series }) => series.filter(s => s.apart).map(s => [id, s.look, s.mark]));
	assert.ok(apart.length >= 2 && apart.some(([id]) => id === 'memory'), apart.join());
	const { page, problems, close } = await visit(file);
	await settled(page);
	for (const [id, look, mark] of apart) {
		const key = page.locator(`[data-chart=${id}] .key`).filter({ hasText: mark }).first();
		assert.equal(await key.getAttribute('aria-pressed'), 'false', id);
		const [before] = await pixels(page, id, [look]), [job] = await pixels(page, id, ['tree']);
		assert.equal(before, 0, id);
		await key.click();
		await settled(page);
		assert.ok((await pixels(page, id, [look]))[0] > 50, `${id} ${mark}`);
		assert.ok(id !== 'memory' || (await pixels(page, id, ['tree']))[0] !== job, 'the scale is that of all lines');
		await key.click();
		await settled(page);
		assert.equal((await pixels(page, id, ['tree']))[0], job, id);
	}
	assert.deepEqual(problems, []);
	await close();
});

test('a chart is drawn when it is a screen away or nearer', async () => {
	const { file } = recorded(recording(600));
	const { page, problems, close } = await visit(file, { wait: false, all: false, viewport: { width: 1280, height: 600 } });
	const lines = () => page.locator('.known').evaluateAll(all => all.map(node => ({ drawn: node.matches('.drawn'),
		still: node.querySelector('.still').checkVisibility(), near: node.getBoundingClientRect().top < 2 * innerHeight })));
	await page.waitForSelector('.key');
	await settled(page);
	for (const { drawn, still, near } of await lines()) {
		assert.equal(still, !drawn);
		assert.ok(near || !drawn);
	}
	await page.locator('[data-chart=memory]').scrollIntoViewIfNeeded();
	await page.waitForSelector('[data-chart=memory].drawn');
	assert.ok((await lines()).some(({ drawn }) => !drawn), 'the last ones are far');
	// What was drawn later shows what the others show.
	await drag(page, 'memory', 0.25, 0.5);
	await page.locator('[data-chart=tasks]').scrollIntoViewIfNeeded();
	await page.waitForSelector('[data-chart=tasks].drawn');
	assert.ok(second((await hover(page, 'tasks', 0.01))[0]) >= 149);
	assert.deepEqual(problems, []);
	await close();
});
