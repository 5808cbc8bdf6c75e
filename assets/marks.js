// Draws the job's phases as bands behind a chart's lines, and its limits as lines above them.
import { colour } from './page.js';
import { charts, showsWhole } from './state.js';

export const STRIP = 18;
const LABEL = 15;

// {names, bands: [[index of the name, from, to], …]}; empty where the page has no phases, as most pages,
// or where they are malformed.
const phases = (() => {
	try {
		const data = JSON.parse(document.getElementById('phase-data')?.textContent ?? 'null');
		if (data?.bands.every(band => band.every(Number.isFinite)) && data.names.indexOf)
			return data;
	} catch {
		// Malformed: the charts are drawn without bands.
	}
	return { names: [], bands: [] };
})();
// The index of the phase that the pointer is on in the table of phases, or -1.
let lit = -1;

export function phaseAt(unix) {
	const band = phases.bands.findLast(([, from, to]) => from <= unix && unix <= to);
	return band ? String(phases.names[band[0]]) : '';
}

// All charts have the same names of phases, in one font, and measuring one takes as long as drawing it.
const widths = new Map();

function widthOf(ctx, text) {
	if (!widths.has(text))
		widths.set(text, ctx.measureText(text).width);
	return widths.get(text);
}

// The text, cut to the width with an ellipsis; '' where fewer than three letters fit.
function fitted(ctx, text, width) {
	if (widthOf(ctx, text) <= width)
		return text;
	let n = Math.min(text.length, Math.floor(width / 4));
	while (n > 0 && widthOf(ctx, `${text.slice(0, n)}…`) > width)
		n--;
	return n > 2 ? `${text.slice(0, n)}…` : '';
}

// Runs `paint` with the canvas in CSS pixels, the plotting area at (0, 0).
function onCanvas(u, paint) {
	const { ctx, bbox } = u;
	const ratio = ctx.canvas.width / u.width;
	ctx.save();
	ctx.scale(ratio, ratio);
	ctx.translate(bbox.left / ratio, bbox.top / ratio);
	ctx.font = '12px system-ui, sans-serif';
	paint(ctx, bbox.width / ratio, bbox.height / ratio);
	ctx.restore();
}

export function drawPhases(u) {
	if (phases.bands.length)
		onCanvas(u, (ctx, width, height) => {
			let free = 0;
			ctx.textBaseline = 'middle';
			ctx.textAlign = 'left'; // uPlot leaves that of its axes
			phases.bands.forEach(([index, from, to], i) => {
				const [left, right] = [from, to].map(v =>
					Math.min(width, Math.max(0, u.valToPos(v, 'x'))));
				if (right <= left)
					return;
				const room = Math.max(1, right - left - 1);
				ctx.fillStyle = colour('soft') + (index === lit ? '50' : i % 2 ? '10' : '20');
				ctx.fillRect(left, -STRIP, room, height + STRIP);
				const at = Math.max(left, free) + 5;
				const text = fitted(ctx, String(phases.names[index]), right - at - 5);
				if (!text)
					return;
				ctx.fillStyle = colour('soft');
				ctx.fillText(text, at, 1 - STRIP / 2);
				free = at + widthOf(ctx, text);
			});
		});
}

// Only limits near the data are drawn: a distant one would flatten the lines.
function limitsWithin(chart, max) {
	return (chart.data.limits || []).filter(([value]) => value > 0 && value <= 2 * max);
}

// The top of the y axis, with room for a limit's label above its line.
export function topOf(chart, max) {
	const { least, most } = chart.unit;
	// The whole run is as high as in the static picture.
	if (chart.top > max && showsWhole())
		return chart.top;
	const top = limitsWithin(chart, max).reduce((top, [value]) => Math.max(top, value * 1.1),
		max > 0 ? max * 1.05 : least);
	return max <= most ? Math.min(top, most) : top;
}

export function drawLimits(u) {
	const all = limitsWithin(u.chart, u.chart.max).sort(([a], [b]) => b - a);
	if (all.length)
		onCanvas(u, (ctx, width) => {
			let above = 0; // the top of the plot has no room above it either
			ctx.strokeStyle = colour('soft');
			ctx.fillStyle = colour('ink');
			ctx.lineWidth = 1.5;
			ctx.textAlign = 'right';
			ctx.setLineDash([2, 4]);
			for (const [value, text] of all) {
				const y = Math.round(u.valToPos(value, 'y')) + 0.5;
				ctx.beginPath();
				ctx.moveTo(0, y);
				ctx.lineTo(width, y);
				ctx.stroke();
				// Where two limits are close, the lower one has its label below its line.
				const below = y - above < LABEL;
				ctx.textBaseline = below ? 'top' : 'bottom';
				ctx.fillText(fitted(ctx, String(text), width), width - 4, below ? y + 5 : y - 2);
				above = y;
			}
		});
}

// Pointing at a row of the table of phases highlights its bands.
export function lightPhases() {
	for (const row of document.querySelectorAll('#phases tbody tr')) {
		const index = phases.names.indexOf(row.querySelector('th')?.textContent.trim());
		const light = to => () => {
			lit = to;
			for (const { plot } of charts)
				plot?.redraw(false, false);
		};
		if (index < 0)
			continue;
		row.addEventListener('pointerenter', light(index));
		row.addEventListener('pointerleave', light(-1));
	}
}
