// A long test: only make test-all runs it.
// Gates of a real run: the ones that failed are the first thing that one sees.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { model, open, shown, texts, visit } from './page.mjs';
import { poisoned, recording } from './runs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = resolve(ROOT, process.env.B || 'build/release', 'rtrack-report');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'rtrack-gates-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// The page of a run whose gates are these, and the status with which it was made.
function judged(name, run, ...gates) {
	const stem = join(folder, name);
	writeFileSync(`${stem}.json`, JSON.stringify(run));
	const { status } = spawnSync(REPORT, ['--offline', '--now', '1795300000', '-o', `${stem}.html`,
		...gates.flatMap(gate => ['--fail-if', gate]), `${stem}.json`]);
	return { status, file: `${stem}.html` };
}

const GATES = ['duration > 1h', 'duration > history * 1.2', 'process_memory.max > limit * 50%'];

for (const [width, height] of [[1280, 900], [390, 844]])
	test(`${width} wide: the failed gate is in the status and on the first screen, then what was not judged`, async () => {
		const { status, file } = judged(`fails-${width}`, recording(600), ...GATES);
		assert.equal(status, 3);
		const { page, problems, close } = await visit(file, { viewport: { width, height } });
		assert.equal(await page.locator('main > :first-child').getAttribute('class'), 'verdict bad');
		assert.deepEqual(await texts(page, '.said'), ['finished, gate failed']);
		const lines = await texts(page, '#gates > ul li');
		assert.match(lines[0], /^bad: Gate fails: Peak memory \(PSS\) .+ GiB is above limit \* 50% \(5\.00 GiB\)/);
		assert.equal(lines[1], 'warn: duration > history * 1.2: not judged, because there is no earlier run to compare with');
		assert.equal(lines.length, 2);
		const inside = await texts(page, '#gates details li');
		assert.match(inside.join('\n'), /^bad: .*\ngood: Duration 10 min is at most 1 h \(duration > 1h\)$/);
		const line = await page.locator('#gates li').first().boundingBox();
		const title = await page.locator('h1').boundingBox();
		assert.ok(line.y > title.y && line.y + line.height < height);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
		assert.deepEqual(problems, []);
		await close();
	});

for (const colorScheme of ['light', 'dark'])
	test(`${colorScheme}: axe finds nothing`, async () => {
		const { page, close } = await visit(judged(colorScheme, recording(60), ...GATES).file, { colorScheme });
		await page.evaluate(AXE);
		const { violations } = await page.evaluate(() => window.axe.run(document,
			{ runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] } }));
		assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`), []);
		await close();
	});

test('without gates there is no such section; with all passed, it says so', async () => {
	const none = await visit(judged('none', recording(60)).file);
	assert.equal(await none.page.locator('#gates').count(), 0);
	await none.close();
	const { status, file } = judged('passes', recording(60), 'duration > 1h');
	assert.equal(status, 0);
	const { page, close } = await visit(file);
	assert.deepEqual(await texts(page, '#gates summary'), ['the gate passed']);
	assert.deepEqual(await texts(page, '.said'), ['finished']);
	await close();
});

test('names that attack do nothing beside gates', async () => {
	const { page, problems, close } = await visit(judged('evil', poisoned(recording(60)), ...GATES).file);
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	assert.deepEqual(await page.evaluate(() => window.violations), []);
	assert.deepEqual(problems, []);
	assert.equal(await page.locator('#gates li').count(), 4);
	await close();
});

// A saved model may come from anywhere.
test('a model whose gates attack is shown as text', async () => {
	const attack = '</script><script>window.pwned=1</script>"><img src=x onerror="window.pwned=2">{{title}}\u202e';
	const m = model('ordinary');
	m.gates = { known: true, failed: 1, not_judged: 0, level: 'bad', text: attack, price: attack,
		rows: [{ expression: attack, answer: attack, level: 'bad', failed: true, judged: true, text: attack }] };
	const { page, problems, close } = await open(m);
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	assert.deepEqual(problems, []);
	assert.deepEqual(await texts(page, '#gates summary, #gates code'), Array(2).fill(shown(attack)));
	await close();
});
