/*
 * host_id: an ID of the machine's installation that recordings may carry.
 *
 * /etc/machine-id is confidential (machine-id(5)): the file holds a hash of it that nobody else
 * makes, HMAC-SHA256 of rtrack's application ID keyed by the machine ID, as
 * sd_id128_get_machine_app_specific(3) computes it. Equal IDs are of one installation; the machine
 * ID does not follow from them.
 */
#ifndef COLLECT_MACHINE_HOST_ID_H
#define COLLECT_MACHINE_HOST_ID_H

#include <stdbool.h>
#include <stddef.h>

#define HOST_ID_SIZE 33 /* 32 digits and a NUL */

/* text: the content of /etc/machine-id. False, with out "", if it has no ID. */
bool host_id(const char *text, size_t n, char out[HOST_ID_SIZE]);

#endif
