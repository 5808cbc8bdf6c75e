// The rows of the fleet's table: those of the page's source, and others in the same look, made from values.
import { shortHours, STEADY, textOf } from './fleet_text.js';
import { button, make } from './page.js';
import { makeCopyable } from './tables.js';

const SVG = 'http://www.w3.org/2000/svg';
const LEVELS = { weak: 'warn', fair: 'info', good: 'good' };

// A cell of lines; each line is a text, or a list of texts and elements.
function cell(...lines) {
	const node = make('td');
	lines.filter(line => line !== null).forEach((line, i) => {
		if (i)
			node.append(make('br'));
		node.append(...[line].flat());
	});
	return node;
}

const bold = text => make('b', {}, text);
function small(texts) {
	const node = make('small');
	node.append(...[texts].flat());
	return node;
}

// The share of what was asked that was used, as in templates/fleet_groups.html.
function bar(used, asked, width = 90) {
	if (used === null || !asked)
		return null;
	const svg = document.createElementNS(SVG, 'svg'), whole = document.createElementNS(SVG, 'use');
	const rect = document.createElementNS(SVG, 'rect');
	const set = (node, attributes) => Object.entries(attributes).forEach(([name, value]) =>
		node.setAttribute(name, value));
	set(svg, { width, height: 6, fill: '#0b62b5' });
	set(whole, { href: '#whole' });
	set(rect, { width: `${Math.min(100, 100 * used / asked)}%`, height: 6 });
	svg.append(whole, rect);
	return svg;
}

// "32 → 9.06", as in fleet/groups/fleet_model_groups.c.
const arrow = (asked, used) => (asked === null ? '–' : `${textOf('count', asked)} → ${used?.toFixed(2) ?? 'unknown'}`);

function proposed(columns, i) {
	const part = (id, one) => {
		const column = columns.get(`proposed.${id}`), v = column?.values[i] ?? null;
		return v === null ? [] : [one ? `${textOf('count', v)} ${one}${v === 1 ? '' : 's'}` : column.text(i)];
	};
	const parts = [...part('cpus', 'CPU'), ...part('memory'), ...part('gpus', 'GPU'), ...part('time')];
	return parts.join(', ') || 'unknown';
}

const longer = (v) => (v === null || Math.abs(v - 1) < 0.01 ? []
	: [' ', small(`takes ${textOf('share', Math.abs(v - 1))} ${v > 1 ? 'longer' : 'less time'}`)]);
const look = (text, level) => make('span', level ? { class: level } : {}, text);

// As a row of templates/fleet_groups.html.
function cells({ columns }, i) {
	const text = id => columns.get(id)?.text(i) ?? 'unknown';
	const value = id => columns.get(id)?.values[i] ?? null;
	const used = (asked, most) => cell(arrow(value(asked), value(most)), bar(value(most), value(asked)));
	const saved = (part, all) => cell(bold(part), small(`of ${all}`));
	const confidence = value('confidence'), trend = value('trend'), atMost = value('fail_at_most');
	const tried = value('counted'), failed = value('failed') ? [`${text('failed')} failed`] : [];
	const memory = bar(value('memory_p95'), value('memory_asked'), 32);
	return [
		make('th', { scope: 'row' }),
		cell(bold(text('runs')), small([...failed, ...value('oom')
			? [failed.length ? ', ' : '', look(`${text('oom')} OOM`, 'oom')] : []])),
		cell(text('wall_p50'), small([text('wall_p95'), value('mostly') ? `, ${value('mostly')}` : ''])),
		used('cpus_asked', 'cpus_used'),
		cell([`${text('memory_asked')} → `, bold(text('memory_max'))],
			[...memory ? [memory, ' '] : [], small(`${text('memory_p50')}, ${text('memory_p95')}`)]),
		...columns.has('gpus_asked') ? [value('gpus_asked') ? used('gpus_asked', 'gpus_used') : cell('–')] : [],
		cell(text('cores_unused'), text('memory_unused')),
		...columns.has('money') ? [saved(text('recoverable'), text('money'))] : [],
		...columns.has('machine_hours') ? [saved(shortHours(text('machine_recoverable')), shortHours(text('machine_hours')))] : [],
		!tried ? cell('unknown', small('none of its runs counts')) : cell([bold(proposed(columns, i)), ...longer(value('longer'))],
			small([`Fail: ${text('would_fail')} of ${textOf('count', tried)}`,
				atMost === null || tried < 5 ? '' : `, next ≤ ${text('fail_at_most')}`,
				...confidence === null ? [] : ['; ', look(`confidence ${confidence}`, LEVELS[confidence])],
				...Math.abs(trend) >= STEADY ? ['; ', look(`memory ${text('trend')}`, trend > 0 ? 'warn' : 'good')] : []])),
	];
}

