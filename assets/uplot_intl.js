// Stands in for Intl in the bundle of the report's script (esbuild --inject, in the Makefile). uPlot makes a
// number format and a date format when it is loaded, which takes Chromium 20 ms, a tenth of all that it does
// to draw the page. The page writes its own numbers (units.js) and asks uPlot for times in UTC only, so
// neither format is used.
export const Intl = {
	NumberFormat: class {
		format = String;
	},
	DateTimeFormat: class {
		resolvedOptions = () => ({ timeZone: undefined });
	},
};
