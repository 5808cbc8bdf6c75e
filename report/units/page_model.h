/*
 * page_model: the model that a page carries (docs/model.md, "The model in the page").
 */
#ifndef REPORT_UNITS_PAGE_MODEL_H
#define REPORT_UNITS_PAGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/units/page_text.h"

#define PAGE_MODEL_PAGE_MAX ((size_t)1000000)  /* bytes of a page with its model */
#define PAGE_MODEL_READ_MAX ((size_t)64 << 20) /* bytes of a page that is read */

/* How much of the model a page has no room for. */
enum page_model_without {
	PAGE_MODEL_WITHOUT_NOTHING,
	PAGE_MODEL_WITHOUT_CHARTS,
	PAGE_MODEL_WITHOUT_PAGE, /* all but what history needs */
	PAGE_MODEL_WITHOUT_ALL,
};

/* Appends the element with the model. page: bytes of the rest of the page. *without: what found no
 * room. -1 without memory. */
int page_model_pack(struct buf *out, const cJSON *model, size_t page,
                    enum page_model_without *without, struct err *e);

/* What stands for a value that is elsewhere in the page, or in the model. */
#define PAGE_MODEL_MARK "@page"

/* A column of "columns" as "statistics" of a recording has it; NULL if it is no object. */
cJSON *page_model_statistics(const cJSON *column);

/* The value of data-without; NULL: nothing is left out. */
const char *page_model_without_word(enum page_model_without without);

/* What is said of it; NULL: everything found room. */
const char *page_model_without_text(enum page_model_without without);

/* Copies an object without copying its values: they are the original's. */
cJSON *page_model_view(const cJSON *object);

/* Whether a regular file begins as an HTML page; as one of ours. */
bool page_model_is_html(const char *path);
bool page_model_is_ours(const char *path);

/* Whether it is a page of ours about a run, which carries its model. */
bool page_model_has_row(const char *path);

/* The model in the page at path. *without: what it lacks. NULL with a sentence that begins with the
 * path; free it with cJSON_Delete. */
cJSON *page_model_read(const char *path, enum page_model_without *without, struct err *e);

/* The same, of which only "recording" is complete: for a history of many pages, most of the time
 * would go into the rest. */
cJSON *page_model_read_recording(const char *path, struct err *e);

/* As page_model_read from the text of a page. Pure. */
cJSON *page_model_parse(struct page_text page, const char *name, enum page_model_without *without,
                        struct err *e);

#endif
