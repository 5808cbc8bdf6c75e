// Above the fleet's table: search, filters, the order, and what the rows that remain add up to.
import { grouped } from './fleet_text.js';
import { button, labelled, make, searchField } from './page.js';

const option = (value, text) => make('option', { value }, text);

// `change(edit, replaces)`: edit changes the view. Answers {show(view, error), search, said}.
export function addTools(place, { columns, change, order }) {
	const search = searchField('Part of a name ( / )', value => change((view, old) => {
		view.q = value;
		return Boolean(old.q) === Boolean(view.q);
	}));

	const which = make('select', { 'aria-label': 'Column to filter' });
	which.append(...[...columns.values()].map(({ id, label }) => option(id, label)));
	const text = make('input', { type: 'text', size: 14, 'aria-label': 'Filter',
		'aria-describedby': 'fleet-hint', autocomplete: 'off', spellcheck: false });
	const hint = make('span', { id: 'fleet-hint', class: 'note' });
	const hints = () => {
		hint.textContent = columns.get(which.value).hint;
		text.placeholder = /[>=]\S+/.exec(hint.textContent)?.[0].replace(/,$/, '') ?? '';
	};
	which.value = columns.has('memory_asked') ? 'memory_asked' : 'name';
	which.addEventListener('change', hints);
	hints();
	const form = make('form', { class: 'fleet-filter' });
	form.append(labelled('Filter', which), text, make('button', { class: 'pill' }, 'Add'), hint);
	form.addEventListener('submit', e => {
		e.preventDefault();
		if (text.value.trim())
			change(view => {
				view.filters.set(which.value, text.value.trim());
				text.value = '';
			});
	});

	const sort = make('select');
	sort.append(option('', 'as listed'), ...[...columns.values()].map(({ id, label }) => option(id, label)));
	sort.addEventListener('change', () => order(sort.value));
	const turn = button('', { class: 'pill' }, () => order(sort.value));
	const sorts = make('span', { class: 'fleet-sort' });
	sorts.append(labelled('Sort by', sort), turn);

	const chips = make('span', { class: 'group chips' });
	const said = make('output', { 'aria-live': 'polite', class: 'fleet-said' });
	place.replaceChildren(labelled('Search', search), form, sorts, chips, said);

	function show(view, by, up, wrong) {
		if (search.value !== view.q)
			search.value = view.q;
		sort.value = by ?? '';
		turn.disabled = !by;
		turn.textContent = up ? '↑' : '↓';
		turn.setAttribute('aria-label', up ? 'ascending; sort descending' : 'descending; sort ascending');
		chips.replaceChildren(...[...view.filters].map(([id, expression]) => {
			const name = `${columns.get(id).label} ${expression}`, bad = wrong.has(id);
			const remove = () => {
				change(v => {
					v.filters.delete(id);
				});
				text.focus();
			};
			return button(`${name}${bad ? ': not understood' : ''} ✕`, { class: bad ? 'pill wrong' : 'pill',
				'aria-label': `Remove the filter ${name}` }, remove);
		}));
		if (view.filters.size || view.q)
			chips.append(button('Show all', { class: 'pill' }, () => {
				change(v => {
					v.filters.clear();
					v.q = '';
				});
				search.focus();
			}));
	}
	return { show, search, said };
}

// Below the table: which part of the rows is shown.
export function addPager(place, go) {
	const previous = button('← Previous', { class: 'pill' }, () => go(-1));
	const next = button('Next →', { class: 'pill' }, () => go(1));
	const said = make('span');
	const bar = make('nav', { 'aria-label': 'Pages of the table', class: 'group' });
	bar.append(previous, said, next);
	place.replaceChildren(bar);
	return (from, to, all, size) => {
		bar.hidden = all <= size;
		previous.disabled = from <= 1;
		next.disabled = to >= all;
		said.textContent = `${from}–${to} of ${grouped(all)}`;
	};
}
