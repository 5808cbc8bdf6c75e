// What the page does where scripts run: draws the charts, links them, sorts tables, copies lines.
// Everything it shows is also in the page without it. Text from the data goes into the page by
// textContent alone. The build drops lines that are only a comment, and indentation.
(() => {
'use strict';

const KIB = 1024;
const IEC = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const PAPER_WIDTH = 660;
const whole = { min: Infinity, max: -Infinity };
const colours = {};
const plots = [];
let utc = false;
let linked = false;
let tools;

// -- small things --------------------------------------------------------------------------------
function make(tag, attributes, text) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		node.setAttribute(name, value);
	if (text !== undefined)
		node.textContent = text;
	return node;
}

function button(text, attributes, act) {
	const node = make('button', { type: 'button', ...attributes }, text);
	node.addEventListener('click', act);
	return node;
}

function readColours() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ['soft', 'grid', 'card', 'tree', 'tree-2', 'system', 'system-2'])
		colours[name] = style.getPropertyValue('--' + name).trim();
}

// -- units ---------------------------------------------------------------------------------------
function iec(v, base, suffix, digits) {
	const scaled = v / KIB ** base;
	return `${digits(scaled)} ${IEC[base]}${suffix}`;
}

function iecBase(v) {
	let base = 0;
	while (Math.abs(v) >= KIB && base < IEC.length - 1) {
		v /= KIB;
		base++;
	}
	return base;
}

function iecUnit(suffix) {
	const three = v => (v >= 100 ? v.toFixed(0) : v.toPrecision(3));
	const few = v => (Number.isInteger(v) ? String(v) : three(v));
	return {
		least: KIB,
		steps: Array.from({ length: 60 }, (_, i) => 2 ** i),
		text: v => iec(v, iecBase(v), suffix, v < KIB ? few : three),
		ticks: all => all.map(v => (v ? iec(v, iecBase(all[all.length - 1]), suffix,
			w => +w.toFixed(3)) : '0')),
	};
}

function plainUnit(one, many, digits) {
	const named = (text, v) => (many ? `${text} ${v === 1 ? one : many}` : text);
	return {
		least: 1,
		steps: digits ? undefined : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000, 100000],
		text: v => named(v.toFixed(digits), v),
		ticks: all => all.map(v => (v ? named(String(+v.toFixed(3)), v) : '0')),
	};
}

const units = {
	bytes: iecUnit(''),
	'bytes/s': iecUnit('/s'),
	cores: plainUnit('core', 'cores', 2),
	GPUs: plainUnit('GPU', 'GPUs', 2),
	count: plainUnit('', '', 0),
};

