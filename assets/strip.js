// The pictures beside the charts that have their time axis, where the time went and the processes: follow
// their zoom, and their cursor.
import { view } from './state.js';
import { ticksOf } from './times.js';

const strips = [...document.querySelectorAll('[data-from]')];
// The labels of their axes, and those that the charts' still pictures share; a model from elsewhere may have none.
const labels = [...document.querySelectorAll('#times .ticks, [data-from] ~ .ticks')]
	.filter(group => group.firstElementChild).map(group => ({ group, one: group.firstElementChild.cloneNode() }));

// Where the charts' time begins in a picture, and how much of it that is.
const shown = ({ dataset: { from, span } }) => [view.min - from, view.max - view.min].map(v => v / span);

// Shows the same time as the charts.
export function followStrip() {
	const span = view.max - view.min, ticks = ticksOf(view);
	for (const strip of strips) {
		const [at, size] = shown(strip);
		strip.firstElementChild.setAttribute('x', `${-at / size * 100}%`);
		strip.firstElementChild.setAttribute('width', `${100 / size}%`);
	}
	for (const { group, one } of labels)
		group.replaceChildren(...ticks.map(({ at, text }) => {
			const node = one.cloneNode();
			node.setAttribute('x', `${(at - view.min) / span * 100}%`);
			[node.textContent] = text.split('\n');
			return node;
		}));
}

let pointed = false;

// The cursor of a chart is below 0 where it has none: far from the strip.
export function pointStrip({ cursor: { left }, over }) {
	if (left < 0 && !pointed)
		return;
	pointed = left >= 0;
	const unix = view.min + left / over.clientWidth * (view.max - view.min);
	for (const strip of strips) {
		const [at, size] = shown(strip), { from, span } = strip.dataset;
		strip.nextElementSibling.setAttribute('x', left < 0 ? '-100%' : `${((unix - from) / span - at) / size * 100}%`);
	}
}
