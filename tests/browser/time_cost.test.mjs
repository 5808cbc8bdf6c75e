// Time against CPUs, time and cost: the pictures and the tables behind them, in each layer, wide and narrow, light and dark.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { promisify } from 'node:util';
import { many, recording } from '../services/keeper_many.mjs';
import { start } from '../services/keeper_stub.mjs';
import { REPORT, shown, visit } from './page.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'rtrack-time-cost-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function priced() {
	const stub = await start(many);
	const file = join(folder, 'run.html'), input = join(folder, 'run.json'), model = join(folder, 'run.model');
	writeFileSync(input, JSON.stringify(recording({ cores: i => (i % 20 < 10 ? 8 : 2) })));
	await promisify(execFile)(REPORT, ['--keeper-url', stub.url, '--keeper-timeout', '60s', '--keeper-cache', '', '-o', file, '--json', model, input]);
	await stub.close();
	const { prices, time_at } = JSON.parse(readFileSync(model, 'utf8'));
	return { file, of: prices.time_cost, time_at };
}

// What it looks like: of the section from its heading to that of the list.
const seen = page => page.evaluate(() => {
	const from = document.getElementById('time-cost'), to = document.getElementById('prices');
	const figure = document.querySelector('figure.scatter');
	const box = node => {
		const { left, right, top, bottom } = node.getBoundingClientRect();
		return { left, right, top: top + scrollY, bottom: bottom + scrollY };
	};
	const colour = (node, name) => getComputedStyle(node)[name];
	return { times: [...document.querySelectorAll('details:has(> summary #time-at) .spark text')].map(text => ({ text: text.textContent, ...box(text) })),
		from: box(from), to: box(to), figure: box(figure), svg: box(figure.querySelector('svg')),
		dots: [...figure.querySelectorAll('circle')].map(box), names: [...figure.querySelectorAll('svg svg > g text[y]')]
			.filter(text => text.closest('[paint-order]')).map(text => ({ text: text.textContent, ...box(text) })),
		rows: [...document.querySelectorAll('#sizes table')].find(table => /cheapest first/.test(table.caption?.textContent))
			.querySelectorAll('tbody tr').length,
		ink: colour(figure.querySelector('[paint-order]'), 'fill'), card: colour(figure, 'backgroundColor'),
		wide: document.documentElement.scrollWidth <= innerWidth };
});

for (const [what, options] of Object.entries({
	wide: {},
	narrow: { viewport: { width: 360, height: 800 } },
	dark: { colorScheme: 'dark' },
	'without script': { javaScriptEnabled: false, wait: false },
	'on paper': {},
}))
	test(`${what}: all dots are in the picture, each row is in the table`, async () => {
		const { file, of, time_at } = await priced();
		const { page, close, problems } = await visit(file, options);
		if (what === 'on paper')
			await page.emulateMedia({ media: 'print' });
		// Its answer is one line; the picture and the tables are behind it.
		assert.ok(!await page.locator('figure.scatter').first().isVisible());
		await page.locator('#sizes > details').evaluateAll(all => all.forEach(node => {
			node.open = true;
		}));
		const s = await seen(page);
		assert.equal(s.dots.length, of.svg.dots.length + of.svg.joined.length);
		assert.equal(s.rows, of.frontier.length);
		assert.deepEqual(of.svg.marks.filter(mark => /^cheapest: /.test(mark.text)).length, 1);
		// What was measured and what is predicted have columns of their own.
		const cells = await page.locator('#time-cost').evaluate(() => [...[...document.querySelectorAll('#sizes table')]
			.find(table => /cheapest first/.test(table.caption?.textContent)).querySelectorAll('tbody tr')].map(row =>
			[...row.cells].filter(cell => /time$/.test(cell.dataset.l) && cell.textContent.trim() !== '–').map(cell => cell.dataset.l).join()));
		assert.deepEqual(cells, of.frontier.map(p => (p.measured || p.now ? 'Measured time' : 'Predicted time')));
		assert.ok(s.wide);
		assert.ok(s.from.top < s.figure.top && s.figure.bottom < s.to.top);
		for (const dot of s.dots)
			assert.ok(dot.left >= s.figure.left && dot.right <= s.figure.right && dot.top >= s.figure.top
				&& dot.bottom <= s.figure.bottom, JSON.stringify({ dot, figure: s.figure }));
		assert.deepEqual(s.names.map(name => name.text), of.svg.marks.map(mark => mark.text));
		for (const name of s.names)
			assert.ok(name.left >= s.figure.left && name.right <= s.figure.right, name.text);
		assert.ok(s.names.some(name => name.text === 'this server'));
		assert.notEqual(s.ink, s.card);
		// Of the time against CPUs: no number hides another.
		assert.equal(s.times.length, time_at.svg.marks.length + time_at.svg.ticks.length + 1);
		for (const [i, a] of s.times.entries()) {
			assert.ok(a.left >= 0 && a.right <= s.figure.right, a.text);
			for (const b of s.times.slice(i + 1))
				assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4,
					`${a.text} and ${b.text}`);
		}
		assert.equal(shown(await page.locator('#time-cost + span').textContent()), of.sentence);
		if (what !== 'without script') {
			await page.locator('details').evaluateAll(all => all.forEach(node => {
				node.open = true;
			}));
			await page.evaluate(AXE);
			const { violations } = await page.evaluate(() => window.axe.run('#sizes',
				{ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] } }));
			assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`), []);
		}
		assert.deepEqual(problems ?? [], []);
		await close();
	});
