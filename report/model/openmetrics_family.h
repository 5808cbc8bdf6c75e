/*
 * openmetrics_family: metric families of OpenMetrics 1.0 as the model's "openmetrics" holds them
 * (docs/model.md, "Views").
 */
#ifndef REPORT_MODEL_OPENMETRICS_FAMILY_H
#define REPORT_MODEL_OPENMETRICS_FAMILY_H

#include <cjson/cJSON.h>

#include "report/advice/gate_results.h"

/* A family that is being built: it goes into the model with its first sample. */
struct openmetrics_family {
	cJSON *all;           /* the array of families */
	const char *key, *of; /* a label of all its samples; NULL: none */
	const char *name, *type, *unit, *help;
	const char *label; /* the key of the family's own label; NULL: none */
	cJSON *samples;    /* NULL: none yet */
};

/* Begins another family with the label that all have, a gauge. */
void openmetrics_next(struct openmetrics_family *f, const char *name, const char *unit,
                      const char *help);

/* The same, with one sample without a label of its own; none where v is not known. */
void openmetrics_value(struct openmetrics_family *f, const char *name, const char *unit,
                       const char *help, double v);

/* Without a key, or with NULL or "" as its value, there is no label. */
void openmetrics_label(cJSON *labels, const char *key, const char *value);

/* Returns the labels of the new sample. */
cJSON *openmetrics_sample(struct openmetrics_family *f, const char *suffix, double v);

/* member: the value of the family's own label. key, value: one more label, if key is not NULL.
 * Returns the sample's labels; NULL where v is not known and there is no sample. */
cJSON *openmetrics_member(struct openmetrics_family *f, const char *member, const char *key,
                          const char *value, double v);

/* A family of the answers of gates. gates: NULL: none. */
void openmetrics_gates(struct openmetrics_family *f, const struct gate_results *gates);

#endif
