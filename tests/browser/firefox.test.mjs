// A long test: only make test-all runs it.
//
// The page in Firefox, driven over WebDriver BiDi.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PATIENCE, coloured, recorded } from './page.mjs';
import { recording } from './runs.mjs';

const FIREFOX = process.env.FIREFOX || '/usr/bin/firefox-esr';
const skip = !existsSync(FIREFOX) && `${FIREFOX} is not installed`;
const folder = mkdtempSync(join(tmpdir(), 'rtrack-firefox-'));
let browser;
after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

const made = {};
const url = () => pathToFileURL(made.file ??= recorded(recording(600)).file).href;

async function visit(width, { script = true } = {}) {
	const { default: puppeteer } = await import('puppeteer-core');
	browser ??= await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, timeout: PATIENCE,
		protocolTimeout: PATIENCE });
	const page = await browser.newPage(), problems = [];
	page.on('console', c => problems.push(c.text()));
	page.on('pageerror', e => problems.push(e.message));
	await page.setViewport({ width, height: 900 });
	await page.goto(url(), { timeout: PATIENCE });
	// Charts are drawn when they come near.
	if (script) {
		await page.evaluate(async () => {
			for (const node of document.querySelectorAll('.known')) {
				node.scrollIntoView();
				await new Promise(done => setTimeout(done, 50));
			}
			scrollTo(0, 0);
		});
		await page.waitForFunction(() => !document.querySelector('.known:not(.drawn)'), { timeout: PATIENCE });
	}
	return { page, problems };
}

// Where the plots are, in pixels of the whole page.
const boxesOf = page => page.$$eval('.known', all => all.map(node => {
	const { x, y, width, height } = (node.querySelector('.still:not([hidden])')
		|| node.querySelector('.plot')).getBoundingClientRect();
	return { x: x + scrollX, y: y + scrollY, width, height };
}));

for (const width of [1280, 390])
	test(`${width} wide: every chart is drawn, nothing is cut off, nothing goes wrong`, { skip }, async () => {
		const { page, problems } = await visit(width);
		const charts = await page.$$eval('.known', all => all.map(node => {
			const canvas = node.querySelector('canvas'), size = canvas.getBoundingClientRect();
			return { still: node.querySelector('.still').hidden, width: size.width, height: size.height,
				painted: canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean) };
		}));
		assert.ok(charts.length >= 9);
		for (const one of charts)
			assert.ok(one.still && one.painted && one.height >= 220 && one.width > Math.min(width / 2, 500), JSON.stringify(one));
		assert.deepEqual(await page.evaluate(() => [document.documentElement,
			...document.querySelectorAll('.scroll, .still, .plot')]
			.filter(node => node.scrollWidth > node.clientWidth && !node.closest('details:not([open])'))
			.map(node => node.outerHTML.slice(0, 80))), []);
		assert.deepEqual(problems, []);
		await page.close();
	});

test('the cursor is on all charts, by mouse and by keys', { skip }, async () => {
	const { page, problems } = await visit(1280);
	const heads = () => page.$$eval('.digest thead th:nth-child(2)', all => all.map(node => node.textContent));
	const over = await page.$('[data-chart=cpu] .u-over');
	await over.scrollIntoView();
	const box = await over.boundingBox();
	await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
	await page.waitForFunction(() => document.querySelector('.tip')?.checkVisibility(), { timeout: PATIENCE });
	const seen = await heads();
	assert.ok(new Set(seen).size === 1 && /^\d:\d\d:\d\d$/.test(seen[0]), seen.join());
	assert.match(await page.$eval('[data-chart=cpu] .tip', node => node.textContent), /cores/);
	await page.focus('[data-chart=memory] .plot');
	await page.keyboard.press('End');
	assert.match(await page.$eval('output', node => node.textContent), /: .*Job .*GiB/);
	assert.notDeepEqual(await heads(), seen);
	assert.deepEqual(problems, []);
	await page.close();
});

test('a picture that Firefox takes at the load event has every chart', { skip }, async () => {
	const { page } = await visit(1280);
	const boxes = await boxesOf(page);
	await page.close();
	const out = join(folder, 'page.png');
	execFileSync(FIREFOX, ['--headless', '--no-remote', '--profile', mkdtempSync(join(folder, 'profile-')),
		'--screenshot', out, '--window-size=1280,10000', url()], { stdio: 'ignore', timeout: PATIENCE });
	const counts = await coloured(readFileSync(out), boxes);
	assert.ok(counts.every(count => count > 100), counts.join());
});
