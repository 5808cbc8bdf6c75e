// The script of the list of runs: what it compares are the packed values of the rows of the page's source.
import { columnsOf, readTable } from './fleet_columns.js';
import { currencyOf, startList } from './fleet_list.js';
import { grouped } from './fleet_text.js';

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

function start(node, table) {
	const [body] = node.tBodies, stills = [...body.rows], n = stills.length;
	const columns = columnsOf(table, { head: 'Job', currency: currencyOf(node, 'cost'),
		gpus: Boolean(node.querySelector('[data-c^=gpus]')) }, COLUMNS);
	const { sort } = node.dataset, by = sort.replace(/^-/, '');
	const draw = shown => body.replaceChildren(...shown.map(i => stills[i]));
	const list = startList({ node, name: 'runs', columns, n, size: 100, draw, first: [columns.has(by) ? by : null, sort === by],
		words: stills.map((_, i) => SEARCHED.map(id => columns.get(id)?.values[i] ?? '').join('\n').toLowerCase()),
		said: rows => `${rows.length === n ? '' : `${grouped(rows.length)} of the `}${runs(n)} on this page.` });
	list.tools.search.placeholder = 'Job, ID, user ( / )';
	// On paper there is no pager.
	addEventListener('beforeprint', () => draw(list.rows()));
	addEventListener('afterprint', list.showRows);
	addEventListener('hashchange', list.follow);
	list.begin();
	list.follow();
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
