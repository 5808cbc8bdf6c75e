// The page's small things: elements, colours, and the clock that its times are told by.
// The page's colours, by their names in its style; read anew when those may have changed.
let colours = {};
// Times as the page was written, until the reader asks for those of the place.
let utc = true;

function make(tag, attributes, text) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		node.setAttribute(name, value);
	if (text !== undefined)
		node.textContent = text;
	return node;
}

function button(text, attributes, act) {
	const node = make('button', { type: 'button', ...attributes }, text);
	node.addEventListener('click', act);
	return node;
}

function colour(name) {
	colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
		|| '#808080';
	return colours[name];
}

// -- time ----------------------------------------------------------------------------------------
// Minutes that the clock is ahead of UTC.
function ahead(unix) {
	return utc ? 0 : -new Date(unix * 1e3).getTimezoneOffset();
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

// Each time in the text keeps its form: "2026-11-21 06:51:51 UTC" or less of it.
const times = [...document.querySelectorAll('time')].map(node =>
	({ node, text: node.textContent, unix: Date.parse(node.dateTime) / 1e3 }));

function showTimes() {
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
