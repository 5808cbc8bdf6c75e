// A long test: only make test-all runs it.
// A page of --watch: it reloads itself while the job runs, without a script, and stops when the job has ended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'node:test';
import { PATIENCE, REPORT, visit } from './page.mjs';

const COLLECT = join(dirname(REPORT), 'rtrack-collect');

async function until(what, ready) {
	for (const end = Date.now() + PATIENCE; !await ready(); await sleep(100))
		assert.ok(Date.now() < end, what);
}

for (const javaScriptEnabled of [true, false])
	test(`it reloads until the job has ended, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rtrack-watch-'));
		const runs = join(folder, 'runs'), go = join(folder, 'go'), file = join(folder, 'page.html');
		mkdirSync(runs);
		const job = spawn(COLLECT, ['-q', '--no-discover-cloud', '-i', '0.2', '--name', 'train', '-o', join(runs, 'a.json.gz'),
			'--', 'sh', '-c', `until [ -e '${go}' ]; do sleep 0.1; done`], { stdio: 'inherit' });
		const watch = spawn(REPORT, ['--offline', '--watch', '-o', file, runs], { stdio: 'inherit' });
		const ended = new Promise(resolve => watch.on('exit', resolve));
		try {
			await until('a page', () => existsSync(file));
			const { page, problems, requests, close } = await visit(file, { wait: false, javaScriptEnabled });
			let loads = 0;
			page.on('load', () => loads++);
			assert.match(await page.title(), /^train: running/);
			const text = () => page.locator('#verdict').innerText().catch(() => '');
			assert.match(await text(), /still running/);
			await until('two reloads', () => loads >= 2);
			writeFileSync(go, '');
			assert.equal(await ended, 0);
			await until('the page of the end', async () => /finished/.test(await page.title().catch(() => '')));
			assert.match(await text(), /finished/i);
			const then = loads, size = statSync(file).size;
			await sleep(7000);
			assert.equal(loads, then, 'it reloads no more');
			assert.equal(statSync(file).size, size);
			assert.deepEqual(problems, []);
			assert.ok(requests.every(url => url.startsWith('file:') || url.startsWith('data:')), requests.join());
			await close();
		} finally {
			writeFileSync(go, '');
			watch.kill('SIGKILL');
			await new Promise(resolve => job.exitCode === null ? job.on('exit', resolve) : resolve());
			rmSync(folder, { recursive: true, force: true });
		}
	});
