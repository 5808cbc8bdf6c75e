// Numbers as text, as report/units/units.c writes them, and numbers that people write into a filter.

// A number of three significant digits; the rounded text decides how many decimals: 9.996 is 10.0.
function threeDigits(v) {
	if (v >= 1e6)
		return String(Number(v.toPrecision(3)));
	const texts = [[2, 10], [1, 100], [0, Infinity]].map(([digits, below]) => [v.toFixed(digits), below]);
	return texts.find(([text, below]) => Number(text) < below)[0];
}

function bytes(v) {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
	let at = 0;
	for (; at < 5 && Number(threeDigits(v)) >= 1024; at++)
		v /= 1024;
	return `${at ? threeDigits(v) : Number(threeDigits(v))} ${units[at]}`;
}

// A comma before every three digits.
const formats = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
export const grouped = v => formats.format(v);

function count(v) {
	return v < 99.95 ? String(Number(v.toFixed(1))) : grouped(v);
}

function twoParts(big, bigUnit, small, smallUnit) {
	return `${Math.floor(big)} ${bigUnit}${small ? ` ${small} ${smallUnit}` : ''}`;
}

function seconds(v) {
	if (v < 59.95)
		return `${Number(v.toFixed(2)) < 10 ? v.toFixed(2) : v.toFixed(1)} s`;
	const [whole, minutes, hours] = [1, 60, 3600].map(unit => Math.round(v / unit));
	return whole < 3600 ? twoParts(whole / 60, 'min', whole % 60, 's')
		: minutes < 1440 ? twoParts(minutes / 60, 'h', minutes % 60, 'min')
			: twoParts(hours / 24, 'd', hours % 24, 'h');
}

const hours = unit => v => {
	const text = v > 0 && v < 1e-4 ? 'under 0.0001' : v >= 100 || v <= 0 ? count(v)
		: v < 0.1 ? String(Number(v.toPrecision(2))) : threeDigits(v);
	return `${text} ${unit}`;
};

function money(v, currency) {
	const decimals = v > 0 && v < 100 ? Math.min(12, 3 - Math.floor(Math.log10(v))) : 2;
	const text = v.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1').replace(/^\d{4,}(?=\.)/, whole => grouped(Number(whole)));
	return currency === 'USD' ? `$${text}` : `${text} ${currency}`;
}

// A change below this share is none, as in fleet/groups/fleet_model_groups.c.
export const STEADY = 0.05;

function change(v) {
	return Math.abs(v) < STEADY ? 'steady' : `${v > 0 ? '+' : '−'}${Math.round(Math.abs(100 * v))}%`;
}

// As units_share in report/units/units.c.
function share(v) {
	return v > 0 && v < 0.001 ? 'under 0.1%' : `${v < 0.1 ? Number((100 * v).toFixed(1)) : Math.round(100 * v)}%`;
}

function named(one) {
	return v => {
		const text = v.toFixed(2);
		return `${text} ${one}${text === '1.00' ? '' : 's'}`;
	};
}

// Units of the columns of the model; any other is a currency.
const texts = {
	count, bytes, s: seconds, day: v => `${new Date(v * 1e3).toISOString().slice(0, 16).replace('T', ' ')} UTC`, cores: named('core'), GPUs: named('GPU'), share, change,
	...Object.fromEntries(['core-hours', 'GiB-hours', 'GPU-hours', 'machine-hours'].map(unit => [unit, hours(unit)])),
};

export function textOf(unit, v) {
	return v === null ? 'unknown' : Object.hasOwn(texts, unit) ? texts[unit](v) : money(v, unit);
}

// Where a column names the unit.
export const shortHours = text => text.replace(' machine-hours', '');

// What a filter may write after a number, and what a number alone means.
const KIB = 1024;
const suffixes = {
	bytes: { '': KIB ** 3, b: 1, k: KIB, m: KIB ** 2, g: KIB ** 3, t: KIB ** 4 },
	s: { '': 1, s: 1, sec: 1, m: 60, min: 60, h: 3600, d: 86400 },
	share: { '': 0.01, '%': 0.01 }, change: { '': 0.01, '%': 0.01 },
};

// The number of "64 GiB", "2h" or "1,200" in the unit of a column; null where it is none.
export function numberOf(unit, text) {
	if (unit === 'day') {
		const day = /^\s*\d{4}-\d\d-\d\d\s*$/.test(text) ? Date.parse(text.trim()) / 1e3 : NaN;
		return Number.isFinite(day) ? day : null;
	}
	const found = /^[$€£]?\s*([+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/i.exec(text.trim());
	if (!found)
		return null;
	const value = Number(found[1].replace(/,/g, ''));
	const of = Object.hasOwn(suffixes, unit) ? suffixes[unit] : null;
	const suffix = found[2].toLowerCase();
	const name = unit === 'bytes' ? suffix.replace(/i?b$/, '') || (suffix ? 'b' : '') : suffix;
	return of && Object.hasOwn(of, name) ? value * of[name] : of && name ? null : value;
}
