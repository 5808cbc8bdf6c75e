// A long test: only make test-all runs it.
// The fleet page: what to change first, in three layers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fleet, pack } from './fleets.mjs';
import { textOf } from '../../assets/fleet_text.js';
import { FLEET, PATIENCE, REPORT, settled, shown, texts, visit } from './page.mjs';
import { recording } from './runs.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
const SIZE = 50; // rows that the script shows at once

const HOSTILE = ['</script><script>window.pwned = 1</script>', '"><img src=x onerror=window.pwned=1>', '\u202egnp.exe', '=cmd()|x',
	'x'.repeat(10000), 'a\u001b[31m\u0007b', '👩‍🔬'.repeat(20), "'; DROP TABLE runs; --", '{{{name}}}', 'ends with \u2028', ' · '];

const folder = mkdtempSync(join(tmpdir(), 'rtrack-fleet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const made = new Map();
function write(m, name) {
	const stem = join(folder, name);
	writeFileSync(`${stem}.json`, JSON.stringify(m));
	execFileSync(REPORT, ['--model', `${stem}.json`, '-o', `${stem}.html`]);
	return { model: m, file: `${stem}.html` };
}

function pageOf(groups, options = {}) {
	const name = `${groups}${JSON.stringify(options.names ? { ...options, names: 'hostile' } : options)}`.replace(/\W+/g, '-');
	if (!made.has(name))
		made.set(name, write(fleet(groups, options), name));
	return made.get(name);
}

async function open({ file, model }, options = {}) {
	const seen = await visit(file, options);
	if (options.javaScriptEnabled !== false)
		await seen.page.waitForFunction(() => document.querySelector('.scripted .fleet-said')?.textContent, undefined, { timeout: PATIENCE });
	return { ...seen, model };
}

const names = page => texts(page, '#fleet tbody .open');
const said = async (page, pattern) => page.waitForFunction(source => new RegExp(source).test(document.querySelector('.fleet-said').textContent),
	pattern.source, { timeout: PATIENCE });

// The table of a model as objects, in the order of a column.
function table({ groups: { table: { columns, rows } } }) {
	return rows.map(row => Object.fromEntries(columns.map(({ id }, i) => [id, row[i]])));
}

async function filterBy(page, label, expression) {
	await page.getByLabel('Column to filter').selectOption({ label });
	await page.getByLabel('Filter', { exact: true }).last().fill(expression);
	await page.getByRole('button', { name: 'Add' }).click();
}

// -- what a stranger reads ---------------------------------------------------------------------------
for (const [width, height] of [[1280, 800], [390, 844]])
	test(`${width} px: the first screen says what to change first, and what it saves`, async () => {
		const { page, model, requests, url, problems, close } = await open(pageOf(400), { viewport: { width, height } });
		const items = await page.locator('.changes li').evaluateAll(all => all.map(node => ({
			text: node.querySelector('a').textContent, saves: node.querySelector('.saves b').textContent,
			bottom: node.getBoundingClientRect().bottom })));
		assert.deepEqual(items.map(({ text, saves }) => [text, saves].map(shown)), model.changes.map(c => [c.text, c.saves.text]));
		assert.ok(items[2].bottom <= height, `${items[2].bottom}`);
		await page.locator('.changes a').nth(1).click();
		assert.equal(await page.locator('.is-open .open').textContent(), model.changes[1].name);
		assert.ok(await page.locator('.opened-row .histogram svg').first().isVisible());
		assert.deepEqual([requests, problems, await page.evaluate(() => window.violations)], [[url], [], []]);
		await close();
	});

test('without style and script: 200 groups, pictures of the first 20, nothing hidden', async () => {
	const { file, model } = pageOf(400);
	const bare = `${file}.bare.html`;
	writeFileSync(bare, readFileSync(file, 'utf8').replace(/<style>[^]*?<\/style>|<script>[^]*?<\/script>/g, ''));
	const { page, requests, url, close } = await visit(bare, { wait: false });
	const rows = await page.locator('#fleet tbody tr[id$=-row]').evaluateAll(all => all.map(row => [...row.cells].map(cell => cell.innerText)));
	assert.equal(rows.length, 200);
	model.groups.rows.forEach((row, i) => {
		assert.equal(rows[i][0].trim(), row.name);
		for (const value of [row.runs, row.wall_p50, row.wall_p95, { text: row.cpus_text }, row.memory_asked, row.memory_max,
			row.cores_unused, row.memory_unused, row.money, row.recoverable, row.proposed, row.would_fail, ...row.trend.level ? [row.trend] : []])
			assert.ok(shown(rows[i].join('\n')).includes(value.text), `${row.name}: ${value.text}`);
	});
	assert.match(await page.locator('#fleet tfoot').innerText(), /The other 200 groups/);
	assert.equal(await page.locator('.group-detail').count(), 20);
	await page.locator('details').evaluateAll(all => all.forEach(node => {
		node.open = true;
	}));
	const pictures = await page.locator('.group-detail [role=img]').evaluateAll(all => all.map(node => [node.checkVisibility(),
		node.getBoundingClientRect().width > 200, node.getAttribute('aria-label').length > 10]));
	assert.equal(pictures.length, 60);
	assert.ok(pictures.every(one => one.every(Boolean)));
	assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('main h2')].map(node => node.checkVisibility())), [true, true, true, true, true]);
	assert.deepEqual(requests, [url]);
	await close();
});

