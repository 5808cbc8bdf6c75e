// How long a page takes to open in Chromium, beside a bare page of uPlot with the same points:
//   B=build/release node tests/bench/open.mjs
// Prints medians of alternate turns, and the ratio: absolute times say nothing on a noisy machine.
// FIRST is when something is to be read, ALL when every chart is drawn and painted.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { recording } from '../browser/runs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
const UPLOT = resolve(ROOT, 'node_modules/uplot/dist');
const TURNS = Number(process.env.TURNS || 15);
const folder = mkdtempSync(join(tmpdir(), 'rtrack-open-'));

// The page of a recording, and a bare one: each chart's lines and bands with uPlot's own axes, cursor
// and legend.
function pagesOf(name, run) {
	const [json, ours, model, bare] = ['json', 'html', 'model', 'bare.html'].map(end => join(folder, `${name}.${end}`));
	writeFileSync(json, JSON.stringify(run));
	execFileSync(REPORT, ['--offline', '-o', ours, '--json', model, json]);
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
	return { ours, bare, points: charts.reduce((sum, { data }) => sum
		+ data.x.length * data.mean.length * (data.max ? 3 : 1), 0) };
}

// Notes in the page when all of it is painted: no chart waits, and two frames went by.
function watch() {
	window.painted = new Promise(done => {
		const look = () => (document.readyState !== 'complete'
			|| document.querySelector('.plot:not([hidden]):not(:has(canvas))') ? requestAnimationFrame(look)
			: requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))));
		requestAnimationFrame(look);
	});
}

async function time(browser, file) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
	const page = await context.newPage();
	await page.addInitScript(watch);
	await page.goto(pathToFileURL(file).href);
	const all = await page.evaluate(() => window.painted);
	const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
	await context.close();
	return { all, first };
}

function median(list) {
	const known = list.filter(v => !Number.isNaN(v)).sort((a, b) => a - b);
	return known.length ? known[Math.floor(known.length / 2)] : NaN;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
	args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
const print = (...cells) => console.log(cells.map((c, i) => (i ? String(c).padStart(10) : c.padEnd(34))).join(''));
try {
	console.log('');
	print('OPENING A PAGE, ms', 'POINTS', 'BYTES', 'FIRST', 'ALL', 'BARE', 'FIRST/BARE', 'ALL/BARE');
	for (const [name, run] of [['an hour, each second', recording(3600)],
		['a week, each minute', recording(10080, 60)]]) {
		const { ours, bare, points } = pagesOf(name.replace(/\W+/g, '-'), run);
		const times = { ours: [], bare: [] };
		// The first turn warms the browser's caches.
		for (let turn = 0; turn <= TURNS; turn++)
			for (const [which, file] of [['ours', ours], ['bare', bare]]) {
				const t = await time(browser, file);
				if (turn)
					times[which].push(t);
			}
		const [first, all, plain] = [median(times.ours.map(t => t.first)), median(times.ours.map(t => t.all)),
			median(times.bare.map(t => t.all))];
		print(name, points, readFileSync(ours).length, first.toFixed(0), all.toFixed(0), plain.toFixed(0),
			(first / plain).toFixed(2), (all / plain).toFixed(2));
	}
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}
