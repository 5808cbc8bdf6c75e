// What the table shows, and the page's address: #q=train&memory_asked=>64GiB&sort=-runs&page=2&open=7, or
// #group-7 where only a group is opened. So a view can be kept, sent, and gone back to.
const PLACE = /^#group-(\d{1,5})$/;

// The view of a page without an address.
export const blank = () => ({ q: '', filters: new Map(), sort: null, up: false, page: 1, open: 0 });

// The view that the address asks for; null where it is a place in the page. Columns are known by their ids.
export function readAddress(columns, groups) {
	const view = blank(), { hash } = location;
	const opened = PLACE.exec(hash);
	const whole = text => (/^\d{1,5}$/.test(text) && text <= groups ? Number(text) : 0);
	if (opened)
		return { ...view, open: whole(opened[1]) };
	if (hash.length > 1 && !hash.includes('='))
		return null;
	for (const [id, text] of new URLSearchParams(hash.slice(1))) {
		const sort = text.replace(/^-/, '');
		if (id === 'q')
			view.q = text;
		else if (id === 'sort' && columns.has(sort))
			Object.assign(view, { sort, up: sort === text });
		else if (id === 'page' || id === 'open')
			view[id] = whole(text) || view[id];
		else if (columns.has(id) && text.trim())
			view.filters.set(id, text);
	}
	return view;
}

export function addressOf({ q, filters, sort, up, page, open }) {
	const all = [['q', q], ...filters, ['sort', sort && (up ? sort : `-${sort}`)],
		['page', page > 1 && page], ['open', open]].filter(([, value]) => value);
	if (all.length === 1 && open)
		return `#group-${open}`;
	return all.length ? `#${new URLSearchParams(all)}` : '';
}

// A view that replaces the last one has no place of its own in the history: what is typed letter by letter.
export function writeAddress(view, replaces) {
	const [page, hash = ''] = location.href.split('#');
	const next = addressOf(view);
	if (next.slice(1) === hash)
		return;
	try {
		history[replaces ? 'replaceState' : 'pushState'](history.state, '', page + next);
	} catch {
		// A sandboxed frame may not change its address; the table works without.
	}
}
