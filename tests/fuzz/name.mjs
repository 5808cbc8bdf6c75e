// Gives the files of corpora whose names are hashes (from libFuzzer) or numbers a name that says what is in them: the
// words that the fewest files of the folder have, those that the code knows first.
//   node tests/fuzz/name.mjs FOLDER…
// A name that begins with found- is of an input that the fuzzer made: tests/fuzz/keep may remove it.
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const HASH = /^[0-9a-f]{12,40}$/, NUMBER = /^(seed-?)?\d+(\.\w+)?$/;
const words = text => [...new Set(text.match(/[A-Za-z][A-Za-z_]{2,19}/g))];
const known = new Set(['core', 'collect', 'report'].flatMap(room => readdirSync(room, { recursive: true }).map(file => join(room, file)))
	.filter(file => /\.(c|h|def)$/.test(file)).flatMap(file => words(readFileSync(file, 'latin1'))));

for (const folder of process.argv.slice(2)) {
	const names = new Set(readdirSync(folder)), holds = new Map(), files = new Map();
	for (const name of names) {
		files.set(name, readFileSync(join(folder, name)));
		for (const word of words(files.get(name).toString('latin1')))
			holds.set(word, (holds.get(word) ?? 0) + 1);
	}
	const rank = word => holds.get(word) + (known.has(word) ? 0 : 1e6);
	for (const [name, bytes] of [...files].sort()) {
		const hash = HASH.test(name), all = words(bytes.toString('latin1'));
		if (!hash && !NUMBER.test(name))
			continue;
		const rare = new Set([...all].sort((a, b) => rank(a) - rank(b)).slice(0, 3));
		const said = all.filter(word => rare.has(word)).join('-').toLowerCase() || (bytes.length ? `bytes-${bytes.toString('hex', 0, 4)}` : 'empty');
		const stem = (hash ? 'found-' : 'seed-') + said;
		let free = stem;
		for (let i = 2; names.has(free); i++)
			free = `${stem}-${i}`;
		names.add(free);
		renameSync(join(folder, name), join(folder, free));
	}
}
