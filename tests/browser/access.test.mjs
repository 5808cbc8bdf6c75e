// A long test: only make test-all runs it.
// For those who do not see the page, or have no mouse, or want nothing to move.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { visit } from './page.mjs';
import { pages } from './pages.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

async function faults(page) {
	await page.evaluate(AXE);
	const { violations } = await page.evaluate(rules =>
		window.axe.run(document, { runOnly: { type: 'tag', values: rules } }), RULES);
	return violations.map(v => `${v.id}: ${v.nodes.map(n => n.target.join(' ')).join(', ')}`);
}

const openAll = page => page.locator('details').evaluateAll(all => all.forEach(node => {
	node.open = true;
}));

// A real recording in every combination; of the others, each colour scheme and each layer once.
for (const name of ['ordinary', 'minimal', 'recorded'])
	for (const colorScheme of ['light', 'dark'])
		for (const javaScriptEnabled of name === 'recorded' ? [true, false] : [colorScheme === 'light'])
			test(`${name}, ${colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} script: axe finds nothing`, async () => {
				const file = pages[name]();
				// axe is a script itself: so the page is one without a script of its own.
				if (!javaScriptEnabled)
					writeFileSync(file, readFileSync(file, 'utf8').replace(/<script>[^]*?<\/script>/, ''));
				const { page, close } = await visit(file, { colorScheme });
				assert.equal(await page.locator('canvas').count() > 0, javaScriptEnabled);
				await openAll(page);
				assert.deepEqual(await faults(page), []);
				await close();
			});

for (const name of ['ordinary', 'recorded'])
	test(`${name}: the keyboard alone reaches all, and one sees where it is`, async () => {
		const { page, close } = await visit(pages[name]());
		await openAll(page);
		const wanted = await page.evaluate(() => {
			const all = [...document.querySelectorAll('a[href], button, summary, input, select, [tabindex]')]
				.filter(node => !node.disabled && node.tabIndex >= 0 && node.checkVisibility());
			all.forEach((node, i) => node.dataset.stop = i);
			return all.length;
		});
		assert.ok(wanted > 20, String(wanted));
		const reached = new Set(), unseen = [];
		for (let i = 0; i < wanted + 40 && reached.size < wanted; i++) {
			await page.keyboard.press('Tab');
			const { stop, ring, text } = await page.evaluate(() => {
				const node = document.activeElement, style = getComputedStyle(node);
				return { stop: node.dataset.stop, text: node.outerHTML.slice(0, 80),
					ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 };
			});
			if (stop === undefined)
				continue;
			reached.add(stop);
			if (!ring)
				unseen.push(text);
		}
		assert.equal(reached.size, wanted);
		assert.deepEqual(unseen, []);
		await close();
	});

test('where motion is not wanted, nothing moves', async () => {
	const { page, close } = await visit(pages.recorded(), { reducedMotion: 'reduce' });
	assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), 'auto');
	assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('*')].filter(node => {
		const style = getComputedStyle(node);
		return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;
	}).map(node => node.outerHTML.slice(0, 80))), []);
	assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
	await close();
});
