// The strip above the charts, which says where the time went: follows their zoom, and their cursor.
import { charts, view } from './state.js';

const figure = document.querySelector('#strip figure');
const from = Number(figure?.dataset.from), span = Number(figure?.dataset.span);
const moving = figure?.querySelector('.moves');
const line = figure?.querySelector('line');
const [, , width, height] = moving?.getAttribute('viewBox').split(' ').map(Number) ?? [];

// Shows the same time as the charts. Its own labels are of the whole run: the charts have others.
export function followStrip() {
	if (!moving)
		return;
	const [left, right] = [view.min, view.max].map(v => (v - from) / span * width);
	moving.setAttribute('viewBox', `${left.toFixed(3)} 0 ${Math.max(right - left, 0.01).toFixed(3)} ${height}`);
	figure.classList.add('drawn');
}

// A cursor at this share of the plot's width, from 0 to 1; none if it is outside.
export function pointStrip(share) {
	const seen = share >= 0 && share <= 1;
	line?.setAttribute('visibility', seen ? 'visible' : 'hidden');
	for (const end of seen && line ? ['x1', 'x2'] : [])
		line.setAttribute(end, `${(share * 100).toFixed(2)}%`);
}

// The pointer on the strip moves the cursor of all charts.
export function listenStrip() {
	const point = left => {
		const plot = charts.find(chart => chart.plot)?.plot;
		plot?.setCursor({ left, top: left < 0 ? -10 : 10 }, true, true);
	};
	moving?.addEventListener('pointermove', e => point(e.clientX - moving.getBoundingClientRect().left));
	moving?.addEventListener('pointerleave', () => point(-10));
}
