// The time line of the processes: complete without script, zooms with the charts; and the trace that speedscope opens.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { PATIENCE, REPORT, drag, recorded, rows, settled, shown, texts, visit } from './page.mjs';
import { poisoned, recording, tree } from './runs.mjs';

const SPEEDSCOPE = fileURLToPath(new URL('../../node_modules/speedscope/dist/release/index.html', import.meta.url));
const titles = page => page.locator('#timeline title').evaluateAll(all => all.map(node => node.textContent));
const section = file => readFileSync(file, 'utf8').match(/<div class=chart id=timeline>[^]*?<\/div>/)?.[0] ?? '';

// A recording of these processes alone.
const of = (seconds, processes) => {
	const run = recording(seconds);
	run.rtrack.tree = processes;
	return run;
};

for (const javaScriptEnabled of [true, false])
	test(`bars, key, path and table, ${javaScriptEnabled ? 'with' : 'without'} script`, async () => {
		const { file } = recorded(recording(600));
		const { page, problems, close } = await visit(file, { javaScriptEnabled });
		assert.match((await texts(page, '#processes > p'))[1], /^Critical path: worker 43% of the time, cc1 27%, gzip 14%, ld/);
		const said = await titles(page);
		assert.equal(said.length, 10 - 2 + 1, 'two wrappers have no bar, and the short ones are one');
		assert.ok(said.includes('cc × 60: 2 min to 2 min 36 s; CPU time 1 min 40 s'), said.join('\n'));
		assert.ok(said.some(text => /^sh › cc1: .*; signal KILL$/.test(text)));
		assert.deepEqual(await page.locator('#timeline svg text').filter({ hasText: '✗' }).allTextContents(),
			['✗ cc1', '✗ worker']);
		const table = await rows(page, '#processes .who');
		assert.deepEqual(table.find(row => row[0].startsWith('ld')), ['ld 4251, exit 0ld -o /tmp/app a.o b.o', '9 min',
			'59.4 s', '≥ 59.4 s', '9.00 MiB', '–', '–', '59.4 s', '']);
		assert.equal(await page.locator('#timeline > p').textContent().then(text => text.match(/×/g).length), 7);
		assert.deepEqual(problems, []);
		await close();
	});

// The texts of the axis of a chart, and of the picture in an element, each with its place, as a share of the axis.
const axisOf = page => page.evaluate(() => {
	const canvas = document.querySelector('[data-chart=cpu] canvas'), over = document.querySelector('[data-chart=cpu] .u-over');
	const plot = over.getBoundingClientRect(), ratio = canvas.width / canvas.clientWidth, left = plot.left - canvas.getBoundingClientRect().left;
	const chart = canvas.written.filter(({ text, y }) => y > canvas.height - 44 * ratio && !/^\d{4}-/.test(text))
		.map(({ text, x }) => [text, (x / ratio - left) / plot.width]);
	const pictures = ['#strip', '#timeline'].map(id => {
		const box = document.querySelector(`${id} [data-from]`), start = box.getScreenCTM().e, width = box.width.baseVal.value;
		return { box: [start, start + width], ticks: [...document.querySelectorAll(`${id} .ticks text`)].filter(node => node.checkVisibility())
			.map(node => [node.textContent, (node.x.baseVal[0].value) / width]) };
	});
	return [{ box: [plot.left, plot.right], ticks: chart }, ...pictures];
});

// Notes what is written on each canvas since it was last cleared, and where.
function listen() {
	const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
	Object.assign(CanvasRenderingContext2D.prototype, {
		clearRect(...args) {
			this.canvas.written = [];
			clearRect.apply(this, args);
		},
		fillText(text, x, y) {
			const { e, f } = this.getTransform();
			if (text)
				(this.canvas.written ??= []).push({ text, x: x + e, y: y + f });
			fillText.call(this, text, x, y);
		},
	});
}

for (const width of [1440, 1024, 390])
	test(`${width} wide: states, charts and processes have one time axis, with the start of the run at its left edge`, async () => {
		const { page, problems, close } = await visit(recorded(recording(600)).file, { viewport: { width, height: 900 }, before: listen });
		const same = async expected => {
			await settled(page);
			const [chart, ...pictures] = await axisOf(page);
			assert.deepEqual(chart.ticks.map(([text]) => text), expected);
			for (const { box, ticks } of pictures) {
				assert.ok(box.every((x, i) => Math.abs(x - chart.box[i]) <= 1), `${box} is not ${chart.box}`);
				assert.deepEqual(ticks.map(([text]) => shown(text)), expected);
				assert.ok(ticks.every(([, x], i) => Math.abs(x - chart.ticks[i][1]) < 0.01), `${ticks} ${chart.ticks}`);
			}
			return chart.ticks;
		};
		const few = all => (width < 512 ? all.filter((_, i) => i % 2 === 0) : all);
		const whole = await same(few(['0', '2 min', '4 min', '6 min', '8 min', '10 min']));
		assert.ok(Math.abs(whole[0][1]) < 0.001);
		await page.getByRole('button', { name: 'UTC', exact: true }).click();
		await same(few(['04:12', '04:14', '04:16', '04:18', '04:20']));
		await page.getByRole('button', { name: 'Elapsed' }).click();
		await page.evaluate(() => {
			location.hash = 't=120,180';
		});
		await same(few(['120 s', '130 s', '140 s', '150 s', '160 s', '170 s', '180 s']));
		await page.getByRole('button', { name: 'Whole run' }).click();
		assert.deepEqual(await same(whole.map(([text]) => text)), whole);
		assert.deepEqual(problems, []);
		await close();
	});

