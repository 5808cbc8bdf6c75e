// The points of the charts, which the page holds packed (docs/model.md): numbers again.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

// Whole numbers in digits of 5 bits, the lowest first; `.` is a gap, `*n` repeats the last one n times.
function wholes(text) {
	const all = [];
	let value = 0, weight = 1, again = false;
	for (const letter of text) {
		const digit = LETTERS.indexOf(letter);
		if (letter === '.')
			all.push(null);
		else if (letter === '*')
			again = true;
		else {
			value += digit % 32 * weight;
			weight *= 32;
			if (digit > 31)
				continue;
			all.push(...again ? Array(value).fill(all[all.length - 1]) : [value]);
			[value, weight, again] = [0, 1, false];
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

// Packed data as {from, step, x, mean, min, max, limits}; data that is not packed as it is.
function unpack(data) {
	if (!data?.series)
		return data;
	const { n, step, series, x = Array.from({ length: n }, (_, i) => (i + 0.5) * step) } = data;
	const [mean, min, max] = [0, 1, 2].map(i => series.map(one => unpackSeries(one)[i]));
	return { ...data, x, mean, ...min[0] ? { min, max } : { min: null, max: null } };
}
