// What the page does where scripts run: draws the charts, links them, sorts tables, copies lines.
// Everything it shows is also in the page without it. Text from the data goes into the page by
// textContent alone, or onto a canvas. The build joins these files in the Makefile's order into one
// function, and drops lines that are only a comment, indentation, and blanks.
// Milliseconds of drawing at a time.
const TURN = 30;

function redraw(axesToo) {
	colours = {};
	for (const { plot } of charts)
		plot?.redraw(false, axesToo);
}

function toolbar() {
	const bar = document.getElementById('chart-tools');
	const zone = make('span', { class: 'group', role: 'group', 'aria-label': 'Times in' });
	const keys = [['UTC', true], ['Local time', false]].map(([text, value]) =>
		button(text, { class: 'pill', 'aria-pressed': value === utc }, () => {
			utc = value;
			keys.forEach((key, i) => key.setAttribute('aria-pressed', utc !== Boolean(i)));
			showTimes();
			redraw(true);
		}));
	zone.append(...keys);
	const reset = button('Whole run', { class: 'pill', disabled: '' }, showWhole);
	const said = make('output', { class: 'unseen', 'aria-live': 'polite' });
	bar.replaceChildren(make('p', {}, 'Drag over a chart to zoom all of them, double-click for the '
		+ 'whole run. Click a name in a legend to hide or show its line.'), reset, zone, said);
	tools = { reset, said };
}

// The charts are drawn after the first paint, in turns that leave the page alive. One that cannot be
// drawn leaves the still picture that the page came with.

// What uPlot leaves for the end of a task is part of a turn too.
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
}

function tryDraw(chart) {
	try {
		draw(chart);
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

function start() {
	charts.push(...[...document.querySelectorAll('[data-chart]')].map(read).filter(Boolean));
	if (!charts.length)
		return;
	for (const { data } of charts) {
		whole.min = Math.min(whole.min, data.from + data.x[0]);
		whole.max = Math.max(whole.max, data.from + data.x[data.x.length - 1]);
	}
	// A single sample has no width: give it a second.
	if (whole.min === whole.max) {
		whole.min -= 0.5;
		whole.max += 0.5;
	}
	zero = charts[0].data.from;
	Object.assign(view, whole);
	toolbar();
	charts.forEach(legend);
	charts.forEach(keyboard);
	// Sizes are read once all is in its place: the browser lays the page out once.
	for (const chart of charts)
		chart.size = sizeOf(chart);
	if (follow())
		document.getElementById('charts').scrollIntoView({ behavior: 'instant' });
	if (document.hidden)
		drawNext();
	else
		requestAnimationFrame(() => setTimeout(drawNext));
	addEventListener('hashchange', follow);
	addEventListener('mouseup', () => setTimeout(clearSelections));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw(false));
	lightPhases();
	onPaper();
}

// -- paper -----------------------------------------------------------------------------------------
// The still picture is sharper; it does for a chart that shows the whole run and all of its lines.
function toPaper(chart) {
	const { plot, still, box, section } = chart;
	const asItWas = view.min === whole.min && view.max === whole.max
		&& !section.querySelector('.key[aria-pressed=false]');
	if (still)
		[box.hidden, still.hidden] = [asItWas, !asItWas];
	if (!still || !asItWas)
		plot.setSize({ width: PAPER_WIDTH, height: plot.height });
}

function fromPaper(chart) {
	if (!chart.plot)
		return;
	swap(chart);
	fit(chart);
}

function printing() {
	return document.documentElement.classList.contains('paper');
}

function onPaper() {
	const root = document.documentElement;
	let opened = [];
	addEventListener('beforeprint', () => {
		opened = [...document.querySelectorAll('details:not([open])')];
		for (const node of opened)
			node.open = true;
		root.classList.add('paper');
		colours = {};
		for (const chart of charts)
			draw(chart) && toPaper(chart);
	});
	addEventListener('afterprint', () => {
		for (const node of opened)
			node.open = false;
		root.classList.remove('paper');
		redraw(false);
		charts.forEach(fromPaper);
	});
}

start();
sortable();
copyable();
