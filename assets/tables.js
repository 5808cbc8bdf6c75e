// Sorts tables by a click on a column's head, and copies snippets by a button.
import { button, make } from './page.js';

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
