// The script of the fleet page: the packed table of all groups replaces the rows of the page's source. It
// sorts, searches and filters, keeps all that in the address, and opens groups. Text enters the page by
// textContent alone.
import { addPager, addTools } from './fleet_tools.js';
import { blank, readAddress, writeAddress } from './fleet_address.js';
import { columnsOf, filterOf, readTable, sortedBy } from './fleet_columns.js';
import { addHeads } from './fleet_heads.js';
import { contentOf, dropUnsafeLinks, rowMaker } from './fleet_rows.js';
import { grouped, textOf } from './fleet_text.js';
import { make } from './page.js';
import { startRuns } from './runs.js';
import { makeCopyable } from './tables.js';

const SIZE = 50; // rows that are shown at once
const PATIENCE = 400; // milliseconds without a change after which the counts are said

// What the row of sums adds up, by the first measure of a column; what another column has the name of is named.
const SUMS = { runs: ['runs'], cores_unused: ['cores_unused', 'memory_unused'], money: ['money'],
	recoverable: ['recoverable'], machine_hours: ['machine_hours'],
	machine_recoverable: ['machine_recoverable'], 'proposed.cpus': ['would_fail'] };
const NAMED = { would_fail: 'Would fail: ' };
const groups = count => `${grouped(count)} group${count === 1 ? '' : 's'}`;

// The currency of the page: that of the first cost that is known; "" without prices.
function currencyOf(node) {
	const head = node.querySelector('[data-c=recoverable]');
	const texts = head ? [...node.tBodies[0].rows].map(row => row.cells[head.cellIndex].textContent) : [];
	const known = texts.find(text => /\d/.test(text));
	return head && !known ? 'USD' : known ? /[A-Z]{2,8}$/.exec(known.trim())?.[0] ?? 'USD' : '';
}

function makeTable(node, { n, of }) {
	const gpus = Boolean(node.querySelector('[data-c^=gpus]'));
	const currency = currencyOf(node);
	const head = node.tHead.rows[0].cells[0].textContent.trim();
	return { node, n, head, gpus, currency, keys: node.dataset.keys.trim().split(' '), reports: of.report,
		columns: columnsOf({ of }, { head, currency, gpus }) };
}

