// The points of the charts, which the page holds packed (docs/model.md): numbers again. A page may be
// made of any model, so what is not such data is no chart, and no loop is longer than a chart may be.
const POINTS_MAX = 10000;
const ROWS_MAX = 100;
const YEAR_10000 = 253402300800;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';
const [GAP, AGAIN] = ['.', '*'].map(letter => letter.charCodeAt(0));
// The digit of a character's code.
const DIGITS = new Uint8Array(128);
for (let i = 0; i < LETTERS.length; i++)
	DIGITS[LETTERS.charCodeAt(i)] = i;

// Whole numbers in digits of 5 bits, the lowest first; `.` is a gap, `*n` repeats the last one n times.
// A page has tens of thousands: nothing is made here for each. Beyond POINTS_MAX none is read.
function wholes(text) {
	const all = [];
	let value = 0, weight = 1, again = false;
	for (let i = 0; i < text.length && all.length <= POINTS_MAX; i++) {
		const code = text.charCodeAt(i);
		if (code === GAP)
			all.push(null);
		else if (code === AGAIN)
			again = true;
		else {
			value += DIGITS[code] % 32 * weight;
			weight *= 32;
			if (DIGITS[code] > 31)
				continue;
			if (!again)
				all.push(value);
			else
				for (const last = all[all.length - 1];
					value > 0 && all.length <= POINTS_MAX; value--)
					all.push(last);
			value = 0;
			weight = 1;
			again = false;
		}
	}
	return all;
}

// One series: its scale, the steps from mean to mean, and how far below and above it went.
function unpackSeries([scale, steps, below, above]) {
	let level = 0;
	const levels = wholes(steps).map(v =>
		(v === null ? null : level += v % 2 ? -(v + 1) / 2 : v / 2));
	const edge = (text, sign) => text && wholes(text).map((v, i) =>
		(v === null ? null : (levels[i] + sign * v) * scale));
	return [levels.map(v => (v === null ? null : v * scale)), edge(below, -1), edge(above, 1)];
}

const isRow = (row, of) => Array.isArray(row) && row.length <= POINTS_MAX && row.every(of);
const isText = text => typeof text === 'string';

function isPacked({ n, step, x, series }) {
	return (x || Number.isInteger(n) && n <= POINTS_MAX && Number.isFinite(step))
		&& Array.isArray(series) && series.length <= ROWS_MAX
		&& series.every(row => Array.isArray(row) && Number.isFinite(row[0]) && isText(row[1])
			&& row.slice(2).every(edge => !edge || isText(edge)));
}

// Packed data as {from, step, x, mean, min, max, limits}; data that is not packed as it is.
function unpack(data) {
	if (!data?.series)
		return data;
	if (!isPacked(data))
		return null;
	const { n, step, series, x = Array.from({ length: n }, (_, i) => (i + 0.5) * step) } = data;
	const rows = series.map(unpackSeries);
	const [mean, min, max] = [0, 1, 2].map(i => rows.map(row => row[i]));
	return { ...data, x, mean, ...min[0] ? { min, max } : { min: null, max: null } };
}

function isTimes(from, x) {
	return Number.isFinite(from) && isRow(x, (v, i) => Number.isFinite(v) && (i === 0 || v >= x[i - 1]))
		&& x.every(v => Math.abs(from + v) < YEAR_10000);
}

function isTable(rows, { length }, height) {
	return Array.isArray(rows) && rows.length <= ROWS_MAX && rows.length === height
		&& rows.every(row => isRow(row, v => v === null || Number.isFinite(v))
			&& row.length === length);
}

// What a chart is drawn from, of the text that the page has for it; null where that is no such data.
function pointsOf(text) {
	try {
		const data = unpack(JSON.parse(text));
		const { from, x, mean, min, max, limits } = data;
		const whole = isTimes(from, x) && isTable(mean, x, mean.length)
			&& [min, max].every(rows => !rows || isTable(rows, x, mean.length));
		return whole ? { ...data, limits: Array.isArray(limits)
			? limits.slice(0, ROWS_MAX).filter(limit => Number.isFinite(limit?.[0])) : [] } : null;
	} catch {
		return null;
	}
}
