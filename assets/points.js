// Unpacks the points of the charts (their packed form: docs/model.md), which are in the overview of the page's
// recording, or beside it. A page can be made from any model,
// so data that is malformed means no chart, and the size of everything unpacked is bounded.
const POINTS_MAX = 10000;
const ROWS_MAX = 100;
const YEAR_10000 = 253402300800;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';
const [GAP, AGAIN] = ['.', '*'].map(letter => letter.charCodeAt(0));
// The value of a digit, by its character code.
const DIGITS = new Uint8Array(128);
for (let i = 0; i < LETTERS.length; i++)
	DIGITS[LETTERS.charCodeAt(i)] = i;

// Integers in digits of 5 bits, the lowest first; `.` is a gap, `*n` repeats the last value n times.
// A page has tens of thousands of values, so the loop allocates nothing per value.
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

// One series: its scale, the steps from mean to mean, the distances to the minimum and maximum, and how many
// levels one of these has.
function unpackSeries([scale, steps, below, above, edgeSize = 1]) {
	let level = 0;
	const levels = wholes(steps).map(v =>
		(v === null ? null : level += v % 2 ? -(v + 1) / 2 : v / 2));
	const edge = (text, sign) => text && wholes(text).map((v, i) =>
		(v === null ? null : (levels[i] + sign * edgeSize * v) * scale));
	return [levels.map(v => (v === null ? null : v * scale)), edge(below, -1), edge(above, 1)];
}

// The packed data of a chart that names the columns of an overview, and in how many of its units each of theirs is.
function packedOf({ columns, limits }, { from, step, buckets, columns: all }) {
	return { from, step, n: buckets, limits, series: columns.slice(0, ROWS_MAX).map(([name, size]) => {
		const [scale, ...lists] = all[name].packed;
		return [scale * size, ...lists];
	}) };
}

// Packed data as {from, step, x, mean, min, max, limits}; unpacked data is returned unchanged.
export function unpack(given, overview) {
	const data = given?.columns && overview ? packedOf(given, overview) : given;
	if (!data?.series)
		return data;
	const { n, step, series, x = Array.from({ length: Math.min(n, POINTS_MAX) },
		(_, i) => (i + 0.5) * step) } = data;
	const rows = series.slice(0, ROWS_MAX).map(unpackSeries);
	const [mean, min, max] = [0, 1, 2].map(i => rows.map(row => row[i]));
	return { ...data, x, mean, ...min[0] ? { min, max } : { min: null, max: null } };
}

// The data of a chart; null where they are malformed.
export function pointsOf(packed, overview) {
	try {
		const data = unpack(packed, overview);
		const { from, x, mean, min, max, limits } = data;
		const whole = [from, ...x].every(Number.isFinite)
			&& x.every((v, i) => v >= (x[i - 1] ?? v) && Math.abs(from + v) < YEAR_10000)
			&& [mean, min ?? [], max ?? []].every(rows => rows.every(row => row.length === x.length
				&& row.every(v => v === null || Number.isFinite(v))));
		data.limits = (limits || []).slice(0, ROWS_MAX).filter(([value]) => Number.isFinite(value));
		return whole ? data : null;
	} catch {
		return null;
	}
}
