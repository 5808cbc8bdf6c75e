/*
 * http_ca: the file of the certificates that this machine trusts.
 *
 * libcurl has the place of one distribution built in. A program that was built elsewhere, and has
 * libcurl inside, looks where the others have it.
 */
#ifndef REPORT_HTTP_HTTP_CA_H
#define REPORT_HTTP_HTTP_CA_H

#include <stddef.h>

/* What the user names, in place of the machine's: a file by $CURL_CA_BUNDLE, else $SSL_CERT_FILE; a
 * folder with certificates under their hashes by $SSL_CERT_DIR. NULL: not named. Returns the
 * variable that counts, of the file if both are named; NULL: none. */
const char *http_ca_named(const char **file, const char **folder);

/* The machine's: own (libcurl's; may be NULL) if it can be read, else the first place of a
 * distribution that can be read. If there is none, the name of a file that is missing: libcurl then
 * says so, instead of trusting nobody. */
const char *http_ca_found(const char *own);

/* The first of n files that can be read; NULL if there is none. */
const char *http_ca_first(const char *const *files, size_t n);

#endif
