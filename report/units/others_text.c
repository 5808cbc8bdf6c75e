/* others_text: what may not be read because it belongs to other people, as a sentence. */
#include "report/units/others_text.h"

#include "report/units/units.h"

void others_text(const struct input_others *others, struct buf *out)
{
	size_t all = others->files + others->folders;

	if (!all)
		return;
	if (others->files)
		buf_printf(out, "%s recording%s", UNITS_COUNT((double)others->files),
		           others->files == 1 ? "" : "s");
	if (others->folders)
		buf_printf(out, "%s%s folder%s", others->files ? " and " : "",
		           UNITS_COUNT((double)others->folders), others->folders == 1 ? "" : "s");
	buf_printf(out, " belong%s to other people and may not be read", all == 1 ? "s" : "");
}
