// A long test: only make test-all runs it.
// The page of a job array: its histograms have lines and labels that can be read in every layer.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { texts, visit } from './page.mjs';
import { recording } from './runs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GIB = 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), 'rtrack-array-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// One element; most need 6 to 7 GiB and finish, 3 fails, 5 is killed for memory, 8 is an outlier.
function element(index, asked) {
	const run = recording(index === 8 ? 90 : 28 + index % 5);
	run.metadata.start_time += index / 100;
	run.rtrack.asked = { memory_bytes: { value: asked * GIB, source: 'scheduler', detail: 'SLURM_MEM_PER_NODE' },
		time_s: { value: 120, source: 'scheduler', detail: 'scontrol' } };
	// In front: what stands after the processes is not read.
	run.rtrack = { part: { job: `slurm/c/${700 + index}`, node: 'n1', covers: 'node',
		array: { job: 'slurm/c/700', index } }, ...run.rtrack };
	if (index === 3)
		run.rtrack.exit = { code: 2, signal: null, cause: 'exited' };
	if (index === 5)
		run.rtrack.exit = { code: null, signal: 'KILL', cause: 'oom' };
	return run;
}

const made = {};
function pageOf(asked) {
	if (made[asked])
		return made[asked];
	const runs = join(folder, String(asked));
	mkdirSync(runs);
	for (let i = 0; i < 12; i++)
		writeFileSync(join(runs, `${i}.json`), JSON.stringify(element(i, asked)));
	made[asked] = `${runs}.html`;
	execFileSync(REPORT, ['--offline', '--now', '1795300000', '-o', made[asked], runs]);
	return made[asked];
}

// A page without its style and script.
function bare(file) {
	const out = file.replace('.html', '.bare.html');
	writeFileSync(out, readFileSync(file, 'utf8').replace(/<style>[^]*?<\/style>|<script>[^]*?<\/script>/g, ''));
	return out;
}

const SLACK = 1.5;
const overlap = (a, b) => a.left + SLACK < b.right && b.left + SLACK < a.right
	&& a.top + SLACK < b.bottom && b.top + SLACK < a.bottom;

// Of each histogram, in pixels of the window: its figure, its texts, its lines and bars.
const pictures = page => page.evaluate(() => [...document.querySelectorAll('#array .histogram')].map(figure => {
	const svg = figure.querySelector('[role=img]');
	const box = node => {
		const { left, top, right, bottom } = node.getBoundingClientRect();
		return { left, top, right, bottom };
	};
	return { label: svg.getAttribute('aria-label'), figure: box(figure),
		texts: [...svg.querySelectorAll('text')].filter(node => node.getClientRects().length)
			.map(node => ({ text: node.textContent, ...box(node) })),
		lines: [...svg.querySelectorAll('line[stroke-dasharray]')].map(box),
		bars: [...svg.querySelectorAll('rect[width$="%"]:not([width="100%"])')].map(box) };
}));

function checkPictures(all, lines) {
	assert.equal(all.length, 2);
	assert.deepEqual(all.map(one => one.lines.length), lines);
	for (const { label, figure, texts: words, bars } of all) {
		assert.match(label, /^(Peak memory|Duration) of 10 elements, from .+, median .+\. Asked: .+\. Proposed: /);
		assert.ok(bars.length >= 2, label);
		for (const bar of bars)
			assert.ok(bar.right - bar.left >= 2 && bar.bottom - bar.top >= 1.5, `${label}: ${JSON.stringify(bar)}`);
		for (const [i, a] of words.entries()) {
			assert.ok(a.left >= figure.left - SLACK && a.right <= figure.right + SLACK, `${a.text} leaves the figure`);
			for (const b of words.slice(i + 1))
				assert.ok(!overlap(a, b), `"${a.text}" and "${b.text}" overlap`);
		}
	}
}

for (const [asked, lines] of [[8, [2, 2]], [1, [2, 2]], [200, [1, 2]]])
	for (const [layer, width] of [['light', 1280], ['light', 360], ['dark', 360], ['bare', 1280]])
		test(`${asked} GiB asked, ${width} wide, ${layer}: lines and labels can be read`, async () => {
			const file = layer === 'bare' ? bare(pageOf(asked)) : pageOf(asked);
			const { page, problems, close } = await visit(file, { viewport: { width, height: 900 },
				colorScheme: layer === 'dark' ? 'dark' : 'light', javaScriptEnabled: layer !== 'bare' });
			checkPictures(await pictures(page), lines);
			if (layer !== 'bare')
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
			assert.deepEqual(problems, []);
			await close();
		});

test('the section shows how the elements ended, and which are unlike the others', async () => {
	const { page, close } = await visit(pageOf(8));
	assert.match((await texts(page, '#advice .sentences li')).join('\n'),
		/Of 12 recorded elements of the array, 10 finished; element 3 failed with exit status 2, element 5 was killed because memory ran out\./);
	assert.deepEqual((await texts(page, '#array .elements tbody th')).map(text => parseInt(text, 10)), [3, 5, 8]);
	assert.deepEqual(await texts(page, 'nav a[href="#array"]'), ['Array']);
	// Filled bars and hollow ones are as many as the table after the picture says.
	const counts = await page.locator('.histogram').first().locator('tbody td').allTextContents();
	assert.equal(counts.reduce((sum, text) => sum + Number(text), 0), 11);
	await close();
});

test('in light, the style and the attributes of the histograms name the same colours', async () => {
	const { page, close } = await visit(pageOf(8), { javaScriptEnabled: false });
	const [styled, plain] = await page.evaluate(() => {
		const nodes = [...document.querySelectorAll('.histogram svg *')];
		const colours = () => nodes.map(node => ['fill', 'stroke'].map(name => getComputedStyle(node)[name]).join(' '));
		const before = colours();
		for (const node of nodes)
			node.removeAttribute('class');
		return [before, colours()];
	});
	assert.ok(styled.length > 50);
	assert.deepEqual(styled, plain);
	await close();
});

for (const colorScheme of ['light', 'dark'])
	test(`${colorScheme}: axe finds nothing`, async () => {
		const { page, close } = await visit(pageOf(8), { colorScheme });
		await page.locator('details').evaluateAll(all => all.forEach(node => {
			node.open = true;
		}));
		await page.evaluate(AXE);
		const { violations } = await page.evaluate(() => window.axe.run(document,
			{ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] } }));
		assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`), []);
		await close();
	});
