/*
 * scan_imports: files that other programs wrote → rows, for scan_sources.
 *
 * They are read by this process, after all recordings: text of one line after the other, whose
 * readers (fleet/import/) keep nothing. The source of a job of Slurm's accounting is
 * CATALOG_ACCOUNTED and its key, whichever file it is read from; of another one that can be known
 * again, "import://" and its key; else the path of its file, a slash and its key, so that "forget"
 * of the file forgets its jobs.
 */
#ifndef FLEET_SCAN_SCAN_IMPORTS_H
#define FLEET_SCAN_SCAN_IMPORTS_H

#include "fleet/scan/scan_work.h"

/* Reads all imports of the list, and what sacct prints. A file that cannot be read is a failure;
 * what was not understood is a remark, one for each file. */
int scan_imports_read(struct scan_work *w, struct err *e);

#endif
