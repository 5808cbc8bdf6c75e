// A chart is never blank: its still picture stays until its canvas has pixels, in the same place.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { CHROMIUM } from './chromium.mjs';
import { PATIENCE, coloured, recorded, visit } from './page.mjs';
import { recording } from './runs.mjs';

const made = {};
const file = () => (made.file ??= recorded(recording(600)).file);

// Where the pictures are on the page, in pixels.
const boxesOf = page => page.locator('.known').evaluateAll(all => all.map(node => {
	const { x, y, width, height } = (node.querySelector('.still:not([hidden])')
		|| node.querySelector('.plot')).getBoundingClientRect();
	return { x: x + scrollX, y: y + scrollY, width, height };
}));

test('without a frame to draw in, every chart shows its still picture', async () => {
	const { page, problems, close } = await visit(file(), { wait: false, before: () => {
		const held = [], { requestAnimationFrame } = window;
		// The script waits for a frame only where the page was not painted before.
		performance.getEntriesByType = () => [];
		window.requestAnimationFrame = fn => held.push(fn);
		window.release = () => {
			window.requestAnimationFrame = requestAnimationFrame;
			held.forEach(fn => fn());
		};
	} });
	// The script has run: the legend has its buttons.
	await page.waitForSelector('.key', { timeout: PATIENCE });
	const shown = selector => page.locator(selector).evaluateAll(all => all.map(node => node.checkVisibility()));
	assert.ok((await shown('.still')).every(Boolean));
	assert.ok((await shown('.plot')).every(v => !v));
	const before = await boxesOf(page);
	assert.ok(before.length >= 9);
	const counts = await coloured(await page.screenshot({ fullPage: true }), before);
	assert.ok(counts.every(count => count > 100), counts.join());
	await page.evaluate(() => window.release());
	// Not by frames, of which there were none.
	await page.waitForFunction(() => !document.querySelector('.known:not(.drawn)'), undefined,
		{ polling: 50, timeout: PATIENCE });
	assert.ok((await shown('.still')).every(v => !v));
	assert.ok((await shown('.plot')).every(Boolean));
	assert.deepEqual(await boxesOf(page), before, 'a canvas takes exactly the place of its picture');
	assert.deepEqual(problems, []);
	await close();
});

test('chart by chart, a canvas is shown when it has pixels, and not before', async () => {
	const { page, close } = await visit(file(), { before: () => {
		window.seen = [];
		new MutationObserver(() => {
			for (const chart of document.querySelectorAll('.known')) {
				const still = chart.querySelector('.still'), plot = chart.querySelector('.plot');
				if (!still || !plot)
					continue;
				const canvas = chart.querySelector('canvas');
				const painted = Boolean(canvas?.width) && canvas.getContext('2d')
					.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
				window.seen.push({ id: chart.dataset.chart, still: !still.hidden, plot: !plot.hidden, painted });
			}
		}).observe(document, { attributes: true, attributeFilter: ['hidden'], childList: true, subtree: true });
	} });
	const seen = await page.evaluate(() => window.seen);
	assert.ok(seen.length > 20);
	for (const one of seen)
		assert.ok(one.still !== one.plot && (one.painted || one.still), JSON.stringify(one));
	const ids = new Set(seen.map(({ id }) => id));
	for (const id of ids)
		assert.deepEqual([true, false].map(still => seen.some(one => one.id === id && one.still === still)),
			[true, true], id);
	await close();
});

for (const width of [1280, 768, 390])
	test(`${width} wide: the script moves nothing in and around the charts`, async () => {
		const places = async javaScriptEnabled => {
			const { page, close } = await visit(file(), { javaScriptEnabled, viewport: { width, height: 900 } });
			const all = await page.locator('#charts :is(h3, .digest tr, .digest td, .numbers), #processes')
				.evaluateAll(nodes => nodes.map(node => {
					const { x, y, width, height } = node.getBoundingClientRect();
					return [node.tagName, ...[x, y + scrollY, width, height].map(Math.round)].join(' ');
				}));
			await close();
			return all;
		};
		assert.deepEqual(await places(true), await places(false));
	});

test('a picture that Chromium takes at the load event has every chart', async () => {
	const { page, close } = await visit(file(), { javaScriptEnabled: false });
	const boxes = await boxesOf(page);
	await close();
	const out = `${file()}.png`;
	execFileSync(CHROMIUM, ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
		`--screenshot=${out}`, '--window-size=1280,10000', pathToFileURL(file()).href],
	{ stdio: 'ignore', timeout: PATIENCE });
	const counts = await coloured(readFileSync(out), boxes);
	rmSync(out);
	assert.ok(counts.every(count => count > 100), counts.join());
});
