// What is left of the page where scripts, or scripts and styles, are forbidden.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import test, { after } from 'node:test';
import { recorded, shown, visit } from './page.mjs';
import { poisoned, recording } from './runs.mjs';

// Jenkins' default for what a job archives.
const JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'";

const runs = {
	'an hour': recording(3600),
	'a few samples': recording(12, 0.5),
	'one sample': recording(1),
	'a hostile recording': poisoned(recording(300)),
	'a week': recording(2016, 300),
};
const made = {};
const pageOf = name => (made[name] ??= recorded(runs[name]));

const server = createServer((request, response) => {
	const name = decodeURIComponent(request.url.slice(1));
	response.writeHead(made[name] ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': JENKINS });
	response.end(made[name] && readFileSync(made[name].file));
});
await new Promise(done => server.listen(0, '127.0.0.1', done));
after(() => server.close());

// The page as Jenkins serves it.
async function inJenkins(name, options) {
	const { file, model } = pageOf(name);
	const seen = await visit(file, options);
	seen.requests.length = 0;
	const url = `http://127.0.0.1:${server.address().port}/${encodeURIComponent(name)}`;
	await seen.page.goto(url);
	return { ...seen, url, model };
}

// Of each chart that is known: what its picture is made of, in pixels of the window.
function pictures(page) {
	return page.evaluate(() => [...document.querySelectorAll('.chart:has(.still)')].map(chart => {
		const still = chart.querySelector('.still'), svg = still.firstElementChild;
		const box = node => {
			const { left, top, right, bottom } = node.getBoundingClientRect();
			return { left, top, right, bottom };
		};
		return { id: chart.dataset.chart, box: box(still), paths: svg.querySelectorAll('path').length,
			shown: svg.checkVisibility(), times: box(svg.querySelector('#times, use')),
			swatches: [...chart.querySelectorAll('.digest svg')].filter(node => node.checkVisibility()).length,
			texts: [...svg.querySelectorAll('text')].filter(node => node.getClientRects().length)
				.map(node => ({ text: node.textContent, ...box(node) })) };
	}));
}

// Letters do not fill their boxes: what overlaps by less than this does not touch.
const SLACK = 1.5;
const overlap = (a, b) => a.left + SLACK < b.right && b.left + SLACK < a.right
	&& a.top + SLACK < b.bottom && b.top + SLACK < a.bottom;
const inside = (a, b) => a.left >= b.left - SLACK && a.right <= b.right + SLACK
	&& a.top >= b.top - SLACK && a.bottom <= b.bottom + SLACK;

function checkPictures(all, model) {
	const known = model.charts.filter(chart => chart.known);
	assert.deepEqual(all.map(({ id }) => id), known.map(({ id }) => id));
	all.forEach(({ id, box, times, texts, paths, swatches, shown }, i) => {
		assert.ok(shown, id);
		assert.ok(box.right - box.left > 300 && box.bottom - box.top > 80, id);
		// The axis of time: in the first picture; the others refer to it.
		assert.ok(times.right - times.left > 0.6 * (box.right - box.left) && inside(times, box), `${id}: times`);
		// A line for each series, the grid, and the axis; the legend says which line is which.
		assert.ok(paths >= known[i].series.filter(s => !s.apart).length + 2, `${id}: ${paths} paths`);
		assert.equal(swatches, known[i].series.length, id);
		assert.ok(texts.length >= 2 + known[i].limits.length, `${id}: ${texts.length} texts`);
		texts.forEach((a, k) => {
			assert.ok(inside(a, box), `${id}: "${a.text}" leaves the picture`);
			for (const b of texts.slice(k + 1))
				assert.ok(!overlap(a, b), `${id}: "${a.text}" and "${b.text}" overlap`);
		});
	});
}

for (const name of Object.keys(runs))
	test(`${name}, without styles and scripts: all of it can be read`, async () => {
		const { page, url, requests, model, close } = await inJenkins(name);
		assert.equal(await page.evaluate(() =>
			getComputedStyle(document.documentElement).getPropertyValue('--tree')), '', 'no style');
		assert.equal(await page.locator('.drawn, canvas, .key').count(), 0, 'no script');
		checkPictures(await pictures(page), model);
		const spilled = await page.evaluate(() => [...document.querySelectorAll('svg, table, p, h2, h3, li, dd')]
			.filter(node => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1)
			.map(node => node.outerHTML.slice(0, 80)));
		// A name of a hundred letters without a blank cannot be broken without a style.
		if (!name.includes('hostile'))
			assert.deepEqual(spilled, []);
		// Each sentence of the verdict that has a place in the page is there.
		const sentences = (await page.locator('main li, #before > p').evaluateAll(all =>
			all.filter(node => node.checkVisibility()).map(node => node.textContent))).map(shown).join('\n');
		for (const { card, text } of model.verdict)
			assert.ok(!card || sentences.includes(shown(text)), text);
		assert.equal(await page.evaluate(() => window.pwned), undefined);
		assert.deepEqual(requests, [url]);
		await close();
	});

// -- styles, but no script ---------------------------------------------------------------------------
const channels = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);

