// The pictures of the history: the run nearest to the pointer is named, and a click leads to its row. Tab goes from
// picture to picture, and the arrow keys go from run to run.
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
	const label = make('small', { class: 'nearest', 'aria-hidden': 'true' });
	let shown;
	const show = mark => {
		shown?.classList.remove('at');
		mark?.classList.add('at');
		shown = mark;
		label.textContent = mark?.querySelector('title').textContent ?? '';
	};
	svg.after(label);
	svg.addEventListener('pointermove', ({ clientX }) => show(nearest(marks, clientX)));
	svg.addEventListener('pointerleave', () => show());
	svg.addEventListener('click', ({ target, clientX }) => {
		const hit = target.closest('a'), link = hit ?? nearest(marks, clientX)?.closest('a');
		const row = link && document.getElementById(link.getAttribute('href').slice(1));
		if (!row)
			return;
		row.closest('details')?.setAttribute('open', '');
		if (hit)
			return;
		location.hash = row.id;
		// The address may have had that hash.
		row.scrollIntoView();
	});
	links.forEach((link, i) => {
		link.setAttribute('tabindex', i === links.length - 1 ? 0 : -1);
		link.addEventListener('focus', () => show(link.querySelector('title').parentNode));
		link.addEventListener('blur', () => show());
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
