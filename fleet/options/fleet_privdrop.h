/*
 * fleet_privdrop: keeps only the privileges that the command line needs (see privdrop.h).
 */
#ifndef FLEET_OPTIONS_FLEET_PRIVDROP_H
#define FLEET_OPTIONS_FLEET_PRIVDROP_H

#include "fleet/options/fleet_options.h"

/* Also creates the price cache's folder. */
void fleet_privdrop(const struct fleet_options *o);

/* For a process that looks for the recordings of a job: only the catalog's folder can be written.
 */
void fleet_privdrop_searching(const struct fleet_options *o);

#endif
