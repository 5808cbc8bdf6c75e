// Every number that a page shows stands in the model, section by section, whatever sections there are;
// and what the model has to say of processes, phases and GPUs is on the page.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { model, open, recorded, shown, visit } from './page.mjs';
import { poisoned, recording } from './runs.mjs';

// Words with a digit, without what stands around them: "(9.83", "4;" and "$0.4113," are "9.83", "4", "$0.4113".
const words = text => (shown(text).match(/\S*\d\S*/g) || [])
	.map(word => word.replace(/^[^\p{L}\p{N}$€£−-]+|[^\p{L}\p{N}%]+$/gu, '')).filter(Boolean);

// All strings and numbers of a model, as the page shows them.
function leaves(value, out = []) {
	if (value && typeof value === 'object')
		Object.values(value).forEach(v => leaves(v, out));
	else if (value !== null && typeof value !== 'boolean')
		out.push(shown(value));
	return out;
}

// What the templates themselves say with digits: "powers of 1024" and the version of uPlot. Nothing else
// on the page may have a number that is not in the model.
function ours() {
	const folder = new URL('../../templates/', import.meta.url);
	const text = readdirSync(folder).filter(name => name.endsWith('.html')).map(name =>
		readFileSync(new URL(name, folder), 'utf8').replace(/<[^>]*>|\{\{\{?[^}]*\}\}\}?/g, ' ')).join(' ');
	return new Set(words(text));
}

// The texts of a page that have a digit, each with the section that it is in.
function told(page) {
	return page.evaluate(() => {
		const out = [], walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
		while (walker.nextNode()) {
			const { data, parentElement: node } = walker.currentNode;
			if (/\d/.test(data) && !node.closest('script, style, .plot'))
				out.push({ text: data, where: node.closest('[id]')?.id || node.tagName });
		}
		return out;
	});
}

async function check(page, m) {
	const all = leaves(m), exact = new Set(all), known = new Set(all.flatMap(words)), static_ = ours();
	const texts = await told(page);
	assert.ok(texts.length > 10);
	for (const { text, where } of texts) {
		if (exact.has(shown(text)))
			continue;
		// The footer names uPlot, whose version is not part of the model.
		for (const word of words(text.replace(/uPlot [\d.]+ \(.* 20\d\d .*\)/, '')))
			assert.ok(known.has(word) || static_.has(word),
				`${where}: "${word}" of "${shown(text)}" is not in the model`);
	}
}

async function said(page, selector) {
	return page.locator(selector).evaluateAll(all => all.map(node => node.textContent.replace(/\s+/g, ' ').trim()));
}

// The texts of a row of the model are in that row of the page: of its quantities, times and strings.
function holds(row, text, keys) {
	for (const key of keys) {
		const v = row[key];
		if (v && v.text !== undefined)
			assert.ok(text.includes(shown(v.text)), `${key} ${shown(v.text)}: ${text}`);
		else if (typeof v === 'string')
			assert.ok(text.includes(shown(v)), `${key} ${shown(v)}: ${text}`);
	}
}

async function checkLists(page, m) {
	const processes = await said(page, '#processes .who tbody tr');
	const { rows, more, names, more_names } = m.processes;
	assert.equal(processes.length, rows.length + more.length);
	[...rows, ...more].forEach((row, i) => holds(row, processes[i],
		['name', 'command', 'duration', 'cpu', 'memory', 'read', 'write', 'exit']));
	const sums = await said(page, '#processes .sums tbody tr');
	assert.equal(sums.length, names.length + more_names.length);
	[...names, ...more_names].forEach((row, i) => holds(row, sums[i], ['name', 'count', 'cpu', 'cpu_share', 'memory']));
	const spans = await said(page, '#phases tbody tr');
	assert.equal(spans.length, m.phases.rows.length);
	m.phases.rows.forEach((row, i) => {
		holds(row, spans[i], ['name', 'total', 'share']);
		for (const measure of row.measures)
			holds(measure, spans[i], ['mean']);
	});
	const gpus = await said(page, '#gpus tbody tr');
	assert.equal(gpus.length, m.gpus.rows.length);
	m.gpus.rows.forEach((row, i) => holds(row, gpus[i], ['name', 'uuid', 'memory_max', 'utilisation_mean',
		'utilisation_max', 'power_mean', 'power_max', 'temperature_max']));
	const machine = (await said(page, '#usage')).join(' ');
	for (const { text } of m.limits.facts)
		assert.ok(machine.includes(shown(text)), text);
	const data = JSON.parse(await page.locator('#phase-data').textContent());
	assert.deepEqual(data, m.phases.data);
}

for (const javaScriptEnabled of [true, false]) {
	const how = javaScriptEnabled ? 'with' : 'without';
	for (const name of ['ordinary', 'minimal', 'hostile'])
		test(`${name}: each number is in the model, ${how} script`, async () => {
			const m = model(name);
			const { page, close } = await open(m, { javaScriptEnabled });
			await check(page, m);
			await close();
		});
	for (const [name, run] of [['an hour', recording(3600)], ['a hostile recording', poisoned(recording(120))],
		['one sample', recording(1)]])
		test(`${name}: each number is in the model, and all lists are on the page, ${how} script`, async () => {
			const { file, model: m } = recorded(run);
			const { page, url, requests, problems, close } = await visit(file, { javaScriptEnabled });
			await check(page, m);
			await checkLists(page, m);
			assert.equal(await page.evaluate(() => window.pwned), undefined);
			assert.deepEqual(await page.evaluate(() => [document.images.length, document.querySelectorAll(
				'iframe, object, embed, form, [onload], [onmouseover], [onerror], a[href^="javascript:"]').length]), [0, 0]);
			assert.deepEqual(requests, [url]);
			assert.deepEqual(problems, []);
			await close();
		});
}

test('a number that is not in the model would be found', async () => {
	const m = model('ordinary');
	const { page, close } = await open(m);
	for (const selector of ['.digest td', '.sentences li span:last-child', '.tiles dd', '.runs td:nth-child(4)']) {
		const node = page.locator(selector).first(), text = await node.textContent();
		await node.evaluate(one => {
			one.textContent = '123.45 cores';
		});
		await assert.rejects(check(page, m), /"123.45" of "123.45 cores" is not in the model/, selector);
		await node.evaluate((one, text) => {
			one.textContent = text;
		}, text);
	}
	await check(page, m);
	await close();
});