function contrast(a, b) {
	const [light, dark] = [a, b].map(colour => {
		const [r, g, blue] = channels(colour).map(v => v / 255)
			.map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
	}).sort((p, q) => q - p);
	return (light + 0.05) / (dark + 0.05);
}

for (const name of ['an hour', 'a hostile recording', 'one sample'])
	for (const colorScheme of ['light', 'dark'])
		for (const width of [1280, 360])
			test(`${name}, ${colorScheme}, ${width} px, without scripts: pictures fit, and can be read`, async () => {
				const { file, model } = pageOf(name);
				const { page, url, requests, close } = await visit(file,
					{ colorScheme, viewport: { width, height: 800 }, javaScriptEnabled: false });
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
				const all = await pictures(page);
				checkPictures(all, model);
				const colours = await page.evaluate(() => [...document.querySelectorAll('.still text')].map(node =>
					[node.textContent, getComputedStyle(node).fill,
						getComputedStyle(document.querySelector('#times rect')).fill]));
				for (const [text, ink, paper] of colours)
					assert.ok(contrast(ink, paper) >= 4.5, `${text}: ${ink} on ${paper}`);
				const [, , paper] = colours[0];
				assert.equal(channels(paper)[0] > 128, colorScheme === 'light');
				assert.deepEqual(requests, [url]);
				await close();
			});

// The colours are in the attributes, for where there is no style, and in the style.
test('in light, the style and the attributes of the pictures name the same colours', async () => {
	const { page, close } = await visit(pageOf('an hour').file, { javaScriptEnabled: false });
	const [styled, bare] = await page.evaluate(() => {
		const nodes = [...document.querySelectorAll('.still svg *')];
		const colours = () => nodes.map(node => ['color', 'fill', 'stroke'].map(name =>
			(node.hasAttribute(name) ? getComputedStyle(node)[name] : '')).join(' '));
		const before = colours();
		for (const node of nodes)
			node.removeAttribute('class');
		return [before, colours()];
	});
	assert.ok(styled.length > 100);
	assert.deepEqual(styled, bare);
	await close();
});

test('on paper, without scripts: light, as wide as the sheet, no picture is broken', async () => {
	const { page, close } = await visit(pageOf('an hour').file,
		{ colorScheme: 'dark', javaScriptEnabled: false, viewport: { width: 700, height: 990 } });
	await page.emulateMedia({ media: 'print' });
	assert.ok(await page.locator('#charts').evaluate(node => node.scrollWidth) <= 700);
	const look = await page.evaluate(() => [...document.querySelectorAll('.chart:has(svg)')].map(chart => [
		getComputedStyle(chart).breakInside, getComputedStyle(document.querySelector('#times rect')).fill,
		chart.querySelector('svg').getBoundingClientRect().right <= chart.getBoundingClientRect().right]));
	assert.ok(look.length >= 9);
	for (const one of look)
		assert.deepEqual(one, ['avoid', 'rgb(255, 255, 255)', true]);
	assert.ok((await page.pdf({ format: 'A4' })).length > 20000);
	await close();
});
