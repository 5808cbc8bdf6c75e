// The page is one file that asks no host for anything, and what it says is what the model says.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { model, open, recorded, REPORT, report, rows, shown, texts } from './page.mjs';
import { recording, withoutGpus, withoutTree } from './runs.mjs';

const NAMES = ['ordinary', 'minimal', 'hostile'];
const SIZE_MAX = 150 * 1024;

const list = (quantities) => quantities.map(q => (q ? q.text : '–'));

async function checkTop(page, m) {
	assert.deepEqual(await texts(page, 'h1'), [shown(m.title)]);
	assert.deepEqual(await texts(page, '.command'), [shown(m.run.command)]);
	assert.deepEqual(await texts(page, '.said'), [shown(m.status.word)]);
	// These models are older than the places of sentences: all are in the head.
	assert.deepEqual(await texts(page, '#verdict .sentences li'),
		m.verdict.map(v => shown(`${v.level}: ${v.text}`)));
	assert.deepEqual(await texts(page, '.tiles > div'),
		m.tiles.filter(t => t.id !== 'cost').map(t => shown(t.label + t.text + t.note)));
	assert.deepEqual(await texts(page, '.costs > div'), m.tiles.filter(t => t.id === 'cost').map(t =>
		shown(`${t.label}, ${t.note}${t.text}`)));
}

async function checkCards(page, m) {
	const card = id => texts(page, `[aria-labelledby="${id}-title"] .facts > div`);
	assert.deepEqual(await card('server'), m.server.facts.map(f => shown(f.label + f.text)));
	assert.deepEqual(await card('cloud'), m.cloud.facts.map(f => shown(f.label + f.text)));
	// What is not known is a sentence beside the facts of the machine.
	if (!m.cloud.known)
		assert.ok((await texts(page, '#usage p')).includes(shown(m.cloud.why)));
	const run = (await card('run')).join('\n');
	for (const text of [m.run.start.text, m.run.stop.text, m.run.host, m.run.user,
		...m.run.tags.map(t => t.key + t.value)])
		assert.ok(run.includes(shown(text)), text);
}

async function checkUsage(page, m) {
	const columns = row => (m.usage.has_history ? [row.now, row.median, row.peak] : [row.now]);
	assert.deepEqual(await rows(page, '.usage'),
		m.usage.rows.map(row => [row.label, ...list(columns(row))].map(shown)));
}

async function checkAdvice(page, m) {
	assert.deepEqual(await texts(page, '.asks > div'), m.advice.items.map(i => shown(i.label + i.text)));
	assert.deepEqual(await texts(page, '#advice .formula'), m.advice.items.map(i => shown(i.formula)));
	assert.deepEqual(await page.locator('.snippet code').allTextContents(),
		m.advice.snippets.map(s => s.text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e]/g, '\ufffd')));
	const advice = (await texts(page, '#advice, #cost, #sizes')).join(' ');
	for (const text of [m.advice.basis,
		...(m.advice.known ? [m.advice.confidence.text, ...m.advice.notes.map(n => n.text)] : []),
		...(m.prices.known ? [m.prices.asked, m.prices.present.label,
		m.prices.present.run_cost.text, m.prices.present.alone.text, m.prices.present.billing,
		m.prices.present.where, m.prices.age_why,
		m.prices.savings.text, m.prices.savings_alone.text, m.prices.savings_estimate.text] : [m.prices.why])])
		assert.ok(advice.includes(shown(text)), text);
	assert.deepEqual((await rows(page, '.servers')).map(([, ...row]) => row), m.prices.servers.map(s =>
		[s.vendor_short, s.cpus.text, s.memory.text, s.score.text, s.price_hour.text,
			s.estimate ? s.estimate.run_cost.text + s.estimate.cost_range : 'unknown'].map(shown)));
	assert.deepEqual(await texts(page, '.servers summary'), m.prices.servers.map(s =>
		shown(s.best ? `${s.server} lowest price per hour` : s.server)));
	assert.deepEqual(await texts(page, '.servers dd'), m.prices.servers.flatMap(s => [s.vendor_name, s.arch,
		s.gpus.text, s.price_spot.text, s.price_month.text,
		...(s.estimate ? [`${s.estimate.duration.text} (${s.estimate.range}), predicted; scores: ${s.estimate.score}`,
			`${s.estimate.alone.text}, billed ${s.billing}`] : []),
		`${s.run_cost.text}; alone on a fresh server ${s.alone.text}`].map(shown)));
}

