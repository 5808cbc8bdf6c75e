// Changes each number, comparison and operator of C files, one at a time, and says which changes no unit test notices.
// Lines about memory and texts are left alone (KEEP, below).
//
//   node tests/mutate.mjs fleet/groups/*.[ch] -- tests/unit/fleet/groups/test_*.c      (B=build/release, built before)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const at = process.argv.indexOf('--');
const sources = process.argv.slice(2, at), tests = process.argv.slice(at + 1);
const B = process.env.B ?? 'build/release', cc = process.env.CC?.split(' ').at(-1) ?? 'gcc';
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-mutate-'));
const run = (command, args) => spawnSync(command, args, { encoding: 'utf8', timeout: 60000 });

// What may stand in a line, and what it becomes.
const swaps = [
	[/ <= /g, ' < '], [/ >= /g, ' > '], [/ < /g, ' <= '], [/ > /g, ' >= '], [/ == /g, ' != '], [/ != /g, ' == '],
	[/ && /g, ' || '], [/ \|\| /g, ' && '], [/ \+ /g, ' - '], [/ - /g, ' + '], [/ \* /g, ' / '], [/ \/ /g, ' * '],
	[/ % /g, ' / '], [/ \+= /g, ' -= '], [/ \*= /g, ' /= '], [/\bfmax\(/g, 'fmin('], [/\bfmin\(/g, 'fmax('],
	[/\bceil\(/g, 'floor('], [/\bfloor\(/g, 'ceil('], [/\btrue\b/g, 'false'], [/\bfalse\b/g, 'true'], [/!(?=[(a-z])/g, ''],
	[/(?<![\w.%[])\d+(\.\d+)?(e\d+)?(?![\w.\]])/g, (n) => String(Number(n) + (n.includes('e') ? Number(n) / 2 : 1))],
];
// Memory and texts; loops over arrays, which the sanitizers watch.
const KEEP = /^\s*(\*|\/\*|#(include|ifndef)|static int |return -1;|for \((size_t|int) \w+ = 0;)|\? -1|alloc|strdup|snprintf|"|cap\b|free\(|err_set|\bNULL\b|^#define TABLE/;

function* mutants(file) {
	const lines = readFileSync(file, 'utf8').split('\n');
	for (const [i, line] of lines.entries()) {
		const code = line.replace(/\/\*.*/, '');
		if (KEEP.test(line)) continue;
		for (const [pattern, into] of swaps)
			for (const m of code.matchAll(pattern)) {
				const changed = line.slice(0, m.index) + (typeof into === 'string' ? into : into(m[0])) +
					line.slice(m.index + m[0].length);
				yield { where: `${file}:${i + 1}`, line, changed, text: [...lines.slice(0, i), changed, ...lines.slice(i + 1)].join('\n') };
			}
	}
}

// The same tree again, with one file changed; only what includes it is compiled again.
const flags = ['-std=gnu11', '-D_GNU_SOURCE', '-O1', '-w', `-I${folder}`, '-I.'];
const compiled = sources.filter((f) => f.endsWith('.c'));
const main = 'tests/unit/unit.c';
const object = (f) => path.join(folder, f.replaceAll('/', '_') + '.o');
const compile = (f, to = object(f), from = f) => run(cc, [...flags, `-I${path.dirname(f)}`, '-c', '-o', to, from]).status === 0;
for (const f of [...compiled, ...tests, main]) if (!compile(f)) throw new Error(`${f} cannot be compiled`);
// A library, so that a test is linked only with what it uses; what is changed before it, or a test that reaches it
// through another file gets that of libfleet.a.
function noticed(objects, changed = []) {
	const program = path.join(folder, 'test'), library = path.join(folder, 'changed.a');
	rmSync(library, { force: true });
	run('ar', ['rcs', library, ...objects]);
	return tests.some((t) => {
		const link = run(cc, ['-o', program, object(t), object(main), ...changed, library, `${B}/libfleet.a`, `${B}/libreport.a`, `${B}/libcore.a`, '-lcmocka',
			'-lcjson', '-lz', '-lm', '-lcurl', '-lexpat', '-lsqlite3']);
		if (link.status !== 0) throw new Error(link.stderr);
		return run(program, []).status !== 0;
	});
}
if (noticed(compiled.map(object))) throw new Error('a test fails without any change');

let made = 0, unnoticed = 0;
for (const file of sources)
	for (const m of mutants(file)) {
		const changed = path.join(folder, file), users = file.endsWith('.c') ? [file] : compiled;
		mkdirSync(path.dirname(changed), { recursive: true });
		writeFileSync(changed, m.text);
		const again = (f) => path.join(folder, `again_${f.replaceAll('/', '_')}.o`);
		const compiles = users.every((f) => compile(f, again(f), f === file ? changed : f));
		if (compiles) {
			made++;
			if (!noticed(compiled.filter((f) => !users.includes(f)).map(object), users.map(again))) {
				unnoticed++;
				console.log(`${m.where}\n  ${m.line.trim()}\n  ${m.changed.trim()}`);
			}
		}
		rmSync(changed);
	}
console.log(`${made} changes, ${unnoticed} that no test notices`);
rmSync(folder, { recursive: true });
process.exitCode = unnoticed ? 1 : 0;
