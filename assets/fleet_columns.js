// The columns of the fleet's table: unpacks their values, and knows how each is named, written and filtered.
import { numberOf, textOf } from './fleet_text.js';
import { unpacked } from './unpacked.js';

const GROUPS_MAX = 20000;
const NUMBER = 'A number: >100, <20, 10..20, or unknown';
const SIZE = 'A size: >64GiB, <500MiB, 1GiB..2GiB, or unknown';
const TIME = 'A time: >2h, <10min, 1h..2h, or unknown';
const DAY = 'A day: >2026-11-01, <=2026-11-08, 2026-11-01..2026-11-08, or unknown';
const SHARE = 'A change: >10%, <-5%, or unknown';
const CHANCE = 'A chance: <5%, >50%, 5%..20%, or unknown';
const HINTS = { bytes: SIZE, s: TIME, share: SHARE, chance: CHANCE, day: DAY };

// Control characters, and those that turn the direction of writing: replaced as in every output.
const HARMFUL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

// id, name, unit ("" is a text, "money" the page's currency), and its name in a head that it shares.
const COLUMNS = [
	['name', '', ''], ['runs', 'Runs', 'count'], ['failed', 'Failed runs', 'count', 'failed'],
	['oom', 'Out of memory', 'count', 'out of memory'], ['counted', 'Runs counted', 'count'],
	['wall_p50', 'Wall time', 's', 'p50'], ['wall_p95', 'Wall time, p95', 's', 'p95'],
	['mostly', 'Mostly', '', 'mostly'], ['ends', 'Why runs ended', '', 'ends'],
	['cpus_asked', 'Cores asked', 'cores', 'asked'], ['cpus_used', 'Cores used', 'cores', '→ used'],
	['memory_asked', 'Memory asked', 'bytes', 'asked'], ['memory_max', 'Peak memory', 'bytes', '→ peak'],
	['memory_p50', 'Peak memory, p50', 'bytes', 'p50'], ['memory_p95', 'Peak memory, p95', 'bytes', 'p95'],
	['gpus_asked', 'GPUs asked', 'GPUs', 'asked'], ['gpus_used', 'GPUs used', 'GPUs', '→ used'],
	['cores_unused', 'Core-hours unused', 'core-hours', 'core-hours'],
	['memory_unused', 'GiB-hours unused', 'GiB-hours', 'GiB-hours'],
	['gpus_unused', 'GPU-hours unused', 'GPU-hours', 'unused'],
	['money', 'Cost', 'money'], ['recoverable', 'Recoverable', 'money'],
	['machine_hours', 'Machine-hours', 'machine-hours'],
	['machine_recoverable', 'Recoverable machine-hours', 'machine-hours'],
	['proposed.cpus', 'Proposed CPUs', 'count', 'CPUs'],
	['proposed.memory', 'Proposed memory', 'bytes', 'memory'],
	['proposed.gpus', 'Proposed GPUs', 'count', 'GPUs'], ['proposed.time', 'Proposed time', 's', 'time'],
	['longer', 'Time with proposed CPUs', 'count', 'longer'], ['would_fail', 'Would fail', 'count', 'would fail'], ['unknown', 'Killed for memory with less', 'count', 'unknown'],
	['fail_at_most', 'Next fails, at most', 'chance', 'next ≤'], ['confidence', 'Confidence', '', 'confidence'],
	['backtest.failed', 'Back-test: failed', 'count', 'back-test'], ['backtest.runs', 'Back-test: runs', 'count', 'tried'],
	['backtest.wasted', 'Back-test: wasted', 'GiB-hours', 'wasted'],
	['backtest.asked_wasted', 'Wasted as asked', 'GiB-hours', 'as asked'], ['growth', 'Growth', 'count', 'growth'],
	['trend', 'Memory trend', 'share', 'memory trend'],
];

// The values of each column by its id, and how many groups there are; throws where the data are malformed.
export async function readTable(text) {
	const { columns, values } = await unpacked(text);
	const n = values[0].length, of = {};
	columns.forEach((id, i) => {
		if (values[i].length !== n || n > GROUPS_MAX)
			throw new Error('the table of the groups is malformed');
		of[id] = values[i].map(v => (typeof v === 'string' || Number.isFinite(v) ? v : null));
	});
	of.name = of.name.map(v => String(v ?? 'unknown').replace(HARMFUL, '\ufffd'));
	return { n, of };
}

// The columns that the page has values of, by id.
// list: as COLUMNS.
export function columnsOf({ of }, { head, currency, gpus }, list = COLUMNS) {
	const shown = list.filter(([id, , unit]) => Object.hasOwn(of, id)
		&& (unit !== 'money' || currency) && (gpus || !/gpu/.test(id)));
	return new Map(shown.map(([id, label, unit, short]) => {
		const values = of[id];
		const column = { id, label: label || head, short: short ?? (label || head), values, isText: !unit,
			unit: unit === 'money' ? currency : unit,
			hint: unit ? HINTS[unit] ?? NUMBER : 'A text: part of it, =all of it, or !without it' };
		column.text = i => textOf(column.unit, values[i]);
		return [id, column];
	}));
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
