/*
 * rename_new: renames a file without replacing another one.
 */
#ifndef COLLECT_OUTPUT_RENAME_NEW_H
#define COLLECT_OUTPUT_RENAME_NEW_H

#include <stdbool.h>

/* 0, or -1 with errno: EEXIST if there is a file with the new name. Where neither renameat2(2) nor
 * link(2) can do it, it looks just before. */
int rename_new(const char *from, const char *to);

/* Whether renameat2(2) failed because its flags are not supported, or a filter forbids it. */
bool rename_new_lacks_flags(void);

#endif
