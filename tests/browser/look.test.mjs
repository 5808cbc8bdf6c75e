// Wide and narrow, light and dark, and on paper.

import assert from 'node:assert/strict';
import test from 'node:test';
import { drag, model, open, pixels, recorded, settled, visit } from './page.mjs';
import { pages } from './pages.mjs';
import { recording, withoutGpus } from './runs.mjs';

for (const name of Object.keys(pages))
	for (const width of [360, 768, 1280])
		test(`${name}: ${width} px wide, the page does not scroll sideways`, async () => {
			const { page, close } = await visit(pages[name](), { viewport: { width, height: 740 } });
			await settled(page);
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
			await close();
		});

test('the charts follow the colour scheme and the width of the window', async () => {
	const { page, close } = await open(model('ordinary'), { colorScheme: 'light' });
	const paper = () => page.evaluate(() =>
		getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number)[0]);
	assert.ok(await paper() > 200);
	await page.emulateMedia({ colorScheme: 'dark' });
	await settled(page);
	assert.ok(await paper() < 50);
	// pixels() asks for the colours that hold now: the dark ones.
	assert.ok((await pixels(page, 'cpu', ['tree']))[0] > 50);
	const width = () => page.locator('[data-chart=cpu] .uplot').evaluate(node => node.offsetWidth);
	const wide = await width();
	await page.setViewportSize({ width: 500, height: 800 });
	await settled(page);
	assert.ok(await width() < wide && await width() > 300, `${await width()}`);
	await close();
});

test('paper is light, with the details that are open and the charts on it', async () => {
	const { page, close } = await open(model('ordinary'), { colorScheme: 'dark' });
	await page.locator('summary').first().click();
	await page.emulateMedia({ media: 'print' });
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await settled(page);
	assert.equal(await page.locator('details[open]').count(), 1);
	assert.ok((await pixels(page, 'cpu', ['tree']))[0] > 50, 'the light colour');
	assert.equal(await page.locator('.tools').isVisible(), false);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	assert.equal(await page.locator('details[open]').count(), 1);
	await close();
});

test('an ordinary run of an hour takes at most 8 sheets of A4', async () => {
	const { page, close } = await visit(recorded(withoutGpus(recording(3600))).file, { all: false, wait: false });
	await page.waitForSelector('.key');
	const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
	assert.ok(sheets > 3 && sheets <= 8, String(sheets));
	await close();
});

test('on paper a chart is its still picture, or what the reader made of it', async () => {
	const { page, close } = await visit(pages.recorded());
	const seen = () => page.evaluate(() => {
		dispatchEvent(new Event('beforeprint'));
		const of = selector => [...document.querySelectorAll(`.chart ${selector}`)].map(node => node.checkVisibility());
		const out = { still: of('.still'), plot: of('.plot') };
		dispatchEvent(new Event('afterprint'));
		out.after = { still: of('.still'), plot: of('.plot') };
		return out;
	});
	const all = (list, value) => list.length > 5 && list.every(v => v === value);
	const whole = await seen();
	assert.ok(all(whole.still, true) && all(whole.plot, false), JSON.stringify(whole));
	assert.ok(all(whole.after.still, false) && all(whole.after.plot, true), JSON.stringify(whole));
	await page.locator('[data-chart=cpu] .key').first().click();
	const one = await seen();
	assert.equal(one.plot.filter(Boolean).length, 1);
	await drag(page, 'memory', 0.2, 0.4);
	const zoomed = await seen();
	assert.ok(all(zoomed.still, false) && all(zoomed.plot, true), JSON.stringify(zoomed));
	await close();
});

test('on paper, charts that are not drawn yet have their still pictures; of a part of the run, they are drawn', async () => {
	const printed = async hash => {
		const { page, close } = await visit(pages.recorded(), { wait: false, all: false, hash });
		await page.waitForSelector('.key');
		await settled(page);
		const all = await page.evaluate(() => {
			dispatchEvent(new Event('beforeprint'));
			return [...document.querySelectorAll('.known')].map(chart => ['.still', '.plot canvas']
				.map(selector => Boolean(chart.querySelector(selector)?.checkVisibility())).join());
		});
		await close();
		return [...new Set(all)];
	};
	assert.deepEqual(await printed(''), ['true,false']);
	assert.deepEqual(await printed('#t=60,120'), ['false,true']);
});

test('a page that is printed before its charts are drawn has them all', async () => {
	const { page, close } = await visit(pages.recorded(), { before: () => {
		// As soon as the script has run, before the next frame, when no chart is drawn.
		new MutationObserver((changes, observer) => {
			if (!document.scripts[document.scripts.length - 1]?.textContent.startsWith('/*'))
				return;
			observer.disconnect();
			window.early = document.querySelectorAll('.plot canvas').length;
			dispatchEvent(new Event('beforeprint'));
			// The drawn chart, or its still picture: the points may not be unpacked yet.
			window.printed = [...document.querySelectorAll('[data-chart]')].filter(chart => chart.querySelector('.plot canvas') ||
				chart.querySelector('.still')?.checkVisibility()).length;
			setTimeout(() => dispatchEvent(new Event('afterprint')));
		}).observe(document, { childList: true, subtree: true });
	} });
	await page.waitForFunction(() => window.printed !== undefined);
	const charts = await page.locator('[data-chart]').count();
	assert.ok(charts > 5);
	assert.deepEqual(await page.evaluate(() => [window.early, window.printed]), [0, charts]);
	await close();
});
