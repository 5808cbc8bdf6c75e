// The worked examples of states in docs/snapshot.md against an independent script in exact fractions. The unit test
// test_wait_worked holds the recorder against the same table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { statesTable } from '../worked/states_examples.mjs';

it('the table of states in docs/snapshot.md is what the rules give', () => {
	const doc = readFileSync('docs/snapshot.md', 'utf8');
	assert.ok(doc.includes(`\n\n${statesTable()}\n`), `not in docs/snapshot.md:\n${statesTable()}`);
});
