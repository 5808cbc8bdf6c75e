/*
 * detail: what --detail records of each CPU, network interface, file system and disk.
 *
 * A device has one or two series. Their cells stand after the metrics in a row, in a journal's
 * record and in a snapshot's source: series i is column DETAIL_CELL(i). Which device has which cell
 * is noted while the recording runs, because devices come and go.
 */
#ifndef CORE_RECORDING_DETAIL_H
#define CORE_RECORDING_DETAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numbers/metric.h"

enum detail_kind { DETAIL_CPU, DETAIL_INTERFACE, DETAIL_FILE_SYSTEM, DETAIL_DISK, DETAIL_KINDS };

#define DETAIL_CPUS_MAX    256
#define DETAIL_OTHERS_MAX  64 /* of each other kind */
#define DETAIL_DEVICES_MAX (DETAIL_CPUS_MAX + 3 * DETAIL_OTHERS_MAX)
#define DETAIL_CELLS_MAX   (DETAIL_CPUS_MAX + 6 * DETAIL_OTHERS_MAX)
#define DETAIL_SPARE       32  /* cells for devices that appear during the run */
#define DETAIL_NAME_MAX    256 /* bytes of a device's name, with its NUL */
#define DETAIL_SERIES_MAX  (DETAIL_NAME_MAX + 48)

/* METRIC_COUNT itself is an unknown column. */
#define DETAIL_CELL(i)   ((enum metric_id)(METRIC_COUNT + 1 + (int)(i)))
#define DETAIL_ROW_CELLS (METRIC_COUNT + 1 + DETAIL_CELLS_MAX)

struct detail_measure {
	const char *name;
	enum metric_kind kind;
	int digits; /* after the point, in the file */
};

struct detail_kind_of {
	const char *word;   /* in names of series */
	const char *many;   /* in sentences */
	size_t most, cells; /* devices that are kept; cells of each */
	struct detail_measure measure[2];
};

extern const struct detail_kind_of detail_kinds[DETAIL_KINDS];

struct detail_device {
	enum detail_kind kind;
	size_t cell; /* its first */
	const char *name;
};

/* The devices of a recording, in the order in which they were found. */
struct detail_devices {
	size_t cells; /* that rows have room for */
	size_t n;
	struct detail_device v[DETAIL_DEVICES_MAX];
};

/* "interface.eth0.sent_bytes". Returns out. */
const char *detail_series_name(enum detail_kind kind, const char *device, size_t measure,
                               char out[DETAIL_SERIES_MAX]);

/* Takes such a name apart: *device and *n are a slice of it. False for any other text. */
bool detail_series_parse(const char *name, enum detail_kind *kind, size_t *measure,
                         const char **device, size_t *n);

/* "interface eth0", as a journal has it. Returns out. */
const char *detail_device_text(enum detail_kind kind, const char *device,
                               char out[DETAIL_SERIES_MAX]);

/* Takes it apart; NULL if it is none. */
const char *detail_device_parse(const char *text, enum detail_kind *kind);

/* "detail_3": the name of a cell in a journal's header. Returns out. */
const char *detail_cell_name(size_t cell, char out[32]);

/* The column of that name, or METRIC_COUNT. */
enum metric_id detail_cell_parse(const char *name);

#endif
