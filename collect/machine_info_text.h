/*
 * machine_info_text: --info as text for people.
 */
#ifndef COLLECT_MACHINE_INFO_TEXT_H
#define COLLECT_MACHINE_INFO_TEXT_H

#include "collect/cgroup/limits.h"
#include "collect/collect_options.h"
#include "core/base/buf.h"
#include "core/recording/snapshot.h"

/* Control characters in what was found out are written as \x1b. */
void machine_info_text(const struct collect_options *o, const struct snapshot *s,
                       const struct limits *l, struct buf *out);

#endif
