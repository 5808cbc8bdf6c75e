/*
 * start_command: the command of a vendor's own program that starts a server, for people to read and
 * to run. Pure.
 */
#ifndef REPORT_PRICES_START_COMMAND_H
#define REPORT_PRICES_START_COMMAND_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "report/prices/keeper_result.h"

/* Appends "aws ec2 run-instances …", of aws, gcloud, az or hcloud. Words in capitals are to be
 * replaced: image, key, names, and a region or zone that is not known or not a plain identifier.
 * Appends nothing for other vendors, for a spot server of a vendor that has none, and where the
 * server's API reference is none. */
void start_command_add(const struct keeper_server *s, bool spot, struct buf *out);

#endif
