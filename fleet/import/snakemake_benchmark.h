/*
 * snakemake_benchmark: a file of Snakemake's directive `benchmark`: a line for each repetition.
 *
 * Snakemake looks at the processes of a job every 0.5 s, 30 times, and every 30 s then;
 * docs/import.md says what this makes of the numbers.
 */
#ifndef FLEET_IMPORT_SNAKEMAKE_BENCHMARK_H
#define FLEET_IMPORT_SNAKEMAKE_BENCHMARK_H

#include "fleet/import/import_reader.h"

/* Further lines of a file are left out, counted, and reported: a row takes 400 bytes where no
 * catalog is named. */
#define SNAKEMAKE_BENCHMARK_LINES 100000

/* As the functions of a kind in import.c. */
bool snakemake_benchmark_recognise(const char *text, size_t n);
int snakemake_benchmark_read(struct import *in, struct err *e);

/* The job's name from the path of the file: the folder below one that is called benchmarks,
 * benchmark or bench, else the file's name without .txt, .tsv, .bench, .benchmark and the like.
 * Cut at size. Pure. */
void snakemake_benchmark_name(const char *path, char *out, size_t size);

/* The number of a key in the text of a Python dict: 500 of {'mem_mb': 500}. NAN: there is none.
 * Pure. */
double snakemake_benchmark_item(const char *dict, const char *key);

#endif
