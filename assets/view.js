// The span of time that all charts show: set by dragging, by keys, and by the page's address (#t=FROM,TO,
// in seconds since the start of the run).
import { phaseAt } from './marks.js';
import { charts, showsWhole, tools, view, whole } from './state.js';
import { followStrip } from './strip.js';

function writeAddress() {
	const all = showsWhole();
	// No more digits than a picture of 500 pixels can show.
	const digits = Math.max(0, Math.ceil(2.7 - Math.log10(view.max - view.min)));
	const [from, to] = [view.min, view.max].map(v => Number((v - whole.min).toFixed(digits)));
	const [page, hash] = location.href.split('#');
	if (all && !/^t=/.test(hash))
		return;
	try {
		history.replaceState(history.state, '', all ? page : `${page}#t=${from},${to}`);
	} catch {
		// A sandboxed frame may not change its address; zooming works without.
	}
}

// The span in the page's address, or null.
export function readAddress() {
	const found = /^#t=(-?[\d.]+)(?:,|%2C)(-?[\d.]+)$/i.exec(location.hash);
	const [min, max] = found ? [Math.max(whole.min, whole.min + Number(found[1])),
		Math.min(whole.max, whole.min + Number(found[2]))] : [];
	return max - min > 0.002 ? { min, max } : null;
}

export function show({ min, max }) {
	if (min === view.min && max === view.max)
		return;
	Object.assign(view, { min, max });
	for (const { plot } of charts)
		if (plot && (plot.scales.x.min !== min || plot.scales.x.max !== max))
			plot.setScale('x', view);
	followStrip();
	tools.reset.disabled = showsWhole();
	writeAddress();
}

export function showWhole() {
	show(whole);
	return null;
}

// A selection by dragging is mirrored on the other charts; remove it there when the drag ends.
export function clearSelections() {
	for (const { plot } of charts)
		if (plot?.select.width > 0)
			plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function zoomBy(u, factor) {
	const at = u.cursor.idx;
	const centre = at === null || at === undefined ? (view.min + view.max) / 2 : u.data[0][at];
	const min = Math.max(whole.min, centre - (centre - view.min) * factor);
	const max = Math.min(whole.max, centre + (view.max - centre) * factor);
	if (max - min > 0.002)
		show({ min, max });
}

function step(u, by) {
	const x = u.data[0];
	const at = u.cursor.idx;
	const first = x.findIndex(v => v >= view.min);
	const last = x.findLastIndex(v => v <= view.max);
	const to = Math.min(last, Math.max(first, at === null || at === undefined ? first : at + by));
	if (to < 0)
		return;
	u.setCursor({ left: u.valToPos(x[to], 'x'), top: u.over.clientHeight / 2 }, true, true);
	const { series, cells, head } = u.chart;
	tools.said.textContent = [`${head.textContent}: `, phaseAt(x[to])].join('')
		+ (phaseAt(x[to]) ? ', ' : '')
		+ series.map((s, i) => `${s.label} ${cells[i].value.textContent}`).join(', ');
}

export function addKeys(chart) {
	const { section, box, title } = chart;
	const summary = section.querySelector('.summary');
	summary.id = `${section.getAttribute('aria-labelledby')}-summary`;
	const attributes = { tabindex: 0, role: 'application', 'aria-roledescription': 'chart',
		'aria-label': `${title}. Left and right move the cursor, plus and minus zoom, `
			+ '0 shows the whole run.',
		'aria-describedby': summary.id };
	for (const [name, value] of Object.entries(attributes))
		box.setAttribute(name, value);
	const acts = {
		ArrowLeft: (u, e) => step(u, e.shiftKey ? -10 : -1),
		ArrowRight: (u, e) => step(u, e.shiftKey ? 10 : 1),
		Home: u => step(u, -Infinity),
		End: u => step(u, Infinity),
		'+': u => zoomBy(u, 0.5),
		'=': u => zoomBy(u, 0.5),
		'-': u => zoomBy(u, 2),
		0: showWhole,
		Escape: showWhole,
	};
	box.addEventListener('keydown', e => {
		if (!Object.hasOwn(acts, e.key) || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		acts[e.key](chart.draw(), e);
	});
}