async function checkCharts(page, m, script) {
	const known = m.charts.filter(c => c.known);
	assert.deepEqual(await texts(page, '.chart h3'), known.map(c => shown(c.title)));
	assert.deepEqual(await texts(page, '.summary'), known.map(c => shown(c.summary)));
	assert.deepEqual(await texts(page, '.unmeasured li'), m.charts.filter(c => !c.known).map(c => shown(`${c.title}: ${c.summary}`)));
	const digests = m.charts.flatMap(c => c.series).map(s =>
		[s.mark, s.digest.mean.text, s.digest.max.text].map(shown));
	assert.deepEqual(await rows(page, '.digest'), digests);
	const drawn = m.charts.filter(c => c.known).length;
	assert.equal(await page.locator('.chart canvas').count(), script ? drawn : 0);
}

async function checkEnd(page, m) {
	assert.deepEqual(await rows(page, '.runs'), m.history.map(h => [h.start.text, `${h.name} ${h.file}`,
		h.status, h.duration.text, h.cpu_mean.text, h.memory_max.text,
		h.used ? 'yes' : `no, ${h.why}`].map(shown)));
	const method = (await texts(page, '#method'))[0], footer = (await texts(page, 'footer'))[0];
	for (const text of [m.run.recorder, m.run.file, m.run.interval.text, m.run.samples, ...m.notes,
		...m.inputs.map(i => `${i.file}: ${i.error}`)])
		assert.ok(method.includes(shown(text)), String(text));
	for (const text of [m.generator.version, m.generated.text, m.prices.attribution, 'uPlot 1.',
		'Leon Sorokin', 'MIT'])
		assert.ok(footer.includes(shown(text)), text);
}

for (const name of NAMES)
	for (const javaScriptEnabled of [true, false])
		test(`${name}: says what the model says, ${javaScriptEnabled ? 'with' : 'without'} script`,
			async () => {
				const m = model(name);
				const { page, url, requests, problems, close } = await open(m, { javaScriptEnabled });
				await checkTop(page, m);
				await checkCards(page, m);
				await checkUsage(page, m);
				await checkAdvice(page, m);
				await checkCharts(page, m, javaScriptEnabled);
				await checkEnd(page, m);
				const points = gunzipSync(Buffer.from(await page.locator('#points').textContent(), 'base64'));
				assert.deepEqual(JSON.parse(points), m.charts.map(c => c.data ?? null));
				assert.equal(await page.locator('.nojs').count(), javaScriptEnabled ? 0 : 1);
				assert.deepEqual(requests, [url]);
				assert.deepEqual(problems, []);
				if (javaScriptEnabled)
					assert.deepEqual(await page.evaluate(() => window.violations), []);
				await close();
			});

test('without script every text is to be seen', async () => {
	const { page, close } = await open(model('ordinary'), { javaScriptEnabled: false });
	for (const selector of ['.nojs', '.summary', '.digest caption', '.digest td', '.usage td'])
		for (const node of await page.locator(selector).all())
			assert.ok(await node.isVisible(), selector);
	await close();
});

