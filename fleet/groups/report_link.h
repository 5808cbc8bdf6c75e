/*
 * report_link: the address of a recording's report, if it lies beside the recording.
 */
#ifndef FLEET_GROUPS_REPORT_LINK_H
#define FLEET_GROUPS_REPORT_LINK_H

#include "core/base/buf.h"

#define REPORT_LINK_MAX ((size_t)4096) /* bytes; a longer one is none */

/* Appends the address of RECORDING.html (of RECORDING.json.gz or RECORDING.json) relative to the
 * folder of the page, percent-encoded, if that file exists. Nothing is opened. source: an absolute
 * path; of an address, or if page is NULL or "-", there is nothing to link. */
void report_link(const char *source, const char *page, struct buf *out);

#endif
