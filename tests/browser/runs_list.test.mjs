// A long test: only make test-all runs it.
// The list of runs: one row per run, in three layers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FLEET, PATIENCE, texts, visit } from './page.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
const HOSTILE = ['</script><script>window.pwned = 1</script>', '"><img src=x onerror=window.pwned=1>', '\u202egnp.exe',
	'<'.repeat(128), '\'; DROP TABLE runs; --', '{{{name}}}', '👩‍🔬'.repeat(9)];

const folder = mkdtempSync(join(tmpdir(), 'rtrack-runs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// A run of an hour on 8 CPUs, of which one was busy; the later ones need more memory.
function recording(name, i, more = {}) {
	const row = { id: String(i).padStart(16, '0'), scope: 'process', name, user: i % 3 ? 'ann' : 'bob', host: `n${i % 4}`,
		start: 1794000000 + i * 600, wall_s: 600 + i, samples: 600, status: 'exited', code: i % 7 ? 0 : 1, oom_kills: 0, cpu_s: 600,
		cores_mean: 1, cores_peak: 2, memory_mean_bytes: i * 1e6, memory_peak_bytes: (i + 1) * 1e6, asked_cpus: i % 5 ? 8 : null,
		asked_memory_bytes: 2 ** 34, vcpus: 16, machine_memory_bytes: 2 ** 36, job_id: `slurm/hpc/${1000 + i}/0`, ...more };
	return JSON.stringify({ rtrack_row: row });
}

const made = new Map();
function pageOf(n, names = ['train'], options = []) {
	const key = `${n}-${names.length}-${options.join('')}`.replace(/\W+/g, '-');
	if (made.has(key))
		return made.get(key);
	const runs = join(folder, key), file = join(folder, `${key}.html`);
	mkdirSync(runs);
	for (let i = 0; i < n; i++)
		writeFileSync(join(runs, `r${i}.json`), recording(names[i % names.length], i));
	if (n)
		writeFileSync(join(runs, 'r1.html'), '<!doctype html><p>The report');
	try {
		execFileSync(FLEET, ['runs', '--offline', '--rate-cpu', '0.05', ...options, '-o', file, runs], { stdio: 'pipe' });
	} catch (e) {
		assert.equal(e.status, 4, e.stderr); // r1.html is no recording
	}
	made.set(key, file);
	return file;
}

async function open(file, options = {}) {
	const seen = await visit(file, options);
	if (options.javaScriptEnabled !== false)
		await seen.page.waitForFunction(() => document.querySelector('.scripted .fleet-said')?.textContent, undefined, { timeout: PATIENCE });
	return seen;
}
const ids = page => texts(page, '#runs tbody th small');
const said = (page, pattern) => page.waitForFunction(source => new RegExp(source).test(document.querySelector('.fleet-said').textContent),
	pattern.source, { timeout: PATIENCE });
const order = (from, to) => Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => String(1000 + (from < to ? from + i : from - i)));

test('without script, all rows are there, the newest first, with a link to a report beside a recording', async () => {
	const { page } = await open(pageOf(130), { javaScriptEnabled: false });
	assert.deepEqual(await ids(page), order(129, 0));
	assert.equal(await page.locator('#runs a.report').getAttribute('href'), '130-1-/r1.html');
	await page.context().close();
});

test('the script shows a page of rows, sorts, searches and filters, and keeps that in the address', async () => {
	const { page, problems } = await open(pageOf(130));
	assert.deepEqual(await ids(page), order(129, 30));
	await page.getByRole('button', { name: 'Next' }).click();
	assert.deepEqual(await ids(page), order(29, 0));
	await page.locator('[data-c=memory_peak]').click();
	assert.match(page.url(), /#sort=-memory_peak$/);
	await page.locator('[data-c=memory_peak]').click();
	assert.deepEqual((await ids(page)).slice(0, 3), ['1000', '1001', '1002']);
	await page.getByLabel('Search').fill('1012');
	await said(page, /^1 of the 130 runs/);
	assert.deepEqual(await ids(page), ['1012']);
	assert.match(page.url(), /#q=1012&sort=memory_peak$/);
	await page.getByLabel('Search').fill('');
	for (const [label, filter, n] of [['User', '=bob', 44], ['Peak memory', '<10MB', 4], ['End', 'failed', 1]]) {
		await page.getByLabel('Column to filter').selectOption({ label });
		await page.getByLabel('Filter', { exact: true }).last().fill(filter);
		await page.getByRole('button', { name: 'Add' }).click();
		await said(page, new RegExp(`^${n} of the 130`));
	}
	assert.deepEqual(await ids(page), ['1000']);
	await page.goBack();
	await said(page, /^4 of the 130/);
	assert.deepEqual(problems ?? [], []);
	await page.context().close();
});

test('an address is followed; days can be filtered', async () => {
	const { page } = await open(`${pageOf(130)}`);
	await page.evaluate(() => {
		location.hash = 'start=2026-11-07&sort=start';
	});
	await said(page, /of the 130/);
	const rows = await texts(page, '#runs tbody time');
	assert.ok(rows.length > 0 && rows.every(text => text.startsWith('2026-11-07')), rows.join());
	await page.evaluate(() => {
		location.hash = 'start=yesterday';
	});
	await said(page, /Not understood: Start yesterday/);
	await page.context().close();
});

test('a link restores what was searched and filtered; the keyboard alone finds, filters and shows all again', async () => {
	const file = pageOf(130);
	const { page } = await open(file);
	await page.keyboard.press('/');
	await page.keyboard.type('ann');
	await page.getByLabel('Column to filter').focus();
	await page.keyboard.type('Wall');
	await page.keyboard.press('Tab');
	await page.keyboard.type('>700s');
	await page.keyboard.press('Enter');
	await page.getByRole('button', { name: 'Remove the filter' }).waitFor();
	const [rows, address] = [await ids(page), page.url()];
	await said(page, new RegExp(`^${rows.length} of the 130`));
	const found = await page.locator('.fleet-said').textContent();
	assert.match(address, /#q=ann&wall=%3E700s$/);
	assert.ok(rows.length > 5 && rows.length < 30, `${rows.length}`);
	const sent = await open(file, { hash: address.slice(address.indexOf('#')) });
	await said(sent.page, new RegExp(`^${rows.length} of the 130`));
	assert.deepEqual([await ids(sent.page), await sent.page.locator('.fleet-said').textContent(),
		await sent.page.getByLabel('Search').inputValue(), await texts(sent.page, '.chips button')],
	[rows, found, 'ann', ['Wall time >700s ✕', 'Show all']]);
	await sent.page.context().close();
	await page.getByRole('button', { name: 'Show all' }).focus();
	await page.keyboard.press('Enter');
	await said(page, /^130 runs/);
	assert.ok(await page.getByLabel('Search').evaluate(node => node === document.activeElement));
	await page.context().close();
	const still = await open(file, { javaScriptEnabled: false });
	assert.equal(await still.page.locator('.tools').evaluateAll(all => all.some(node => node.checkVisibility())), false);
	await still.page.context().close();
});

test('hostile names are text', async () => {
	const { page } = await open(pageOf(21, HOSTILE));
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	const names = await page.$$eval('#runs tbody th', cells => cells.map(cell => cell.firstChild.textContent));
	assert.ok(names.includes(HOSTILE[0]));
	assert.ok(!names.join('').includes('\u202e'));
	await page.getByLabel('Search').fill('drop table');
	await said(page, /^3 of the 21/);
	await page.context().close();
});

test('1,000 runs with long names are at most 1 MB, and the page says how many there are', async () => {
	const file = pageOf(1100, ['<'.repeat(128)]);
	assert.ok(statSync(file).size <= 1e6, `${statSync(file).size}`);
	const { page } = await open(file, { javaScriptEnabled: false });
	const rows = await page.locator('#runs tbody tr').count();
	assert.ok(rows > 300 && rows < 1000, `${rows}`);
	assert.match(await page.locator('#runs-shown').textContent(), new RegExp(`^${rows} of 1,100 runs`));
	await page.context().close();
	assert.ok(statSync(pageOf(1099, ['short'])).size <= 1e6);
});

test('no runs', async () => {
	const file = join(folder, 'none.html');
	execFileSync(FLEET, ['runs', '--offline', '--where', 'user=nobody', '-o', file, resolve(ROOT, 'tests/fixtures/runs_report/now.json')]);
	const { page } = await visit(file);
	assert.match(await page.locator('main').textContent(), /There are no runs/);
	await page.context().close();
});

for (const [name, options] of Object.entries({ wide: {}, narrow: { viewport: { width: 390, height: 844 } }, dark: { colorScheme: 'dark' } }))
	test(`accessible, nothing beyond the edge: ${name}`, async () => {
		const { page } = await open(pageOf(130), options);
		await page.evaluate(AXE);
		const found = await page.evaluate(rules => window.axe.run({ runOnly: rules }), RULES);
		assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(n => n.html).slice(0, 3).join(' ')}`), []);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
		await page.context().close();
	});