test('the policy allows this script and this style and nothing else', () => {
	const html = readFileSync(report(model('ordinary')), 'utf8');
	const hash = (text) => createHash('sha256').update(text).digest('base64');
	const [, boot] = /<script>([^]*?)<\/script>/.exec(html);
	const [, packed] = /<script type="application\/gzip" id="app">([^<]*)<\/script>/.exec(html);
	const script = gunzipSync(Buffer.from(packed, 'base64'));
	const [more, style] = ['more.css', 'app.css'].map(name =>
		readFileSync(new URL(`../../${process.env.B || 'build/release'}/assets/${name}`, import.meta.url), 'utf8'));
	assert.deepEqual([...html.matchAll(/<style>([^]*?)<\/style>/g)].map(match => match[1]), [more, style]);
	const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html);
	assert.equal(policy, `default-src 'none'; script-src 'sha256-${hash(boot)}' 'sha256-${hash(script)}'; `
		+ `style-src 'sha256-${hash(style)}' 'sha256-${hash(more)}'; img-src data:; base-uri 'none'; form-action 'none'`);
	assert.doesNotMatch(html.replace(boot, ''), /\s(style|on\w+)\s*=\s*["']/i);
	assert.doesNotMatch(html.replace(boot, ''), /\s(src|srcset|action)\s*=/i);
	assert.doesNotMatch(html, /@import|url\(/);
});

test('prices that are old say so, and a month of runs has its columns', async () => {
	const m = model('ordinary');
	const quantity = value => ({ value, text: `$${value}`, unit: 'USD' });
	m.prices.age_why = 'These prices are 3 h old, from the cache: nobody there.';
	m.prices.runs_per_month = 200;
	for (const [i, s] of [...m.prices.servers, m.prices.present].entries())
		Object.assign(s, { run_cost_month: quantity(i + 0.25), alone_month: quantity(i + 7.5) });
	for (const [i, s] of m.prices.servers.entries())
		s.estimate &&= { ...s.estimate, run_cost_month: quantity(i + 0.25), alone_month: quantity(i + 7.5) };
	const { page, close } = await open(m);
	assert.ok((await texts(page, '#cost'))[0].includes(m.prices.age_why));
	const advice = (await texts(page, '#sizes'))[0];
	assert.ok(advice.includes('200 runs a month$5.25; alone on fresh servers $12.5'), advice);
	assert.deepEqual((await rows(page, '.servers')).map(row => row.at(-1)),
		m.prices.servers.map((s, i) => (s.estimate ? `$${i + 0.25}` : 'unknown')));
	assert.equal((await texts(page, '.servers thead th')).at(-1), '200 runs');
	assert.deepEqual(await texts(page, '.servers dl > :last-child'),
		m.prices.servers.map((s, i) => `200 runs, each on a fresh server${s.estimate ? `$${i + 7.5}` : 'unknown'}`));
	await close();
});

test('an hour at a sample each second fits in 150 KiB, with the recording that it carries', () => {
	const size = run => statSync(recorded(run).file).size;
	const hour = size(withoutTree(withoutGpus(recording(3600))));
	assert.ok(hour <= SIZE_MAX, `${hour} bytes`);
	// The time line of 70 processes, most of which are too short to be seen.
	const line = size(withoutGpus(recording(3600))) - hour;
	assert.ok(line <= 10240, `${line} bytes`);
	// A week is in as many buckets as an hour, however long it is.
	const week = statSync(recorded(recording(10080, 60)).file);
	assert.ok(week.size <= 2 * SIZE_MAX, `${week.size} bytes`);
});

// All texts of a part of a model.
function shownIn(part) {
	if (part && typeof part === 'object')
		return Object.values(part).flatMap(shownIn);
	return typeof part === 'string' ? [part] : [];
}

test('a page of a page says the same, but for the digits of points', () => {
	for (const { file, model: m } of [recorded(recording(200)), recorded(recording(600)), recorded(withoutGpus(recording(3600)))]) {
		const again = `${file}.again`;
		execFileSync(REPORT, ['--offline', '--now', String(m.generated.unix), '-o', `${again}.html`, '--json', `${again}.json`, file]);
		const n = JSON.parse(readFileSync(`${again}.json`, 'utf8'));
		for (const [i, { data, series }] of n.charts.entries()) {
			const { data: before } = m.charts[i];
			assert.deepEqual([data.x, data.from, data.step, data.limits],
				[before.x, before.from, before.step, before.limits]);
			for (const key of ['mean', 'min', 'max'])
				data[key]?.forEach((row, s) => row.forEach((v, k) => assert.ok(v === before[key][s][k]
					|| Math.abs(v - before[key][s][k]) <= series[s].digest.max.value * 0.006, `${key} ${s} ${k}`)));
		}
		for (const key of ['verdict', 'status', 'tiles', 'asked', 'advice', 'prices', 'gpus', 'processes', 'phases', 'limits', 'notes'])
			assert.deepEqual(shownIn(n[key]), shownIn(m[key]), key);
		assert.deepEqual(n.usage.rows.map(row => row.now.text), m.usage.rows.map(row => row.now.text));
		assert.deepEqual(n.charts.map(chart => chart.summary), m.charts.map(chart => chart.summary));
	}
});

test('a hostile model runs nothing, however long', async () => {
	const m = model('hostile');
	const attack = '</code></pre></script><script>window.pwned=9</script><img src=x onerror=pwned=9>\u2028';
	m.run.command = attack.repeat(Math.ceil(2 ** 20 / attack.length));
	m.charts[0].series[0].label = attack;
	m.charts[1].id = '"] , *';
	m.charts[2].unit = '__proto__';
	m.charts[3].series[0].scope = 'constructor';
	m.history[0].status = 'x'.repeat(10000);
	const { page, url, requests, problems, close } = await open(m);
	assert.equal(await page.locator('.command code').textContent(), m.run.command);
	await page.locator('details').evaluateAll(all => all.forEach(node => {
		node.open = true;
	}));
	await page.locator('.servers thead button').first().click();
	await page.locator('.key').first().click();
	await page.locator('.snippet summary').first().click();
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	assert.deepEqual(await page.evaluate(() => [document.images.length, document.scripts.length,
		document.querySelectorAll('iframe, object, embed, form, [onload], [onmouseover], [onerror]').length,
		document.querySelectorAll('svg').length - document.querySelectorAll('.digest svg, .tip svg').length,
		window.violations.length]), [0, 5, 0, 0, 0]);
	assert.equal(await page.locator('canvas').count(), m.charts.length);
	assert.deepEqual(requests, [url]);
	assert.deepEqual(problems, []);
	await close();
});
