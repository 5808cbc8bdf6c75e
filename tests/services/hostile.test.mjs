// A long test: only make test-all runs it.
//
// The programs on files and answers that attack: one sentence that names the file and the place, a
// status that is not 0, and bounded memory and time. The large ones are made of a few gzip members,
// repeated, so that no test holds what it means.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';

const build = process.env.B ?? 'build/release';
const report = path.resolve(`${build}/rtrack-report`);
const collect = path.resolve(`${build}/rtrack-collect`);
const good = path.resolve('tests/fixtures/runs_report/now.json');
// With a sanitizer the address space cannot be limited, and what is large is made smaller.
const asan = readFileSync(report).includes('__asan_init');
const env = {
	...Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name) && !/^(RTRACK|SOURCE_DATE)_/.test(name)),
	),
};
const folder = mkdtempSync(path.join(os.tmpdir(), 'rtrack-hostile-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name) => path.join(folder, name);

// Runs it in so many MiB of address space, of which the program and its libraries are 64 or less, and in
// a minute of CPU time.
function run(program, args, { mib = 256, stdin = 'ignore', more = {} } = {}) {
	const limits = `ulimit -t 60; ${asan ? '' : `ulimit -v ${mib * 1024};`} exec "$@"`;
	return new Promise((resolve, reject) => {
		const child = spawn('bash', ['-c', limits, 'sh', program, ...args], {
			cwd: folder,
			env: { ...env, ...more },
			stdio: [stdin, 'pipe', 'pipe'],
		});
		const out = { stdout: '', stderr: '', child };
		child.stdout.on('data', (text) => (out.stdout += text));
		child.stderr.on('data', (text) => (out.stderr += text));
		child.on('error', reject);
		child.on('close', (status, signal) => resolve({ ...out, status, signal }));
	});
}

const render = (files, more) => run(report, ['--offline', '-o', 'o.html', ...files], more);

// One sentence, of this file.
function refused(r, name, sentence) {
	assert.equal(r.signal, null, r.stderr);
	assert.equal(r.status, 1, r.stderr);
	assert.match(r.stderr, /^rtrack-report: [^\n]*\n$/);
	assert.ok(r.stderr.startsWith(`rtrack-report: ${name}: `), r.stderr);
	assert.match(r.stderr, sentence);
	assert.equal(r.stdout, '');
}

// Members of gzip one after the other: [text, how often].
function members(name, parts) {
	const fd = openSync(file(name), 'w');
	for (const [text, times] of parts) {
		const member = gzipSync(text, { level: 9 });
		const block = Buffer.concat(Array(Math.min(times, 64)).fill(member));
		for (let left = times; left > 0; left -= 64)
			writeSync(fd, block, 0, member.length * Math.min(left, 64));
	}
	closeSync(fd);
	return name;
}

const MIB = 1 << 20;

describe('large recordings', { concurrency: 2 }, () => {
	for (const [what, name, head, filler, mib, sentence] of [
		// 10 GiB in 10 MB.
		['zeros', 'zeros.gz', '', '\0', 10240, /: byte 0: not a snapshot: expected an object$/m],
		['blanks', 'blanks.gz', '{"process_metrics":', ' ', asan ? 2 : 10240, asan ? /the JSON ends too early/ : /: more than 2048 MiB of content$/m],
		['a string of a gibibyte', 'string.gz', '{"x":"', 'a', 1024, /: byte 10485\d\d: a string that is too long$/m],
		['a key of a gibibyte', 'key.gz', '{"', 'a', 1024, /: byte 10485\d\d: a string that is too long$/m],
		['a name of a gibibyte', 'name.gz', '{"rtrack":{"job":{"name":"', 'a', 1024, /: byte 10486\d\d: a string that is too long$/m],
		['escapes of a gibibyte', 'escapes.gz', '{"rtrack":{"job":{"name":"', '\\n', 512, /: byte \d+: a string that is too long$/m],
		['a cell of a gibibyte', 'cell.gz', '{"process_metrics":{"timestamp":["', '\\u0041', 170, /: byte \d+: a string that is too long$/m],
		['a number of a gibibyte', 'number.gz', '{"process_metrics":{"timestamp":[', '1', 1024, /: byte \d+: a number that is too long$/m],
		['brackets', 'brackets.gz', '{"x":', '[', 1, /: byte 37: nested too deeply$/m],
		['braces', 'braces.gz', '{"rtrack":', '{"a":', 5, /: byte \d+: nested too deeply$/m],
		['rows of rows', 'nested.gz', '{"process_metrics":[', '[', 1, /: byte 20: expected an object$/m],
		['a list of notes', 'notes.gz', '{"rtrack":{"notes":[""', ',""', 64, /: byte \d+: a value that is too long$/m],
	])
		it(`${what}: ${name}`, async () => {
			const text = filler.repeat(MIB / filler.length);
			members(name, [[head, 1], [text, Math.ceil((mib * MIB) / text.length)]]);
			refused(await render([name], { mib: 96 }), name, sentence);
		});
	it('more rows than there may be', async () => {
		members('rows.gz', [['{"process_metrics":{"timestamp":[1', 1], [',1'.repeat(MIB), 17], [']}}', 1]]);
		refused(await render(['rows.gz'], { mib: 512 }), 'rows.gz', /timestamp: more than 4194304 rows$/m);
	});
	it('rows without number, each empty', async () => {
		members('empty.gz', [['{"process_metrics":[{}', 1], [',{}'.repeat(MIB / 4), asan ? 4 : 40], ['],"x":', 1]]);
		refused(await render(['empty.gz']), 'empty.gz', /: byte \d+: the JSON ends too early$/m);
	});
	it('ten million columns', async () => {
		const names = Array.from({ length: 100_000 }, (_, i) => `"column_${i}":[1,2],`).join('');
		const times = asan ? 5 : 100;
		const rest = '"timestamp":[1,2],"cpu_usage":[1,2]}}';
		members('columns.gz', [['{"process_metrics":{', 1], [names, times], [rest, 1]]);
		const r = await render(['columns.gz', '-j', 'columns.model'], { mib: 96 });
		assert.deepEqual([r.status, r.stderr], [0, '']);
		assert.equal(JSON.parse(readFileSync(file('columns.model'))).run.samples, 2);
	});
	it('a million members of one row', async () => {
		const names = Array.from({ length: 100_000 }, (_, i) => `"column_${i}":1,`).join('');
		const rest = '"timestamp":1,"cpu_usage":1}]}';
		members('row.gz', [['{"process_metrics":[{', 1], [names, asan ? 5 : 10], [rest, 1]]);
		const r = await render(['row.gz'], { mib: 96 });
		assert.deepEqual([r.status, r.stderr], [0, '']);
	});
	it('a million members of the head', async () => {
		const tags = Array.from({ length: 100_000 }, (_, i) => `"t${i}":"${i}",`).join('');
		members('tags.gz', [['{"rtrack":{"job":{"tags":{', 1], [tags, 10], ['"z":""}}}}', 1]]);
		refused(await render(['tags.gz']), 'tags.gz', /: byte \d+: a value that is too long$/m);
	});
	it('a model of millions of values, and one without end', async () => {
		members('values.gz', [['[0', 1], [',0'.repeat(MIB), 30], [']', 1]]);
		members('model.gz', [[' '.repeat(MIB), 128]]);
		for (const [name, sentence] of [
			['values.gz', /: the model has more than 1000000 values$/m],
			['model.gz', /: more than 64 MiB of content$/m],
		])
			refused(await run(report, ['--model', name, '-o', 'o.html']), name, sentence);
	});
	it('a journal with a tail of a terabyte', async () => {
		writeFileSync(file('job.partial'), 'rtrack-journal 1\n{"columns":["process_timestamp","process_cpu_usage"]}\n');
		truncateSync(file('job.partial'), 2 ** 40);
		refused(await render(['job.partial'], { mib: 96 }), 'job.partial', /: holds no samples$/m);
	});
	it('a sparse file of a terabyte', async () => {
		for (const [text, sentence] of [
			['', /: byte 0: not a snapshot: expected an object$/m],
			['{"x":"', /: byte 6: a NUL byte in a string$/m],
			['\x1f\x8b\x08\x08\0\0\0\0\0\xffname', /: damaged gzip data /m],
			['\x1f\x8b\x08\x04\0\0\0\0\0\xff\xff\xff', /: damaged gzip data /m],
		]) {
			writeFileSync(file('sparse'), text, 'latin1');
			truncateSync(file('sparse'), 2 ** 40);
			refused(await render(['sparse'], { mib: 96 }), 'sparse', sentence);
		}
	});
});

describe('odd recordings', () => {
	const rows = '"process_metrics":{"timestamp":[1,2],"cpu_usage":[1,2]}';
	for (const [what, text, sentence] of [
		['a byte order mark', `\xef\xbb\xbf{${rows}}`, /: byte 0: not a snapshot: expected an object$/m],
		['a NUL after it', `{${rows}}\0`, /: byte \d+: something follows the end of the JSON$/m],
		['the same member twice', `{${rows},${rows}}`, /: byte \d+: a member of the snapshot that appears twice$/m],
		['1e', '{"process_metrics":{"timestamp":[1e]}}', /: byte \d+: expected a number$/m],
		['+1', '{"process_metrics":{"timestamp":[+1]}}', /: byte \d+: expected a number$/m],
		['0x10', '{"process_metrics":{"timestamp":[0x10]}}', /: byte \d+: expected a number$/m],
		['01', '{"process_metrics":{"timestamp":[01]}}', /: byte \d+: expected a number$/m],
		['inf', '{"process_metrics":{"timestamp":[inf]}}', /: byte \d+: expected a number$/m],
		['a lone bracket', '{"process_metrics":{"timestamp":[1,2}}', /: byte \d+: expected a comma or a closing bracket$/m],
		['half a character', '{"rtrack":{"job":{"name":"\xe2\x82', /: byte \d+: the JSON ends too early$/m],
	])
		it(`${what} is refused`, async () => {
			writeFileSync(file('odd.json'), text, 'latin1');
			refused(await render(['odd.json']), 'odd.json', sentence);
		});
	it('what is not a number is not measured', async () => {
		const cells = 'NaN,Infinity,-Infinity,1e999,-1e999,null,"x",{},[1],true,-0,1e-400,0.5';
		writeFileSync(
			file('cells.json'),
			`{"process_metrics":{"timestamp":[1,2,3,4,5,6,7,8,9,10,11,12,13],"cpu_usage":[${cells}]}}`,
		);
		const r = await render(['cells.json', '-j', 'cells.model']);
		assert.deepEqual([r.status, r.stderr], [0, '']);
		const { process_cpu_usage: cpu } = JSON.parse(readFileSync(file('cells.model'))).columns;
		assert.deepEqual([cpu.n, cpu.min, cpu.max, cpu.sum], [3, -0, 0.5, 0.5]);
	});
	it('bytes that are not UTF-8, line ends of another system, keys twice', async () => {
		writeFileSync(
			file('bytes.json'),
			`{\r\n"rtrack":\r\n{"job":{"name":"a\xff\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80z","name":"b"}},\r\n` +
				`"process_metrics":{"timestamp":[1],"timestamp":[1,2],"cpu_usage":[1,2]}}\r\n`,
			'latin1',
		);
		const r = await render(['bytes.json', '-j', 'bytes.model']);
		assert.deepEqual([r.status, r.stderr], [0, '']);
		const model = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file('bytes.model'))));
		assert.equal(model.run.samples, 2);
		assert.match(model.run.name, /^a\ufffd+z$/);
	});
});

