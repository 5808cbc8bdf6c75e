// How much room the parts of the page take: charts are large, and no table is cut off.

import assert from 'node:assert/strict';
import test from 'node:test';
import { model, recorded, report, settled, visit } from './page.mjs';
import { poisoned, recording } from './runs.mjs';

// With prices for runs of a month, and servers of all vendors.
function priced() {
	const m = model('ordinary');
	const quantity = value => ({ value, text: `$${value}`, unit: 'USD' });
	m.prices.runs_per_month = 200;
	m.prices.has_gpus = true;
	for (const [i, s] of [...m.prices.servers, m.prices.present].entries())
		Object.assign(s, { run_cost_month: quantity(1234.5 + i), alone_month: quantity(2345.6 + i) });
	for (const [i, s] of m.prices.servers.entries())
		s.estimate &&= { ...s.estimate, run_cost_month: quantity(1234.5 + i), alone_month: quantity(2345.6 + i) };
	m.prices.servers[0].server = 'Standard_NC96ads_A100_v4';
	return report(m);
}

const made = {};
const pages = {
	recorded: () => (made.recorded ??= recorded(recording(600)).file),
	priced: () => (made.priced ??= priced()),
	hostile: () => (made.hostile ??= recorded(poisoned(recording(60))).file),
};

for (const width of [1280, 1920])
	test(`${width} wide: a chart has at least 70% of its card and 220 px of height`, async () => {
		const { page, close } = await visit(pages.recorded(), { viewport: { width, height: 900 } });
		const sizes = await page.locator('.known').evaluateAll(all => all.map(card => {
			const { width, height } = card.querySelector('canvas').getBoundingClientRect();
			return { id: card.dataset.chart, share: width / card.getBoundingClientRect().width, height,
				legend: card.querySelector('.digest').getBoundingClientRect().right
					<= card.getBoundingClientRect().right };
		}));
		assert.ok(sizes.length >= 9);
		for (const one of sizes)
			assert.ok(one.share >= 0.7 && one.height >= 220 && one.legend, JSON.stringify(one));
		await close();
	});

test('the content grows with the window up to 1,600 px, and no further', async () => {
	for (const [width, expected] of [[1280, 1232], [1648, 1600], [1920, 1600], [2560, 1600]]) {
		const { page, close } = await visit(pages.recorded(), { viewport: { width, height: 900 } });
		assert.equal(await page.locator('main').evaluate(node => node.clientWidth), expected, String(width));
		await close();
	}
});

// Runs in the page: numbers whose unit is on the next line.
function torn() {
	const found = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		if (!node.parentElement.checkVisibility() || node.parentElement.closest('code'))
			continue;
		for (const { 0: text, index } of node.data.matchAll(/\d[ \xa0](?:[KMGTP]iB|B|m?s|min|h|d|W|°C|cores?|[CG]PUs?)\b/g)) {
			const range = document.createRange();
			range.setStart(node, index);
			range.setEnd(node, index + text.length);
			if (new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top))).size > 1)
				found.push(node.data.slice(Math.max(0, index - 9), index + text.length).trim());
		}
	}
	return found;
}

for (const name of Object.keys(pages))
	for (const width of [360, 390, 768, 1024, 1280, 1920])
		test(`${name}, ${width} wide: no table is cut off, whatever is open`, async () => {
			const { page, close } = await visit(pages[name](), { viewport: { width, height: 900 } });
			await page.locator('details').evaluateAll(all => all.forEach(node => {
				node.open = true;
			}));
			await settled(page);
			const cut = await page.evaluate(() => [document.documentElement,
				...document.querySelectorAll('.scroll, .still, .plot, .answers, .answers .card, .facts dd')]
				.filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth)
				.map(node => `${node.className} ${node.getAttribute('aria-label')} ${node.scrollWidth} > ${node.clientWidth}`));
			assert.deepEqual(cut, []);
			// What a cell says is inside its table.
			const spilled = await page.locator('.scroll :is(td, th)').evaluateAll(all => all.filter(node =>
				node.checkVisibility() && node.scrollWidth > node.clientWidth + 1).map(node => node.textContent.trim()));
			assert.deepEqual(spilled, []);
			assert.deepEqual(await page.evaluate(torn), []);
			await close();
		});

