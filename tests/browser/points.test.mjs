// A long test: only make test-all runs it.
// The page's packed points come out as the model's data: assets/points.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { pointsOf, unpack } from '../../assets/points.js';
import { open, recorded, settled } from './page.mjs';
import { recording } from './runs.mjs';

const LEVELS = 1000;

function close(chart, unpacked) {
	const { data } = chart;
	assert.equal(unpacked.x.length, data.x.length);
	data.x.forEach((v, i) => assert.ok(Math.abs(v - unpacked.x[i]) <= 0.001));
	for (const key of ['mean', 'min', 'max']) {
		assert.equal(unpacked[key] === null, data[key] === null, `${chart.id} ${key}`);
		(data[key] || []).forEach((row, s) => {
			const peak = chart.series[s].digest.max.value;
			assert.equal(unpacked[key][s].length, row.length);
			row.forEach((v, i) => {
				const got = unpacked[key][s][i];
				assert.equal(got === null, v === null);
				// Half a level, or a whole one for what is nearly 0, and the four digits of the data.
				assert.ok(v === null || Math.abs(got - v) <= peak * (1.01 / LEVELS + 0.0005), `${chart.id} ${key} ${s} ${i}`);
				assert.equal(got === 0, v === 0 || v === null && got === 0);
			});
			// The peak of memory may lie between the samples that a chart draws.
			if (key === 'max' && chart.series[s].id !== 'process_memory')
				assert.ok(Math.abs(Math.max(...unpacked.max[s]) - peak) <= peak * 0.0005 + 1e-300);
		});
	}
}

function holed(run) {
	for (const scope of ['process_metrics', 'system_metrics'])
		for (const [name, column] of Object.entries(run[scope]))
			run[scope][name] = column.filter((v, i) => i < 700 || i > 1500);
	return run;
}

for (const [name, run] of Object.entries({ 'an hour': recording(3600), 'few samples': recording(50, 0.7),
	'one sample': recording(1), 'an hour with a hole': holed(recording(3600)) }))
	test(`${name}: what is packed is what the model says`, () => {
		const { model } = recorded(run);
		assert.ok(model.charts.length >= 9);
		for (const chart of model.charts)
			close(chart, JSON.parse(JSON.stringify(unpack(chart.packed))));
		if (name.endsWith('hole'))
			assert.ok(model.charts[0].data.mean[0].includes(null));
	});

test('what is not packed stays as it is', () => {
	for (const data of [null, { x: [1], mean: [[2]], min: null, max: null }])
		assert.equal(unpack(data), data);
});

// What a stranger's model may have in a chart's place, each with what it would ask of an unwary reader.
const good = { from: 100, step: 1, n: 3, series: [[0.5, 'CCC', 'AAA', 'AAA']], limits: [] };
const bad = {
	nothing: undefined, 'a text': 'text', 'a number': 7, null: null, 'a list': [1, 2],
	...Object.fromEntries(Object.entries({
		'n is text': { n: 'x' }, 'n is digits': { n: '99999999999' }, 'n is huge': { n: 1e15 }, 'n is broken': { n: 2.5 }, 'n is another': { n: 4 },
		'from is text': { from: 'x' }, 'from is not a time': { from: 1e300 }, 'step is text': { step: 'x' },
		'step is huge': { step: 1e300 }, 'series is text': { series: 'x'.repeat(1e5) },
		'a series is text': { series: ['CCC'] }, 'a scale is text': { series: [['x', 'CCC']] },
		'a scale is huge': { series: [[1e308, 'ggggggF']] },
		'points are a number': { series: [[1, 7]] }, 'points without end': { series: [[1, 'C*' + '+'.repeat(60) + 'A']] },
		'points of another alphabet': { series: [[1, 'ü€😀']] },
		'edges without end': { series: [[1, 'CCC', 'A*' + '+'.repeat(300) + 'f', 'AAA']] },
		'no limits': { limits: 7 }, 'a limit is a number': { limits: [7] },
		'x is text': { x: 'x'.repeat(1e5) }, 'x is huge': { x: [0, 1, 1e300] }, 'x goes back': { x: [3, 2, 1] },
		'not packed, mean is text': { series: undefined, x: [1], mean: 'x' },
		'not packed, a row is text': { series: undefined, x: [1], mean: ['x'] },
		'not packed, a cell is text': { series: undefined, x: [1], mean: [['x']] },
		'not packed, an edge is text': { series: undefined, x: [1], mean: [[1]], min: 'x' },
		'not packed, x is text': { series: undefined, x: 'x', mean: [[1]] },
	}).map(([name, change]) => [name, JSON.parse(JSON.stringify({ ...good, ...change }))])),
};

