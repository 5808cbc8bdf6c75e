// The pictures beside the charts that have their time axis, where the time went and the processes: follow
// their zoom, and their cursor.
import { showsWhole, view } from './state.js';

const strips = [...document.querySelectorAll('[data-from]')];

// The time that a picture shows: that of the charts, or the whole run, which may begin before their first
// sample.
function shown({ dataset: { from, span } }) {
	const [min, max] = showsWhole() ? [+from, +from + +span] : [view.min, view.max];
	return { from, span, min, percent: 100 / (max - min) };
}

// Shows the same time as the charts. Their own labels are of the whole run: the charts have others.
export function followStrip() {
	for (const strip of strips) {
		const { from, span, min, percent } = shown(strip);
		strip.firstElementChild.setAttribute('x', `${(from - min) * percent}%`);
		strip.firstElementChild.setAttribute('width', `${span * percent}%`);
		strip.nextElementSibling.nextElementSibling.setAttribute('opacity', +showsWhole());
	}
}

// The cursor of a chart is below 0 where it has none: far from the strip.
export function pointStrip({ cursor: { left }, over }) {
	const at = view.min + left / over.clientWidth * (view.max - view.min);
	for (const strip of strips) {
		const { min, percent } = shown(strip);
		strip.nextElementSibling.setAttribute('x', left < 0 ? '-100%' : `${(at - min) * percent}%`);
	}
}