test('with style, without script: a name opens its group', async () => {
	const { page, close } = await open(pageOf(20), { javaScriptEnabled: false });
	await page.locator('#fleet tbody a').nth(2).click();
	assert.ok(await page.locator('#group-3 .histogram').first().isVisible());
	assert.equal(await page.locator('.fleet-tools').isVisible(), false);
	await close();
});

// -- the table ---------------------------------------------------------------------------------------
test('every column sorts both ways, what is unknown last', async () => {
	const { page, model, close } = await open(pageOf(400));
	const all = table(model), at = new Map(all.map((row, i) => [row.name, i]));
	for (const head of await page.locator('#fleet thead button').all()) {
		const id = await head.getAttribute('data-c');
		const column = head.locator('xpath=ancestor::th');
		for (let turn = 0; turn < 2; turn++) {
			await head.click();
			const up = await column.getAttribute('aria-sort') === 'ascending';
			const values = (await names(page)).map(name => all[at.get(name)][id]);
			const expected = id === 'name' ? null : all.map(row => row[id]).sort((a, b) => (a === null || b === null ? (a === null) - (b === null)
				: (up ? 1 : -1) * (typeof a === 'string' ? a.localeCompare(b, 'en') : a - b)));
			assert.equal(values.length, SIZE);
			if (expected)
				assert.deepEqual(values, expected.slice(0, SIZE), `${id} ${up ? 'up' : 'down'}`);
			else
				assert.deepEqual(values, [...values].sort((a, b) => (up ? 1 : -1) * a.localeCompare(b, 'en', { numeric: true })));
		}
		assert.equal(await page.locator('[aria-sort]').count(), 1);
	}
	await close();
});

test('search and filters leave the right groups, and their sums', async () => {
	const { page, model, close } = await open(pageOf(400));
	const all = table(model);
	const money = list => `$${list.reduce((sum, row) => sum + row.recoverable, 0).toFixed(2)}`;
	await page.keyboard.press('/');
	await page.keyboard.type('ALIGN');
	let left = all.filter(row => row.name.includes('align'));
	assert.deepEqual(await names(page), left.slice(0, SIZE).map(row => row.name));
	await said(page, new RegExp(`^${left.length} of 400 groups`));
	await filterBy(page, 'Memory asked', '> 8 GiB');
	left = left.filter(row => row.memory_asked > 8 * 2 ** 30);
	await filterBy(page, 'Wall time, p50', '5min..2h');
	left = left.filter(row => row.wall_p50 >= 300 && row.wall_p50 <= 7200);
	assert.ok(left.length > 5);
	assert.deepEqual(await names(page), left.slice(0, SIZE).map(row => row.name));
	const sum = (await texts(page, '#fleet-sum > *'));
	assert.equal(sum[0], `These ${left.length} groups`);
	assert.equal(sum[1], left.reduce((n, row) => n + row.runs, 0).toLocaleString('en-US'));
	assert.ok(sum.some(text => Math.abs(Number(/^\$([\d.]+)of /.exec(text)?.[1]) - Number(money(left).slice(1))) < 0.2), `${sum} ${money(left)}`);
	await page.getByRole('button', { name: /Remove the filter Wall time, p50/ }).click();
	await page.getByRole('button', { name: 'Show all' }).click();
	await said(page, /^All 400 groups/);
	for (const [label, expression, keep] of [['Confidence', 'weak', row => row.confidence === 'weak'], ['Memory asked', 'unknown', row => row.memory_asked === null],
		['Runs', '1', row => row.runs === 1], ['Memory trend', '>10%', row => row.trend > 0.1], ['Job', '=train', row => row.name === 'train'],
		['Job', '!_', row => !row.name.includes('_')], ['Recoverable', '<=0', row => row.recoverable <= 0]]) {
		await filterBy(page, label, expression);
		const expected = all.filter(keep);
		assert.ok(expected.length, label);
		assert.deepEqual(await names(page), expected.slice(0, SIZE).map(row => row.name), `${label} ${expression}`);
		await page.getByRole('button', { name: 'Show all' }).click();
	}
	await filterBy(page, 'Runs', 'many');
	await said(page, /Not understood: Runs many/);
	assert.equal((await names(page)).length, SIZE);
	await close();
});

