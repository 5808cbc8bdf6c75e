/*
 * own_size: whether a command sizes itself by a number that it was given, such as java -Xmx12g: it
 * takes what it is given, so its peak does not show what it needs. Pure.
 */
#ifndef REPORT_ADVICE_OWN_SIZE_H
#define REPORT_ADVICE_OWN_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#define OWN_SIZE_MAX 64

/* The first such option with its number, as the command line has it: "-Xmx12g", "-m 4G". Words of a
 * shell's command line are looked at as well. False: there is none. */
bool own_size_find(const char *const *argv, size_t argc, char out[OWN_SIZE_MAX]);

#endif
