// Sorts tables by a click on a column's head, searches those of processes, and copies snippets by a button.
import { button, labelled, make, searchField } from './page.js';

const ENOUGH = 8; // rows that are worth a search

// The value of a cell to sort by: data-v where the text has a unit, else the text.
function sortKey(cell, numeric) {
	const text = cell?.dataset.v ?? cell?.textContent.trim() ?? '';
	if (!numeric)
		return text;
	const digits = 'v' in (cell?.dataset ?? {}) ? text : text.replace(/[^\d.-]/g, '');
	return digits === '' || Number.isNaN(Number(digits)) ? '' : Number(digits);
}

function sortBy(table, at, head) {
	const up = head.getAttribute('aria-sort') !== 'ascending';
	for (const other of table.tHead.querySelectorAll('th'))
		other.removeAttribute('aria-sort');
	head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
	const [body] = table.tBodies;
	const rows = [...body.rows];
	const numeric = head.matches('.n') || rows.some(row => 'v' in (row.cells[at]?.dataset ?? {}));
	const keys = new Map(rows.map(row => [row, sortKey(row.cells[at], numeric)]));
	body.append(...rows.sort((a, b) => {
		// Unknown values come last in both directions.
		const [p, q] = [keys.get(a), keys.get(b)];
		if (p === '' || q === '')
			return (p === '') - (q === '');
		return (up ? 1 : -1) * (numeric ? p - q : p.localeCompare(q));
	}));
}

// A column without text (of pictures) cannot be sorted.
export function makeSortable() {
	for (const table of document.querySelectorAll('.sortable'))
		table.tHead.querySelectorAll('th').forEach((head, i) => {
			if ([...table.tBodies[0].rows].some(({ cells }) => sortKey(cells[i], false)))
				head.replaceChildren(button(head.textContent, {}, () => sortBy(table, i, head)));
		});
}

// The rows of a section whose names or commands have the words. What is folded opens where it has some.
function search(tables, said, words) {
	const word = words.trim().toLowerCase();
	let all = 0, found = 0;
	for (const table of tables) {
		const before = found;
		for (const row of table.tBodies[0].rows) {
			row.hidden = !row.cells[0].textContent.toLowerCase().includes(word);
			all++;
			found += !row.hidden;
		}
		for (let node = table; word && found > before && (node = node.parentElement.closest('details'));)
			node.open = true;
	}
	said.textContent = word ? `${found} of ${all} rows` : '';
}

export function makeSearchable(id) {
	const tables = [...document.querySelectorAll(`#${id} .sortable`)];
	if (tables.reduce((n, table) => n + table.tBodies[0].rows.length, 0) < ENOUGH)
		return;
	const said = make('output', { class: 'note', 'aria-live': 'polite' }), bar = make('div', { class: 'search' });
	bar.append(said, labelled('Search', searchField('Part of a name', words => search(tables, said, words))));
	document.querySelector(`#${id} > h2`).after(bar);
}

async function copy(pre) {
	try {
		await navigator.clipboard.writeText(pre.textContent);
		return true;
	} catch {
		// The clipboard API needs a secure origin; a file has none, so copy a selection.
		getSelection().selectAllChildren(pre);
		const done = document.execCommand('copy');
		getSelection().removeAllRanges();
		return done;
	}
}

export function makeCopyable(root = document) {
	for (const pre of root.querySelectorAll('.snippet pre')) {
		const box = make('div');
		const name = pre.getAttribute('aria-label');
		const key = button('Copy', { class: 'pill', 'aria-label': `Copy the lines for ${name}`,
			'aria-live': 'polite' }, async () => {
			key.textContent = await copy(pre) ? 'Copied' : 'Not copied';
			setTimeout(() => {
				key.textContent = 'Copy';
			}, 2000);
		});
		pre.replaceWith(box);
		box.append(pre, key);
	}
}
