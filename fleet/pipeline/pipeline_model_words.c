/* pipeline_model_words: how an attempt ended, what it is called, and quantities. */
#include "fleet/pipeline/pipeline_model_words.h"

#include "report/units/model_json.h"

const char *pipeline_model_words_ended(enum pipeline_end ended)
{
	static const char *const words[] = {[PIPELINE_DONE] = "done",
	                                    [PIPELINE_FAILED] = "failed",
	                                    [PIPELINE_OOM] = "out of memory",
	                                    [PIPELINE_UNFINISHED] = "unfinished"};

	return words[ended];
}

void pipeline_model_words_name(const struct pipeline_parts *x, const struct pipeline_attempt *a,
                               struct buf *out)
{
	model_json_cut_text(out, fleet_page_or_unknown(a->name), PIPELINE_MODEL_NAME);
	if (x->p->task[a->task].attempts > 1)
		buf_printf(out, ", attempt %zu", a->nth + 1);
}
