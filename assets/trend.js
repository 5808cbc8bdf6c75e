// The pictures of the history: names the run that is nearest to the pointer, and leads to its row by a click. One
// press of Tab is a picture, and the arrow keys go from run to run.
import { make } from './page.js';

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

const centre = ({ left, width }) => left + width / 2;

function nearest(marks, x) {
	const far = marks.map(mark => Math.abs(centre(mark.getBoundingClientRect()) - x));
	return marks[far.indexOf(Math.min(...far))];
}

function follow(svg) {
	const marks = [...svg.querySelectorAll('title')].map(title => title.parentNode);
	const links = [...svg.querySelectorAll('a')];
	// A link's name says the same.
	const said = make('small', { class: 'nearest', 'aria-hidden': 'true' });
	let at;
	const say = mark => {
		at?.classList.remove('at');
		mark?.classList.add('at');
		at = mark;
		said.textContent = mark?.querySelector('title').textContent ?? '';
	};
	svg.after(said);
	svg.addEventListener('pointermove', ({ clientX }) => say(nearest(marks, clientX)));
	svg.addEventListener('pointerleave', () => say());
	svg.addEventListener('click', ({ target, clientX }) => {
		const hit = target.closest('a'), hash = (hit ?? nearest(marks, clientX)?.closest('a'))?.getAttribute('href');
		if (!hash)
			return;
		document.getElementById(hash.slice(1))?.closest('details')?.setAttribute('open', '');
		if (!hit)
			location.hash = hash;
	});
	links.forEach((link, i) => {
		link.setAttribute('tabindex', i === links.length - 1 ? 0 : -1);
		link.addEventListener('focus', () => say(link.querySelector('title').parentNode));
		link.addEventListener('blur', () => say());
		link.addEventListener('keydown', event => {
			const by = KEYS[event.key];
			if (!by || event.ctrlKey || event.altKey || event.metaKey)
				return;
			event.preventDefault();
			const next = links[Math.min(Math.max(i + by, 0), links.length - 1)];
			link.setAttribute('tabindex', -1);
			next.setAttribute('tabindex', 0);
			next.focus();
		});
	});
}

export function followRuns() {
	document.querySelectorAll('.trend svg').forEach(follow);
}
