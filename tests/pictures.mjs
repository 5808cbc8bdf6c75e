// Makes a picture of the README from a report or a fleet page: node tests/pictures.mjs PAGE.html OUT.png
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './browser/chromium.mjs';

// From the top to the end of the element `last`, of which there are more.
const PICTURES = [
	{ of: '#fleet', width: 1440, last: '#fleet tbody tr', nth: 9 },
	{ of: '#charts', width: 1080, last: '#charts section.chart', nth: 1 },
];

const [file, out] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: CHROMIUM,
	args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const page = await browser.newPage();
await page.goto(pathToFileURL(resolve(file)).href);
await page.waitForFunction(() => !document.querySelector('.known:not(.drawn)'));
const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(node => `#${node.id}`));
const { width, last, nth } = PICTURES.find(({ of }) => ids.includes(of));
await page.setViewportSize({ width, height: 800 });
const end = await page.locator(last).nth(nth)
	.evaluate(node => node.getBoundingClientRect().bottom + window.scrollY);
await page.screenshot({ path: out, fullPage: true, clip: { x: 0, y: 0, width, height: Math.ceil(end) + 24 } });
await browser.close();
