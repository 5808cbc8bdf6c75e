// The pictures beside the charts that have their time axis, where the time went and the processes: follow
// their zoom, and their cursor.
import { showsWhole, view } from './state.js';

const strips = [...document.querySelectorAll('[data-from]')];

// Where the charts' time begins in a picture, and how much of it that is. Of the whole run it shows all of it,
// which may begin before the first sample.
const shown = ({ dataset: { from, span } }) => (showsWhole() ? [0, 1]
	: [view.min - from, view.max - view.min].map(v => v / span));

// Shows the same time as the charts. Their own labels are of the whole run: the charts have others.
export function followStrip() {
	for (const strip of strips) {
		const [at, size] = shown(strip);
		strip.firstElementChild.setAttribute('x', `${-at / size * 100}%`);
		strip.firstElementChild.setAttribute('width', `${100 / size}%`);
		strip.nextElementSibling.nextElementSibling.setAttribute('opacity', +showsWhole());
	}
}

// The cursor of a chart is below 0 where it has none: far from the strip.
export function pointStrip({ cursor: { left }, over }) {
	const unix = view.min + left / over.clientWidth * (view.max - view.min);
	for (const strip of strips) {
		const [at, size] = shown(strip), { from, span } = strip.dataset;
		strip.nextElementSibling.setAttribute('x', left < 0 ? '-100%' : `${((unix - from) / span - at) / size * 100}%`);
	}
}
