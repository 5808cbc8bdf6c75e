// A table that the script sorts, searches, filters and shows page by page, and whose view the address keeps:
// that of groups, and that of runs.
import { blank, readAddress, writeAddress } from './fleet_address.js';
import { filterOf, sortedBy } from './fleet_columns.js';
import { addPager, addTools } from './fleet_tools.js';
import { button, make } from './page.js';

const PATIENCE = 400; // milliseconds without a change after which the counts are said

// The head of a column has a button for each of its measures; a common name is written once, above them.
function addHeads(node, columns, order) {
	for (const head of node.tHead.rows[0].cells) {
		const known = head.dataset.c.split(' ').filter(id => columns.has(id));
		const [first] = known.map(id => columns.get(id));
		const title = known.length > 1 && first.head !== first.label
			? [make('span', {}, head.firstChild.textContent.trim().replace(/ asked → .*/, ''))] : [];
		const keys = make('div');
		keys.append(...known.flatMap((id, k) => {
			const { label, head: short } = columns.get(id);
			const key = button(short, { 'data-c': id, 'aria-label': label, title: `Sort by: ${label}` },
				() => order(id));
			return k ? [' ', key] : [key];
		}));
		head.replaceChildren(...title, keys);
	}
}

// name: of the elements around the table. words: what a search finds, of each of n rows. first: [column,
// whether ascending]: the order of the page's source. draw(shown, view) shows rows, by their numbers; show(rows)
// what depends on all that are left; said(rows) is a sentence about them.
export function startList({ node, name, columns, n, size, words, first, draw, show = () => {}, said }) {
	const all = Array.from({ length: n }, (_, i) => i), [firstOrder, firstUp] = first;
	const tools = addTools(document.getElementById(`${name}-tools`), { columns, change, order });
	const showPages = addPager(document.getElementById(`${name}-pager`), go);
	let view = blank(), rows = all, wrong = new Set(), timer;

	function select() {
		const word = view.q.trim().toLowerCase(), tests = [];
		wrong = new Set();
		for (const [id, text] of view.filters) {
			const column = columns.get(id), test = filterOf(column, text);
			if (test)
				tests.push(i => test(column.values[i]));
			else
				wrong.add(id);
		}
		rows = all.filter(i => words[i].includes(word) && tests.every(test => test(i)));
		if (view.sort)
			rows = sortedBy(columns.get(view.sort), view.up, rows);
	}

	const orderNow = () => (view.sort ? [view.sort, view.up] : first);
	const pages = () => Math.max(1, Math.ceil(rows.length / size));

	function showHeads([by, up]) {
		for (const head of node.tHead.rows[0].cells) {
			head.dataset.c.split(' ').includes(by ?? '') ? head.setAttribute('aria-sort', up ? 'ascending' : 'descending')
				: head.removeAttribute('aria-sort');
			for (const key of head.querySelectorAll('button'))
				key.classList.toggle('by', key.dataset.c === by);
		}
	}

	function say() {
		const bad = [...wrong].map(id => `${columns.get(id).label} ${view.filters.get(id)} (${columns.get(id).hint})`);
		const text = said(rows) + (bad.length ? ` Not understood: ${bad.join('; ')}.` : '');
		clearTimeout(timer);
		timer = setTimeout(() => {
			tools.said.textContent = text;
		}, tools.said.textContent ? PATIENCE : 0);
	}

	function showRows() {
		view.page = Math.min(view.page, pages());
		const from = (view.page - 1) * size, shown = rows.slice(from, from + size);
		draw(shown, view);
		showPages(rows.length ? from + 1 : 0, from + shown.length, rows.length, size);
	}

	function showAll() {
		const [by, up] = orderNow();
		showHeads([by, up]);
		tools.show(view, by, up, wrong);
		showRows();
		show(rows);
		say();
	}

	function change(edit) {
		const old = view;
		view = { ...view, filters: new Map(view.filters), page: 1 };
		const replaces = edit(view, old) === true;
		select();
		showAll();
		writeAddress(view, replaces);
	}

	function order(id) {
		change(next => {
			const [by, up] = orderNow();
			// Numbers are sorted from the largest at first, texts from A.
			next.up = by === id ? !up : columns.get(id)?.isText ?? false;
			next.sort = !id || (id === firstOrder && next.up === firstUp) ? null : id;
		});
	}

	function go(by) {
		view = { ...view, page: Math.min(pages(), Math.max(1, view.page + by)) };
		showRows();
		writeAddress(view);
		node.scrollIntoView({ block: 'start' });
	}

	// Opens a row, or closes it, by its number.
	function open(i) {
		view = { ...view, open: view.open === i + 1 ? 0 : i + 1 };
		showRows();
		writeAddress(view);
	}

	// Shows what the address asks for: the page of rows that has the opened one, which it names. Returns whether it
	// asks for anything.
	function follow() {
		const asked = readAddress(columns, n);
		if (!asked)
			return false;
		view = asked;
		select();
		const at = rows.indexOf(view.open - 1);
		if (at >= 0)
			view.page = Math.floor(at / size) + 1;
		showAll();
		return true;
	}

	document.addEventListener('keydown', e => {
		if (e.key !== '/' || e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input, select, textarea'))
			return;
		e.preventDefault();
		tools.search.focus();
		tools.search.scrollIntoView({ block: 'nearest' });
	});
	tools.search.addEventListener('keydown', e => {
		if (e.key !== 'Escape' || !view.q)
			return;
		e.preventDefault();
		change(next => {
			next.q = '';
		});
	});
	addHeads(node, columns, order);
	return { tools, go, open, follow, showRows, opened: () => view.open - 1, rows: () => rows,
		begin() {
			select();
			showAll();
		} };
}