function start(table) {
	const { node, columns, n } = table, [body] = node.tBodies, { tFoot } = node;
	const firstOrder = ['recoverable', 'machine_recoverable'].find(id => columns.has(id)) ?? null;
	const all = Array.from({ length: n }, (_, i) => i);
	const lower = columns.get('name').values.map(name => name.toLowerCase());
	let view = blank(), rows = all, wrong = new Set(), focused = 0, timer;

	const { rowOf, keyOf } = rowMaker(table, toggle);
	const tools = addTools(document.getElementById('fleet-tools'), { columns, change, order });
	const showPages = addPager(document.getElementById('fleet-pager'), go);
	const rest = document.getElementById('fleet-rest');
	document.getElementById('fleet-others')?.remove();
	const sums = make('tr', { id: 'fleet-sum' });
	tFoot.prepend(sums);
	const opened = make('tr', { class: 'opened-row' });
	const place = make('td', { colspan: node.tHead.rows[0].cells.length });
	opened.append(place);

	// -- which rows ----------------------------------------------------------------------------------
	function select() {
		const { q, filters, sort, up } = view;
		wrong = new Set();
		const tests = [];
		for (const [id, text] of filters) {
			const column = columns.get(id), test = filterOf(column, text);
			if (test)
				tests.push(i => test(column.values[i]));
			else
				wrong.add(id);
		}
		const word = q.trim().toLowerCase();
		if (word)
			tests.push(i => lower[i].includes(word));
		rows = all.filter(i => tests.every(test => test(i)));
		if (sort)
			rows = sortedBy(columns.get(sort), up, rows);
	}

	const pages = () => Math.max(1, Math.ceil(rows.length / SIZE));

	// -- what is seen of them ------------------------------------------------------------------------
	function showHeads() {
		for (const head of node.tHead.rows[0].cells) {
			const own = head.dataset.c.split(' ').includes(view.sort ?? firstOrder ?? '');
			own ? head.setAttribute('aria-sort', view.sort && view.up ? 'ascending' : 'descending')
				: head.removeAttribute('aria-sort');
			for (const key of head.querySelectorAll('button'))
				key.classList.toggle('by', key.dataset.c === (view.sort ?? firstOrder));
		}
	}

	// The sum of a column over the rows: {text, note}; the note says so where some groups are unknown.
	function sumOf(id) {
		const column = columns.get(id);
		const known = column ? rows.map(i => column.values[i]).filter(v => v !== null) : [];
		if (!known.length)
			return { text: rows.length ? 'unknown' : '–', note: '' };
		return { text: textOf(column.unit, known.reduce((a, b) => a + b, 0)),
			note: known.length < rows.length ? `of ${groups(known.length)}` : '' };
	}

	function showSums() {
		const cells = [...node.tHead.rows[0].cells].map(({ dataset: { c } }) => {
			const [id] = c.split(' ');
			if (id === 'name')
				return make('th', { scope: 'row' }, rows.length === 1 ? 'This group'
					: `${rows.length === n && !rest ? 'All' : 'These'} ${groups(rows.length)}`);
			const cell = make('td');
			for (const one of SUMS[id] ?? []) {
				const { text, note } = sumOf(one);
				cell.append(...cell.firstChild ? [make('br')] : [], NAMED[one] ?? '', text,
					...note ? [make('br'), make('small', {}, note)] : []);
			}
			return cell;
		});
		sums.replaceChildren(...cells);
		if (rest)
			rest.hidden = rows.length < n;
	}

	function say() {
		const some = id => {
			const { text, note } = sumOf(id);
			return note ? `${text} (${note})` : text;
		};
		const bad = [...wrong].map(id => {
			const { label, hint } = columns.get(id);
			return `${label} ${view.filters.get(id)} (${hint})`;
		});
		const text = [rows.length === n ? (n === 1 ? 'One group' : `All ${groups(n)}`) : `${grouped(rows.length)} of ${groups(n)}`,
			`${some('cores_unused')} and ${some('memory_unused')} unused`,
			...firstOrder ? [`${some(firstOrder)} recoverable`] : []].join('; ')
			+ (rest && rows.length < n ? `. ${rest.cells[0].textContent.trim()} are not in this list.` : '.')
			+ (bad.length ? ` Not understood: ${bad.join('; ')}.` : '');
		clearTimeout(timer);
		timer = setTimeout(() => {
			tools.said.textContent = text;
		}, tools.said.textContent ? PATIENCE : 0);
	}

	function showRows() {
		view.page = Math.min(view.page, pages());
		const from = (view.page - 1) * SIZE, shown = rows.slice(from, from + SIZE);
		const open = view.open - 1;
		if (place.firstChild && place.dataset.i !== String(open)) {
			// What belongs to the page's source goes back to it.
			const content = place.firstChild, home = document.querySelector(`[data-home="${place.dataset.i}"]`);
			home?.append(content);
			place.replaceChildren();
		}
		body.replaceChildren(...shown.flatMap(i => {
			const row = rowOf(i), key = keyOf(i);
			key.setAttribute('aria-expanded', i === open);
			row.classList.toggle('is-open', i === open);
			if (i !== open)
				return [row];
			if (!place.firstChild) {
				const content = contentOf(table, i);
				content.parentNode?.setAttribute('data-home', i);
				place.dataset.i = i;
				place.append(content);
			}
			return [row, opened];
		}));
		rove(shown.includes(focused) ? focused : shown[0]);
		showPages(rows.length ? from + 1 : 0, from + shown.length, rows.length, SIZE);
	}

	function show() {
		showHeads();
		tools.show(view, view.sort ?? firstOrder, Boolean(view.sort) && view.up, wrong);
		showRows();
		showSums();
		say();
	}

	// -- changes -------------------------------------------------------------------------------------
	function change(edit) {
		const old = view;
		view = { ...view, filters: new Map(view.filters), page: 1 };
		const replaces = edit(view, old) === true;
		select();
		show();
		writeAddress(view, replaces);
	}

	function order(id) {
		change(next => {
			const now = view.sort ?? firstOrder, up = Boolean(view.sort) && view.up;
			// Numbers are sorted from the largest at first, texts from A.
			next.up = now === id ? !up : columns.get(id)?.isText ?? false;
			next.sort = !id || (id === firstOrder && !next.up) ? null : id;
		});
	}

	function go(by) {
		view = { ...view, page: Math.min(pages(), Math.max(1, view.page + by)) };
		focused = -1;
		showRows();
		writeAddress(view);
		node.scrollIntoView({ block: 'start' });
	}

	function toggle(i) {
		view = { ...view, open: view.open === i + 1 ? 0 : i + 1 };
		focused = i;
		showRows();
		writeAddress(view);
		keyOf(i).focus({ preventScroll: true });
	}

	// The page of rows that has the opened group, where the address names the group but not the page.
	function follow() {
		const asked = readAddress(columns, n);
		if (!asked)
			return;
		view = asked;
		select();
		const at = rows.indexOf(view.open - 1);
		if (at >= 0)
			view.page = Math.floor(at / SIZE) + 1;
		show();
		const place = at >= 0 ? rowOf(view.open - 1) : location.hash ? document.getElementById('groups') : null;
		place?.scrollIntoView({ block: 'start', behavior: 'instant' });
	}

	// -- keys ----------------------------------------------------------------------------------------
	// One name at a time can be reached by Tab; arrows move from name to name.
	function rove(i) {
		if (i === undefined)
			return;
		keyOf(focused < 0 ? i : focused).tabIndex = -1;
		focused = i;
		keyOf(i).tabIndex = 0;
	}

	function move(to) {
		const shown = [...body.querySelectorAll('.open')];
		const at = to(shown.indexOf(keyOf(focused)), shown.length);
		const key = shown[Math.max(0, Math.min(shown.length - 1, at))];
		if (!key)
			return;
		rove(Number(key.closest('tr').dataset.i));
		key.focus();
	}

	const moves = { ArrowDown: at => at + 1, ArrowUp: at => at - 1, Home: () => 0, End: (at, count) => count - 1 };
	const turns = { PageDown: 1, PageUp: -1 };

	node.addEventListener('keydown', e => {
		if (e.ctrlKey || e.altKey || e.metaKey)
			return;
		const onName = e.target.matches('.open');
		if (onName && Object.hasOwn(moves, e.key))
			move(moves[e.key]);
		else if (onName && Object.hasOwn(turns, e.key)) {
			go(turns[e.key]);
			move(() => 0);
		} else if (e.key === 'Escape' && view.open)
			toggle(view.open - 1);
		else
			return;
		e.preventDefault();
	});
	document.addEventListener('keydown', e => {
		if (e.key !== '/' || e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input, select, textarea'))
			return;
		e.preventDefault();
		tools.search.focus();
		tools.search.scrollIntoView({ block: 'nearest' });
	});
	tools.search.addEventListener('keydown', e => {
		if (e.key === 'ArrowDown' || e.key === 'Enter')
			move(() => 0);
		else if (e.key === 'Escape' && view.q)
			change(next => {
				next.q = '';
			});
		else
			return;
		e.preventDefault();
	});

	addHeads(node, columns, order);
	document.getElementById('fleet-shown').remove();
	node.caption.textContent = 'One row per group. A head sorts, a name opens the group.';
	addEventListener('hashchange', follow);
	select();
	show();
	follow();
}

function onPaper() {
	const root = document.documentElement;
	let opened = [];
	addEventListener('beforeprint', () => {
		// Lines to paste stay closed: nobody pastes from paper.
		opened = [...document.querySelectorAll('details:not([open], .snippet)')];
		for (const detail of opened)
			detail.open = true;
		root.classList.add('paper');
	});
	addEventListener('afterprint', () => {
		for (const detail of opened)
			detail.open = false;
		root.classList.remove('paper');
	});
}

async function begin() {
	dropUnsafeLinks();
	makeCopyable();
	onPaper();
	startRuns();
	const node = document.getElementById('fleet'), packed = document.getElementById('fleet-table');
	if (!node || !packed)
		return;
	let table;
	try {
		table = makeTable(node, await readTable(packed.textContent));
	} catch (e) {
		console.warn(e); // The rows of the page's source stay.
		return;
	}
	start(table);
	document.documentElement.classList.add('scripted');
}

begin();
