// Compares what engines say about the same runs.
//
//   node fleet_compare.mjs models A B…     fleet models (rtrack-fleet --json) that must say the same
//   node fleet_compare.mjs duckdb A ROWS   a fleet model, and what tests/engines/duckdb/query.mjs printed
//
// Prints the first differences; status 1 if there are any. Of DuckDB, percentiles may differ by half a bucket of 1 %, and
// others by the digits that a model's table has not.

import { readFileSync } from 'node:fs';

const [what, ...files] = process.argv.slice(2);
const [first, ...others] = files.map(file => JSON.parse(readFileSync(file, 'utf8')));
const said = [];

function near(name, a, b, share = 1e-6) {
	const same = typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= share * Math.abs(a) + 1e-12 : a === b;
	if (!same)
		said.push(`${name}: ${a}, not ${b}`);
}

function compare(name, a, b) {
	if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
		if (a !== b)
			said.push(`${name}: ${a}, not ${b}`);
		return;
	}
	for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
		if (!['runs_command', 'opens'].includes(key)) // the one names the catalog, the other is by the room that names leave
			compare(`${name}.${key}`, a[key] ?? null, b[key] ?? null);
}

function comparable(model) {
	const { generated, source, inputs, ...rest } = model;
	return rest;
}

function compareRows(model, rows) {
	const columns = model.groups.table.columns.map(column => column.id);
	const ours = model.groups.table.rows.map(row => Object.fromEntries(row.map((value, i) => [columns[i], value])));
	const theirs = new Map(rows.map(row => [row.name, row]));
	near('groups', ours.length, rows.length);
	for (const group of ours) {
		const row = theirs.get(group.name), at = name => `${group.name}.${name}`;
		if (!row) {
			said.push(`${group.name}: missing`);
			continue;
		}
		for (const name of ['runs', 'failed', 'oom', 'counted'])
			near(at(name), group[name], row[name]);
		near(at('cores_unused'), group.cores_unused, row.unused_core_h);
		near(at('memory_unused'), group.memory_unused, row.unused_gib_h);
		near(at('gpus_unused'), group.gpus_unused, row.unused_gpu_h);
		if (row.asked_core_h !== null && group.cpus_asked !== null)
			near(at('cpus'), group.cpus_used / group.cpus_asked, row.used_core_h / row.asked_core_h);
		for (const [name, values, i] of [['wall_p50', 'wall_s', 0], ['wall_p95', 'wall_s', 1],
			['memory_p50', 'memory_bytes', 0], ['memory_p95', 'memory_bytes', 1]])
			near(at(name), group[name], row[values]?.[i] ?? null, 0.0051);
		near(at('memory_max'), group.memory_max, row.memory_bytes?.[3] ?? null);
	}
}

if (what === 'duckdb')
	compareRows(first, others[0]);
else
	others.forEach((other, i) => compare(files[i + 1], comparable(first), comparable(other)));
const groups = first.groups.table.rows.length;
if (groups === 0)
	said.push('there are no groups to compare');
said.slice(0, 20).forEach(line => console.log(line));
console.log(`${groups} groups, ${said.length} differences`);
process.exitCode = said.length ? 1 : 0;
