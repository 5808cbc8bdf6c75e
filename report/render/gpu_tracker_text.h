/*
 * gpu_tracker_text: the text that gpu_tracker prints (str(tracker)), from the dictionary in the
 * model. A Mustache template cannot round a number. Pure.
 */
#ifndef REPORT_RENDER_GPU_TRACKER_TEXT_H
#define REPORT_RENDER_GPU_TRACKER_TEXT_H

#include "core/base/buf.h"

struct cJSON;

/* Where gpu_tracker has a number that is not known, it has "unknown". */
void gpu_tracker_text(const struct cJSON *model, struct buf *out);

#endif
