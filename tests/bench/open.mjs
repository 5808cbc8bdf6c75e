// How long a page takes to open in Chromium, beside a bare page of uPlot with the same points, as rows
// of the table (medians of alternate turns):   node tests/bench/open.mjs HOUR WEEK   (two recordings)
// "first" is when something is to be read, "near" when the charts of the first two screens are drawn and painted,
// "all" when every chart is, where all are near; "interactive" when, with all of them, no task of over 50 ms stands
// in the way of an answer any more.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM, allNear } from '../browser/chromium.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
const UPLOT = resolve(ROOT, 'node_modules/uplot/dist');
const TURNS = Number(process.env.TURNS || 9);
const folder = mkdtempSync(join(tmpdir(), 'rtrack-open-'));

// The page of a recording, and a bare one: each chart's lines and bands with uPlot's own axes, cursor
// and legend.
function pagesOf(name, recording) {
	const [ours, model, bare] = ['html', 'model', 'bare.html'].map(end => join(folder, `${name}.${end}`));
	execFileSync(REPORT, ['--offline', '-o', ours, '--json', model, recording]);
	const charts = JSON.parse(readFileSync(model, 'utf8')).charts.filter(c => c.data.x.length)
		.map(({ title, series, data }) => ({ title, series: series.map(s => s.label), data }));
	writeFileSync(bare, `<!doctype html><meta charset="utf-8"><title>bare</title>
<style>${readFileSync(join(UPLOT, 'uPlot.min.css'), 'utf8')}</style>
<script>${readFileSync(join(UPLOT, 'uPlot.iife.min.js'), 'utf8')}</script>
<script>
const charts = ${JSON.stringify(charts).replace(/</g, '\\u003c')};
for (const { title, series, data: { from, x, mean, min, max } } of charts) {
	const rows = [x.map(v => from + v)], lines = [{}], bands = [];
	mean.forEach((row, i) => {
		rows.push(row);
		lines.push({ label: series[i], stroke: '#0b62b5' });
		if (!max)
			return;
		rows.push(max[i], min[i]);
		lines.push({ stroke: 'transparent' }, { stroke: 'transparent' });
		bands.push({ series: [lines.length - 2, lines.length - 1], fill: '#0b62b530' });
	});
	new uPlot({ title, width: 640, height: 230, series: lines, bands }, rows, document.body);
}
</script>`);
	return { ours, bare };
}

// Notes in the page when its charts are painted, all or those that are near: none waits, and two frames went by.
function watch(all) {
	window.busyUntil = 0;
	new PerformanceObserver(list => {
		for (const task of list.getEntries())
			window.busyUntil = Math.max(window.busyUntil, task.startTime + task.duration);
	}).observe({ type: 'longtask', buffered: true });
	window.painted = new Promise(done => {
		const waits = node => all || node.getBoundingClientRect().top < 2 * innerHeight;
		const look = () => (document.readyState !== 'complete'
			|| [...document.querySelectorAll('.known:not(.drawn)')].some(waits) ? requestAnimationFrame(look)
			: requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))));
		requestAnimationFrame(look);
	});
}

async function time(browser, file, all) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
	const page = await context.newPage();
	if (all)
		await page.addInitScript(allNear);
	await page.addInitScript(watch, all);
	await page.goto(pathToFileURL(file).href);
	const painted = await page.evaluate(() => window.painted);
	const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
	// What was observed is told a little later.
	const busy = await page.evaluate(() => new Promise(done => setTimeout(() => done(window.busyUntil), 50)));
	await context.close();
	return { painted, first, interactive: Math.max(first || 0, Math.min(busy, painted)) };
}

function quantile(list, at) {
	const known = list.filter(v => !Number.isNaN(v)).sort((a, b) => a - b);
	return known.length ? known[Math.floor((known.length - 1) * at)] : NaN;
}

// A row of the table: bare and ours are lists of turns. Chromium tells of no first paint where it was of a
// canvas alone.
function row(what, bare, ours, budget = '') {
	const ratios = ours.map((v, i) => v / bare[i]);
	const told = (list, at, digits) => (list.every(Number.isNaN) ? '' : quantile(list, at).toFixed(digits));
	console.log([what, 'ms', told(bare, 0.5, 1), told(ours, 0.5, 1),
		...[0.5, 0.25, 0.75].map(at => told(ratios, at, 3)), budget].join('\t'));
}

async function turns(browser, { ours, bare }) {
	const times = { near: [], all: [], bare: [] };
	// The first turn warms the browser's caches.
	for (let turn = 0; turn <= TURNS; turn++)
		for (const [which, file] of [['near', ours], ['all', ours], ['bare', bare]]) {
			const t = await time(browser, file, which === 'all');
			if (turn)
				times[which].push(t);
		}
	return times;
}

const browser = await chromium.launch({ executablePath: CHROMIUM,
	args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
try {
	const drawn = {};
	for (const [i, name] of ['an hour', 'a week'].entries()) {
		const { near, all, bare } = await turns(browser, pagesOf(name.replace(' ', '-'), process.argv[2 + i]));
		for (const [what, key, ours, budget] of [['first paint', 'first', near, ''], ['near charts drawn', 'painted', near, 'x1.5'],
			['all drawn', 'painted', all, 'x1.5'], ['interactive', 'interactive', all, 'x1.5']])
			row(`${name}, each second: ${what}`, bare.map(t => t[key]), ours.map(t => t[key]), budget);
		drawn[name] = all.map(t => t.painted);
	}
	row('a week beside an hour: all drawn', drawn['an hour'], drawn['a week'], 'x2');
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}