test('what is not the data of a chart gives no chart, at once', () => {
	const { x, mean, max } = JSON.parse(JSON.stringify(pointsOf(good)));
	assert.deepEqual({ x, mean, max }, { x: [0.5, 1.5, 2.5], mean: [[0.5, 1, 1.5]], max: [[0.5, 1, 1.5]] });
	for (const [name, value] of Object.entries(bad)) {
		const start = performance.now();
		assert.equal(pointsOf(value), null, name);
		assert.ok(performance.now() - start < 60000, name);
	}
	const { limits } = pointsOf({ ...good, limits: ['x', ['1', 'a'], [2, 'b']] });
	assert.deepEqual(JSON.parse(JSON.stringify(limits)), [[2, 'b']]);
	assert.equal(pointsOf({ ...good, series: Array(5000).fill(good.series[0]) }).mean.length, 100);
});

// Every number and text of a value, replaced.
function replaced(value, by) {
	if (Array.isArray(value))
		return value.map(v => replaced(v, by));
	if (value && typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, replaced(v, by)]));
	return by;
}

test('a page of such data lives, and shows its still pictures', async () => {
	const { model } = recorded(recording(600));
	delete model.recording; // whose overview has the points else
	const odd = Object.values(bad).slice(5);
	const [cpu, memory, ...others] = model.charts.filter(chart => chart.known);
	cpu.packed = replaced(cpu.packed, '99999999999');
	memory.packed = replaced(memory.packed, 1e300);
	others.forEach((chart, i) => {
		chart.packed = odd[i % odd.length];
	});
	if (model.phases.known)
		model.phases.data = replaced(model.phases.data, 'text');
	const { page, problems, close } = await live(model);
	assert.equal(await page.locator('.still:visible').count(), others.length + 2);
	assert.equal(await page.locator('.plot:visible').count(), 0);
	assert.deepEqual(problems, []);
	await close();
});

// A chart whose data the script refuses is never drawn: two paints are all that can be waited for.
async function live(model) {
	const opened = await open(model, { wait: false });
	await settled(opened.page);
	return opened;
}

// One scalar at a time, in all charts of a page, then all of the model.
const changes = {
	...Object.fromEntries(['from', 'step', 'n', 'limits'].flatMap(key => ['9', 'text', '9'.repeat(400)].map(by =>
		[`${key} is ${by.slice(0, 9)}`, chart => {
			if (key in chart.packed)
				chart.packed[key] = replaced(chart.packed[key], by);
		}]))),
	...Object.fromEntries(['9', 'text', '*+++++++++A', '.*+++++++++A'].map(by => [`points are ${by}`, chart => {
		chart.packed.series = chart.packed.series.map(([scale, ...edges]) => [scale, ...edges.map(() => by)]);
	}])),
	'scales are text': chart => {
		chart.packed.series = chart.packed.series.map(([scale, ...edges]) => [String(scale), ...edges]);
	},
	'not packed, as text': chart => {
		chart.data = replaced(chart.data, '9');
		delete chart.packed;
	},
};
for (const [name, change] of Object.entries(changes))
	test(`a page lives: ${name}`, async () => {
		const { model } = recorded(recording(600));
		delete model.recording;
		model.charts.filter(chart => chart.known).forEach(change);
		const { problems, close } = await live(model);
		assert.deepEqual(problems, []);
		await close();
	});

test('a page lives: every scalar is text', async () => {
	const { page, close } = await live(replaced(recorded(recording(600)).model, '9'));
	assert.ok(await page.locator('.still').count() > 5);
	await close();
});
