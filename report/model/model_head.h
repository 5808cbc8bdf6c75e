/*
 * model_head: the first keys of every model.
 */
#ifndef REPORT_MODEL_MODEL_HEAD_H
#define REPORT_MODEL_MODEL_HEAD_H

#include <cjson/cJSON.h>

/* "format", "version", "generator", "generated", "title". integration: the tool that made the
 * report; NULL: unknown. */
void model_head_add(cJSON *model, const char *format, const char *integration, double now,
                    const char *title);

#endif
