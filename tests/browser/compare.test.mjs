// A long test: only make test-all runs it.
// A run beside earlier ones: the trend and the comparison, as people see them and as they do not.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shown, texts, visit } from './page.mjs';
import { recording } from './runs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ATTACK = '"><script>window.pwned=1</script>';

const folder = mkdtempSync(join(tmpdir(), 'rtrack-compare-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// A recording of so many samples that began so many seconds later.
function run(samples, later) {
	const r = recording(samples);
	r.metadata.start_time += later;
	r.metadata.stop_time += later;
	for (const block of [r.process_metrics, r.system_metrics])
		block.timestamp = block.timestamp.map(t => t + later);
	r.rtrack.exit = { code: 0, signal: null, cause: 'exited' };
	for (const phase of r.rtrack.phases ?? []) {
		phase.start += later;
		phase.end = phase.end === null ? null : phase.end + later;
	}
	return r;
}

function compared(stem, runs, ...options) {
	const files = runs.map((r, i) => {
		const file = join(folder, `${stem}-${i}.json`);
		writeFileSync(file, JSON.stringify(r));
		return file;
	});
	const page = join(folder, `${stem}.html`), model = join(folder, `${stem}.model`);
	execFileSync(REPORT, ['--offline', '--now', '1795900000', '-o', page, '--json', model, ...options,
		...files]);
	return { page, model: JSON.parse(readFileSync(model, 'utf8')) };
}

const four = () => [run(600, 30000), run(300, 20000), run(310, 10000), run(305, 0)];

test('with history, gates and GPUs the first chart is behind at most 350 words, and 1,400 px', async () => {
	const runs = [...four(), run(290, -10000), run(320, -20000), run(300, -30000)];
	const { page: file } = compared('words', runs, '--fail-if', 'process_memory.max > 4TiB', '--fail-if', 'duration > 1d');
	const { page, close } = await visit(file, { viewport: { width: 1440, height: 900 } });
	const [words, top] = await page.evaluate(() => {
		const chart = document.querySelector('main .chart'), walker = document.createTreeWalker(document.querySelector('main'), 4);
		let n = 0;
		for (let node = walker.nextNode(); node && !chart.contains(node); node = walker.nextNode())
			if (node.parentElement.checkVisibility() && !node.parentElement.closest('.unseen, .level, button'))
				n += node.data.match(/\S+/g)?.length ?? 0;
		return [n, chart.getBoundingClientRect().top + scrollY];
	});
	assert.ok(words <= 350 && words > 100 && top <= 1400, `${words} words, ${top} px`);
	await close();
});

for (const colorScheme of ['light', 'dark'])
	for (const width of [1280, 390])
		test(`${colorScheme}, ${width} wide: trend and comparison are there, and axe finds nothing`, async () => {
			const { page: file, model } = compared(`axe-${colorScheme}-${width}`, four(), '--compare',
				'--name', 'this <i>one</i>', '--name', ATTACK);
			const { page, requests, problems, close } = await visit(file,
				{ colorScheme, viewport: { width, height: 900 } });
			assert.equal(await page.locator('.trend figure').count(), model.trend.measures.filter(m => !m.follows).length);
			const news = await texts(page, '.trend figcaption');
			assert.ok(/^Duration [^,]*\s*97% above the median, /.test(news[0]), news[0]);
			assert.match((await texts(page, '#history .notes + .intro'))[0], /^Whether they changed cannot be told: /);
			assert.match((await texts(page, '#history .notes li'))[0], /^Duration of all that did not fail: /);
			assert.deepEqual((await texts(page, 'table.beside >> nth=0 >> thead th')).slice(1)
				.map((text, i) => text.startsWith(shown(model.compare.runs[i].label))), [true, true, true, true]);
			assert.ok((await texts(page, '#compare em')).includes('highest'));
			const sizes = await page.locator('.trend svg circle, figure.beside svg path').evaluateAll(all =>
				all.map(node => node.getBoundingClientRect().width));
			assert.ok(sizes.length > 10 && sizes.every(Number.isFinite));
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
			await page.evaluate(AXE);
			const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: { type: 'tag',
				values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] } }));
			assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`), []);
			assert.equal(await page.evaluate(() => window.pwned), undefined);
			assert.deepEqual([requests.length, problems], [1, []]);
			await close();
		});

test('every link to a run leads to its row', async () => {
	const { page: file } = compared('links', four());
	const { page, close } = await visit(file);
	const links = await page.locator(':is(#history, #trend) a[href^="#run-"]').evaluateAll(all => all.map(a => a.getAttribute('href')));
	assert.ok(links.length > 3);
	for (const hash of new Set(links))
		assert.equal(await page.locator(`.runs tr[id="${hash.slice(1)}"]`).count(), 1, hash);
	await page.locator('.trend a').first().click();
	assert.equal(await page.locator('.runs tr:target').count(), 1);
	await close();
});

test('a picture of the history names the nearest run, goes from run to run by keys, and leads to its row', async () => {
	const { page: file, model } = compared('nearest', four());
	const { page, problems, close } = await visit(file);
	const { points } = model.trend.measures[0].svg;
	const figure = page.locator('.trend figure').first(), label = figure.locator('.nearest');
	const { width } = await figure.locator('svg').boundingBox();
	await figure.locator('svg').hover({ position: { x: width * 0.3, y: 2 } });
	assert.equal(shown(await label.textContent()), points[1].text);
	await page.mouse.move(0, 0);
	assert.equal(await label.isVisible(), false);
	// One press of Tab for a picture. The last run is this one, which has no row.
	assert.equal(await figure.locator('a[tabindex="0"]').count(), 1);
	await figure.locator('a[tabindex="0"]').focus();
	for (const [key, i] of [['ArrowLeft', 1], ['Home', 0], ['ArrowLeft', 0], ['ArrowRight', 1], ['End', 2]]) {
		await page.keyboard.press(key);
		assert.equal(shown(await label.textContent()), points[i].text, key);
		assert.equal(shown(await page.evaluate(() => document.activeElement.getAttribute('aria-label'))), points[i].text);
	}
	await page.keyboard.press('Enter');
	assert.equal(await page.locator('tr:target').getAttribute('id'), points[2].anchor);
	// Beside its point, too.
	await figure.locator('svg').click({ position: { x: width * 0.3, y: 2 } });
	assert.equal(await page.locator('tr:target').getAttribute('id'), points[1].anchor);
	assert.ok(await page.locator('tr:target').isVisible());
	// A second click leads there again.
	await page.evaluate(() => scrollTo(0, 0));
	await figure.locator('svg').click({ position: { x: width * 0.3, y: 2 } });
	await page.waitForFunction(() => document.querySelector('tr:target').getBoundingClientRect().bottom < innerHeight);
	await figure.locator('svg').hover({ position: { x: width * 0.3, y: 2 } });
	await page.emulateMedia({ media: 'print' });
	assert.equal(await label.isVisible(), false);
	assert.deepEqual(problems, []);
	await close();
});

test('with neither style nor script, the lines have their colours and dashes', async () => {
	const { page: file, model } = compared('bare', four(), '--compare');
	writeFileSync(file, readFileSync(file, 'utf8').replace(/<style>[^]*?<\/style>/, ''));
	const { page, close } = await visit(file, { javaScriptEnabled: false });
	const lines = await page.locator('figure.beside >> nth=0 >> svg g[transform] path').evaluateAll(all =>
		all.map(p => [p.getAttribute('stroke'), p.getAttribute('stroke-dasharray') ?? '']));
	assert.deepEqual(lines, model.compare.runs.map(r => [r.colour, r.dash]));
	assert.equal(new Set(lines.map(String)).size, 4);
	await close();
});

test('a page of 1,000 runs stays small', () => {
	const short = run(20, 0);
	const many = Array.from({ length: 1000 }, (_, i) => {
		const r = { ...short, metadata: { ...short.metadata } };
		r.metadata.start_time += 100 * i;
		r.metadata.stop_time += 100 * i + i % 13;
		return r;
	});
	const { page, model } = compared('many', many);
	assert.equal(model.history.length, 200);
	assert.equal(model.trend.runs, 1000);
	assert.ok(model.trend.measures.every(m => m.svg.points.length <= 120));
	assert.ok(readFileSync(page).length <= 2 ** 20, String(readFileSync(page).length));
});
