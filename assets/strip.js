// The strip above the charts, which says where the time went: follows their zoom, and their cursor.
import { showsWhole, view } from './state.js';

const moving = document.querySelector('#strip [data-from]');
const cursor = moving?.nextElementSibling;

// Shows the same time as the charts. Its own labels are of the whole run: the charts have others.
export function followStrip() {
	if (!moving)
		return;
	const { from, span } = moving.dataset;
	const [left, right] = [view.min, view.max].map(v => (v - from) / span * 1000);
	moving.setAttribute('viewBox', `${left} 0 ${right - left} 100`);
	cursor.nextElementSibling.setAttribute('opacity', +showsWhole());
}

// The cursor of a chart is below 0 where it has none: far from the strip.
export function pointStrip({ cursor: { left }, over }) {
	cursor?.setAttribute('x', left < 0 ? '-100%' : `${left / over.clientWidth * 100}%`);
}
