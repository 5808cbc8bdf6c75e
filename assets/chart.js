// One chart: reads its markup in the page, and draws it with uPlot.
import uPlot from 'uplot';

import { showValues } from './legend.js';
import { STRIP, drawLimits, drawPhases, topOf } from './marks.js';
import { colour, make } from './page.js';
import { pointsOf } from './points.js';
import { showsWhole, view } from './state.js';
import { unitOf } from './units.js';
import { pointStrip } from './strip.js';
import { ticksOf } from './times.js';
import { show, showWhole } from './view.js';

const PAPER_WIDTH = 660;

// The swatch in the legend says how a line looks: its class is the name of the colour.
function dashOf(swatch) {
	const dash = swatch?.firstElementChild?.getAttribute('stroke-dasharray');
	return dash ? dash.split(' ').map(Number) : [];
}

// The chart of a section of the page and its points in the page; null where it has none.
export function readChart(section, packed, overview) {
	const data = pointsOf(packed, overview);
	// A chart of nothing that was measured has no digest.
	const chart = data?.x.length && section.matches('.known') ? {
		section, data, unit: unitOf(section.dataset.unit), digest: section.querySelector('.digest'),
		box: section.querySelector('.plot'), still: section.querySelector('.still'),
		title: section.querySelector('h3').textContent,
		top: Number(section.dataset.top),
		series: [...section.querySelectorAll('.digest tbody tr')].map(row => {
			const swatch = row.querySelector('svg');
			return { row, swatch, look: swatch?.classList[0] ?? 'system', dash: dashOf(swatch),
				label: row.cells[0].textContent.trim(), apart: row.matches('.apart') };
		}),
		stride: data.max && data.min ? 3 : 1,
		cells: [], max: 0, plot: null, painted: false, draw: () => draw(chart),
	} : null;
	return chart;
}

// The columns for uPlot: x, then the mean of each series and, if known, its maximum and minimum.
function columns({ data: { from, x, mean, min, max }, stride }) {
	const rows = [x.map(v => from + v)];
	mean.forEach((row, i) => rows.push(row, ...(stride > 1 ? [max[i], min[i]] : [])));
	return rows;
}

// The area between the highest and the lowest samples: one shape for each stretch without a gap. uPlot's own
// bands are drawn through clips, which takes the browser several times as long.
function area(u, at, first, last) {
	const [x, max, min] = [u.data[0], u.data[at], u.data[at + 1]], fill = new Path2D();
	const lineTo = (row, i, draw = 'lineTo') => fill[draw](u.valToPos(x[i], 'x', true), u.valToPos(row[i], 'y', true));
	const isKnown = i => i <= last && max[i] !== null && min[i] !== null;
	for (let from = first, to; from <= last; from = to + 1) {
		for (to = from; isKnown(to); to++)
			lineTo(max, to, to === from ? 'moveTo' : 'lineTo');
		for (let i = to - 1; i >= from; i--)
			lineTo(min, i);
		fill.closePath();
	}
	return { stroke: null, fill, clip: null, band: null, gaps: null, flags: 0 };
}

function lines(chart) {
	const series = [{}];
	for (const { label, look, dash, apart } of chart.series) {
		const show = !apart;
		const stroke = () => colour(look);
		const faint = () => colour(look) + '30';
		series.push({ label, show, stroke, dash, width: 1.75,
			points: { size: 5, fill: stroke } });
		if (chart.stride === 1)
			continue;
		const points = { show: false };
		series.push({ show, points, fill: faint, paths: area }, { show, points, paths: () => null });
	}
	return series;
}

// The dot on a line under the cursor. The edges of a band have none.
function dot() {
	const node = make('div');
	Object.assign(node.style,
		{ width: '7px', height: '7px', marginLeft: '-3.5px', marginTop: '-3.5px' });
	return node;
}

function cursor(stride) {
	const hover = type => !['mousedown', 'mouseup', 'dblclick', 'click'].includes(type);
	return {
		y: false,
		drag: { x: true, y: false, setScale: true, dist: 4 },
		bind: { dblclick: () => () => showWhole() },
		points: {
			show: (u, i) => (stride === 1 || i % stride === 1 ? dot() : null),
		},
		sync: { key: 'rtrack', scales: ['x', null], setSeries: false,
			filters: { pub: hover, sub: hover } },
	};
}

// Where the page is narrow, every second label is left out, as in the still pictures (report.css).
const narrow = matchMedia('(max-width: 32rem)');
const timeTexts = u => ticksOf(u.scales.x).map(({ text }, i) => (narrow.matches && i % 2 ? '' : text));

function axes(unit) {
	const font = '12px system-ui, sans-serif';
	const common = { font, stroke: () => colour('soft'), ticks: { show: false } };
	return [
		{ ...common, grid: { show: false }, size: 44, gap: 8,
			splits: u => ticksOf(u.scales.x).map(({ at }) => at), values: timeTexts },
		{ ...common, grid: { stroke: () => colour('grid'), width: 1 }, size: 76, gap: 8,
			incrs: unit.steps, values: (u, splits) => unit.ticks(splits) },
	];
}

// A chart has exactly the size of the static picture that it replaces.
export function sizeOf({ box, still }) {
	const { clientWidth: width, clientHeight: height } = box.hidden ? still : box;
	return { width, height };
}

// The static picture stays until the chart is painted.
export function swap(chart) {
	const { section, box, still } = chart;
	section.classList.add('drawn');
	box.hidden = false;
	if (still)
		still.hidden = true;
}

function draw(chart) {
	const { box, unit } = chart;
	if (chart.plot)
		return chart.plot;
	const plot = chart.plot = new uPlot({
		...chart.size ?? sizeOf(chart), series: lines(chart),
		legend: { show: false },
		padding: [STRIP + 4, 20, 0, 0],
		cursor: cursor(chart.stride),
		scales: {
			x: { time: false },
			y: { range: (u, min, max) => [0, topOf(chart, chart.max = max)] },
		},
		axes: axes(unit),
		hooks: {
			drawClear: [drawPhases],
			draw: [drawLimits, () => {
				chart.painted = true;
			}],
			setScale: [(u, key) => key === 'x' && show(u.scales.x)],
			setCursor: [u => u.chart && showValues(u), pointStrip],
		},
	}, columns(chart), box);
	plot.chart = chart;
	plot.setScale('x', view);
	new ResizeObserver(() => fit(chart)).observe(box);
	return plot;
}

function fit(chart) {
	const size = sizeOf(chart);
	if (size.width && (size.width !== chart.plot.width || size.height !== chart.plot.height))
		chart.plot.setSize(size);
}

// On paper the static picture is sharper. It replaces a chart that shows the whole run and its lines.
export function toPaper(chart) {
	const { plot, still, box, series, stride } = chart;
	const asItWas = showsWhole() && series.every(({ apart }, i) => plot.series[1 + i * stride].show !== apart);
	if (still)
		[box.hidden, still.hidden] = [asItWas, !asItWas];
	if (!still || !asItWas)
		plot.setSize({ width: PAPER_WIDTH, height: plot.height });
}

export function fromPaper(chart) {
	if (!chart.plot)
		return;
	swap(chart);
	fit(chart);
}
