/*
 * cpu_model: what kind of CPU the machine has, from /proc/cpuinfo.
 *
 * Each architecture has a form of its own. x86, and some others, say the name; Arm says numbers of
 * its maker and its part, which a table names; the name of a board says nothing about the CPU.
 */
#ifndef COLLECT_MACHINE_CPU_MODEL_H
#define COLLECT_MACHINE_CPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#define CPU_MODEL_SIZE 128
#define CPU_MODEL_TEXT 4096 /* bytes of the file that are enough: the first CPU's */

/* False, with out "", if the text does not tell. */
bool cpu_model(const char *text, size_t n, char out[CPU_MODEL_SIZE]);

#endif
