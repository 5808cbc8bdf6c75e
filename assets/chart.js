// One chart: what the page says of it, and how uPlot draws that.
const PAPER_WIDTH = 660;
// All of the page that can be drawn. `plot` is uPlot's, once it is.
const charts = [];

// The swatch of a legend says how a line looks: its class is the name of the colour.
function dashOf(swatch) {
	const dash = swatch?.firstElementChild?.getAttribute('stroke-dasharray');
	return dash ? dash.split(' ').map(Number) : [];
}

// What the page says of a chart; null where it says that nothing was measured.
function read(section) {
	const data = pointsOf(section.querySelector('script')?.textContent);
	return data?.x.length ? {
		section, data, unit: unitOf(section.dataset.unit), digest: section.querySelector('.digest'),
		box: section.querySelector('.plot'), still: section.querySelector('.still'),
		title: section.querySelector('h3').textContent,
		top: Number(section.dataset.top),
		series: [...section.querySelectorAll('.digest tbody tr')].map(row => {
			const swatch = row.querySelector('svg');
			return { row, swatch, look: swatch?.classList[0] ?? 'system', dash: dashOf(swatch),
				label: row.cells[0].textContent.trim() };
		}),
		stride: data.max && data.min ? 3 : 1,
		cells: [], max: 0, plot: null,
	} : null;
}

// uPlot's columns: x, then for each series mean and, where there are, max and min.
function columns({ data: { from, x, mean, min, max }, stride }) {
	const rows = [x.map(v => from + v)];
	mean.forEach((row, i) => rows.push(row, ...(stride > 1 ? [max[i], min[i]] : [])));
	return rows;
}

function lines(chart) {
	const series = [{}], bands = [];
	for (const { label, look, dash } of chart.series) {
		const stroke = () => colour(look);
		const faint = () => colour(look) + '30';
		series.push({ label, stroke, dash, width: 1.75,
			points: { size: 5, fill: stroke } });
		if (chart.stride === 1)
			continue;
		const edge = { stroke: () => 'transparent', width: 1, points: { show: false } };
		series.push({ ...edge }, { ...edge });
		bands.push({ series: [series.length - 2, series.length - 1], fill: faint });
	}
	return { series, bands };
}

// The point on a line under the cursor. uPlot makes one for each of its columns; ours has none for the
// edges of a band.
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

function timeTicks(u, splits, axis, space, step) {
	let day = '';
	return splits.map(v => {
		const at = clock(v);
		const text = step < 1 ? at.exact.replace(/\.?0+$/, '')
			: step < 60 ? at.second : step < 86400 ? at.minute : '';
		const line = at.day === day ? '' : at.day;
		day = at.day;
		return text && line ? `${text}\n${line}` : text || line;
	});
}

function axes(unit) {
	const font = '12px system-ui, sans-serif';
	const common = { font, stroke: () => colour('soft'), ticks: { show: false } };
	return [
		{ ...common, grid: { show: false }, size: 44, gap: 8, values: timeTicks,
			space: (u, i, min, max) => (max - min < 30 ? 96 : 72) },
		{ ...common, grid: { stroke: () => colour('grid'), width: 1 }, size: 76, gap: 8,
			incrs: unit.steps, values: (u, splits) => unit.ticks(splits) },
	];
}

// A chart takes the place of its still picture, exactly.
function sizeOf({ box, still }) {
	const { clientWidth: width, clientHeight: height } = box.hidden ? still : box;
	return { width, height };
}

// The still picture stays until there are pixels to take its place.
function swap(chart) {
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
		...chart.size, ...lines(chart),
		legend: { show: false },
		padding: [STRIP + 4, 20, 0, 0],
		tzDate: v => (utc ? uPlot.tzDate(new Date(v * 1e3), 'Etc/UTC') : new Date(v * 1e3)),
		cursor: cursor(chart.stride),
		scales: {
			y: { range: (u, min, max) => [0, topOf(chart, chart.max = max)] },
		},
		axes: axes(unit),
		hooks: {
			drawClear: [drawPhases],
			draw: [drawLimits, () => printing() || swap(chart)],
			setScale: [(u, key) => key === 'x' && show(u.scales.x)],
			setCursor: [u => u.chart && showValues(u)],
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
