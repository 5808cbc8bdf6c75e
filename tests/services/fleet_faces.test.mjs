// The outputs of a fleet, each held against the rules of its format, for ordinary names and for names that
// are attacks; and rendered again from the JSON.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from './openmetrics.mjs';

const build = path.resolve(process.env.B ?? 'build/release');
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-fleet-faces-'));
after(() => rmSync(folder, { recursive: true }));

const ATTACKS = [
	'::error file=a::b ', '##[error]x\n##vso[task.complete]', '@team a@b.org #1 GH-2 !3 &4', '| a || b |',
	'<img src=x onerror=alert(1)></sub><script>alert(1)</script><!--', '[x](javascript:alert(1))`code` :tada:',
	'/close', '=cmd|\' /C calc\'!A0', '+1', '-1', '@SUM(1)', '"\n"=1,"', 'a\tb\nc\rd\u2028e', '"} 1\nevil_metric 1 ',
	'\u001b]0;pwned\u0007\u001b[31m\u009b31m', '\u202egnp.exe', '{{title}} {{{groups}}}', '\n# EOF\n', 'x'.repeat(100000),
];

const FACES = ['json', 'markdown', 'text', 'openmetrics', 'junit'];

function faces(groups, ...more) {
	const at = name => path.join(folder, name);
	execFileSync(`${build}/tests/services/fleet_model_cli`, [groups, at('model.json'), `csv=${at('csv')}`, ...more]);
	const r = spawnSync(`${build}/rtrack-report`,
		['--model', at('model.json'), ...FACES.flatMap(f => [`--${f}`, at(f)])], { encoding: 'utf8' });
	assert.equal(r.stderr, '');
	assert.equal(r.status, 0);
	return Object.fromEntries([...FACES, 'csv'].map(f => [f, readFileSync(at(f), 'utf8')]));
}

// RFC 4180, without line breaks in cells.
function csvOf(text) {
	assert.ok(text.endsWith('\n'));
	return text.slice(0, -1).split('\n').map(line => {
		const cells = [];
		for (let rest = `,${line}`; rest;) {
			const [all, quoted, bare] = rest.match(/^,(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/) ?? assert.fail(rest);
			cells.push(quoted === undefined ? bare && Number(bare) : quoted.replaceAll('""', '"'));
			rest = rest.slice(all.length);
		}
		return cells;
	});
}

function checkFormats(f, groups) {
	const model = JSON.parse(f.json);
	assert.equal(model.groups.table.rows.length, groups);

	const families = parse(f.openmetrics);
	assert.equal(families.rtrack_fleet_groups.samples[0].value, groups);
	assert.equal(families.rtrack_fleet_group_runs.samples.length, Math.min(groups, 20));
	assert.ok(!Object.keys(families).some(n => !n.startsWith('rtrack_fleet_')));

	const [head, ...rows] = csvOf(f.csv);
	assert.deepEqual(head, model.groups.table.columns.map(c => c.id));
	assert.equal(rows.length, groups);
	for (const [i, row] of rows.entries()) {
		assert.equal(row.length, head.length);
		assert.doesNotMatch(row[0], /^\s*[=+\-@]/);
		assert.deepEqual(row.slice(1).map(v => v === '' ? null : v), model.groups.table.rows[i].slice(1));
	}

	assert.ok(Buffer.byteLength(f.markdown) <= 65536);
	assert.doesNotMatch(f.markdown, /<(?!\/?sub>|!--)|^(?:::|\/)|(?<!&#64;)@/m);
	const table = f.markdown.split('\n').filter(l => l.startsWith('| '));
	const cells = line => line.replace(/\\\|/g, '').split('|').length;
	const groupRows = table.slice(0, table.findIndex(l => l.startsWith('| Left out')));
	assert.equal(new Set(groupRows.map(cells)).size, 1, 'every row has as many cells as the head');

	for (const line of f.text.split('\n')) {
		assert.doesNotMatch(line, /[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
		assert.doesNotMatch(line, /^\s*::|##/);
	}
	execFileSync('xmllint', ['--noout', '-'], { input: f.junit });
}

describe('the outputs of a fleet', () => {
	it('keep to their formats', () => {
		for (const groups of [1, 20, 300])
			checkFormats(faces(groups), groups);
		checkFormats(faces(50, 'money=0'), 50);
	});

	it('keep to their formats whatever the names', () => {
		for (const attack of ATTACKS)
			checkFormats(faces(40, `name=${attack}`), 40);
	});

	it('say that there are no runs', () => {
		const f = faces(0);
		assert.match(f.text, /There are no runs/);
		assert.match(f.markdown, /There are no runs/);
		assert.equal(csvOf(f.csv).length, 1);
		parse(f.openmetrics);
	});

	it('show as many groups as --top asks for', () => {
		const f = faces(300, 'top=7');
		assert.equal(parse(f.openmetrics).rtrack_fleet_group_runs.samples.length, 7);
		assert.match(f.text, /The 7 groups with most to recover, of 300/);
		assert.match(f.text, /The other\s.*293|293/);
	});

	it('are the same from the JSON that the JSON was made of', () => {
		const f = faces(300);
		const again = path.join(folder, 'again.json');
		execFileSync(`${build}/rtrack-report`, ['--model', path.join(folder, 'json'), '--json', again]);
		assert.equal(readFileSync(again, 'utf8'), f.json);
	});

	it('can hold ten thousand groups', () => {
		const f = faces(12000);
		assert.equal(csvOf(f.csv).length, 10001);
		assert.equal(JSON.parse(f.json).groups.table.rest.groups.value, 2000);
		assert.ok(statSync(path.join(folder, 'markdown')).size < 65536);
	});
});
