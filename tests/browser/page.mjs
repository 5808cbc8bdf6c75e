// A report made by the real rtrack-report ($B) from a model, opened in a real Chromium ($CHROMIUM).

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROMIUM, allNear } from './chromium.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
export const FLEET = resolve(ROOT, process.env.B || 'build/release', 'rtrack-fleet');
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync'];

// Milliseconds: for what is sure to come, on a machine ten times slower.
export const PATIENCE = 120000;

const folder = mkdtempSync(join(tmpdir(), 'rtrack-page-'));
let browser;
let made = 0;

after(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

export function model(name) {
	return JSON.parse(readFileSync(join(ROOT, `tests/fixtures/model/${name}.json`), 'utf8'));
}

// The path of the page for a model.
export function report(m, ...options) {
	const stem = join(folder, String(made++));
	writeFileSync(`${stem}.json`, JSON.stringify(m));
	execFileSync(REPORT, [...options, '--model', `${stem}.json`, '-o', `${stem}.html`]);
	return `${stem}.html`;
}

// What the real program makes of a recording (runs.mjs): the path of its page, and the model behind it.
export function recorded(run) {
	const stem = join(folder, String(made++));
	writeFileSync(`${stem}.json`, JSON.stringify(run));
	execFileSync(REPORT, ['--offline', '--now', String(run.metadata.stop_time + 60), '-o', `${stem}.html`,
		'--json', `${stem}.model`, `${stem}.json`]);
	return { file: `${stem}.html`, model: JSON.parse(readFileSync(`${stem}.model`, 'utf8')) };
}

async function launch() {
	browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

async function blank() {
	await launch();
	const context = await browser.newContext();
	return { page: await context.newPage(), close: () => context.close() };
}

// Opens a model's page in a profile of its own. `requests` and `problems` fill as it lives.
export function open(m, options = {}) {
	return visit(report(m), options);
}

// The same of a page that is there; `hash` (in options) is what stands after its address, `before` a
// function that runs in the page before its own script, `wait` whether it waits for the charts, `all` whether
// all of them are near for the page, as if the window were as high as it is.
export async function visit(file, { hash = '', before = () => {}, wait = true, all = true, ...options } = {}) {
	await launch();
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 },
		timezoneId: 'Asia/Kolkata', ...options });
	context.setDefaultTimeout(PATIENCE);
	const page = await context.newPage();
	const requests = [], problems = [];
	page.on('request', r => requests.push(r.url()));
	// The tests read canvases back, which Chromium remarks upon.
	page.on('console', c => /^Canvas2D: Multiple readback/.test(c.text())
		|| problems.push(`console: ${c.text()}`));
	page.on('pageerror', e => problems.push(`error: ${e.message}`));
	page.on('dialog', d => {
		problems.push(`dialog: ${d.message()}`);
		d.dismiss();
	});
	await page.addInitScript(() => {
		window.violations = [];
		document.addEventListener('securitypolicyviolation',
			e => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
	});
	if (all)
		await page.addInitScript(allNear);
	await page.addInitScript(before);
	const url = pathToFileURL(file).href;
	await page.goto(url + hash);
	if (options.javaScriptEnabled !== false && wait)
		await drawn(page);
	return { page, file, url, requests, problems, close: () => context.close() };
}

// A text as the page shows it: control characters and those that turn the direction of writing are
// U+FFFD, spaces are one.
export function shown(text) {
	return String(text).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd').replace(/\s+/g, ' ').trim();
}

// The texts of all that match, spaces made one.
export function texts(page, selector) {
	return page.locator(selector).evaluateAll(all =>
		all.map(node => node.textContent.replace(/\s+/g, ' ').trim()));
}

// The rows of a table, each a list of the texts of its cells.
export function rows(page, selector) {
	return page.locator(`${selector} tbody tr`).evaluateAll(all => all.map(row =>
		[...row.cells].map(cell => cell.textContent.replace(/\s+/g, ' ').trim())));
}

// The charts are drawn after the page is shown, one by one; none is where a test took the script out.
export function drawn(page) {
	return page.waitForFunction(() => !document.querySelector('.known:not(.drawn)')
		|| ![...document.scripts].some(node => !node.type), undefined, { timeout: PATIENCE });
}

// Draws have happened once the browser has painted twice.
export function settled(page) {
	return page.evaluate(() => new Promise(done =>
		requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
}

// How many pixels of a PNG have a colour (neither grey nor nearly), in each of these boxes.
export async function coloured(png, boxes) {
	const { page, close } = await blank();
	const counts = await page.evaluate(async ({ url, boxes }) => {
		const image = new Image();
		image.src = url;
		await image.decode();
		const canvas = new OffscreenCanvas(image.width, image.height), ctx = canvas.getContext('2d');
		ctx.drawImage(image, 0, 0);
		return boxes.map(({ x, y, width, height }) => {
			const { data } = ctx.getImageData(x, y, width, height);
			let count = 0;
			for (let i = 0; i < data.length; i += 4) {
				const rgb = data.slice(i, i + 3);
				count += Math.max(...rgb) - Math.min(...rgb) > 60;
			}
			return count;
		});
	}, { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}`, boxes });
	await close();
	return counts;
}

// How many pixels of each colour (a name of report.css, as "tree") a chart's canvas has: lines are
// smoothed, so nearly that colour, and more than the tint of a band.
export function pixels(page, chart, names) {
	return page.evaluate(({ chart, names }) => {
		const canvas = document.querySelector(`[data-chart="${chart}"] canvas`);
		const style = getComputedStyle(document.documentElement);
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		return names.map(name => {
			const hex = style.getPropertyValue('--' + name).trim();
			const [r, g, b] = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));
			let count = 0;
			for (let i = 0; i < data.length; i += 4)
				count += data[i + 3] > 100 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g)
					+ Math.abs(data[i + 2] - b) < 24;
			return count;
		});
	}, { chart, names });
}

// Moves the mouse to a share of a chart's width; answers what stands above the values of each legend: the
// time under the cursor, or "Mean".
export async function hover(page, chart, share) {
	const over = page.locator(`[data-chart="${chart}"] .u-over`);
	await over.scrollIntoViewIfNeeded();
	const box = await over.boundingBox();
	await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
	await settled(page);
	return texts(page, HEADS);
}

export const HEADS = '.digest thead th:nth-child(2)';

export async function drag(page, chart, from, to) {
	const over = page.locator(`[data-chart="${chart}"] .u-over`);
	await over.scrollIntoViewIfNeeded();
	const box = await over.boundingBox();
	const y = box.y + box.height / 2;
	await page.mouse.move(box.x + box.width * from, y);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * (from + to) / 2, y, { steps: 4 });
	await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
	await page.mouse.up();
	await settled(page);
}
