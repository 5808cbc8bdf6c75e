// The strip above the charts, which says where the time went: follows their zoom, and their cursor.
import { charts, showsWhole, view } from './state.js';

const strip = document.getElementById('strip');
const moving = strip?.querySelector('.moves');
const line = strip?.querySelector('.cursor');
const { from, span } = moving?.dataset ?? {};

// Shows the same time as the charts. Its own labels are of the whole run: the charts have others.
export function followStrip() {
	const [left, right] = [view.min, view.max].map(v => (v - from) / span * 1000);
	moving?.setAttribute('viewBox', `${left} 0 ${Math.max(right - left, 0.01)} 100`);
	strip?.classList.toggle('zoomed', !showsWhole());
}

// A cursor at this share of the plot's width, from 0 to 1; none if it is outside.
export function pointStrip(share) {
	line?.setAttribute('x', share >= 0 ? `${share * 100}%` : -9);
}

// The pointer on the strip moves the cursor of all charts.
export function listenStrip() {
	const point = left => charts.find(chart => chart.plot)?.plot.setCursor({ left, top: left && 10 }, true, true);
	moving?.addEventListener('pointermove', e => point(e.clientX - moving.getBoundingClientRect().left));
	moving?.addEventListener('pointerleave', () => point(-10));
}
