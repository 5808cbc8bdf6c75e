// The Chromium that tests, pictures and benchmarks use: $CHROMIUM, or what Debian installs. The headless shell is the same
// engine without the parts of a desktop browser, and takes half the CPU time.
import { existsSync } from 'node:fs';

export const CHROMIUM = process.env.CHROMIUM
	|| ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
