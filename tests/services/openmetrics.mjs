// A strict reader of OpenMetrics 1.0 text: what its ABNF and its rules do not allow is an error.
import assert from 'node:assert/strict';

const TYPES = {
	unknown: [''], gauge: [''], info: ['_info'], counter: ['_total', '_created'],
	stateset: [''], summary: ['', '_count', '_sum', '_created'],
	histogram: ['_bucket', '_count', '_sum', '_created'],
	gaugehistogram: ['_bucket', '_gcount', '_gsum'],
};
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
// realnumber of the ABNF, and no NaN: we write none
const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

// A string up to where its quote ends: [text, rest].
function quoted(s) {
	let text = '';
	for (let i = 0; i < s.length; i++) {
		if (s[i] === '"')
			return [text, s.slice(i + 1)];
		if (s[i] === '\\') {
			const of = { n: '\n', '\\': '\\', '"': '"' }[s[++i]];
			assert.ok(of, `an escape that is none: ${s}`);
			text += of;
		} else {
			text += s[i];
		}
	}
	assert.fail(`a label without its end: ${s}`);
}

function labelsOf(s) {
	const labels = {};
	let rest = s.slice(1);
	while (rest[0] !== '}') {
		const equals = rest.indexOf('="');
		const name = rest.slice(0, equals);
		assert.match(name, LABEL);
		assert.ok(!name.startsWith('__'), name);
		assert.ok(!(name in labels), `twice: ${name}`);
		[labels[name], rest] = quoted(rest.slice(equals + 2));
		assert.ok(rest[0] === '}' || (rest[0] === ',' && rest[1] !== '}'), rest);
		rest = rest[0] === ',' ? rest.slice(1) : rest;
	}
	return [labels, rest.slice(1)];
}

function sampleOf(line) {
	const name = line.match(/^[^ {]*/)[0];
	assert.match(name, NAME);
	let rest = line.slice(name.length), labels = {};
	if (rest[0] === '{')
		[labels, rest] = labelsOf(rest);
	const [space, value, ...more] = rest.split(' ');
	assert.equal(space, '', line);
	assert.match(value, NUMBER, line);
	assert.equal(more.length, 0, `GitLab takes no time stamps: ${line}`);
	return { name, labels, value: Number(value) };
}

function describe(family, kind, text) {
	assert.ok(!(kind in family), `${kind} twice`);
	assert.equal(family.samples.length, 0, `${kind} after a sample`);
	if (kind === 'TYPE')
		assert.ok(text in TYPES, text);
	if (kind === 'UNIT')
		assert.ok(text && family.name.endsWith(`_${text}`), `${family.name}: ${text}`);
	if (kind === 'HELP')
		assert.ok(!/\\[^n\\"]|"/.test(text), text);
	family[kind] = text;
}

function take(family, sample, seen) {
	assert.ok(family, sample.name);
	const suffix = sample.name.slice(family.name.length);
	assert.ok(sample.name.startsWith(family.name), `${sample.name} in ${family.name}`);
	assert.ok(TYPES[family.TYPE ?? 'unknown'].includes(suffix), sample.name);
	if (family.TYPE === 'counter')
		assert.ok(sample.value >= 0, sample.name);
	if (family.TYPE === 'info')
		assert.ok(sample.value === 1 && !family.UNIT, sample.name);
	const id = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
	assert.ok(!seen.has(id), `twice: ${id}`);
	seen.add(id);
	family.samples.push(sample);
}

// {family name: {name, TYPE, UNIT, HELP, samples: [{name, labels, value}]}}
export function parse(text) {
	assert.ok(text.endsWith('\n# EOF\n') || text === '# EOF\n', 'it ends with # EOF');
	assert.doesNotMatch(text, /[\0-\x09\x0b-\x1f\x7f]/, 'control characters');
	const families = {}, seen = new Set();
	let family = null;
	for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
		if (!line.startsWith('#')) {
			take(family, sampleOf(line), seen);
			continue;
		}
		const [, kind, name, about] = line.match(/^# (TYPE|UNIT|HELP) ([^ ]+) (.*)$/) ?? [];
		assert.ok(kind, `a comment that is none: ${line}`);
		assert.match(name, NAME);
		if (family?.name !== name) {
			assert.ok(!(name in families), `families are interleaved: ${name}`);
			families[name] = family = { name, samples: [] };
		}
		describe(family, kind, about);
	}
	for (const f of Object.values(families)) {
		assert.ok(f.samples.length && f.TYPE && f.HELP, `${f.name} is not whole`);
		assert.ok(!Object.keys(families).some(n => n !== f.name && f.samples.some(s => s.name === n)),
			`${f.name} clashes`);
	}
	return families;
}
