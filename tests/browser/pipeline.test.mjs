// The page of one run of a workflow: whole without script, quiet, with no name that does anything.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { FLEET, PATIENCE, rows, texts, visit } from './page.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
const HOSTILE = ['</script><script>window.pwned = 1</script>', '"><img src=x onerror=window.pwned=1>', 'x'.repeat(180), '{{{name}}}',
	"'; } process { //", '\u202egnp.exe', 'a\u001b[31m', '-->', '</title></svg><svg onload=window.pwned=1>'];
const START = 1795000000, G = 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), 'rtrack-pipeline-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The page of tasks, each [task, start, seconds, exit code].
function pageOf(name, run, tasks) {
	const runs = join(folder, name), page = `${runs}.html`;
	mkdirSync(runs);
	tasks.forEach(([task, start, wall, code = 0], i) => writeFileSync(join(runs, `${i}.json`), `${JSON.stringify({ rtrack_row: {
		id: String(i), scope: 'process', name: 'x', user: 'ann', start: START + start, wall_s: wall, samples: 100, status: 'finished',
		code, oom_kills: 0, cpu_s: wall * 2, memory_mean_bytes: G, memory_peak_bytes: 2 * G, asked_cpus: 4, asked_cpus_source: 'env',
		asked_memory_bytes: 8 * G, asked_memory_source: 'env', asked_time_s: 3600, read_bytes: G, written_bytes: G, vcpus: 16,
		machine_memory_bytes: 64 * G, workflow_run: run, labels: `workflow=nextflow;nextflow.task=${task}` } })}\n`));
	execFileSync(FLEET, ['pipeline', '--offline', '--now', String(START + 86400), '-o', page, runs]);
	return page;
}

const ordinary = pageOf('ordinary', 'nextflow/sad_bell', [...[1, 2, 3, 4].flatMap(i => [[`ALIGN (s${i})`, i * 10, 600 + i * 30],
	[`CALL (s${i})`, 800 + i * 10, 200, Number(i === 2)]]), ['CALL (s2)', 1100, 300, 3], ['CALL (s2)', 1405, 300], ['MULTIQC', 1710, 90]]);
const hostile = pageOf('hostile', HOSTILE[0], HOSTILE.flatMap((name, i) => [[name, i, 500], [`${name} (${name})`, i * 100, 90, 1]]));

for (const javaScriptEnabled of [true, false])
	test(`time line, chain, processes and configuration, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
		const { page, requests, url, problems, close } = await visit(ordinary, { javaScriptEnabled, wait: false });
		assert.equal((await texts(page, '.sentences li'))[0], 'good: 9 tasks of 3 processes: none failed in the end.');
		assert.deepEqual((await rows(page, '#chain')).map(([name]) => name),
			['1. ALIGN (s4)', '2. CALL (s4)', '3. CALL (s2), attempt 2 ✗ failed', '4. CALL (s2), attempt 3', '5. MULTIQC']);
		assert.equal(await page.locator('#timeline svg title').count(), 11);
		assert.equal(await page.locator('#timeline [stroke="#e5261b"]').count(), 2);
		assert.equal(await page.locator('#load figure').count(), 3);
		assert.equal((await rows(page, '#processes')).length, 3 + 3 * 8);
		assert.match(await page.locator('#config pre').textContent(), /^process \{\n {4}withName: 'ALIGN' \{\n {8}cpus = 2\n/);
		assert.deepEqual([requests, problems], [[url], []]);
		await close();
	});

for (const [name, file] of Object.entries({ ordinary, hostile }))
	for (const width of [1280, 390])
		test(`${name} names at ${width} px: nothing runs, nothing is wider than the page`, async () => {
			const { page, requests, url, problems, close } = await visit(file, { viewport: { width, height: 800 }, wait: false });
			await page.waitForFunction(() => document.querySelector('.snippet button'), undefined, { timeout: PATIENCE });
			assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
			assert.equal(await page.evaluate(() => window.pwned), undefined);
			assert.deepEqual(await page.evaluate(() => window.violations), []);
			assert.deepEqual([requests, problems], [[url], []]);
			await close();
		});

for (const colorScheme of ['light', 'dark'])
	test(`${colorScheme}: axe finds nothing`, async () => {
		const { page, close } = await visit(ordinary, { colorScheme, bypassCSP: true, wait: false });
		await page.waitForFunction(() => document.querySelector('.snippet button'), undefined, { timeout: PATIENCE });
		await page.evaluate(() => document.querySelectorAll('details').forEach(node => {
			node.open = true;
		}));
		await page.evaluate(AXE);
		const { violations } = await page.evaluate(rules => window.axe.run(document, { runOnly: { type: 'tag', values: rules } }), RULES);
		assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`), []);
		await close();
	});
