// Elements, colours and times of the page.

// The values of the style sheet's colour variables, by name.
let colours = {};
// Whether times are in UTC, as in the page's source, or in the reader's time zone.
export let utc = true;

export function make(tag, attributes, text) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		node.setAttribute(name, value);
	if (text !== undefined)
		node.textContent = text;
	return node;
}

export function button(text, attributes, act) {
	const node = make('button', { type: 'button', ...attributes }, text);
	node.addEventListener('click', act);
	return node;
}

export function colour(name) {
	colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
		|| '#808080';
	return colours[name];
}

// The style may have changed: read the colours again.
export function forgetColours() {
	colours = {};
}

export function printing() {
	return document.documentElement.classList.contains('paper');
}

// -- time ----------------------------------------------------------------------------------------
// Minutes that the shown clock is ahead of UTC.
function ahead(unix) {
	return utc ? 0 : -new Date(unix * 1e3).getTimezoneOffset();
}

export function clock(unix) {
	const iso = new Date((unix + ahead(unix) * 60) * 1e3).toISOString();
	return { day: iso.slice(0, 10), minute: iso.slice(11, 16), second: iso.slice(11, 19),
		exact: iso.slice(11, 23) };
}

function zoneName(unix) {
	const by = ahead(unix);
	const two = v => String(Math.floor(v)).padStart(2, '0');
	return `UTC${by < 0 ? '−' : '+'}${two(Math.abs(by) / 60)}:${two(Math.abs(by) % 60)}`;
}

// Every <time> of the page; a time keeps its form, "2026-11-21 06:51:51 UTC" or a part of it.
const times = [...document.querySelectorAll('time')].map(node =>
	({ node, text: node.textContent, unix: Date.parse(node.dateTime) / 1e3 }));

export function showTimes(inUtc) {
	utc = inUtc;
	for (const { node, text, unix } of times) {
		if (!(Math.abs(unix) < 1e11))
			continue;
		const at = clock(unix);
		node.textContent = utc ? text : text
			.replace(/\d{4}-\d\d-\d\d/, at.day)
			.replace(/\d\d:\d\d(:\d\d)?/, (all, second) => (second ? at.second : at.minute))
			.replace(/UTC$/, zoneName(unix));
	}
}
