/* page_model_marks: what the writer and the reader of a page's model have in common. */
#ifndef REPORT_UNITS_PAGE_MODEL_MARKS_H
#define REPORT_UNITS_PAGE_MODEL_MARKS_H

#include "report/units/page_model.h"

#define PAGE_MODEL_MARK "@page" /* stands for what is elsewhere in the page */

/* The value of data-without; NULL: nothing is left out. */
const char *page_model_without_word(enum page_model_without without);

#endif
