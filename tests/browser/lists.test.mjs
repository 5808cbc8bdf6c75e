// Tables sort, lines are copied.

import assert from 'node:assert/strict';
import test from 'node:test';
import { model, open, recorded, rows, texts, visit } from './page.mjs';
import { pages } from './pages.mjs';
import { recording } from './runs.mjs';

test('tables sort by number, what is not known last', async () => {
	const m = model('ordinary');
	const { page, close } = await open(m);
	await page.locator('#sizes > details').evaluateAll(all => all.forEach(node => (node.open = true)));
	const head = page.getByRole('columnheader', { name: 'Score' });
	await head.getByRole('button').click();
	const scores = m.prices.servers.map(s => s.score.value);
	const sorted = scores.filter(v => v !== null).sort((a, b) => a - b).map(String);
	const column = async () => (await rows(page, '.servers')).map(row => row[4].replace(/\D/g, ''));
	assert.deepEqual(await column(), [...sorted, '']);
	assert.equal(await head.getAttribute('aria-sort'), 'ascending');
	await head.getByRole('button').click();
	assert.deepEqual(await column(), [...sorted.reverse(), '']);
	await close();
});

test('every column of every list sorts both ways, by mouse and by keys', async () => {
	const { page, close } = await visit(pages.recorded());
	await page.locator('details').evaluateAll(all => all.forEach(node => (node.open = true)));
	// The keys of a column's cells, as the page has them now.
	const column = (table, at) => page.locator('.sortable').nth(table).evaluate((node, at) =>
		[...node.tBodies[0].rows].map(({ cells }) => cells[at].dataset.v ?? cells[at].textContent.trim()), at);
	const order = async (table, at) => {
		const all = await column(table, at), known = all.filter(v => v !== '' && !/^(–|not )/.test(v));
		assert.deepEqual(all.slice(0, known.length), known, 'what is not known comes last');
		const numbers = known.map(v => Number(v.replace(/[^\d.-]/g, '')));
		const numeric = known.every((v, i) => /\d/.test(v) && !Number.isNaN(numbers[i]) && /^[^a-z]*[\d%]/i.test(v));
		const signs = known.slice(1).map((v, i) => (numeric ? Math.sign(numbers[i + 1] - numbers[i])
			: Math.sign(v.localeCompare(known[i]))));
		return { up: signs.every(v => v >= 0), down: signs.every(v => v <= 0) };
	};
	let sorted = 0;
	for (const [table, node] of (await page.locator('.sortable').all()).entries())
		for (const [at, head] of (await node.locator('thead tr:first-child th').all()).entries()) {
			if (!await head.locator('button').count())
				continue;
			await head.locator('button').click();
			assert.equal(await head.getAttribute('aria-sort'), 'ascending');
			assert.ok((await order(table, at)).up, `${await head.textContent()}: ${await column(table, at)}`);
			await page.keyboard.press(sorted % 2 ? 'Enter' : 'Space');
			assert.equal(await head.getAttribute('aria-sort'), 'descending');
			assert.ok((await order(table, at)).down, `${await head.textContent()}: ${await column(table, at)}`);
			assert.equal(await node.locator('[aria-sort]').count(), 1);
			sorted++;
		}
	assert.ok(sorted >= 20, String(sorted));
	await close();
});

test('processes are found by a part of their names, by keys, and what is folded opens', async () => {
	const { file } = recorded(recording(600));
	const { page, close } = await visit(file);
	const shown = () => page.locator('#processes .sortable tbody tr').evaluateAll(all =>
		all.filter(row => row.checkVisibility()).map(row => row.cells[0].textContent.trim().split(/\s/)[0]));
	const field = page.getByLabel('Search');
	const before = await shown(), all = await page.locator('#processes .sortable tbody tr').count();
	await field.focus();
	await page.keyboard.type('CC1');
	const found = await shown();
	assert.ok(found.length >= 2 && found.every(name => name.includes('cc1')), found.join());
	assert.equal(await page.locator('#processes output').textContent(), `${found.length} of ${all} rows`);
	await page.keyboard.press('Control+A');
	await page.keyboard.type('no such program');
	assert.deepEqual(await shown(), []);
	await page.keyboard.press('Control+A');
	await page.keyboard.press('Delete');
	assert.ok((await shown()).length >= before.length);
	assert.equal(await page.locator('#processes output').textContent(), '');
	await close();
	const still = await visit(file, { javaScriptEnabled: false });
	assert.equal(await still.page.locator('#processes input').count(), 0);
	await still.close();
});

test('lines are copied by a button', async () => {
	const m = model('ordinary');
	const { page, close } = await open(m);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.locator('#advice > details').first().locator('> summary').click();
	await page.locator('.snippet summary').first().click();
	const key = page.getByRole('button', { name: 'Copy the lines for Slurm' });
	await key.click();
	await page.waitForFunction(() => document.querySelector('.snippet button').textContent === 'Copied');
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), m.advice.snippets[0].text);
	assert.deepEqual((await texts(page, '.snippet button')).slice(0, 2), ['Copied', 'Copy']);
	await close();
});
