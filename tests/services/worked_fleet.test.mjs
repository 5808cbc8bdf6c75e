// The worked examples of docs/fleet.md against an independent script in exact fractions. The unit test test_fleet_worked
// holds the program against the same tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { tables } from '../worked/fleet_examples.mjs';

it('the tables of docs/fleet.md are what the rules give', () => {
	const doc = readFileSync('docs/fleet.md', 'utf8');
	for (const table of tables) assert.ok(doc.includes(`\n\n${table()}\n`), `not in docs/fleet.md:\n${table()}`);
	assert.equal(doc.match(/^\|---/gm).length, 6 + 4, 'no other tables than these and those of the text');
});