test('the address keeps the view: it can be sent, reloaded, and gone back from', async () => {
	const { page, url, close } = await open(pageOf(400));
	const state = async () => ({ names: await names(page), q: await page.locator('input[type=search]').inputValue(),
		chips: await texts(page, '.chips button'), sort: await page.locator('[aria-sort]').getAttribute('data-c') });
	const first = await state();
	await page.locator('input[type=search]').fill('train');
	await filterBy(page, 'Runs', '>20');
	const filtered = await state();
	await page.locator('button[data-c=wall_p95]').click();
	await page.locator('#fleet tbody .open').nth(1).click();
	const last = await state(), address = page.url();
	assert.match(address, /#q=train&runs=%3E20&sort=-wall_p95&open=\d+$/);
	await page.goBack();
	await page.goBack();
	await settled(page);
	assert.deepEqual(await state(), filtered);
	await page.goForward();
	await page.goForward();
	await settled(page);
	assert.deepEqual(await state(), last);
	const other = await open(pageOf(400), { hash: address.slice(url.length) });
	assert.deepEqual([await names(other.page), await other.page.locator('.is-open').count()], [last.names, 1]);
	assert.ok(await other.page.locator('.is-open').evaluate(node => node.getBoundingClientRect().top) < 900);
	await other.close();
	await page.getByRole('button', { name: 'Show all' }).click();
	await page.locator('button[data-c=recoverable]').click();
	await page.locator('.open[aria-expanded=true]').click({ timeout: 2000 }).catch(() => {});
	assert.deepEqual((await state()).names.slice(0, 5), first.names.slice(0, 5));
	await close();
	for (const hash of ['#q=%E0%A4%A', '#sort=-nothing&page=99999&open=99999&x=1', '#group-99999', '#method', '#sort=__proto__&__proto__=1']) {
		const odd = await open(pageOf(400), { hash });
		assert.ok((await names(odd.page)).length > 0 || hash.includes('q='), hash);
		assert.deepEqual(odd.problems, []);
		await odd.close();
	}
});

test('the keyboard alone: search, move, open, close, turn pages', async () => {
	const { page, model, close } = await open(pageOf(400));
	const focused = () => page.evaluate(() => document.activeElement.textContent);
	const all = table(model).map(row => row.name);
	await page.keyboard.press('/');
	assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
	await page.keyboard.press('ArrowDown');
	assert.equal(await focused(), all[0]);
	for (const [key, name] of [['ArrowDown', all[1]], ['ArrowDown', all[2]], ['ArrowUp', all[1]], ['End', all[SIZE - 1]], ['ArrowDown', all[SIZE - 1]],
		['Home', all[0]], ['ArrowUp', all[0]], ['PageDown', all[SIZE]], ['PageUp', all[0]]]) {
		await page.keyboard.press(key);
		assert.equal(await focused(), name, key);
	}
	assert.equal(await page.locator('#fleet tbody .open[tabindex="0"]').count(), 1);
	await page.keyboard.press('Enter');
	assert.equal(await page.locator('.opened-row .histogram').count(), 3);
	assert.equal(await focused(), all[0]);
	const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
	assert.notEqual(ring, 'none');
	await page.keyboard.press('Tab');
	assert.ok(await page.evaluate(() => document.activeElement.closest('.opened-row')));
	await page.keyboard.press('Escape');
	assert.equal(await page.locator('.opened-row').count(), 0);
	assert.equal(await focused(), all[0]);
	await page.keyboard.press('/');
	await page.keyboard.type('zzz');
	assert.equal((await names(page)).length, 0);
	await page.keyboard.press('Escape');
	assert.equal((await names(page)).length, SIZE);
	await close();
});

test('a group whose pictures are not here says which command makes its page', async () => {
	const { page, model, close } = await open(pageOf(400));
	await page.locator('#fleet tbody .open').nth(25).click();
	assert.equal(await page.locator('.opened-row pre').textContent(),
		`rtrack-fleet groups --where 'job=${model.groups.rows[25].name}' -o group.html SOURCE`);
	assert.equal(await page.locator('.opened-row a').getAttribute('href'), model.groups.rows[25].report);
	await page.locator('#fleet tbody .open').nth(0).click();
	assert.equal(await page.locator('.opened-row').count(), 1);
	await page.locator('#fleet tbody .open').nth(1).click();
	assert.equal(await page.locator('#group-1').count(), 1, 'what is closed is still there');
	await close();
});

test('50,000 groups: one page of at most 1 MB, all that are listed can be reached', async () => {
	const { page, file, model, problems, close } = await open(pageOf(50000));
	assert.ok(statSync(file).size <= 1e6, `${statSync(file).size}`);
	assert.deepEqual(await texts(page, '#fleet-rest th'), ['The other 40,800 groups']);
	assert.equal(await page.locator('#fleet-rest').isVisible(), true);
	await said(page, /^9,200 groups in this list; .* The other 40,800 groups are not in this list\.$/);
	await page.locator('button[data-c=name]').click();
	await page.getByRole('button', { name: 'Next →' }).click();
	assert.match(await page.locator('#fleet-pager').innerText(), /51–100 of 9,200/);
	await page.locator('input[type=search]').fill(model.groups.table.rows[9176][0]);
	assert.ok((await names(page)).includes(model.groups.table.rows[9176][0]));
	await said(page, /The other 40,800 groups are not in this list/);
	assert.equal(await page.locator('#fleet-rest').isVisible(), false);
	const slowest = await page.evaluate(() => Math.max(...['runs', 'memory_max', 'name'].map(id => {
		const begin = performance.now();
		document.querySelector(`button[data-c=${id}]`).click();
		return performance.now() - begin;
	})));
	assert.ok(slowest < 5000, `${slowest} ms`);
	assert.deepEqual(problems, []);
	await close();
});

// -- what is not there -------------------------------------------------------------------------------
test('without prices no money is shown, and the page says why', async () => {
	const { page, model, close } = await open(pageOf(300, { money: false, gpus: false }));
	const text = await page.locator('main').innerText();
	assert.doesNotMatch(text, /[$€]|Cost\b|\bUSD\b/);
	assert.match(text, /No price is known/);
	assert.equal(await page.locator('#fleet thead th').count(), 8);
	assert.equal(await page.locator('[aria-sort] .by').getAttribute('aria-label'), 'Recoverable machine-hours');
	assert.deepEqual(await texts(page, '.changes .saves b'), model.changes.map(change => change.saves.text));
	assert.deepEqual((await names(page)).slice(0, 9), model.groups.rows.slice(0, 9).map(row => row.name));
	await close();
});

test('no groups, one group, and a table that is malformed', async () => {
	const none = write(fleet(0), 'none');
	const empty = await visit(none.file, { wait: false });
	assert.match(await empty.page.locator('#groups').innerText(), /no groups/);
	assert.deepEqual(empty.problems, []);
	await empty.close();
	const one = await open(pageOf(1));
	assert.equal((await names(one.page)).length, 1);
	assert.equal(await one.page.locator('#fleet-pager nav').isVisible(), false);
	await one.close();
	for (const packed of ['AAAA', '!', pack({ columns: [{ id: 'name', label: 'Job', unit: '' }, { id: 'runs', label: 'Runs', unit: 'count' }], rows: [['a', 1], ['b']] }).replace(/./, 'Q')]) {
		const broken = fleet(30);
		broken.groups.packed = packed;
		const { page, problems, close } = await visit(write(broken, `broken-${packed.length}`).file, { wait: false });
		await page.waitForFunction(() => document.querySelector('script:not([id]):not([type]) ~ script'), undefined, { timeout: PATIENCE });
		await settled(page);
		assert.equal(await page.locator('#fleet tbody tr[id$=-row]').count(), 30);
		assert.deepEqual(problems.filter(text => text.startsWith('error')), []);
		await close();
	}
});

test('hostile names are texts', async () => {
	for (const javaScriptEnabled of [true, false]) {
		const { page, model, requests, url, problems, close } = await open(pageOf(60, { names: HOSTILE }),
			{ javaScriptEnabled, viewport: { width: 1280, height: 900 } });
		const seen = new Set((await page.locator('#fleet tbody tr > th:first-child').evaluateAll(all =>
			all.map(node => node.textContent))).map(shown));
		const first = new Set(model.groups.rows.slice(0, javaScriptEnabled ? SIZE : 60).map(row => row.name));
		const expected = HOSTILE.filter(name => first.has(name));
		assert.ok(expected.length > 6);
		for (const name of expected)
			assert.ok(seen.has(shown(name)), name.slice(0, 40));
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
		if (javaScriptEnabled) {
			await page.locator('input[type=search]').fill('</script>');
			assert.equal((await names(page)).length, 1);
			await page.locator('#fleet tbody .open').click();
			assert.equal(await page.evaluate(() => window.pwned), undefined);
		}
		assert.deepEqual([requests, problems], [[url], []]);
		await close();
	}
});

test('a group without pictures opens with its texts, one without details with the command for its own page', async () => {
	const m = fleet(60), row = m.groups.rows[25];
	row.detail = { ...m.groups.rows[2].detail, pictures: false };
	row.opens = true;
	m.groups.rows[19].detail.scatter.svg = null;
	const { page, problems, close } = await open(write(m, 'texts'));
	await page.locator('#fleet tbody .open').nth(25).click();
	assert.equal(await page.locator('.opened-row .formula').count(), 3);
	assert.equal(await page.locator('.opened-row .snippet').count(), 2);
	assert.equal(await page.locator('.opened-row .histogram').count(), 0);
	await page.locator('#fleet tbody .open').nth(19).click();
	assert.equal(await page.locator('.opened-row .histogram').count(), 2);
	await page.locator('#fleet tbody .open').nth(30).click();
	assert.match(await page.locator('.opened-row').innerText(), /rtrack-fleet groups --where/);
	assert.deepEqual(problems, []);
	await close();
});

test('a name that is cut in the table is whole in its row', async () => {
	const m = fleet(30), long = 'x'.repeat(200);
	m.groups.rows[3].name = long;
	m.groups.table.rows[3][0] = `${long.slice(0, 96)}…`;
	m.groups.packed = pack(m.groups.table);
	const { page, close } = await open(write(m, 'long'));
	assert.equal((await names(page))[3], long);
	await close();
});

test('an address of a report that is a script is not a link', async () => {
	const m = fleet(40);
	const bad = 'javascript:window.pwned=1';
	m.groups.rows.forEach(row => {
		row.report = bad;
	});
	m.groups.table.rows.forEach(row => {
		row[row.length - 1] = bad;
	});
	m.groups.packed = pack(m.groups.table);
	const { page, close } = await open(write(m, 'links'));
	for (const i of [0, 30]) {
		await page.locator('#fleet tbody .open').nth(i).click();
		assert.equal(await page.locator('.opened-row a[href^=javascript]').count(), 0);
	}
	await close();
});

// -- how it looks ------------------------------------------------------------------------------------
for (const width of [360, 768, 1280])
	test(`${width} px wide, the page does not scroll sideways`, async () => {
		for (const javaScriptEnabled of [true, false]) {
			const { page, close } = await open(pageOf(400), { javaScriptEnabled, viewport: { width, height: 740 } });
			if (javaScriptEnabled)
				for (const i of [30, 0])
					await page.locator('#fleet tbody .open').nth(i).click();
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
			await close();
		}
	});

// A model whose proposals have long texts: what a group of few runs can show, and large numbers.
function longTexts(options) {
	const m = fleet(60, options);
	for (const row of m.groups.rows) {
		row.would_fail.text = '0 of 1,012; the next fails with at most 22 %';
		row.proposed.text = '128 CPUs, 1,020 GiB, 8 GPUs, 12 h 34 min';
		row.money.text = row.recoverable.text = '123,456.78 EUR';
	}
	return write(m, `long${JSON.stringify(options)}`.replace(/\W+/g, '-'));
}

test('down to 1,100 px, the whole table is seen, whatever its columns', async () => {
	for (const options of [{}, { gpus: false }, { money: false }])
		for (const [width, javaScriptEnabled] of [[1100, true], [1280, true], [1280, false], [1366, true]])
			for (const made of [pageOf(60, options), longTexts(options)]) {
				const { page, close } = await open(made, { javaScriptEnabled, viewport: { width, height: 800 } });
				const [whole, seen] = await page.locator('.scroll:has(#fleet)').evaluate(node => [node.scrollWidth, node.clientWidth]);
				assert.ok(whole <= seen, `${width} px, ${JSON.stringify(options)}: ${whole} of ${seen}`);
				await close();
			}
});

test('at 1,400 px a group takes two lines, so that twenty fit a screen, whole inside the frame of the table', async () => {
	for (const [options, javaScriptEnabled] of [[{}, true], [{}, false], [{ gpus: false }, true], [{ money: false }, true], [{ money: false }, false]]) {
		const m = fleet(60, options);
		for (const [i, row] of m.groups.rows.entries()) {
			Object.assign(row, i % 3 ? { longer_text: '9.8% longer' } : { backtest: { text: '0 of 38 failed, 942 GiB-hours wasted instead of 2,784 GiB-hours' },
				ends: '4 × killed because memory ran out, 2 × its time was up' });
			row.mostly = ['cpu', 'memory', 'disk'][i % 3];
		}
		const { page, close } = await open(write(m, `lines${JSON.stringify(options)}`.replace(/\W+/g, '-')),
			{ javaScriptEnabled, viewport: { width: 1400, height: 900 } });
		const seen = await page.locator('.scroll:has(#fleet)').evaluate(node => ({ whole: node.scrollWidth, frame: node.clientWidth,
			head: node.querySelector('thead').getBoundingClientRect().height,
			rows: [...node.querySelector('tbody').rows].slice(0, 20).map(row => row.getBoundingClientRect().height) }));
		assert.equal(seen.rows.length, 20);
		assert.ok(seen.whole <= seen.frame, JSON.stringify(seen));
		assert.ok(seen.head + seen.rows.reduce((a, b) => a + b) <= 900, JSON.stringify([options, javaScriptEnabled, seen]));
		await close();
	}
});

test('what a row of two lines has no room for stands in the opened group', async () => {
	const m = fleet(60);
	const at = id => m.groups.table.columns.findIndex(column => column.id === id);
	m.groups.table.columns = [...m.groups.table.columns, { id: 'ends', label: 'Why runs ended', head: 'ends', unit: '' },
		{ id: 'backtest.wasted', label: 'Back-test, wasted', head: 'wasted', unit: 'GiB-hours' }];
	m.groups.table.rows.forEach((row, i) => row.push(i === 40 ? '2 × its time was up' : null, i === 40 ? 942 : null));
	m.groups.packed = pack(m.groups.table);
	const { page, close } = await open(write(m, 'more'));
	await page.locator('#fleet tbody .open').nth(40).click();
	const trend = m.groups.table.rows[40][at('trend')];
	assert.deepEqual(await texts(page, '.opened-row .asks > div'), ['Why runs ended2 × its time was up',
		`Memory trend${textOf('change', trend)}`, 'Back-test, wasted942 GiB-hours', ...m.groups.table.rows[40][at('gpus_unused')] === null ? []
			: [`Unused GPU-hours${textOf('GPU-hours', m.groups.table.rows[40][at('gpus_unused')])}`]]);
	await page.locator('#fleet tbody .open').nth(0).click();
	assert.match(await page.locator('.opened-row').innerText(), /Memory trend: /);
	await close();
});

test('a column without a head of its own sorts by the list above the table', async () => {
	const { page, model, close } = await open(pageOf(60));
	const all = table(model);
	await page.locator('.fleet-sort select').selectOption({ label: 'Unused GPU-hours' });
	assert.match(page.url(), /#sort=-gpus_unused$/);
	assert.equal((await names(page))[0], all.reduce((a, b) => (b.gpus_unused > a.gpus_unused ? b : a)).name);
	await close();
});

test('what is folded under the proposed ask is sorted, filtered and summed', async () => {
	const { page, model, problems, close } = await open(pageOf(60));
	const all = table(model);
	await page.getByRole('button', { name: 'Would fail', exact: true }).click();
	const most = Math.max(...all.map(row => row.would_fail));
	assert.ok(most > 0);
	assert.match(await page.locator('#fleet tbody tr').first().locator('td').last().innerText(), new RegExp(`^Fail: ${most} `, 'm'));
	assert.match(await page.locator('#fleet-sum td').last().innerText(),
		new RegExp(`^Would fail: ${all.reduce((sum, row) => sum + row.would_fail, 0)}$`));
	await page.getByRole('button', { name: 'Memory trend' }).click();
	await page.getByRole('button', { name: 'Confidence' }).click();
	assert.equal(await page.locator('#fleet [aria-sort]').count(), 1);
	await filterBy(page, 'Confidence', '=weak');
	assert.equal((await names(page)).length, all.filter(row => row.confidence === 'weak').length);
	assert.deepEqual(problems, []);
	await close();
});

// 12 runs, for which 8 GiB are proposed: what was asked is near that, or the same.
test('texts in the pictures of a group do not overlap, however close asked and proposed are', async () => {
	for (const asked of [7.5, 7.9, 8, 8.2, 9, 24]) {
		const runs = join(folder, `asked-${asked}`), file = `${runs}.html`;
		mkdirSync(runs);
		for (let i = 0; i < 12; i++) {
			const run = recording(60 + 5 * i);
			run.metadata.pid += i; // else they are copies of one recording
			run.rtrack.asked.memory_bytes.value = asked * 2 ** 30;
			writeFileSync(join(runs, `${i}.json`), JSON.stringify(run));
		}
		execFileSync(FLEET, ['groups', '--offline', '--since', '2000-01-01', '-o', file, runs]);
		for (const width of [390, 1280]) {
			const { page, close } = await visit(file, { wait: false, javaScriptEnabled: false, viewport: { width, height: 800 } });
			await page.evaluate(() => document.querySelectorAll('details').forEach(node => {
				node.open = true;
			}));
			const seen = await page.locator('.histogram > svg').evaluateAll(all => all.map(svg =>
				[...svg.querySelectorAll('text')].map(node => {
					const { left, right, top, bottom } = node.getBoundingClientRect();
					return { text: node.textContent, left, right, top, bottom };
				})));
			assert.equal(seen.length, 3);
			assert.equal(seen.flat().filter(({ text }) => /^(Asked|Proposed) .*GiB/.test(text)).length, 4, String(asked));
			// Boxes of lines of text are higher than their letters.
			const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
			for (const texts of seen)
				texts.forEach((a, i) => texts.slice(i + 1).forEach(b =>
					assert.ok(!meet(a, b), `asked ${asked}, ${width} px: ${JSON.stringify([a, b])}`)));
			await close();
		}
	}
});

for (const colorScheme of ['light', 'dark'])
	for (const javaScriptEnabled of [true, false])
		test(`${colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} script: axe finds nothing`, async () => {
			let { file } = pageOf(3);
			if (!javaScriptEnabled) {
				writeFileSync(`${file}.still.html`, readFileSync(file, 'utf8').replace(/<script>[^]*?<\/script>/, ''));
				file += '.still.html';
			}
			const { page, close } = javaScriptEnabled ? await open({ file }, { colorScheme }) : await visit(file, { colorScheme, wait: false });
			if (javaScriptEnabled) {
				await filterBy(page, 'Runs', '>1');
				await filterBy(page, 'Failed runs', 'many');
				await page.locator('#fleet tbody .open').first().click();
			}
			await page.locator('.group-detail, .opened-row details').evaluateAll(all => all.slice(0, 3).forEach(node => {
				node.open = true;
			}));
			await page.evaluate(AXE);
			const { violations } = await page.evaluate(rules => window.axe.run(document, { runOnly: { type: 'tag', values: rules } }), RULES);
			assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).slice(0, 5).join(', ')}`), []);
			await close();
		});

test('on paper: light, the tools are gone, all groups in detail are open', async () => {
	const { page, close } = await open(pageOf(20), { colorScheme: 'dark', viewport: { width: 700, height: 990 } });
	await page.locator('#fleet tbody .open').nth(1).click();
	await page.emulateMedia({ media: 'print' });
	await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
	assert.equal(await page.locator('details:not([open], .snippet)').count(), 0);
	assert.equal(await page.locator('.fleet-tools').isVisible(), false);
	assert.ok(await page.locator('#group-2').isVisible());
	assert.ok(await page.locator('#group-1').isVisible());
	const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number)[0]);
	assert.equal(paper, 255);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 700);
	await page.evaluate(() => dispatchEvent(new Event('afterprint')));
	assert.equal(await page.locator('details[open]').count(), 0);
	assert.ok((await page.pdf({ format: 'A4' })).length > 20000);
	await close();
});
