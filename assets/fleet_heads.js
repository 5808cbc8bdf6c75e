// The heads of a table, which sort it.
import { button, make } from './page.js';

// The head of a column has a button for each of its measures; a common name is written once, above them.
export function addHeads(node, columns, order) {
	for (const head of node.tHead.rows[0].cells) {
		const known = head.dataset.c.split(' ').filter(id => columns.has(id));
		const title = known.length > 1 && columns.get(known[0]).short !== columns.get(known[0]).label
			? [make('span', {}, head.firstChild.textContent.trim().replace(/ asked → .*/, '')), make('br')] : [];
		head.replaceChildren(...title, ...known.flatMap((id, k) => {
			const { label, short } = columns.get(id);
			const key = button(short, { 'data-c': id, 'aria-label': label, title: `Sort by: ${label}` },
				() => order(id));
			return k ? [' ', key] : [key];
		}));
	}
}