// -- time ----------------------------------------------------------------------------------------
function clock(unix) {
	const shift = utc ? 0 : new Date(unix * 1e3).getTimezoneOffset() * 60;
	const iso = new Date((unix - shift) * 1e3).toISOString();
	return { day: iso.slice(0, 10), minute: iso.slice(11, 16), second: iso.slice(11, 19),
		exact: iso.slice(11, 23) };
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

// -- one chart -----------------------------------------------------------------------------------
// Tree: blue, solid, the second series dotted. System: orange, dashed. So no pair differs in colour
// alone.
const looks = {
	tree: [['tree', []], ['tree-2', [2, 3]]],
	system: [['system', [7, 4]], ['system-2', [7, 3, 2, 3]]],
};

function lookOf(chart, i) {
	const scope = chart.series[i].scope === 'tree' ? 'tree' : 'system';
	const before = chart.series.slice(0, i).filter(s => s.scope === chart.series[i].scope).length;
	const [name, dash] = looks[scope][before % 2];
	return { name, dash };
}

// What the page says of a chart; null where it says that nothing was measured.
function read(section) {
	const data = section.querySelector('script');
	return data && {
		section, unit: section.dataset.unit, data: JSON.parse(data.textContent),
		title: section.querySelector('h3').textContent,
		series: [...section.querySelectorAll('tbody tr')].map(row =>
			({ scope: row.dataset.scope, label: row.querySelector('th').textContent })),
	};
}

// uPlot's columns: x, then for each series mean and, where there are, max and min.
function columns(chart) {
	const { from, x, mean, min, max } = chart.data;
	const rows = [x.map(v => from + v)];
	mean.forEach((row, i) => rows.push(row, ...(max && min ? [max[i], min[i]] : [])));
	return rows;
}

function lines(chart) {
	const banded = Boolean(chart.data.max && chart.data.min);
	const series = [{}], bands = [];
	chart.series.forEach((s, i) => {
		const look = lookOf(chart, i);
		const stroke = () => colours[look.name];
		const faint = () => colours[look.name] + '30';
		series.push({ label: s.label, stroke, dash: look.dash, width: 1.75,
			points: { size: 5, fill: stroke } });
		if (!banded)
			return;
		const edge = { stroke: () => 'transparent', width: 1, points: { show: false } };
		series.push({ ...edge }, { ...edge });
		bands.push({ series: [series.length - 2, series.length - 1], fill: faint });
	});
	return { series, bands, stride: banded ? 3 : 1 };
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

function axes(unit) {
	const font = '12px system-ui, sans-serif';
	const common = { font, stroke: () => colours.soft, ticks: { show: false } };
	return [
		{ ...common, grid: { show: false }, size: 44, gap: 8, values: timeTicks,
			space: (u, i, min, max) => (max - min < 30 ? 96 : 72) },
		{ ...common, grid: { stroke: () => colours.grid, width: 1 }, size: 76, gap: 8,
			incrs: unit.steps, values: (u, splits) => unit.ticks(splits) },
	];
}

function draw(chart) {
	const { section } = chart;
	const box = section.querySelector('.plot');
	const unit = Object.hasOwn(units, chart.unit) ? units[chart.unit] : units.count;
	const { series, bands, stride } = lines(chart);
	box.hidden = false;
	section.classList.add('drawn');
	const size = () => ({ width: box.clientWidth, height: box.clientWidth < 500 ? 190 : 230 });
	const plot = new uPlot({
		...size(), series, bands,
		legend: { show: false },
		padding: [12, 20, 0, 0],
		tzDate: v => (utc ? uPlot.tzDate(new Date(v * 1e3), 'Etc/UTC') : new Date(v * 1e3)),
		cursor: cursor(stride),
		scales: {
			y: { range: (u, min, max) => [0, max > 0 ? max * 1.05 : unit.least] },
		},
		axes: axes(unit),
		hooks: {
			setScale: [(u, key) => key === 'x' && linked && shareZoom(u)],
			setCursor: [u => showValues(u)],
		},
	}, columns(chart), box);
	Object.assign(plot, { rtrack: { chart, unit, stride, box, size, cells: [] } });
	plots.push(plot);
	legend(plot, section);
	keyboard(plot, section);
	new ResizeObserver(() => box.clientWidth && plot.setSize(size())).observe(box);
}

// -- the table beside a chart is its legend --------------------------------------------------------
function swatch(look) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
	const attributes = { x1: 0, x2: 26, y1: 5, y2: 5, 'stroke-width': 2.5, class: 'line-' + look.name,
		'stroke-dasharray': look.dash.join(' ') };
	for (const [name, value] of Object.entries(attributes))
		line.setAttribute(name, value);
	svg.setAttribute('aria-hidden', 'true');
	svg.append(line);
	return svg;
}

function toggle(plot, i, key) {
	const { stride } = plot.rtrack;
	const show = key.getAttribute('aria-pressed') !== 'true';
	key.setAttribute('aria-pressed', show);
	for (let k = 0; k < stride; k++)
		plot.setSeries(1 + i * stride + k, { show });
}

function legend(plot, section) {
	const { chart, cells, stride } = plot.rtrack;
	const head = make('th', { scope: 'col', class: 'n at' }, 'At cursor');
	section.querySelector('.digest thead tr').append(head);
	plot.rtrack.head = head;
	section.querySelectorAll('.digest tbody tr').forEach((row, i) => {
		const name = row.querySelector('th');
		const key = button(name.textContent, { class: 'key', 'aria-pressed': 'true' },
			() => toggle(plot, i, key));
		key.prepend(swatch(lookOf(chart, i)));
		name.replaceChildren(key);
		const cell = make('td', { class: 'n at' });
		const value = make('span', {}, '–');
		const range = make('span', { class: 'range' }, '\u00a0');
		cell.append(value, ...(stride > 1 ? [range] : []));
		row.append(cell);
		cells.push({ value, range });
	});
}

function showValues(u) {
	if (!u.rtrack)
		return;
	const { unit, stride, cells, head } = u.rtrack;
	const at = u.cursor.idx;
	const text = v => (v === null || v === undefined ? '–' : unit.text(v));
	const span = (min, max) => {
		// The unit once, where both have the same.
		const [low, high] = [min, max].map(v => text(v).split(' '));
		return `${low[0]}${low[1] === high[1] ? '' : ` ${low[1]}`} … ${high.join(' ')}`;
	};
	const known = at !== null && at !== undefined;
	head.textContent = known ? clock(u.data[0][at]).second : 'At cursor';
	cells.forEach(({ value, range }, i) => {
		const [mean, max, min] = u.data.slice(1 + i * stride, 1 + (i + 1) * stride)
			.map(row => (known ? row[at] : null));
		value.textContent = text(mean);
		range.textContent = mean === null || max === undefined || max === null ? '\u00a0'
			: span(min, max);
	});
}

// -- all charts together ---------------------------------------------------------------------------
function shareZoom(u) {
	const { min, max } = u.scales.x;
	for (const other of plots)
		if (other !== u && (other.scales.x.min !== min || other.scales.x.max !== max))
			other.setScale('x', { min, max });
	tools.reset.disabled = min === whole.min && max === whole.max;
}

function showWhole() {
	for (const u of plots)
		u.setScale('x', whole);
	return null;
}

// A drag that is shown on the other charts too must vanish there when it ends.
function clearSelections() {
	for (const u of plots)
		if (u.select.width > 0)
			u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function zoomBy(u, factor) {
	const { min, max } = u.scales.x;
	const at = u.cursor.idx;
	const centre = at === null || at === undefined ? (min + max) / 2 : u.data[0][at];
	const from = Math.max(whole.min, centre - (centre - min) * factor);
	const to = Math.min(whole.max, centre + (max - centre) * factor);
	if (to > from)
		u.setScale('x', { min: from, max: to });
}

function step(u, by) {
	const x = u.data[0];
	const at = u.cursor.idx;
	const first = x.findIndex(v => v >= u.scales.x.min);
	const last = x.findLastIndex(v => v <= u.scales.x.max);
	const to = Math.min(last, Math.max(first, at === null || at === undefined ? first : at + by));
	if (to < 0)
		return;
	u.setCursor({ left: u.valToPos(x[to], 'x'), top: u.over.clientHeight / 2 }, true, true);
	const { chart, cells, head } = u.rtrack;
	tools.said.textContent = head.textContent + ': '
		+ chart.series.map((s, i) => `${s.label} ${cells[i].value.textContent}`).join(', ');
}

function keyboard(plot, section) {
	const { chart, box } = plot.rtrack;
	const summary = section.querySelector('.summary');
	summary.id = `${section.getAttribute('aria-labelledby')}-summary`;
	const attributes = { tabindex: 0, role: 'application', 'aria-roledescription': 'chart',
		'aria-label': `${chart.title}. Left and right move the cursor, plus and minus zoom, `
			+ '0 shows the whole run.',
		'aria-describedby': summary.id };
	for (const [name, value] of Object.entries(attributes))
		box.setAttribute(name, value);
	const acts = {
		ArrowLeft: e => step(plot, e.shiftKey ? -10 : -1),
		ArrowRight: e => step(plot, e.shiftKey ? 10 : 1),
		Home: () => step(plot, -Infinity),
		End: () => step(plot, Infinity),
		'+': () => zoomBy(plot, 0.5),
		'=': () => zoomBy(plot, 0.5),
		'-': () => zoomBy(plot, 2),
		0: showWhole,
		Escape: showWhole,
	};
	box.addEventListener('keydown', e => {
		if (!Object.hasOwn(acts, e.key) || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		acts[e.key](e);
	});
}

function redraw(axesToo) {
	readColours();
	for (const u of plots)
		u.redraw(false, axesToo);
}

function toolbar() {
	const bar = document.getElementById('chart-tools');
	const zone = make('span', { class: 'group', role: 'group', 'aria-label': 'Times in' });
	const keys = [['Local time', false], ['UTC', true]].map(([text, value]) =>
		button(text, { class: 'pill', 'aria-pressed': value === utc }, () => {
			utc = value;
			keys.forEach((key, i) => key.setAttribute('aria-pressed', utc === Boolean(i)));
			redraw(true);
		}));
	zone.append(...keys);
	const reset = button('Whole run', { class: 'pill', disabled: '' }, showWhole);
	const said = make('output', { class: 'unseen', 'aria-live': 'polite' });
	bar.append(make('span', { class: 'hint' }, 'Drag over a chart to zoom all of them, '
		+ 'double-click for the whole run. A name in a legend hides or shows its line.'),
	reset, zone, said);
	bar.hidden = false;
	tools = { reset, said };
}

function charts() {
	const known = [...document.querySelectorAll('[data-chart]')].map(read)
		.filter(chart => chart && chart.data.x.length);
	if (!known.length)
		return;
	for (const { data } of known) {
		whole.min = Math.min(whole.min, data.from + data.x[0]);
		whole.max = Math.max(whole.max, data.from + data.x[data.x.length - 1]);
	}
	// A single sample has no width: give it a second.
	if (whole.min === whole.max) {
		whole.min -= 0.5;
		whole.max += 0.5;
	}
	readColours();
	toolbar();
	for (const chart of known)
		draw(chart);
	document.querySelector('.nojs').remove();
	showWhole();
	setTimeout(() => {
		linked = true;
	});
	addEventListener('mouseup', () => setTimeout(clearSelections));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraw(false));
	onPaper();
}

// -- paper -----------------------------------------------------------------------------------------
function onPaper() {
	const root = document.documentElement;
	let opened = [];
	addEventListener('beforeprint', () => {
		opened = [...document.querySelectorAll('details:not([open])')];
		for (const node of opened)
			node.open = true;
		root.classList.add('paper');
		readColours();
		for (const u of plots)
			u.setSize({ width: PAPER_WIDTH, height: 190 });
	});
	addEventListener('afterprint', () => {
		for (const node of opened)
			node.open = false;
		root.classList.remove('paper');
		readColours();
		for (const u of plots)
			u.setSize(u.rtrack.size());
	});
}

// -- tables and snippets -----------------------------------------------------------------------------
function sortBy(table, at, head) {
	const up = head.getAttribute('aria-sort') !== 'ascending';
	for (const other of table.querySelectorAll('thead th'))
		other.removeAttribute('aria-sort');
	head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
	const body = table.tBodies[0];
	// A cell's number, where its text has a unit, is in data-v; counts are as they read.
	const number = cell => cell.dataset.v ?? cell.textContent.replace(/[^\d.]/g, '');
	const key = row => (head.matches('.n') || 'v' in row.cells[at].dataset
		? number(row.cells[at]) && Number(number(row.cells[at])) : row.cells[at].textContent.trim());
	const compare = (a, b) => {
		// What is not known comes last, whichever way.
		const [p, q] = [key(a), key(b)];
		if (p === '' || q === '')
			return (p === '') - (q === '');
		return (up ? 1 : -1) * (typeof p === 'number' ? p - q : p.localeCompare(q));
	};
	body.append(...[...body.rows].sort(compare));
}

function sortable() {
	for (const table of document.querySelectorAll('.sortable'))
		table.querySelectorAll('thead th').forEach((head, i) =>
			head.replaceChildren(button(head.textContent, {}, () => sortBy(table, i, head))));
}

async function copy(pre) {
	try {
		await navigator.clipboard.writeText(pre.textContent);
		return true;
	} catch {
		// No clipboard for this page: the old way, by a selection.
		getSelection().selectAllChildren(pre);
		const done = document.execCommand('copy');
		getSelection().removeAllRanges();
		return done;
	}
}

function copyable() {
	for (const pre of document.querySelectorAll('.snippet pre')) {
		const box = make('div');
		const name = pre.getAttribute('aria-label');
		const key = button('Copy', { class: 'pill', 'aria-label': `Copy the lines for ${name}`,
			'aria-live': 'polite' }, async () => {
			key.textContent = await copy(pre) ? 'Copied' : 'Not copied';
			setTimeout(() => {
				key.textContent = 'Copy';
			}, 2000);
		});
		pre.replaceWith(box);
		box.append(pre, key);
	}
}

charts();
sortable();
copyable();
})();
