/*
 * load_known: which recordings were read, so that each counts once.
 *
 * A file is known by its device and inode, whatever its name; an object by its address.
 */
#ifndef REPORT_RUNS_LOAD_KNOWN_H
#define REPORT_RUNS_LOAD_KNOWN_H

#include "report/runs/load.h"

/* Sets who a run is: path is borrowed, as run->address, if it is an address. */
void load_known_identify(struct run *run, const char *path);

/* Whether this recording was read before, by any name. */
bool load_known_has(const struct runs *r, const struct run *run);

/* Enters the recording of the run that is appended next. -1 without memory. */
int load_known_add(struct runs *r, const struct run *run);

#endif
