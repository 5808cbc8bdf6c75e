/*
 * redact_token: recognises secrets by their form alone.
 */
#ifndef COLLECT_REDACT_REDACT_TOKEN_H
#define COLLECT_REDACT_REDACT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the secret at the beginning of the text, or 0: a GitHub, GitLab, Slack,
 * AWS, OpenAI … token, a JSON web token, or 32 or more letters and digits that look random. text
 * must be at the beginning of a word. */
size_t redact_token(const char *text, size_t n);

/* Whether n bytes look random: at least 16 letters, digits and "-_.=+", at least two of them
 * digits. A weak test, only for places where a secret is likely. */
bool redact_token_random(const char *text, size_t n);

/* Whether n bytes look like a password that somebody chose: cedar7x9, p4nda!, but not sample12 or
 * a.b. A weak test, only for places where a password is likely. */
bool redact_token_chosen(const char *value, size_t n);

#endif
