// The times of the page: those on the charts' axis and at their cursor, and every <time>.
import { whole } from './state.js';

// What the axis shows: time since the start of the run ('elapsed'), or the clock in UTC ('utc') or in the
// reader's time zone ('local').
export let times = 'elapsed';

// Minutes that the shown clock is ahead of UTC.
function ahead(unix) {
	return times === 'local' ? -new Date(unix * 1e3).getTimezoneOffset() : 0;
}

function clock(unix) {
	const iso = new Date((unix + ahead(unix) * 60) * 1e3).toISOString();
	return { day: iso.slice(0, 10), minute: iso.slice(11, 16), second: iso.slice(11, 19),
		exact: iso.slice(11, 23) };
}

function zoneName(unix) {
	const by = ahead(unix);
	const two = v => String(Math.floor(v)).padStart(2, '0');
	return `UTC${by < 0 ? '−' : '+'}${two(Math.abs(by) / 60)}:${two(Math.abs(by) % 60)}`;
}

// Seconds as h:mm:ss, with at most so many decimals.
function stopwatch(seconds, digits) {
	const all = Number(Math.abs(seconds).toFixed(digits));
	const two = v => String(Math.floor(v)).padStart(2, '0');
	const part = (all % 1).toFixed(digits).slice(1).replace(/\.?0+$/, '');
	return `${Math.floor(all / 3600)}:${two(all / 60 % 60)}:${two(all % 60)}${part}`;
}

// The time at the cursor.
export function timeText(unix) {
	if (times !== 'elapsed')
		return clock(unix).second;
	return stopwatch(unix - whole.min, Math.max(0, Math.ceil(2 - Math.log10(whole.max - whole.min))));
}

// -- the axis ------------------------------------------------------------------------------------
// At most so many steps, of these seconds: the whole run has the ticks of the still pictures (chart_axis.c).
const TICKS = 7;
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000];
const UNITS = [['d', 86400], ['h', 3600, 'd'], ['min', 60, 'h'], ['s', 0, 'min']];

function stepOf(span) {
	const least = span / TICKS;
	const decimal = v => {
		const ten = 10 ** Math.floor(Math.log10(v));
		return [1, 2, 5, 10].map(n => n * ten).find(step => step >= v);
	};
	return least < 1 ? decimal(least) : STEPS.find(step => step >= least) ?? decimal(least / 86400) * 86400;
}

// "20 min", and of a span late in a long run "12 h 20 min" or 12:20:05.
function elapsedText(seconds, step) {
	const [unit, size, larger] = UNITS.find(([, least]) => step >= least);
	const by = size || 1, count = Number((seconds / by).toPrecision(4)), per = unit === 'h' ? 24 : 60;
	if (!larger || count < 10 * per)
		return count ? `${count} ${unit}` : '0';
	if (unit === 's')
		return stopwatch(seconds, 3);
	const all = Math.round(seconds / by);
	return `${Math.floor(all / per)} ${larger} ${all % per} ${unit}`;
}

function clockText(unix, step) {
	const at = clock(unix);
	return step < 1 ? at.exact.replace(/\.?0+$/, '') : step < 60 ? at.second : step < 86400 ? at.minute : '';
}

// The ticks of a span of time: their places, in Unix seconds, and their texts; of a clock a tick has a second
// line where the day is another.
export function ticksOf({ min, max }) {
	const step = stepOf(max - min), zero = times === 'elapsed' ? whole.min : -ahead(min) * 60;
	const first = Math.ceil((min - zero) / step - 1e-6), last = Math.floor((max - zero) / step + 1e-6);
	let before = '';
	return Array.from({ length: Math.min(Math.max(0, last - first + 1), TICKS + 1) }, (_, i) => {
		const at = zero + (first + i) * step;
		if (times === 'elapsed')
			return { at, text: elapsedText(at - zero, step) };
		const { day } = clock(at), text = clockText(at, step), line = day === before ? '' : day;
		before = day;
		return { at, text: text && line ? `${text}\n${line}` : text || line };
	});
}

// Every <time> of the page; a time keeps its form, "2026-11-21 06:51:51 UTC" or a part of it.
const nodes = [...document.querySelectorAll('time')].map(node =>
	({ node, text: node.textContent, unix: Date.parse(node.dateTime) / 1e3 }));

export function showTimes(kind) {
	times = kind;
	for (const { node, text, unix } of nodes) {
		if (!(Math.abs(unix) < 1e11))
			continue;
		const at = clock(unix);
		node.textContent = times !== 'local' ? text : text
			.replace(/\d{4}-\d\d-\d\d/, at.day)
			.replace(/\d\d:\d\d(:\d\d)?/, (all, second) => (second ? at.second : at.minute))
			.replace(/UTC$/, zoneName(unix));
	}
}