// Makes rows. `table`: {node, columns}; `act` is called with the number of the group whose
// name is clicked.
export function rowMaker(table, act) {
	const stills = [...table.node.tBodies[0].rows], rows = [];
	const names = table.columns.get('name').values;

	// The source's row of a group, which may have more of its name than the table, or null.
	function stillOf(i) {
		const whole = stills[i]?.cells[0].textContent.trim(), name = names[i].trim();
		return whole === name || name.endsWith('…') && whole?.startsWith(name.slice(0, -1)) ? stills[i] : null;
	}

	function rowOf(i) {
		if (rows[i])
			return rows[i];
		const still = stillOf(i), row = rows[i] = still ?? make('tr');
		if (!still)
			row.append(...cells(table, i));
		const name = still ? still.cells[0].textContent.trim() : names[i];
		row.cells[0].replaceChildren(button(name, { class: 'open', tabindex: -1, 'aria-expanded': false },
			() => act(i)));
		row.dataset.i = i;
		return row;
	}
	return { rowOf, keyOf: i => rowOf(i).querySelector('.open') };
}

// -- an opened group ---------------------------------------------------------------------------------
const quoted = text => `'${text.replace(/'/g, '\'\\\'\'')}'`;

// The command that makes a page of one group; null where its name may not be whole.
function command({ keys, columns }, i) {
	const name = columns.get('name').values[i], values = name.split(' · ');
	if (values.length !== keys.length || values.includes('unknown') || /\p{C}|\ufffd|…/u.test(name)
		|| new Blob([name]).size > 30)
		return null;
	const where = keys.map((key, k) => `--where ${quoted(`${key}=${values[k]}`)}`).join(' ');
	return `rtrack-fleet groups ${where} -o group.html SOURCE`;
}

// Only addresses of pages are followed.
function safe(address) {
	try {
		return /^(https?|file):$/.test(new URL(address, document.baseURI).protocol);
	} catch {
		return false;
	}
}

// What the row of a group has no room for.
const MORE = ['ends', 'trend', 'growth', 'backtest.runs', 'backtest.failed', 'backtest.wasted', 'backtest.asked_wasted',
	'gpus_unused'];

function measures({ columns }, i) {
	const list = make('dl', { class: 'asks' });
	for (const { label, text } of MORE.map(id => columns.get(id)).filter(column => column?.values[i] != null)) {
		const one = make('div');
		one.append(make('dt', {}, label), make('dd', {}, text(i)));
		list.append(one);
	}
	return list.firstChild ? [list] : [];
}

function withoutDetail(table, i) {
	const box = make('div', { class: 'opened' });
	box.append(...measures(table, i));
	const line = command(table, i), report = table.reports?.[i];
	box.append(make('p', { class: 'remark' }, 'This page has pictures and runs of the first groups only. '
		+ 'A page of this group alone has them'
		+ (line ? ', from the same source or catalog as this one:' : ' (--where).')));
	if (line) {
		const snippet = make('div', { class: 'snippet' });
		const pre = make('pre', { tabindex: 0, role: 'region', 'aria-label': 'this group’s own page' });
		pre.append(make('code', {}, line));
		snippet.append(pre);
		box.append(snippet);
		makeCopyable(box);
	}
	if (report && safe(report)) {
		const p = make('p', { class: 'remark' });
		p.append(make('a', { href: report, class: 'report' }, 'Report of the newest run'));
		box.append(p);
	}
	return box;
}

// The content of the row below an opened group's row. What is in the page's source is moved there.
export function contentOf(table, i) {
	return document.getElementById(`group-${i + 1}`) ?? withoutDetail(table, i);
}

export function dropUnsafeLinks() {
	for (const link of document.querySelectorAll('a.report'))
		if (!safe(link.getAttribute('href')))
			link.removeAttribute('href');
}
