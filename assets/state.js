// The state that the modules share: the charts, the span of time that they show, and the toolbar.

// Every chart of the page that can be drawn; `plot` is its uPlot, once drawn.
export const charts = [];

// The whole run, and the span that the charts show now: {min, max} in Unix seconds.
export const whole = { min: Infinity, max: -Infinity };
export const view = {};

// Elements of the toolbar: the button `reset` and the live region `said`.
export const tools = {};

export function showsWhole() {
	return view.min === whole.min && view.max === whole.max;
}
