// The page's script: draws the charts and links them, sorts tables, copies snippets. All that it shows is in
// the page without it as well. Text from the data enters the page by textContent alone, or on a canvas.
import scripted from 'scripted.css';
import { fromPaper, readChart, sizeOf, swap, toPaper } from './chart.js';
import { addLegend } from './legend.js';
import { lightPhases } from './marks.js';
import { button, forgetColours, make, printing } from './page.js';
import { charts, showsWhole, tools, view, whole } from './state.js';
import { followStrip } from './strip.js';
import { makeCopyable, makeSearchable, makeSortable } from './tables.js';
import { showTimes, times } from './times.js';
import { followRuns } from './trend.js';
import { unpacked } from './unpacked.js';
import { addKeys, clearSelections, readAddress, show, showWhole } from './view.js';

// Milliseconds of drawing before the page gets a turn.
const TURN = 30;

function redraw(axesToo) {
	forgetColours();
	for (const { plot } of charts)
		plot?.redraw(false, axesToo);
}

function toolbar() {
	const bar = document.getElementById('chart-tools');
	const zone = make('span', { class: 'group', role: 'group', 'aria-label': 'Times' });
	const kinds = [['Elapsed', 'elapsed'], ['UTC', 'utc'], ['Local time', 'local']];
	const keys = kinds.map(([text, kind]) =>
		button(text, { class: 'pill', 'aria-pressed': kind === times }, () => {
			showTimes(kind);
			keys.forEach((key, i) => key.setAttribute('aria-pressed', kinds[i][1] === kind));
			redraw(true);
			followStrip();
		}));
	zone.append(...keys);
	const reset = button('Whole run', { class: 'pill', disabled: '' }, showWhole);
	const said = make('output', { class: 'unseen', 'aria-live': 'polite' });
	bar.replaceChildren(make('p', {}, 'Drag to zoom.'), reset, zone, said);
	Object.assign(tools, { reset, said });
}

// Draws the charts that are near, in turns that keep the page responsive. The static pictures, which look the
// same, stay until all of these are painted: the browser then lays out and paints the page once. A chart that
// cannot be drawn keeps its picture. The await makes uPlot's microtasks part of the turn.
async function drawNext() {
	const end = performance.now() + TURN;
	let chart;
	do {
		chart = charts.find(({ near, plot, failed }) => near && !plot && !failed);
		if (chart)
			await tryDraw(chart);
	} while (chart && performance.now() < end);
	if (chart)
		setTimeout(drawNext);
	else if (!printing())
		charts.filter(({ painted }) => painted).forEach(swap);
}

// A chart is drawn when it is at most a screen away. The browser says so after the first paint.
function drawWhenNear() {
	const observer = new IntersectionObserver(entries => {
		const sections = entries.filter(entry => entry.isIntersecting).map(({ target }) => target);
		const found = charts.filter(({ section }) => sections.includes(section));
		for (const chart of found) {
			observer.unobserve(chart.section);
			chart.size = sizeOf(chart);
			chart.near = true;
		}
		if (found.length)
			drawNext();
	}, { rootMargin: '100%' });
	for (const { section } of charts)
		observer.observe(section);
}

function tryDraw(chart) {
	try {
		chart.draw();
	} catch (e) {
		chart.failed = true;
		reportError(e);
	}
}

function follow() {
	const asked = readAddress();
	if (asked)
		show(asked);
	return asked;
}

// What an element of the page holds: the points of all charts in its order, or the recording.
async function read(id) {
	try {
		return await unpacked(document.getElementById(id).textContent);
	} catch {
		return null;
	}
}

async function start() {
	const [points, recording] = await Promise.all(['points', 'rtrack-recording'].map(read));
	charts.push(...[...document.querySelectorAll('[data-chart]')]
		.map((section, i) => readChart(section, points?.[i], recording?.rtrack?.overview)).filter(Boolean));
	if (!charts.length)
		return;
	for (const { data } of charts) {
		whole.min = Math.min(whole.min, data.from);
		whole.max = Math.max(whole.max, data.from + data.x[data.x.length - 1]);
	}
	// The span of the still pictures.
	const [from, span] = ['start', 'duration'].map(key => Number(document.getElementById('times')?.dataset[key]));
	if (span > 0 && Math.abs(from) < 1e11) {
		whole.min = Math.min(whole.min, from);
		whole.max = Math.max(whole.max, from + span);
	}
	// A single sample has no width: make it a second.
	if (whole.min === whole.max)
		whole.max += 1;
	Object.assign(view, whole);
	toolbar();
	charts.forEach(addLegend);
	charts.forEach(addKeys);
	if (follow())
		document.getElementById('charts').scrollIntoView({ behavior: 'instant' });
	drawWhenNear();
	addEventListener('hashchange', follow);
	addEventListener('mouseup', () => setTimeout(clearSelections));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw(false));
	lightPhases();
	onPaper();
}

function onPaper() {
	const root = document.documentElement;
	addEventListener('beforeprint', () => {
		root.classList.add('paper');
		forgetColours();
		// What is not drawn yet has its static picture, which shows the whole run.
		for (const chart of charts)
			if (chart.plot || !chart.still || !showsWhole())
				chart.draw() && toPaper(chart);
	});
	addEventListener('afterprint', () => {
		root.classList.remove('paper');
		redraw(false);
		charts.forEach(fromPaper);
	});
}

const look = new CSSStyleSheet();
look.replaceSync(scripted);
document.adoptedStyleSheets = [look];
start();
makeSortable();
makeSearchable('processes');
makeCopyable();
followRuns();
