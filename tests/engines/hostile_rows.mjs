// Recordings with hostile texts in every text column of rtrack_row.
//
//   node hostile_rows.mjs RECORDING FOLDER

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const [from, folder] = process.argv.slice(2);
const texts = ["'; DROP TABLE runs; --", '\\', "\\' OR 1 = 1 --", '</script><script>alert(1)</script>', '=cmd()|x',
	'\u001b[31mred', 'a\nb\tc\r', '"},{"name":"x"', '?', '{x:String}', "'?'", '\u202eabc', '\ud83d\ude00', '`"\'`', '%s%n%00', 'é\u0001\u007f'];

const snapshot = JSON.parse(gunzipSync(readFileSync(from)));
texts.forEach((text, i) => {
	const row = { ...snapshot.rtrack_row, id: i.toString(16).padStart(16, '0') };
	for (const key of ['name', 'job', 'job_id', 'account', 'workflow_run', 'user', 'host', 'vendor', 'instance_type', 'region', 'node', 'array_job', 'command', 'directory'])
		row[key] = text;
	row.tags = row.labels = `team=${text}`;
	row.nodes = i % 2 ? 2 : null;
	const { rtrack_row, ...rest } = snapshot;
	writeFileSync(join(folder, `${i} ${text.replaceAll(/[/\0]/g, '_')}.json.gz`), gzipSync(JSON.stringify({ rtrack_row: row, ...rest })));
});
