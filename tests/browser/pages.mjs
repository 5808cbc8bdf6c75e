// The pages that tests look at: those of the models, and those of recordings, which have all sections.
// Each is made again, and answers its path.

import { model, recorded, report } from './page.mjs';
import { poisoned, recording } from './runs.mjs';

export const pages = {
	ordinary: () => report(model('ordinary')),
	minimal: () => report(model('minimal')),
	hostile: () => report(model('hostile')),
	recorded: () => recorded(recording(600)).file,
	'hostile recording': () => recorded(poisoned(recording(60))).file,
};
