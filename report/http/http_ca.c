/* http_ca: the file of the certificates that this machine trusts. */
#include "report/http/http_ca.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const places[] = {
    "/etc/ssl/certs/ca-certificates.crt",                /* Debian, Ubuntu, Alpine, Arch, Gentoo */
    "/etc/pki/tls/certs/ca-bundle.crt",                  /* Red Hat, Fedora, Amazon */
    "/etc/ssl/ca-bundle.pem",                            /* SUSE */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Fedora since 43, Red Hat since 7 */
    "/var/lib/ca-certificates/ca-bundle.pem",            /* SUSE, where /etc is read-only */
    "/etc/ssl/cert.pem",                                 /* Alpine without its package */
};

const char *http_ca_first(const char *const *files, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (files[i] && access(files[i], R_OK) == 0)
			return files[i];
	return NULL;
}

static const char *from_variable(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

const char *http_ca_named(const char **file, const char **folder)
{
	static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};

	*file = NULL;
	*folder = from_variable("SSL_CERT_DIR");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if ((*file = from_variable(files[i])))
			return files[i];
	return *folder ? "SSL_CERT_DIR" : NULL;
}

const char *http_ca_found(const char *own)
{
	const char *found = http_ca_first(&own, 1);

	if (!found)
		found = http_ca_first(places, sizeof places / sizeof *places);
	return found ? found : *places;
}