test('a page with GPUs is at most 7,000 px high: those of each beside those of all', async () => {
	const { page, close } = await visit(recorded(recording(3600)).file, { viewport: { width: 1440, height: 900 } });
	const box = id => page.locator(`[data-chart=${id}]`).boundingBox();
	for (const id of ['gpu', 'vram']) {
		const [all, each] = [await box(id), await box(`${id}_each`)];
		assert.ok(all.y === each.y && all.x + all.width < each.x && each.height === all.height, JSON.stringify({ all, each }));
	}
	const height = await page.evaluate(() => document.documentElement.scrollHeight);
	assert.ok(height <= 7000, String(height));
	await page.locator('[data-chart=cpu] .numbers > summary').click();
	const [chart, numbers] = await Promise.all(['', ' .numbers'].map(rest => page.locator(`[data-chart=cpu]${rest}`).boundingBox()));
	assert.ok(numbers.width > 0.9 * chart.width, 'open, the numbers have the whole width');
	await close();
});

test('labels of the axis that are too long are without their unit', async () => {
	const run = recording(60);
	for (const scope of ['process_metrics', 'system_metrics'])
		run[scope].cpu_usage = run[scope].cpu_usage.map((_, i) => 0.001 * (i % 80));
	const { page, close } = await visit(recorded(run).file, { before: () => {
		const { fillText } = CanvasRenderingContext2D.prototype;
		window.left = [];
		CanvasRenderingContext2D.prototype.fillText = function(text, x, y) {
			const { width } = this.measureText(text), { a, e } = this.getTransform();
			if (text && this.textAlign === 'right')
				window.left.push([text, e + a * (x - width)]);
			fillText.call(this, text, x, y);
		};
	} });
	const labels = await page.evaluate(() => window.left);
	assert.ok(labels.length > 20);
	assert.deepEqual(labels.filter(([, x]) => x < 0), []);
	await close();
});

test('on a small screen all answers begin without scrolling', async () => {
	const { page, close } = await visit(pages.recorded(), { viewport: { width: 390, height: 844 } });
	const tops = await page.locator('.answers > .card').evaluateAll(all => all.map(node =>
		[node.id, Math.round(node.getBoundingClientRect().top)]));
	assert.ok(tops.length >= 3 && tops.every(([, top]) => top <= 780), JSON.stringify(tops));
	await close();
});

test('the legend of the states has those that can be seen', async () => {
	const run = recording(600);
	run.rtrack.states.seconds.disk.value -= 3;
	run.rtrack.states.seconds.pipe = { value: 3, least: 3, most: 3 };
	const { page, close } = await visit(recorded(run).file);
	const names = selector => page.locator(selector).evaluateAll(all => all.map(node => node.textContent.trim()));
	const legend = await names('#states .colours li'), all = await names('#states tbody th');
	assert.deepEqual(all.filter(name => !legend.includes(name)), ['waiting for a pipe']);
	await close();
});

test('where rows are blocks, each value has its label', async () => {
	const { page, close } = await visit(pages.priced(), { viewport: { width: 390, height: 844 } });
	for (const table of ['.servers', '.runs']) {
		const labels = await page.locator(`${table} tbody tr >> nth=0`).locator('td').evaluateAll(all =>
			all.map(node => {
				const { content } = getComputedStyle(node, '::before');
				return content.startsWith('attr') ? node.dataset.l : content.replace(/"/g, '');
			}));
		const heads = await page.locator(`${table} thead th`).evaluateAll(all => all.map(node => node.textContent.trim()));
		assert.deepEqual(labels, heads.filter(text => text !== 'Server' && text !== 'Name'), table);
	}
	await close();
});

test('a server opens, also by a key, and shows the rest', async () => {
	const { page, close } = await visit(pages.priced(), { viewport: { width: 1280, height: 900 } });
	await page.locator('#sizes > details').evaluateAll(all => all.forEach(node => (node.open = true)));
	const first = page.locator('.servers summary').first(), rest = page.locator('.servers dl').first();
	assert.equal(await rest.isVisible(), false);
	await first.focus();
	await page.keyboard.press('Enter');
	assert.ok(await rest.isVisible());
	assert.match(await rest.textContent(), /Architecture\s*x86_64/);
	await close();
});

test('a card of one sentence is not shown: what is not known of the cloud is said of the server', async () => {
	const { page, close } = await visit(report(model('minimal')));
	assert.equal(await page.locator('#cloud-title').count(), 0);
	assert.match(await page.locator('[aria-labelledby=server-title]').textContent(), /No cloud vendor was recognised/);
	await close();
});