describe('what is not a file', () => {
	it('a folder, a device, a socket, a loop, a file that may not be read', async () => {
		mkdirSync(file('folder.json'));
		symlinkSync('loop.json', file('loop.json'));
		symlinkSync('nowhere.json', file('dangling.json'));
		writeFileSync(file('secret.json'), '{}', { mode: 0 });
		const server = net.createServer().unref().listen(file('socket.json'));
		await new Promise((resolve) => server.on('listening', resolve));
		for (const [name, sentence] of [
			['folder.json', /: a folder without snapshots$/m],
			['/dev/zero', /: is not a regular file$/m],
			['/dev/null', /: is not a regular file$/m],
			['socket.json', /: /],
			['loop.json', /: Too many levels of symbolic links$/m],
			['dangling.json', /: No such file or directory$/m],
			['missing.json', /: No such file or directory$/m],
			['good.json/x', /: (Not a directory|No such file or directory)$/m],
			['n'.repeat(300), /: File name too long$/m],
			...(process.getuid() === 0 ? [] : [['secret.json', /: Permission denied$/m]]),
		])
			refused(await render([name]), name, sentence);
		server.close();
		const unnamed = await render(['']);
		assert.deepEqual([unnamed.status, unnamed.stderr], [2, 'rtrack-report: the name of an input is empty\n']);
	});
	it('a pipe that never ends, and one that gives too little', async () => {
		execFileSync('mkfifo', [file('pipe')]);
		for (const [writer, sentence] of [
			[`printf '{"x":"'; exec cat /dev/zero`, /: byte 6: a NUL byte in a string$/m],
			[`printf '{"x":"'; exec tr '\\0' a </dev/zero`, /: byte 10485\d\d: a string that is too long$/m],
			[`printf '{"process_metrics":{"timestamp":[1'; exec yes ,1`, /: (timestamp: more than 4194304 rows|no memory|timestamp: no memory)/],
			[`printf '{"x":['`, /: byte 6: the JSON ends too early$/m],
			[':', /: holds no samples: it is empty$/m],
		]) {
			const child = spawn('bash', ['-c', `exec >pipe; ${writer}`], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
			refused(await render(['pipe'], { mib: 512 }), 'pipe', sentence);
			child.kill();
		}
	});
	it('an output that is a folder, or nowhere', async () => {
		for (const [name, sentence] of [
			['folder.json', /: Is a directory$/m],
			['nowhere/o.html', /: No such file or directory$/m],
		])
			refused(await run(report, ['--offline', '-o', name, good]), name, sentence);
	});
});

describe('damaged recordings', () => {
	// A small one, as the collector writes it, in every way damaged, all in one call.
	const snapshot = () =>
		gzipSync(
			JSON.stringify({
				metadata: { version: 1, interval: 1, start_time: 100, stop_time: 103 },
				server_info: { os: 'Linux', vcpus: 2, memory_mb: 4096 },
				rtrack: { job: { name: 'job', argv: ['sh'] }, exit: { code: 0, cause: 'exited' } },
				process_metrics: { timestamp: [101, 102, 103], cpu_usage: [0.5, 1, 1.5], memory: [1, 2, 3] },
				system_metrics: { timestamp: [101, 102, 103], cpu_usage: [1, 1, 2] },
			}),
		);
	async function all(name, damaged) {
		mkdirSync(file(name));
		for (const [i, bytes] of damaged.entries()) writeFileSync(file(`${name}/${i}.json.gz`), bytes);
		copyFileSync(good, file(`${name}/good.json`));
		const r = await render(['--current', `${name}/good.json`, name, '-j', `${name}.model`]);
		assert.equal(r.signal, null);
		assert.equal(r.status, 4);
		const lines = r.stderr.trimEnd().split('\n');
		for (const line of lines) assert.match(line, new RegExp(`^rtrack-report: ${name}/\\d+\\.json\\.gz: `));
		assert.equal(new Set(lines.map((line) => line.split(':')[1])).size, lines.length);
		return { lines, model: JSON.parse(readFileSync(file(`${name}.model`))) };
	}
	it('cut at every byte', async () => {
		const whole = snapshot();
		const { lines, model } = await all('cut', Array.from({ length: whole.length }, (_, n) => whole.subarray(0, n)));
		assert.equal(lines.length, whole.length);
		assert.equal(model.has_inputs_left_out, true);
	});
	it('cut at every byte of its text', async () => {
		const text = Buffer.from(JSON.stringify({ process_metrics: { timestamp: [1], cpu_usage: [0.25] } }));
		const { lines } = await all('text', Array.from({ length: text.length }, (_, n) => text.subarray(0, n)));
		assert.equal(lines.length, text.length);
	});
	it('with every bit of every byte turned', async () => {
		const whole = snapshot();
		const turned = [];
		for (let i = 0; i < whole.length; i++)
			for (let bit = 0; bit < 8; bit += asan ? 3 : 1) {
				const copy = Buffer.from(whole);
				copy[i] ^= 1 << bit;
				turned.push(copy);
			}
		const { lines } = await all('turned', turned);
		// The header's time and system may say anything; the checksum sees all else.
		assert.ok(lines.length >= turned.length - 8 * 8 && lines.length < turned.length, `${lines.length} of ${turned.length}`);
	});
	it('ten thousand on a command line, and one more', async () => {
		const most = asan ? 500 : 10_000;
		const names = Array.from({ length: most }, (_, i) => `many/${i}.json`);
		mkdirSync(file('many'));
		for (const [i, name] of names.entries())
			writeFileSync(file(name), i % 2 ? '{' : `{"metadata":{"start_time":${i}},"process_metrics":{"timestamp":[${i}],"cpu_usage":[1]}}`);
		const r = await render([...names, '-j', 'many.model'], { mib: 512 });
		assert.equal(r.status, 4, r.stderr.slice(0, 500));
		assert.equal(r.stderr.trimEnd().split('\n').length, most / 2);
		assert.equal(JSON.parse(readFileSync(file('many.model'))).run.file, `${most - 2}.json`);
		if (asan) return;
		const over = await render([...names, good], { mib: 512 });
		assert.equal(over.status, 1);
		assert.match(over.stderr, /^rtrack-report: more than 10000 recordings; rtrack-fleet reads them all, /m);
	});
});

describe('a journal of a stranger', () => {
	const head = 'rtrack-journal 1\n';
	for (const [name, text, sentence] of [
		['nothing.partial', '', /: no complete sample$/m],
		['headless.partial', head, /: the header of the journal is incomplete or invalid$/m],
		['columns.partial', `${head}{"columns":[]}\n`, /: no complete sample$/m],
		['endless.partial', `${head}{"columns":["${'a'.repeat(20 * MIB)}`, /: the header of the journal is incomplete or invalid$/m],
		['many.partial', `${head}{"columns":[${'"a",'.repeat(MIB)}"a"]}\n`, /: the header of the journal is incomplete or invalid$/m],
		['deep.partial', `${head}{"columns":${'['.repeat(50000)}\n`, /: the header of the journal is incomplete or invalid$/m],
		['zeros.partial', `${head}{"columns":["process_cpu_usage"]}\n${'\0'.repeat(MIB)}`, /: no complete sample$/m],
	])
		it(`is not recovered: ${name}`, async () => {
			writeFileSync(file(name), text);
			const r = await run(collect, ['--recover', name, '-o', `${name}.gz`], { mib: 64 });
			assert.deepEqual([r.status, r.signal, r.stdout], [1, null, '']);
			assert.match(r.stderr, new RegExp(`^rtrack-collect: ${name}: [^\n]*\n$`));
			assert.match(r.stderr, sentence);
			assert.equal(readFileSync(file(name), 'latin1'), text);
			assert.throws(() => readFileSync(file(`${name}.gz`)));
		});
	it('is what no file is', async () => {
		mkdirSync(file('folder.partial'));
		execFileSync('mkfifo', [file('pipe.partial')]);
		for (const name of ['folder.partial', 'pipe.partial', '/dev/zero', 'none.partial']) {
			const r = await run(collect, ['--recover', name, '-o', 'x.gz'], { mib: 64 });
			assert.equal(r.status, 1, name);
			assert.match(r.stderr, new RegExp(`^rtrack-collect: ${name}: [^\n]*\n$`));
		}
	});
});

// -- services --------------------------------------------------------------------------------------

// Answers on each connection once something was asked, as `answer` does; {url, close, connections}.
async function serve(answer) {
	const all = new Set();
	let connections = 0;
	const server = net.createServer((socket) => {
		connections++;
		all.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => all.delete(socket));
		socket.once('data', () => answer(socket));
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		connections: () => connections,
		close: () => {
			for (const socket of all) socket.destroy();
			server.close();
		},
	};
}

// Writes block again and again, as fast as it is taken.
function endless(head, block) {
	return (socket) => {
		const more = () => {
			while (!socket.destroyed && socket.write(block));
			if (!socket.destroyed) socket.once('drain', more);
		};
		socket.write(head);
		more();
	};
}

// A byte now and then, without end.
function drip(head, ms) {
	return (socket) => {
		socket.write(head);
		const timer = setInterval(() => socket.write(' '), ms);
		socket.on('close', () => clearInterval(timer));
	};
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunk = `10000\r\n${' '.repeat(65536)}\r\n`;
const attacks = {
	'an answer without end': endless(`${ok}\r\n`, ' '.repeat(65536)),
	'chunks without end': endless(`${ok}transfer-encoding: chunked\r\n\r\n`, chunk),
	'an answer of a gibibyte': endless(`${ok}content-length: 1073741824\r\n\r\n`, ' '.repeat(65536)),
	'gzip without end': endless(`${ok}content-encoding: gzip\r\n\r\n`, gzipSync(' '.repeat(MIB))),
	'headers without end': endless(ok, `x: ${'y'.repeat(1000)}\r\n`),
	'one header without end': endless(`${ok}x: `, 'y'.repeat(65536)),
	'answers that are to come': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
	'a byte now and then': drip(`${ok}content-length: 1000000\r\n\r\n`, 250),
	'a byte of a header now and then': drip(`${ok}x: `, 250),
	'a length below zero': (socket) => socket.end(`${ok}content-length: -1\r\n\r\n[]`),
	'a chunk of 2^64 bytes': (socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n[]`),
	'no HTTP at all': (socket) => socket.end('\0\xff SSH-2.0\r\n'),
};

describe('a Keeper that attacks', { concurrency: 6 }, () => {
	for (const [what, answer] of Object.entries(attacks))
		it(what, async () => {
			const service = await serve(answer);
			const name = `keeper-${what.replace(/\W/g, '_')}`;
			const r = await run(report, ['--keeper-url', service.url, '--keeper-cache', '', '-o', `${name}.html`, '-j', `${name}.model`, good]);
			service.close();
			const { prices } = JSON.parse(readFileSync(file(`${name}.model`)));
			assert.deepEqual([r.status, r.stderr], [0, `rtrack-report: no prices: ${prices.why.replace('The cheapest servers are unknown: ', '')}\n`]);
			assert.equal(prices.known, false);
			assert.match(prices.why, /^The cheapest servers are unknown: .*127\.0\.0\.1:/);
			assert.ok(service.connections() > 0);
		});
	for (const status of [301, 302, 303, 307, 308])
		it(`sends elsewhere, with ${status}`, async () => {
			const other = await serve((socket) => socket.end(`${ok}\r\n[]`));
			const service = await serve((socket) => socket.end(`HTTP/1.1 ${status} X\r\nlocation: ${other.url}/servers\r\ncontent-length: 0\r\n\r\n`));
			const name = `redirect-${status}`;
			const r = await run(report, ['--keeper-url', service.url, '--keeper-cache', '', '-o', `${name}.html`, '-j', `${name}.model`, good]);
			service.close();
			other.close();
			const { prices } = JSON.parse(readFileSync(file(`${name}.model`)));
			assert.deepEqual([r.status, r.stderr], [0, `rtrack-report: no prices: ${prices.why.replace('The cheapest servers are unknown: ', '')}\n`]);
			assert.equal(other.connections(), 0);
			assert.match(prices.why, /redirect/);
		});
});

describe('a metadata service that attacks', { concurrency: 6 }, () => {
	for (const [what, answer] of Object.entries(attacks))
		it(what, async () => {
			const service = await serve(answer);
			const name = `cloud-${what.replace(/\W/g, '_')}.json`;
			const r = await run(collect, ['-q', '--cgroup', 'off', '-o', `${name}.gz`, '--', 'sh', '-c', 'sleep 0.3; exit 7'], {
				mib: 64,
				more: { RTRACK_METADATA_BASE: service.url },
			});
			service.close();
			assert.deepEqual([r.status, r.stderr], [7, '']);
			const model = await run(report, ['--offline', '-j', '-', `${name}.gz`]);
			assert.equal(JSON.parse(model.stdout).cloud.known, false);
		});
});
