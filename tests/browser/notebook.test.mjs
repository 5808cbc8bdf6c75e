// A long test: only make test-all runs it.
//
// A notebook that shows what the Python module recorded, executed and made into HTML by the real Jupyter.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { after } from 'node:test';
import { PATIENCE, REPORT, coloured, drawn, settled, visit } from './page.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rtrack-notebook-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const CELLS = [
	// The names are as hostile as those of a user.
	`import rtrack, time
@rtrack.track(interval=0.1, options=["--name", "a \\"b\\" & <i>c</i>'"])
def train(seconds):
    block = bytearray(100 * 2**20)
    end = time.process_time() + seconds
    while time.process_time() < end: pass
train`,
	'train(1); train',
	'rtrack.ResourceTracker(autostart=False)',
	't = rtrack.ResourceTracker(interval=0.1); t.wait_for_samples(3); t',
	't.stop(); t.report(offline=True)',
	'@rtrack.track(interval=0.1, show=True)\ndef shown(): time.sleep(0.3)\nshown()',
	'with rtrack.Tracker(sleep_time=0.1) as g: time.sleep(0.3)\ng',
];
const FRAMES = [/^a "b" & <i>c<\/i>': finished · rtrack report$/, /: running/, /rtrack report$/, /^shown: finished/, /: finished/];

const skip = (() => {
	try {
		execFileSync('sh', ['-c', 'command -v jupyter jupyter-nbconvert && /usr/bin/python3 -c "import ipykernel"'], { stdio: 'pipe' });
		return false;
	} catch {
		return 'jupyter-nbconvert is not installed';
	}
})();

// The notebook as a page of its own; made once.
let made;
function notebook() {
	if (made)
		return made;
	const cell = (source, i) => ({ cell_type: 'code', execution_count: null, id: `c${i}`, metadata: {}, outputs: [], source });
	const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' };
	writeFileSync(join(folder, 'my.ipynb'),
		JSON.stringify({ cells: CELLS.map(cell), metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }));
	const env = { ...process.env, HOME: folder, PATH: `${dirname(REPORT)}${delimiter}${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1',
		PYTHONPATH: join(ROOT, 'packaging/python'), PYDEVD_DISABLE_FILE_VALIDATION: '1' };
	const [, recipe] = /The whole notebook, as a job: `(.*)`/.exec(readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8'));
	execFileSync('sh', ['-c', recipe], { cwd: folder, env, stdio: 'pipe' });
	// Scripts that the notebook brings from elsewhere are of no concern here.
	const file = join(folder, 'my.html');
	writeFileSync(file, readFileSync(file, 'utf8').replace(/<script src="[^"]*">\s*<\/script>/g, ''));
	return made = file;
}

// A browser draws nothing in a frame that is out of sight.
async function seen(frame) {
	await (await frame.frameElement()).scrollIntoViewIfNeeded();
	await drawn(frame);
}

// Where the first chart is, which is in sight then.
async function plotOf(frame) {
	const plot = frame.locator('.u-over').first();
	await plot.evaluate(node => node.scrollIntoView({ block: 'center', behavior: 'instant' }));
	await settled(frame);
	return plot.boundingBox();
}

async function open(options) {
	const all = await visit(notebook(), options);
	const frames = all.page.frames().slice(1);
	assert.equal(frames.length, FRAMES.length);
	for (const frame of frames)
		await seen(frame);
	return { ...all, frames };
}

test('each tracker is shown as its page', { skip }, async () => {
	const { page, frames, problems, requests, close } = await open();
	for (const [i, frame] of frames.entries()) {
		assert.match(await frame.title(), FRAMES[i]);
		assert.ok((await frame.locator('#verdict').innerText()).length > 20);
		assert.ok(await frame.locator('.known.drawn').count() > 2);
		assert.deepEqual(await frame.evaluate(() => window.violations), []);
		assert.equal(await frame.evaluate(() => {
			try {
				return parent.document.title;
			} catch {
				return 'not for it';
			}
		}), 'not for it');
		const lines = async () => (await coloured(await page.screenshot(), [await plotOf(frame)]))[0];
		for (const end = Date.now() + PATIENCE; await lines() < 50;)
			assert.ok(Date.now() < end, `frame ${i} has a chart`);
	}
	const texts = await page.locator('.jp-OutputArea-output p').allInnerTexts();
	assert.deepEqual(texts, ['train was not called yet.', 'Nothing is recorded: the tracker was not started.']);
	assert.equal(await page.getByText('Traceback').count(), 0);
	assert.deepEqual(problems, []);
	assert.ok(requests.every(url => url.startsWith('file:') || url.startsWith('data:')), requests.join());
	await close();
});

test('the whole notebook is recorded as a job', { skip }, () => {
	notebook();
	const text = execFileSync(REPORT, ['--offline', '--text', '-', join(folder, 'notebook.json.gz')], { encoding: 'utf8' });
	assert.match(text, /finished with exit status 0/);
	// train() took a second of CPU time, in the kernel.
	const model = execFileSync(REPORT, ['--offline', '--json', '-', join(folder, 'notebook.json.gz')], { encoding: 'utf8' });
	const { process_cpu_usage: cpu, timestamp } = JSON.parse(model).statistics.now;
	assert.ok(cpu.mean * timestamp.duration > 1, `${cpu.mean} cores`);
});

test('in its frame a page can be used: its links, its buttons, its charts', { skip }, async () => {
	const { page, frames: [frame], problems, close } = await open();
	await seen(frame);
	const title = await frame.title();
	await frame.locator('nav a[href="#charts"]').click();
	await frame.waitForFunction(() => scrollY > 500);
	const place = await plotOf(frame);
	await page.mouse.move(place.x + place.width * 0.3, place.y + 50);
	await page.mouse.down();
	await page.mouse.move(place.x + place.width * 0.6, place.y + 50, { steps: 5 });
	await page.mouse.up();
	await frame.getByRole('button', { name: 'Whole run' }).click();
	await frame.evaluate(() => {
		for (const node of document.querySelectorAll('details'))
			node.open = true;
	});
	const copy = frame.locator('.snippet button').first();
	await copy.click();
	await frame.locator('.snippet button', { hasText: /^Copied$/ }).first().waitFor();
	assert.equal(await frame.title(), title);
	assert.equal(page.frames().length, 1 + FRAMES.length);
	assert.deepEqual(problems, []);
	await close();
});

for (const width of [400, 1280])
	test(`dark, and ${width} px wide`, { skip }, async () => {
		const { frames: [frame], close } = await open({ colorScheme: 'dark', viewport: { width, height: 800 } });
		assert.ok(await frame.evaluate(() =>
			getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number)[0]) < 50);
		assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it does not scroll sideways');
		await close();
	});
