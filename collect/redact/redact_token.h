/*
 * redact_token: secrets that are known by their form, whatever stands before them.
 */
#ifndef COLLECT_REDACT_REDACT_TOKEN_H
#define COLLECT_REDACT_REDACT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the secret that the text begins with, or 0: a GitHub, GitLab, Slack, AWS, OpenAI …
 * token, a JSON web token, 32 or more letters and digits that look random. The caller stands at the
 * beginning of a word. */
size_t redact_token(const char *text, size_t n);

/* Whether n bytes look random: 16 or more letters, digits, "-_.=+", two digits at least. For places
 * where a secret is likely. */
bool redact_token_random(const char *text, size_t n);

#endif
