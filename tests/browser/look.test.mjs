// Wide and narrow, light and dark, on paper, and for those who do not see it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { model, open, pixels, rows, settled, texts } from './page.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

async function faults(page) {
	await page.evaluate(AXE);
	const { violations } = await page.evaluate(rules =>
		window.axe.run(document, { runOnly: { type: 'tag', values: rules } }), RULES);
	return violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`);
}

for (const name of ['ordinary', 'minimal'])
	for (const colorScheme of ['light', 'dark'])
		test(`${name}, ${colorScheme}: axe finds nothing`, async () => {
			const { page, close } = await open(model(name), { colorScheme });
			await page.locator('details').evaluateAll(all => all.forEach(node => {
				node.open = true;
			}));
			assert.deepEqual(await faults(page), []);
			await close();
		});

for (const name of ['ordinary', 'minimal', 'hostile'])
	for (const width of [360, 768, 1280])
		test(`${name}: ${width} px wide, the page does not scroll sideways`, async () => {
			const { page, close } = await open(model(name), { viewport: { width, height: 740 } });
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

test('paper is light, with all details open and the charts on it', async () => {
	const { page, close } = await open(model('ordinary'), { colorScheme: 'dark' });
	await page.emulateMedia({ media: 'print' });
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	await settled(page);
	assert.equal(await page.locator('details:not([open])').count(), 0);
	assert.ok((await pixels(page, 'cpu', ['tree']))[0] > 50, 'the light colour');
	assert.equal(await page.locator('.tools').isVisible(), false);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	assert.equal(await page.locator('details[open]').count(), 0);
	await close();
});

test('tables sort by number, what is not known last', async () => {
	const m = model('ordinary');
	const { page, close } = await open(m);
	const head = page.getByRole('columnheader', { name: 'Score' });
	await head.getByRole('button').click();
	const scores = m.prices.servers.map(s => s.score.value);
	const sorted = scores.filter(v => v !== null).sort((a, b) => a - b).map(String);
	const column = async () => (await rows(page, '.servers')).map(row => row[7].replace(/\D/g, ''));
	assert.deepEqual(await column(), [...sorted, '']);
	assert.equal(await head.getAttribute('aria-sort'), 'ascending');
	await head.getByRole('button').click();
	assert.deepEqual(await column(), [...sorted.reverse(), '']);
	await close();
});

test('lines are copied by a button', async () => {
	const m = model('ordinary');
	const { page, close } = await open(m);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.locator('.snippet summary').first().click();
	const key = page.getByRole('button', { name: 'Copy the lines for Slurm' });
	await key.click();
	await page.waitForFunction(() => document.querySelector('.snippet button').textContent === 'Copied');
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), m.advice.snippets[0].text);
	assert.deepEqual((await texts(page, '.snippet button')).slice(0, 2), ['Copied', 'Copy']);
	await close();
});
