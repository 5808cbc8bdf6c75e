// The table beside a chart is its legend: names hide and show lines, a column reads the cursor.
// It keeps the room of a line that is empty now.
const NOTHING = '\u00a0';

function swatch(look) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
	const attributes = { x1: 0, x2: 26, y1: 5, y2: 5, 'stroke-width': 2.5,
		'stroke-dasharray': dashes[look].join(' ') };
	for (const [name, value] of Object.entries(attributes))
		line.setAttribute(name, value);
	line.style.stroke = `var(--${look})`;
	svg.setAttribute('aria-hidden', 'true');
	svg.append(line);
	return svg;
}

function toggle(chart, i, key) {
	const shown = key.getAttribute('aria-pressed') !== 'true';
	key.setAttribute('aria-pressed', shown);
	for (let k = 0; k < chart.stride; k++)
		draw(chart).setSeries(1 + i * chart.stride + k, { show: shown });
}

function legend(chart) {
	const { section, series, cells, stride } = chart;
	chart.head = make('span', {}, 'At cursor');
	chart.phase = make('span', { class: 'range' }, NOTHING);
	const head = make('th', { scope: 'col', class: 'n at' });
	head.append(chart.head, ...(phases.bands.length ? [chart.phase] : []));
	section.querySelector('.digest thead tr').append(head);
	series.forEach(({ row, look }, i) => {
		const name = row.querySelector('th');
		const key = button(name.textContent, { class: 'key', 'aria-pressed': 'true' },
			() => toggle(chart, i, key));
		key.prepend(swatch(look));
		name.replaceChildren(key);
		const cell = make('td', { class: 'n at' });
		const value = make('span', {}, '–');
		const range = make('span', { class: 'range' }, NOTHING);
		cell.append(value, ...(stride > 1 ? [range] : []));
		row.append(cell);
		cells.push({ value, range });
	});
}

function showValues(u) {
	const { unit, stride, cells, head, phase } = u.chart;
	const at = u.cursor.idx;
	const known = at !== null && at !== undefined;
	const text = v => (v === null || v === undefined ? '–' : unit.text(v));
	const span = (min, max) => {
		// The unit once, where both have the same.
		const [low, high] = [min, max].map(v => text(v).split(' '));
		return `${low[0]}${low[1] === high[1] ? '' : ` ${low[1]}`} … ${high.join(' ')}`;
	};
	head.textContent = known ? clock(u.data[0][at]).second : 'At cursor';
	phase.textContent = known && shortened(phaseAt(u.data[0][at])) || NOTHING;
	cells.forEach(({ value, range }, i) => {
		const [mean, max, min] = u.data.slice(1 + i * stride, 1 + (i + 1) * stride)
			.map(row => (known ? row[at] : null));
		value.textContent = text(mean);
		range.textContent = mean === null || max === undefined || max === null ? NOTHING
			: span(min, max);
	});
}

// A phase's name where there is little room.
function shortened(name) {
	return name.length > 16 ? `${name.slice(0, 15)}…` : name;
}
