// Plants N runs of a few recordings, each with a process id of its own: node histories.mjs FOLDER N RECORDING…
// What is the same in all is compressed once: gzip members may follow each other.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const [folder, n, ...files] = process.argv.slice(2);
const parts = files.map(file => {
	const text = gunzipSync(readFileSync(file)).toString(), at = text.indexOf('"pid":') + '"pid":'.length;
	if (at < '"pid":'.length)
		throw new Error(`${file}: has no pid`);
	return { head: text.slice(0, at), rest: gzipSync(text.slice(at).replace(/^\d+/, '')) };
});
for (let i = 0; i < n; i++) {
	const { head, rest } = parts[i % parts.length];
	writeFileSync(join(folder, `${i}.json.gz`), Buffer.concat([gzipSync(`${head}${100000 + i}`), rest]));
}
