/*
 * secret: which names are those of passwords, tokens and keys, and which words are such themselves.
 */
#ifndef COLLECT_SECRET_H
#define COLLECT_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#define SECRET_NAME_MAX 64 /* of longer names the end counts */

/* Whether n bytes name a secret: "password", "DB_PASSWD", "apiKey", "x-auth-token"; not
 * "max-tokens", "token-file", "no-password", "monkey". query: it is a key of a URL's query, where
 * "sig" and "key" are ones too. */
bool secret_name(const char *name, size_t n, bool query);

/* The length of the secret that the text begins with, known by its form (a GitHub, GitLab, Slack,
 * AWS, OpenAI … token, a JSON web token), or 0. The caller stands at the beginning of a word. */
size_t secret_form(const char *text, size_t n);

/* Whether n bytes look drawn by lot: 20 or more letters, digits, "-_.=+", some of both. A place
 * where seldom a secret stands may ask (the user of a URL). */
bool secret_random(const char *text, size_t n);

#endif
