// Makes a picture of the README from a report of a real run, or of a fleet: node tests/pictures.mjs REPORT.html OUT.png
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM } from './browser/chromium.mjs';

const [report, out] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: CHROMIUM,
	args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
await page.goto(pathToFileURL(resolve(report)).href);
const fleet = await page.locator('#fleet').count() > 0;
await page.waitForSelector(fleet ? '.scripted' : '.known.drawn');
// From the top to the end of the first chart, or of the sixth group.
const end = await page.locator(fleet ? '#fleet tbody tr' : '.known').nth(fleet ? 5 : 0)
	.evaluate(node => node.getBoundingClientRect().bottom + window.scrollY);
await page.screenshot({ path: out, fullPage: true,
	clip: { x: 0, y: 0, width: 1400, height: Math.ceil(end) + 12 } });
await browser.close();
