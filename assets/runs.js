// The script of the list of runs: it sorts, searches and filters the rows of the page's source, and keeps
// that in the address. What it compares are the packed values of these rows.
import { blank, readAddress, writeAddress } from './fleet_address.js';
import { columnsOf, filterOf, readTable, sortedBy } from './fleet_columns.js';
import { addHeads } from './fleet_heads.js';
import { grouped } from './fleet_text.js';
import { addPager, addTools } from './fleet_tools.js';

const SIZE = 100; // rows that are shown at once
const PATIENCE = 400; // milliseconds without a change after which the count is said

// id, name, unit ("" is a text, "money" the page's currency), and its name in a head that it shares.
const COLUMNS = [
	['name', 'Job', ''], ['id', 'ID', ''], ['user', 'User', ''], ['account', 'Account', ''],
	['host', 'Host', ''], ['start', 'Start', 'day'], ['wall', 'Wall time', 's'],
	['time_asked', 'Time asked', 's', 'asked'], ['end', 'End', ''], ['origin', 'Origin', ''],
	['cpus_asked', 'Cores asked', 'cores', 'asked'], ['cpus_used', 'Cores used', 'cores', '→ used'],
	['cpu_efficiency', 'CPU efficiency', 'chance', '%'], ['memory_asked', 'Memory asked', 'bytes', 'asked'],
	['memory_peak', 'Peak memory', 'bytes', '→ peak'], ['memory_efficiency', 'Memory efficiency', 'chance', '%'],
	['gpus_asked', 'GPUs asked', 'GPUs', 'asked'], ['gpus_used', 'GPUs used', 'GPUs', '→ used'],
	['gpu_efficiency', 'GPU efficiency', 'chance', '%'], ['cores_unused', 'Core-hours unused', 'core-hours', 'core-hours'],
	['memory_unused', 'GiB-hours unused', 'GiB-hours', 'GiB-hours'], ['cost', 'Cost', 'money'],
];
const SEARCHED = ['name', 'id', 'user', 'host'];
const runs = count => `${grouped(count)} run${count === 1 ? '' : 's'}`;

// The currency of the page: that of the first cost that is known; "" without prices.
function currencyOf(node) {
	const head = node.querySelector('[data-c=cost]');
	const texts = head ? [...node.tBodies[0].rows].map(row => row.cells[head.cellIndex].textContent) : [];
	const known = texts.find(text => /\d/.test(text));
	return known ? /[A-Z]{2,8}$/.exec(known.trim())?.[0] ?? 'USD' : '';
}

function start(node, table) {
	const [body] = node.tBodies, stills = [...body.rows];
	const columns = columnsOf(table, { head: 'Job', currency: currencyOf(node),
		gpus: Boolean(node.querySelector('[data-c^=gpus]')) }, COLUMNS);
	const listed = node.dataset.sort, firstOrder = listed.replace(/^-/, ''), firstUp = listed === firstOrder;
	const all = stills.map((_, i) => i);
	const words = all.map(i => SEARCHED.map(id => columns.get(id)?.values[i] ?? '').join('\n').toLowerCase());
	let view = blank(), rows = all, wrong = new Set(), timer;

	const tools = addTools(document.getElementById('runs-tools'), { columns, change, order });
	tools.search.placeholder = 'Job, ID, user ( / )';
	const showPages = addPager(document.getElementById('runs-pager'), go);

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

	const orderNow = () => (view.sort ? [view.sort, view.up] : [columns.has(firstOrder) ? firstOrder : null, firstUp]);

	function showHeads() {
		const [by, up] = orderNow();
		for (const head of node.tHead.rows[0].cells) {
			head.dataset.c.split(' ').includes(by) ? head.setAttribute('aria-sort', up ? 'ascending' : 'descending')
				: head.removeAttribute('aria-sort');
			for (const key of head.querySelectorAll('button'))
				key.classList.toggle('by', key.dataset.c === by);
		}
	}

	function say() {
		const bad = [...wrong].map(id => `${columns.get(id).label} ${view.filters.get(id)} (${columns.get(id).hint})`);
		const text = `${rows.length === all.length ? `${runs(all.length)} on this page` : `${grouped(rows.length)} of the ${runs(all.length)} on this page`}.`
			+ (bad.length ? ` Not understood: ${bad.join('; ')}.` : '');
		clearTimeout(timer);
		timer = setTimeout(() => {
			tools.said.textContent = text;
		}, tools.said.textContent ? PATIENCE : 0);
	}

	const pages = () => Math.max(1, Math.ceil(rows.length / SIZE));

	function showRows() {
		view.page = Math.min(view.page, pages());
		const from = (view.page - 1) * SIZE, shown = rows.slice(from, from + SIZE);
		body.replaceChildren(...shown.map(i => stills[i]));
		showPages(rows.length ? from + 1 : 0, from + shown.length, rows.length, SIZE);
	}

	function show() {
		const [by, up] = orderNow();
		showHeads();
		tools.show(view, by, up, wrong);
		showRows();
		say();
	}

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

	function follow() {
		const asked = readAddress(columns, all.length);
		if (!asked)
			return;
		view = { ...asked, open: 0 };
		select();
		show();
	}

	document.addEventListener('keydown', e => {
		if (e.key !== '/' || e.ctrlKey || e.altKey || e.metaKey || e.target.matches('input, select, textarea'))
			return;
		e.preventDefault();
		tools.search.focus();
	});
	tools.search.addEventListener('keydown', e => {
		if (e.key !== 'Escape' || !view.q)
			return;
		e.preventDefault();
		change(next => {
			next.q = '';
		});
	});
	// On paper there is no pager.
	addEventListener('beforeprint', () => body.replaceChildren(...rows.map(i => stills[i])));
	addEventListener('afterprint', showRows);
	addHeads(node, columns, order);
	addEventListener('hashchange', follow);
	select();
	show();
	follow();
}

export async function startRuns() {
	const node = document.getElementById('runs'), packed = document.getElementById('runs-table');
	if (!node || !packed)
		return;
	try {
		const table = await readTable(packed.textContent);
		if (table.n !== node.tBodies[0].rows.length)
			throw new Error('the table of the runs is malformed');
		start(node, table);
	} catch (e) {
		console.warn(e); // The rows of the page's source stay.
		return;
	}
	document.documentElement.classList.add('scripted');
}
