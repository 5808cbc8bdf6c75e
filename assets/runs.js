// The script of the list of runs: what it compares are the packed values of the rows of the page's source.
import { readTable } from './fleet_columns.js';
import { startList } from './fleet_list.js';
import { grouped } from './fleet_text.js';

const SEARCHED = ['name', 'id', 'user', 'host'];
const runs = count => `${grouped(count)} run${count === 1 ? '' : 's'}`;

function start(node, columns) {
	const [body] = node.tBodies, stills = [...body.rows], n = stills.length;
	const { sort } = node.dataset, by = sort.replace(/^-/, '');
	const draw = shown => body.replaceChildren(...shown.map(i => stills[i]));
	const list = startList({ node, name: 'runs', columns, n, size: 100, draw, first: [columns.has(by) ? by : null, sort === by],
		words: stills.map((_, i) => SEARCHED.map(id => columns.get(id)?.values[i] ?? '').join('\n').toLowerCase()),
		said: rows => `${rows.length === n ? '' : `${grouped(rows.length)} of the `}${runs(n)} on this page.` });
	list.tools.search.placeholder = 'Job, ID, user ( / )';
	node.caption.textContent = 'One row per run. A head sorts.';
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
		const { columns, n } = await readTable(packed.textContent, 'Job');
		if (n !== node.tBodies[0].rows.length)
			throw new Error('the table of the runs is malformed');
		start(node, columns);
	} catch (e) {
		console.warn(e); // The rows of the page's source stay.
		return;
	}
	document.documentElement.classList.add('scripted');
}
