// Elements and colours of the page.

// The values of the style sheet's colour variables, by name.
let colours = {};

export function make(tag, attributes, text) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		node.setAttribute(name, value);
	if (text !== undefined)
		node.textContent = text;
	return node;
}

export function button(text, attributes, act) {
	const node = make('button', { type: 'button', ...attributes }, text);
	node.addEventListener('click', act);
	return node;
}

// A field with its name before it.
export function labelled(text, node) {
	const label = make('label', { class: 'field' });
	label.append(make('span', {}, text), node);
	return label;
}

export function searchField(placeholder, act) {
	const search = make('input', { type: 'search', placeholder, autocomplete: 'off', spellcheck: false });
	search.addEventListener('input', () => act(search.value));
	return search;
}

export function colour(name) {
	colours[name] ??= getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()
		|| '#808080';
	return colours[name];
}

// The style may have changed: read the colours again.
export function forgetColours() {
	colours = {};
}

export function printing() {
	return document.documentElement.classList.contains('paper');
}
