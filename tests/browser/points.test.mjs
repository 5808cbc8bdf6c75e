// The page's packed points come out as the model's data: assets/points.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { recorded } from './page.mjs';
import { recording } from './runs.mjs';

const LEVELS = 1000;
const source = readFileSync(new URL('../../assets/points.js', import.meta.url), 'utf8');
// In a page without charts.
const unpack = runInNewContext(`${source};unpack`, { document: { querySelectorAll: () => [] } });

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
			if (key === 'max')
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
