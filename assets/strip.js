// The strip above the charts, which says where the time went: follows their zoom, and their cursor.
import { showsWhole, view } from './state.js';

const moving = document.querySelector('#strip [data-from]');
const cursor = moving?.nextElementSibling;
const WIDTH = 1000;
let span = [0, WIDTH];

const placeOf = at => (at - moving.dataset.from) / moving.dataset.span * WIDTH;

// Shows the same time as the charts; of the whole run also what was before their first sample. Its own labels are of
// the whole run: the charts have others.
export function followStrip() {
	if (!moving)
		return;
	const all = showsWhole();
	span = all ? [0, WIDTH] : [view.min, view.max].map(placeOf);
	moving.setAttribute('viewBox', `${span[0]} 0 ${span[1] - span[0]} 100`);
	cursor.nextElementSibling.setAttribute('opacity', +all);
}

// The cursor of a chart is below 0 where it has none: far from the strip.
export function pointStrip(u) {
	const { left } = u.cursor;
	cursor?.setAttribute('x', left < 0 ? '-100%'
		: `${(placeOf(u.posToVal(left, 'x')) - span[0]) / (span[1] - span[0]) * 100}%`);
}
