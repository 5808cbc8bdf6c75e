// The zoom is in the page's address, so that a link shows what its sender saw.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { PATIENCE, drag, drawn, hover, model, open, report, settled, visit } from './page.mjs';

const m = model('ordinary');
const second = text => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
const hashOf = page => page.evaluate(() => location.hash);

// The seconds since the start at both ends of what a chart shows.
async function span(page, chart = 'memory') {
	const [from] = await hover(page, chart, 0.001);
	const [to] = await hover(page, chart, 0.999);
	return [second(from), second(to)];
}

function near(actual, expected) {
	// A point of the charts is 15.3 s.
	assert.ok(actual.every((v, i) => Math.abs(v - expected[i]) <= 16), `${actual} is not ${expected}`);
}

test('a zoom is in the address, in few digits, and comes back from it', async () => {
	const { page, url, problems, close } = await open(m);
	assert.equal(await hashOf(page), '');
	await drag(page, 'cpu', 0.25, 0.5);
	const hash = await hashOf(page);
	assert.match(hash, /^#t=\d{3,4},\d{4}$/);
	const [from, to] = hash.slice(3).split(',').map(Number);
	near([from, to], [3672 * 0.25, 3672 * 0.5]);
	const seen = await span(page);
	near(seen, [from, to]);
	const again = await visit(new URL(url).pathname, { hash });
	near(await span(again.page), seen);
	assert.equal(await hashOf(again.page), hash);
	assert.ok(await again.page.getByRole('button', { name: 'Whole run' }).isEnabled());
	assert.ok(await again.page.locator('#charts').evaluate(node =>
		Math.abs(node.getBoundingClientRect().top) < innerHeight / 2), 'a link to a zoom shows the charts');
	assert.deepEqual(again.problems, []);
	await again.close();
	await page.getByRole('button', { name: 'Whole run' }).click();
	await settled(page);
	assert.equal(page.url(), url);
	assert.deepEqual(problems, []);
	await close();
});

test('a new address zooms at once; the links of the page do not', async () => {
	const { page, close } = await open(m, { hash: '#t=600%2C1200.5' });
	near(await span(page), [600, 1200]);
	await page.evaluate(() => {
		location.hash = 't=1800,2400';
	});
	await settled(page);
	near(await span(page), [1800, 2400]);
	await page.locator('.top a[href="#method"]').click();
	assert.equal(await hashOf(page), '#method');
	near(await span(page), [1800, 2400]);
	await page.goBack();
	await settled(page);
	near(await span(page), [1800, 2400]);
	await page.goBack();
	await settled(page);
	near(await span(page), [600, 1200]);
	await close();
});

test('an address that makes no sense shows the whole run', async () => {
	for (const hash of ['#t=', '#t=5,5', '#t=9,1', '#t=1e9,2e9', '#t=90000,90001', '#t=1,2,3', '#t=..,..',
		'#t=-,-', '#t=%00,1', '#constructor']) {
		const { page, problems, close } = await open(m, { hash });
		assert.ok(await page.getByRole('button', { name: 'Whole run' }).isDisabled(), hash);
		near(await span(page), [0, 3672]);
		assert.deepEqual(problems, [], hash);
		await close();
	}
});

test('an address beyond the run ends with it', async () => {
	const { page, close } = await open(m, { hash: '#t=-50,99999' });
	assert.ok(await page.getByRole('button', { name: 'Whole run' }).isDisabled());
	await close();
	const half = await open(m, { hash: '#t=1800,99999' });
	near(await span(half.page), [1800, 3664]);
	await half.close();
});

// As artifact viewers show pages: in a frame of another origin, or as text written into one.
const escaped = html => html.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
for (const how of ['src', 'srcdoc'])
	test(`in a sandboxed frame, by ${how}, the charts zoom too`, async () => {
		const file = report(m);
		const frame = file.replace(/html$/, `${how}.html`);
		const value = how === 'src' ? pathToFileURL(file).href : escaped(readFileSync(file, 'utf8'));
		writeFileSync(frame, `<!doctype html><title>frame</title><iframe sandbox="allow-scripts" width="1200"
			height="800" ${how}="${value}"></iframe>`);
		const { page, problems, close } = await visit(frame);
		const inner = page.frames()[1];
		await inner.waitForSelector('.plot canvas', { timeout: PATIENCE });
		await drawn(inner);
		const reset = inner.getByRole('button', { name: 'Whole run' });
		assert.ok(await reset.isDisabled());
		await inner.locator('[data-chart=cpu] .plot').focus();
		await page.keyboard.press('+');
		await settled(page);
		await inner.waitForFunction(() => [...document.querySelectorAll('button')]
			.some(node => node.textContent === 'Whole run' && !node.disabled), undefined, { timeout: PATIENCE });
		await page.keyboard.press('0');
		await inner.waitForFunction(() => [...document.querySelectorAll('button')]
			.some(node => node.textContent === 'Whole run' && node.disabled), undefined, { timeout: PATIENCE });
		assert.deepEqual(problems, []);
		await close();
	});
