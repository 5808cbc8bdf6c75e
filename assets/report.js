// The page's script: draws the charts and links them, sorts tables, copies snippets. All that it shows is in
// the page without it as well. Text from the data enters the page by textContent alone, or on a canvas.
import scripted from 'scripted.css';
import { fromPaper, readChart, sizeOf, swap, toPaper } from './chart.js';
import { addLegend } from './legend.js';
import { lightPhases } from './marks.js';
import { button, forgetColours, make, printing, showTimes, utc } from './page.js';
import { charts, tools, view, whole } from './state.js';
import { followStrip } from './strip.js';
import { makeCopyable, makeSortable } from './tables.js';
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
	const zone = make('span', { class: 'group', role: 'group', 'aria-label': 'Times in' });
	const keys = [['UTC', true], ['Local time', false]].map(([text, value]) =>
		button(text, { class: 'pill', 'aria-pressed': value === utc }, () => {
			showTimes(value);
			keys.forEach((key, i) => key.setAttribute('aria-pressed', utc !== Boolean(i)));
			redraw(true);
		}));
	zone.append(...keys);
	const reset = button('Whole run', { class: 'pill', disabled: '' }, showWhole);
	const said = make('output', { class: 'unseen', 'aria-live': 'polite' });
	bar.replaceChildren(make('p', {}, 'Drag over a chart to zoom all of them, double-click for the '
		+ 'whole run. Click a name in a legend to hide or show its line.'), reset, zone, said);
	Object.assign(tools, { reset, said });
}

// Draws the charts after the first paint, in turns that keep the page responsive. The static pictures, which
// look the same, stay until all charts are painted: the browser then lays out and paints the page once. A
// chart that cannot be drawn keeps its picture. The await makes uPlot's microtasks part of the turn.
async function drawNext() {
	const end = performance.now() + TURN;
	let chart;
	do {
		chart = charts.find(({ plot, failed }) => !plot && !failed);
		if (chart)
			await tryDraw(chart);
	} while (chart && performance.now() < end);
	if (chart)
		setTimeout(drawNext);
	else if (!printing()) {
		charts.filter(({ painted }) => painted).forEach(swap);
		followStrip();
	}
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
		whole.min = Math.min(whole.min, data.from + data.x[0]);
		whole.max = Math.max(whole.max, data.from + data.x[data.x.length - 1]);
	}
	// A single sample has no width: make it a second.
	if (whole.min === whole.max) {
		whole.min -= 0.5;
		whole.max += 0.5;
	}
	Object.assign(view, whole);
	toolbar();
	charts.forEach(addLegend);
	charts.forEach(addKeys);
	// Read the sizes after the markup is complete: the browser lays the page out once.
	for (const chart of charts)
		chart.size = sizeOf(chart);
	if (follow())
		document.getElementById('charts').scrollIntoView({ behavior: 'instant' });
	if (document.hidden || performance.getEntriesByType('paint').length)
		drawNext();
	else
		requestAnimationFrame(() => setTimeout(drawNext));
	addEventListener('hashchange', follow);
	addEventListener('mouseup', () => setTimeout(clearSelections));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw(false));
	lightPhases();
	onPaper();
}

function onPaper() {
	const root = document.documentElement;
	let opened = [];
	addEventListener('beforeprint', () => {
		opened = [...document.querySelectorAll('details:not([open])')];
		for (const node of opened)
			node.open = true;
		root.classList.add('paper');
		forgetColours();
		for (const chart of charts)
			chart.draw() && toPaper(chart);
	});
	addEventListener('afterprint', () => {
		for (const node of opened)
			node.open = false;
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
makeCopyable();
