/*
 * keeper_where: further parameters of the Keeper API's /servers, each a text NAME=VALUE.
 *
 * vcpus_min, memory_min, gpu_min and gpu_memory_total take the place of what the job needs. All
 * others are sent as they are, and each row is checked again. Names and units: docs/keeper.md.
 * Pure.
 */
#ifndef REPORT_PRICES_KEEPER_WHERE_H
#define REPORT_PRICES_KEEPER_WHERE_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/opts.h"

struct cJSON;

#define KEEPER_WHERE_VALUE_MAX 64 /* bytes */

/* -1 with a sentence if a name is unknown, or a value cannot be. All other functions take lists
 * that passed. */
int keeper_where_check(const struct opts_list *where, struct err *e);

/* The least size of a server: CPUs, memory in MiB, GPUs, and memory of all GPUs in MiB. */
struct keeper_where_sizes {
	double *cpus, *memory, *gpus, *gpu_memory;
};

/* Sets the sizes that the list has. */
void keeper_where_replace(const struct opts_list *where, struct keeper_where_sizes sizes);

/* Whether a row of /servers passes; an unknown value does not. */
bool keeper_where_fits(const struct opts_list *where, const struct cJSON *row);

/* Whether this text is sent as it is: it is none of the four minimums. */
bool keeper_where_is_sent(const char *text);

/* Appends "; cpu_manufacturer=AMD or Intel" for each name that is sent. */
void keeper_where_words(const struct opts_list *where, struct buf *out);

#endif
