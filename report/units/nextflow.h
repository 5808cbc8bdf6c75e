/*
 * nextflow: quantities as Nextflow prints them in its trace. Pure; all return out or a
 * constant.
 */
#ifndef REPORT_UNITS_NEXTFLOW_H
#define REPORT_UNITS_NEXTFLOW_H

#define NEXTFLOW_NOTHING "-" /* what is unknown */

/* Seconds as its Duration: "350ms", "12.5s", "1m 3s", "2d 4h". */
const char *nextflow_duration(double s, char out[64]);

/* Bytes as its MemoryUnit: "0", "512 B", "1.5 GB" in powers of 1024. */
const char *nextflow_memory(double b, char out[64]);

/* Unix seconds: "2026-11-21 06:40:00.000", UTC. */
const char *nextflow_date(double unix_s, char out[64]);

#endif
