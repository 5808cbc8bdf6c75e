// What was asked against what was used: the section after the verdict, and its columns in the usage table.

import assert from 'node:assert/strict';
import test from 'node:test';
import { recorded, rows, shown, texts, visit } from './page.mjs';
import { recording, withoutGpus } from './runs.mjs';

const made = recorded(recording(600));

// Where things are, in pixels of the window.
const boxes = (page, selector) => page.locator(selector).evaluateAll(all => all.map(node => {
	const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
	return { left, right, top, bottom, width, height };
}));

const same = (numbers, what) => assert.ok(Math.max(...numbers) - Math.min(...numbers) < 1, `${what}: ${numbers}`);

test('it comes after the answers, and says what the model says', async () => {
	const { page, problems, close } = await visit(made.file);
	const m = made.model;
	assert.deepEqual(await page.locator('main section[id]').evaluateAll(all => all.map(node => node.id)),
		['verdict', 'advice', 'states', 'cost', 'asked', 'charts', 'strip', 'processes', 'phases', 'gpus', 'sizes', 'usage', 'method']);
	assert.equal((await texts(page, '.top nav a'))[0], 'Asked and used');
	assert.deepEqual((await rows(page, '.asks-used')).map(row => row.join('|')), m.asked.rows.map(r => [
		`${r.label}${r.source_text}`, r.asked.text, `${r.used.text}${r.used_note}`, r.efficiency.text,
		r.unused ? r.unused.text : '–'].map(shown).join('|')));
	assert.deepEqual(m.asked.rows.map(r => r.id), ['cpus', 'memory', 'gpus', 'time']);
	assert.ok((await texts(page, '#advice'))[0].includes(m.asked.trial.text));
	assert.deepEqual(await texts(page, '.asks .note'), ['instead of 16 CPUs', 'instead of 64.0 GiB', 'instead of 2 GPUs']);
	assert.deepEqual(problems, []);
	await close();
});

// The bars are as long as the shares that they stand for, with and without a style.
for (const styled of [true, false])
	test(`bars begin and end at one place, and are as long as the shares ${styled ? '' : 'without a style'}`, async () => {
		const { page, close } = await visit(made.file, { javaScriptEnabled: styled });
		if (!styled)
			await page.locator('style').evaluateAll(all => all.forEach(node => node.remove()));
		const svgs = await boxes(page, '.asks-used svg');
		assert.equal(svgs.length, 4);
		same(svgs.map(b => b.left), 'left');
		same(svgs.map(b => b.width), 'width');
		for (const [i, row] of made.model.asked.rows.entries()) {
			const within = await boxes(page, `.asks-used tbody tr:nth-child(${i + 1}) rect`);
			assert.ok(Math.abs(within[0].width - svgs[i].width) < 1);
			const mean = within.at(row.bar.proposed ? -2 : -1);
			assert.ok(Math.abs(mean.width - svgs[i].width * row.bar.mean / 100) < 1, `${row.id}: ${mean.width}`);
			if (row.bar.peak)
				assert.ok(Math.abs(within[1].width - svgs[i].width * row.bar.peak / 100) < 1, row.id);
		}
		await close();
	});

test('the usage table: what was asked, this run, a picture of each measure', async () => {
	const { page, close } = await visit(made.file);
	const m = made.model;
	assert.deepEqual((await rows(page, '.usage')).map(row => row.slice(0, 3)), m.usage.rows.map(r =>
		[r.label, r.asked ? r.asked.text : '–', r.now.text].map(shown)));
	assert.equal(m.usage.rows[0].asked.text, '16 CPUs');
	const [table] = await boxes(page, '.usage');
	assert.ok(table.width > 700 && table.width <= 900, `${table.width}`);
	// Numbers end at one place; pictures begin and end at one.
	same(await page.locator('.usage tbody td.now').evaluateAll(all => all.map(node => {
		const range = document.createRange();
		range.selectNodeContents(node);
		return range.getBoundingClientRect().right;
	})), 'numbers');
	const pictures = await boxes(page, '.usage .spark svg');
	assert.equal(pictures.length, m.usage.rows.filter(r => r.spark).length);
	assert.ok(pictures.length >= 5);
	same(pictures.map(b => b.left), 'left');
	same(pictures.map(b => b.right), 'right');
	// One that stands for the mean and the peak is beside both rows.
	const [first] = pictures, trs = await boxes(page, '.usage tbody tr');
	assert.ok(first.top >= trs[0].top && first.bottom <= trs[1].bottom && first.height > trs[0].height);
	await close();
});

for (const width of [360, 700, 1280])
	for (const colorScheme of ['light', 'dark'])
		test(`${width} px, ${colorScheme}: it fits, and every text can be seen`, async () => {
			const { page, close } = await visit(made.file, { colorScheme, viewport: { width, height: 800 } });
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
			for (const selector of ['#asked .scroll', '#usage .scroll'])
				assert.ok(await page.locator(selector).evaluate(node => node.scrollWidth <= node.clientWidth + 1),
					selector);
			for (const b of await boxes(page, '.asks-used tbody :is(th, td), .asks-used svg'))
				assert.ok(b.width > 20 && b.right <= width, JSON.stringify(b));
			await close();
		});

test('where it is not known what was asked, nothing is said of it', async () => {
	const run = withoutGpus(recording(60));
	run.rtrack.asked = null;
	const { file, model } = recorded(run);
	const { page, close } = await visit(file);
	assert.equal(model.asked.known, false);
	assert.equal(await page.locator('#asked, [href="#asked"]').count(), 0);
	assert.deepEqual((await texts(page, '.usage thead th')), ['Measure', 'This run', 'Start to end']);
	await close();
});

test('where nobody asked, the whole machine stands for it, and says so', async () => {
	const run = withoutGpus(recording(60));
	for (const key of ['cpus', 'memory_bytes'])
		Object.assign(run.rtrack.asked[key], { source: 'machine', detail: '' });
	run.rtrack.asked.time_s = null;
	const { file } = recorded(run);
	const { page, close } = await visit(file);
	assert.deepEqual(await texts(page, '.asks-used th small'), Array(2).fill('not asked for: the whole machine'));
	assert.deepEqual((await texts(page, '.usage thead th')).slice(0, 2), ['Measure', 'This run']);
	await close();
});
