/* http_handle: what all handles of libcurl have in common. */
#include "report/http/http_handle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int64_t http_handle_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* -- whom it trusts, and where it may connect -------------------------------------------------- */

static const char *const ca_places[] = {
    "/etc/ssl/certs/ca-certificates.crt",                /* Debian, Ubuntu, Alpine, Arch, Gentoo */
    "/etc/pki/tls/certs/ca-bundle.crt",                  /* Red Hat, Fedora, Amazon */
    "/etc/ssl/ca-bundle.pem",                            /* SUSE */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Fedora since 43, Red Hat since 7 */
    "/var/lib/ca-certificates/ca-bundle.pem",            /* SUSE, where /etc is read-only */
    "/etc/ssl/cert.pem",                                 /* Alpine without its package */
};

static const char *from_variable(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

const char *http_handle_ca_named(const char **file, const char **folder)
{
	static const char *const files[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};

	*file = NULL;
	*folder = from_variable("SSL_CERT_DIR");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if ((*file = from_variable(files[i])))
			return files[i];
	return *folder ? "SSL_CERT_DIR" : NULL;
}

const char *http_handle_ca_found(const char *own)
{
	if (own && access(own, R_OK) == 0)
		return own;
	for (size_t i = 0; i < sizeof ca_places / sizeof *ca_places; i++)
		if (access(ca_places[i], R_OK) == 0)
			return ca_places[i];
	return *ca_places;
}

/* Checks the address too, because a name server may resolve localhost to another machine. */
static curl_socket_t open_loopback(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)ctx;
	(void)purpose;
	if (!http_is_loopback(&a->addr))
		return CURL_SOCKET_BAD;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Clear text must not leave this machine, so it must not go to a proxy either. */
void http_handle_loopback_only(CURL *c)
{
	curl_easy_setopt(c, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_loopback);
}

static void set_authorities(CURL *c)
{
	const char *own = NULL, *file, *folder;

	if (http_handle_ca_named(&file, &folder)) {
		curl_easy_setopt(c, CURLOPT_CAINFO, file);
		curl_easy_setopt(c, CURLOPT_CAPATH, folder);
		return;
	}
#if LIBCURL_VERSION_NUM >= 0x074600
	own = curl_version_info(CURLVERSION_NOW)->cainfo;
#endif
	curl_easy_setopt(c, CURLOPT_CAINFO, http_handle_ca_found(own));
}

/* Mostly libcurl's defaults, set here in case a later version changes them. */
void http_handle_secure(CURL *c)
{
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L);
	set_authorities(c);
	curl_easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x074000
	curl_easy_setopt(c, CURLOPT_HTTP09_ALLOWED, 0L);
#endif
}

bool http_handle_signs(unsigned version)
{
	return version >= 0x075700;
}

bool http_handle_headed(bool before, const char *line, size_t n)
{
	if (n >= 5 && memcmp(line, "HTTP/", 5) == 0)
		return false;
	return before || (n && (*line == '\r' || *line == '\n'));
}

/* This time is set on a new connection and on a kept one, once a request can be sent. */
bool http_handle_connected(CURL *c)
{
	curl_off_t us = 0;

	curl_easy_getinfo(c, CURLINFO_PRETRANSFER_TIME_T, &us);
	return us > 0;
}

/* Which variable counts is easily missed where several are set. */
static int say_untrusted(const struct http_target *to, struct err *e)
{
	const char *file, *folder, *variable = http_handle_ca_named(&file, &folder);

	if (!variable)
		return err_set(e, "%s: its certificate cannot be trusted", to->host);
	return err_set(e, "%s: its certificate cannot be trusted (%s names the authorities: %s)",
	               to->host, variable, file ? file : folder);
}

/* libcurl's own message is not used: it may quote a proxy's URL, password included. */
int http_handle_say(CURL *c, CURLcode code, const struct http_target *to, struct err *e)
{
	long os_errno = 0;

	curl_easy_getinfo(c, CURLINFO_OS_ERRNO, &os_errno);
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return err_set(e, "%s: the host name is not found (no network?)", to->host);
	case CURLE_COULDNT_RESOLVE_PROXY:
		return err_set(e, "%s: the proxy's host name is not found", to->host);
	case CURLE_COULDNT_CONNECT:
		return err_set(e, "%s: no connection: %s", to->host,
		               os_errno ? strerror((int)os_errno) : "cannot be reached");
	case CURLE_OPERATION_TIMEDOUT:
		return err_set(e, "%s: no %s in time", to->host,
		               http_handle_connected(c) ? "answer" : "connection");
	case CURLE_PEER_FAILED_VERIFICATION:
		return say_untrusted(to, e);
	case CURLE_SSL_CACERT_BADFILE:
		return err_set(e,
		               "%s: the file of the certificates to trust cannot be read (is "
		               "ca-certificates installed? SSL_CERT_FILE can name one)",
		               to->host);
	case CURLE_OUT_OF_MEMORY:
		return err_set(e, "%s: %s", to->host, strerror(ENOMEM));
	default:
		return err_set(e, "%s: %s", to->host, curl_easy_strerror(code));
	}
}
