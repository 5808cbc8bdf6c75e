// The table below a chart is its legend: a click on a name hides or shows the line, and while the cursor
// is on a chart the means are replaced by the values under it. The chart that has the pointer or the focus
// shows these values in a tooltip as well.
import { phaseAt } from './marks.js';
import { button, make } from './page.js';
import { timeText } from './times.js';

function toggle(chart, i, key) {
	const shown = key.getAttribute('aria-pressed') !== 'true';
	key.setAttribute('aria-pressed', shown);
	for (let k = 0; k < chart.stride; k++)
		chart.draw().setSeries(1 + i * chart.stride + k, { show: shown });
}

export function addLegend(chart) {
	chart.head = chart.digest.tHead.rows[0].cells[1];
	chart.series.forEach(({ row, apart }, i) => {
		const [name, value] = row.cells;
		const key = button('', { class: 'key', 'aria-pressed': !apart }, () => toggle(chart, i, key));
		key.append(...name.childNodes);
		name.append(key);
		chart.cells.push({ value, mean: value.textContent });
	});
}

// The tooltip, made on first use.
function tipOf(u) {
	const { chart } = u;
	if (!chart.tip) {
		const box = make('div', { class: 'tip', 'aria-hidden': 'true' });
		const head = make('b'), table = make('table');
		const rows = chart.series.map(({ label, swatch }) => {
			const row = table.insertRow(), name = row.insertCell();
			name.append(...(swatch ? [swatch.cloneNode(true)] : []), ` ${label}`);
			return { row, value: row.insertCell(), range: row.insertCell() };
		});
		box.append(head, table);
		u.over.append(box);
		chart.tip = { box, head, rows };
	}
	return chart.tip;
}

function showTip(u, at, values) {
	const { chart, cursor: { left }, over } = u;
	const hidden = at === null || !chart.box.matches(':hover, :focus');
	if (hidden && !chart.tip)
		return;
	const { box, head, rows } = tipOf(u);
	box.hidden = hidden;
	if (hidden)
		return;
	const phase = phaseAt(u.data[0][at]);
	head.textContent = timeText(u.data[0][at]) + (phase && ` · ${phase}`);
	rows.forEach(({ row, value, range }, i) => {
		row.hidden = !u.series[1 + i * chart.stride].show;
		value.textContent = values[i].value;
		range.textContent = values[i].range;
	});
	// On the side with more room, so that the tooltip does not cover the cursor.
	const right = left > over.clientWidth / 2;
	box.style.left = right ? '' : `${left + 14}px`;
	box.style.right = right ? `${over.clientWidth - left + 14}px` : '';
}

export function showValues(u) {
	const { unit, stride, cells, head, digest } = u.chart;
	const at = u.cursor.idx ?? null;
	// A chart that is drawn has no cursor, and its table has the means.
	if (at === null && !digest.matches('.live'))
		return;
	const text = v => (v === null || v === undefined ? '–' : unit.text(v));
	const span = (min, max) => {
		// Write the unit once where both ends have the same.
		const [low, high] = [min, max].map(v => text(v).split(' '));
		return `${low[0]}${low[1] === high[1] ? '' : ` ${low[1]}`} … ${high.join(' ')}`;
	};
	const values = cells.map((_, i) => {
		const [mean, max, min] = u.data.slice(1 + i * stride, 1 + (i + 1) * stride)
			.map(row => (at === null ? null : row[at]));
		return { value: text(mean), range: mean === null || max === undefined || max === null ? ''
			: span(min, max) };
	});
	head.textContent = at === null ? 'Mean' : timeText(u.data[0][at]);
	digest.classList.toggle('live', at !== null);
	cells.forEach(({ value, mean }, i) => {
		value.textContent = at === null ? mean : values[i].value;
	});
	showTip(u, at, values);
}