test('it shows the time that the charts show', async () => {
	const { page, close } = await visit(recorded(recording(600)).file);
	const place = () => page.locator('#timeline title').filter({ hasText: /^ld/ }).evaluate(node => {
		const bar = node.nextElementSibling.getBoundingClientRect(), plot = node.closest('[data-from]');
		return [bar.left, bar.right].map(x => (x - plot.getScreenCTM().e) / plot.width.baseVal.value);
	});
	const near = (got, expected) => assert.ok(got.every((v, i) => Math.abs(v - expected[i]) < 0.01), `${got} ${expected}`);
	near(await place(), [0.9, 0.999]);
	await drag(page, 'cpu', 0.4, 0.9);
	near(await place(), [1, 1.2]);
	await page.getByRole('button', { name: 'Whole run' }).click();
	await settled(page);
	near(await place(), [0.9, 0.999]);
	await close();
});

test('there is none for one process, and none without processes', () => {
	const alone = tree(600, 0);
	for (const key of ['pid', 'parent', 'start_s', 'end_s', 'cpu_s', 'memory_bytes', 'status', 'name', 'command'])
		alone[key] = alone[key].slice(0, 1);
	for (const processes of [undefined, { ...alone, n: 1, kept: 1 }])
		assert.equal(section(recorded(of(600, processes)).file), '');
});

test('names from the job are text', async () => {
	const { page, problems, close } = await visit(recorded(poisoned(recording(60))).file);
	assert.ok((await titles(page)).some(text => text.includes('<script>')));
	assert.equal(await page.evaluate(() => window.pwned), undefined);
	assert.deepEqual(problems, []);
	await close();
});

test('a page of a page has the same tables and time line, or says that the recording has it', () => {
	const again = (run, name) => {
		const { file, model } = recorded(run);
		execFileSync(REPORT, ['--offline', '--json', `${file}.${name}`, file]);
		return { first: model, second: JSON.parse(readFileSync(`${file}.${name}`)) };
	};
	const few = again(recording(600), 'few');
	assert.deepEqual(few.second.timeline, few.first.timeline);
	const told = ({ processes: { rows, more, names, more_names } }) => [...rows, ...more, ...names, ...more_names]
		.map(({ name, pid, cpu, memory, states }) => [name, pid, cpu.text, memory.text, states?.text]);
	assert.deepEqual(told(few.second), told(few.first));
	const { tree: _, ...older } = recording(600).rtrack;
	older.processes.others = [{ name: 'sh', count: 9, cpu_s: 1.5, peak_rss_bytes: 5e6 }];
	const old = again({ ...recording(600), rtrack: older }, 'old');
	assert.ok(old.first.processes.names.some(({ name, count }) => name === 'sh' && count.value >= 9));
	assert.deepEqual(told(old.second), told(old.first));
	const many = again(of(600, tree(600, 400)), 'many');
	assert.equal(many.first.timeline.known, true);
	assert.equal(many.second.timeline.known, false);
	assert.deepEqual(told(many.second), told(many.first));
	assert.ok(many.second.notes.some(text => /^The time line of the processes is not here/.test(text)));
});

// A build of three days whose 100,000 processes have names and commands of their own.
test('the largest time line takes at most 40 KB', () => {
	const many = tree(259200, 0), kept = 20000;
	const names = Array.from({ length: 2000 }, (_, i) => `tool-${i * 7919 % 2000}`);
	const commands = Array.from({ length: 4000 }, (_, i) => `/usr/bin/tool --input ${i * 104729 % 99991} --x ${'v'.repeat(i % 200)}`);
	const at = i => 13 * i % 259000;
	const column = f => Array.from({ length: kept }, (_, i) => f(i));
	const { file } = recorded(of(3600, { ...many, n: 100000, kept, names, commands, pid: column(i => i + 9),
		parent: column(i => (i < 9 ? -1 : i % 9)), start_s: column(at), end_s: column(i => at(i) + 1 + (i * 7919 % 2003)),
		cpu_s: column(i => i % 90), memory_bytes: column(i => i * 9973), status: column(i => i % 3), name: column(i => i % 2000),
		command: column(i => (i < 4000 ? i : -1)) }));
	const size = gzipSync(section(file)).length;
	assert.ok(size > 1000 && size <= 40000, `${size}`);
});

test('speedscope opens the trace', async () => {
	const { file } = recorded(recording(600));
	const trace = file.replace('.html', '.trace');
	execFileSync(REPORT, ['--offline', '--trace', trace, file.replace('.html', '.json')]);
	const { page, problems, close } = await visit(SPEEDSCOPE, { wait: false });
	await page.setInputFiles('input[type=file]', trace);
	// Its head names the profile: the processes of the first lane, and the phases are one of the others.
	await page.getByText(/^processes \(pid 1, tid 1\)/).first().waitFor({ timeout: PATIENCE });
	assert.match(await page.evaluate(() => document.body.innerText), /\(1\/\d+\)/);
	assert.deepEqual(problems.filter(text => !/WebGL|GL Driver|speedscope v|Importing as Trace Event Format|^console: import: /.test(text)), []);
	await close();
});
