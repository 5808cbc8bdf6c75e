// The columns of the fleet's table: unpacks their values, and knows how each is named, written and filtered.
import { numberOf, textOf } from './fleet_text.js';
import { unpacked } from './unpacked.js';

const GROUPS_MAX = 20000;
const NUMBER = 'A number: >100, <20, 10..20, or unknown';
const SIZE = 'A size: >64GiB, <500MiB, 1GiB..2GiB, or unknown';
const TIME = 'A time: >2h, <10min, 1h..2h, or unknown';
const DAY = 'A day: >2026-11-01, <=2026-11-08, 2026-11-01..2026-11-08, or unknown';
const SHARE = 'A share: <5%, >50%, 5%..20%, or unknown';
const CHANGE = 'A change: >10%, <-5%, or unknown';
const HINTS = { bytes: SIZE, s: TIME, share: SHARE, change: CHANGE, day: DAY };

// Control characters, and those that turn the direction of writing: replaced as in every output.
const HARMFUL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

// The columns of a packed table (fleet/page/fleet_table.h), and how many rows there are; throws where the data are
// malformed. name: what the column of names is called.
export async function readTable(text, name) {
	const { columns, values } = await unpacked(text);
	const n = values[0].length;
	return { n, columns: new Map(columns.map(([id, label, unit, head], i) => {
		if (values[i].length !== n || n > GROUPS_MAX)
			throw new Error('the table of the groups is malformed');
		const column = { id, label, unit, head, isText: !unit,
			values: values[i].map(v => (typeof v === 'string' || Number.isFinite(v) ? v : null)),
			hint: unit ? HINTS[unit] ?? NUMBER : 'A text: part of it, =all of it, or !without it' };
		if (id === 'name') {
			column.label = column.head = name;
			column.values = column.values.map(v => String(v ?? 'unknown').replace(HARMFUL, '\ufffd'));
		}
		column.text = k => (unit ? textOf(unit, column.values[k]) : column.values[k] ?? 'unknown');
		return [id, column];
	})) };
}

function textFilter(text) {
	const [, sign, rest] = /^([=!]?)\s*(.*)$/s.exec(text.toLowerCase());
	if (sign === '=')
		return v => v?.toLowerCase() === rest;
	return v => (v ?? 'unknown').toLowerCase().includes(rest) !== (sign === '!');
}

// A number without a sign means about that number, as it is written with three digits.
const about = (v, w) => Math.abs(v - w) <= 0.005 * Math.abs(w);
// Of a time, the day counts.
const DAY_S = 86400;
const DAYS = { '>': (v, w) => v >= w + DAY_S, '>=': (v, w) => v >= w, '<': (v, w) => v < w,
	'<=': (v, w) => v < w + DAY_S, '=': (v, w) => v >= w && v < w + DAY_S, '': (v, w) => v >= w && v < w + DAY_S };
const SIGNS = { '>': (v, w) => v > w, '>=': (v, w) => v >= w, '<': (v, w) => v < w,
	'<=': (v, w) => v <= w, '=': about, '': about };

function numberFilter(unit, text) {
	if (/^!?\s*unknown$/i.test(text))
		return text[0] === '!' ? v => v !== null : v => v === null;
	const range = text.split(/\.\.|…/);
	const [, sign, rest] = /^([<>]=?|=|)(.*)$/s.exec(text);
	const numbers = (range.length === 2 ? range : [rest]).map(part => numberOf(unit, part));
	if (range.length > 2 || numbers.includes(null))
		return null;
	const [low, high] = numbers, signs = unit === 'day' ? DAYS : SIGNS;
	return range.length === 2 ? v => v !== null && v >= low && signs['<='](v, high)
		: v => v !== null && signs[sign](v, low);
}

// A function of a value, or null where the text is not a filter of this column.
export function filterOf(column, text) {
	return column.isText ? textFilter(text.trim())
		: numberFilter(column.unit, text.trim().replace(/^≥/, '>=').replace(/^≤/, '<='));
}

// The numbers of the groups in the order of a column; unknown ones come last in both directions.
const collator = new Intl.Collator('en', { numeric: true });
const ranks = new Map();
export function sortedBy({ id, values, isText }, up, all) {
	if (isText && !ranks.has(id)) {
		const order = [...values.keys()].sort((a, b) => collator.compare(values[a] ?? '', values[b] ?? ''));
		const rank = [];
		order.forEach((at, i) => {
			rank[at] = values[at] === null ? null : i;
		});
		ranks.set(id, rank);
	}
	const keys = isText ? ranks.get(id) : values, sign = up ? 1 : -1;
	return all.sort((a, b) => {
		const [p, q] = [keys[a], keys[b]];
		return p === null || q === null ? (p === null) - (q === null) : sign * (p - q) || a - b;
	});
}
