// The script of the fleet page: the packed table of all groups replaces the rows of the page's source. It
// adds up the groups that are left, and opens groups. Text enters the page by textContent alone.
import { readTable } from './fleet_columns.js';
import { startList } from './fleet_list.js';
import { contentOf, dropUnsafeLinks, rowMaker } from './fleet_rows.js';
import { grouped, shortHours, textOf } from './fleet_text.js';
import { make } from './page.js';
import { startRuns } from './runs.js';
import { makeCopyable } from './tables.js';

// What the row of sums adds up, by the first measure of a column; what another column has the name of is named.
const SUMS = { runs: ['runs'], cores_unused: ['cores_unused', 'memory_unused'], recoverable: ['recoverable', 'money'],
	machine_recoverable: ['machine_recoverable', 'machine_hours'], 'proposed.cpus': ['would_fail'] };
const NAMED = { would_fail: 'Would fail: ', money: 'of ', machine_hours: 'of ' };
const groups = count => `${grouped(count)} group${count === 1 ? '' : 's'}`;

// What leads to a report is no column that a reader could sort by.
function makeTable(node, { n, columns }) {
	const reports = columns.get('report')?.values;
	columns.delete('report');
	return { node, n, keys: node.dataset.keys.trim().split(' '), reports, columns };
}

function start(table) {
	const { node, columns, n } = table, [body] = node.tBodies, { tFoot } = node;
	const firstOrder = ['recoverable', 'machine_recoverable'].find(id => columns.has(id)) ?? null;
	let focused = 0;

	const { rowOf, keyOf } = rowMaker(table, toggle);
	const rest = document.getElementById('fleet-rest');
	document.getElementById('fleet-others')?.remove();
	const sums = make('tr', { id: 'fleet-sum' });
	tFoot.prepend(sums);
	const opened = make('tr', { class: 'opened-row' });
	const place = make('td', { colspan: node.tHead.rows[0].cells.length });
	opened.append(place);
	const list = startList({ node, name: 'fleet', columns, n, size: 50, first: [firstOrder, false], draw, show: showSums, said,
		words: columns.get('name').values.map(name => name.toLowerCase()) });

	// -- what is seen of the rows --------------------------------------------------------------------
	// The sum of a column over the rows: {text, note}; the note says so where some groups are unknown.
	function sumOf(id, rows) {
		const column = columns.get(id);
		const known = column ? rows.map(i => column.values[i]).filter(v => v !== null) : [];
		if (!known.length)
			return { text: rows.length ? 'unknown' : '–', note: '' };
		return { text: textOf(column.unit, known.reduce((a, b) => a + b, 0)),
			note: known.length < rows.length ? `of ${groups(known.length)}` : '' };
	}

	function showSums(rows) {
		const cells = [...node.tHead.rows[0].cells].map(({ dataset: { c } }) => {
			const [id] = c.split(' ');
			if (id === 'name')
				return make('th', { scope: 'row' }, rows.length === 1 ? 'This group'
					: `${rows.length === n && !rest ? 'All' : 'These'} ${groups(rows.length)}`);
			const cell = make('td');
			for (const one of SUMS[id] ?? []) {
				const { text, note } = sumOf(one, rows);
				cell.append(...cell.firstChild ? [make('br')] : [], NAMED[one] ?? '', shortHours(text),
					...note ? [make('br'), make('small', {}, note)] : []);
			}
			return cell;
		});
		sums.replaceChildren(...cells);
		if (rest)
			rest.hidden = rows.length < n;
	}

	function said(rows) {
		const some = id => {
			const { text, note } = sumOf(id, rows);
			return note ? `${text} (${note})` : text;
		};
		const all = rest ? `${groups(n)} in this list` : n === 1 ? 'One group' : `All ${groups(n)}`;
		return [rows.length === n ? all : `${grouped(rows.length)} of ${groups(n)}`,
			`${some('cores_unused')} and ${some('memory_unused')} unused`,
			...firstOrder ? [`${some(firstOrder)} recoverable`] : []].join('; ')
			+ (rest ? `. ${rest.cells[0].textContent.trim()} are not in this list.` : '.');
	}

	function draw(shown, view) {
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
	}

	function toggle(i) {
		focused = i;
		list.open(i);
		keyOf(i).focus({ preventScroll: true });
	}

	// To the group that the address names.
	function follow() {
		if (!list.follow())
			return;
		const at = list.opened(), shown = list.rows().includes(at);
		const to = shown ? rowOf(at) : location.hash ? document.getElementById('groups') : null;
		to?.scrollIntoView({ block: 'start', behavior: 'instant' });
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
			list.go(turns[e.key]);
			move(() => 0);
		} else if (e.key === 'Escape' && list.opened() >= 0)
			toggle(list.opened());
		else
			return;
		e.preventDefault();
	});
	list.tools.search.addEventListener('keydown', e => {
		if (e.key !== 'ArrowDown' && e.key !== 'Enter')
			return;
		move(() => 0);
		e.preventDefault();
	});

	document.getElementById('fleet-shown').remove();
	node.caption.textContent = 'One row per group. A head sorts, a name opens the group.';
	addEventListener('hashchange', follow);
	list.begin();
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
	const head = node.tHead.rows[0].cells[0].textContent.trim();
	let table;
	try {
		table = makeTable(node, await readTable(packed.textContent, head));
	} catch (e) {
		console.warn(e); // The rows of the page's source stay.
		return;
	}
	start(table);
	document.documentElement.classList.add('scripted');
}

begin();
