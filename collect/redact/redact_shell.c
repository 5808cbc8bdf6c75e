/* redact_shell: finds secrets in a shell script. */
#include "collect/redact/redact_shell.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/redact/redact_scan.h"
#include "collect/redact/redact_value.h"

#define DEPTH_MAX 4
/* Bytes to search for the reader of a pipe, or for a closing bracket. */
#define AHEAD 1024

static bool is_operator(char c)
{
	return c && strchr(";|&<>()\n", c);
}

/* Whether the comma or bracket at i separates the quoted words of a list: ['mysql', '-pX']. */
static bool between_quotes(const struct redact_text *t, size_t i, size_t begin, size_t end)
{
	if (!strchr(",[]", t->s[i]))
		return false;
	return (i > begin && redact_quote(t->s[i - 1])) ||
	       (i + 1 < end && (redact_quote(t->s[i + 1]) || t->s[i + 1] == '\\'));
}

/* -- words ------------------------------------------------------------------------------------- */

static void append_byte(struct redact_word *w, char c, size_t at)
{
	if (w->n < REDACT_WORD_MAX) {
		w->s[w->n] = c;
		w->at[w->n++] = at;
	}
}

static void finish_word(struct redact_word *w, size_t end)
{
	w->s[w->n] = '\0';
	w->at[w->n] = w->n < REDACT_WORD_MAX ? end : w->n ? w->at[w->n - 1] + 1 : end;
	w->end = end;
}

void redact_shell_word(const struct redact_text *t, struct redact_word *w)
{
	w->n = w->begin = w->within = w->quoted = 0;
	w->shell = false;
	for (size_t i = 0; i < t->n && i < REDACT_WORD_MAX; i++)
		append_byte(w, t->s[i], i);
	finish_word(w, t->n);
}

/* Returns the position after the "$(…)" or "${…}" at i, or i if there is none. */
static size_t substitution_end(const struct redact_text *t, size_t i, size_t end)
{
	char open = t->s[i] == '$' && i + 1 < end ? t->s[i + 1] : '\0';
	char close = open == '(' ? ')' : open == '{' ? '}' : '\0';
	size_t depth = 0, k = i + 1;

	if (!close)
		return i;
	for (; k < end && k - i < AHEAD; k++) {
		depth += t->s[k] == open;
		depth -= t->s[k] == close;
		if (!depth)
			return k + 1;
	}
	return i;
}

/* Reads the word that begins at i and returns its end. A quote is closed by one with at most as
 * many backslashes before it. quotes: false takes quotes as plain bytes. */
static size_t next_word(const struct redact_text *t, size_t i, size_t end, bool quotes,
                        struct redact_word *w)
{
	char quote = '\0';
	size_t escapes = 0;

	w->n = w->within = w->quoted = 0;
	w->begin = i;
	w->shell = true;
	while (i < end) {
		size_t run = 0, behind;
		char c;
		while (quotes && i + run < end && t->s[i + run] == '\\')
			run++;
		c = i + run < end ? t->s[i + run] : '\0';
		if (quotes && redact_quote(c) && (!quote || (c == quote && run <= escapes))) {
			quote = quote ? '\0' : c;
			escapes = run;
			i += run + 1;
			if (!w->quoted)
				w->quoted = i;
			continue;
		}
		c = t->s[i];
		if (!quote &&
		    (redact_blank(c) || is_operator(c) || between_quotes(t, i, w->begin, end)))
			break;
		behind = quote || !quotes ? i : substitution_end(t, i, end);
		if (behind > i && !w->within)
			w->within = i + 2;
		if (behind > i) {
			append_byte(w, c, i);
			i = behind;
			continue;
		}
		i += run;
		if (run > 1)
			append_byte(w, '\\', i - 1);
		/* Append the byte after a backslash, unless it is a continued line. */
		if (i < end && run % 2 == 0 && run)
			continue;
		if (i < end && !(run && t->s[i] == '\n'))
			append_byte(w, t->s[i], i);
		i += i < end;
	}
	/* An unclosed quote is an apostrophe: read the word again, up to the next blank. */
	if (quote)
		return next_word(t, w->begin, end, false, w);
	finish_word(w, i);
	return i;
}

/* -- commands ---------------------------------------------------------------------------------- */

/* Whether the output of the echo before i goes to a program that reads a secret. */
static bool is_piped(const struct redact_text *t, size_t i, size_t end)
{
	size_t last = end - i > AHEAD / 4 ? i + AHEAD / 4 : end, word;
	bool piped = false, sudo = false, keeper = false;
	int pipes = 0;

	for (; i<last; i = word> i ? word : i + 1) {
		word = i;
		if (!piped && redact_quote(t->s[i])) {
			word = redact_value_behind(t, i + 1, t->s[i], t->s[i]);
			continue;
		}
		pipes += t->s[i] == '|';
		piped = pipes > 0;
		if (t->s[i] == '\n' || pipes > 2 || (t->s[i] == ';' && piped))
			return false;
		while (word < last && !redact_blank(t->s[word]) && !is_operator(t->s[word]) &&
		       !redact_quote(t->s[word]))
			word++;
		if (piped && redact_command_reads(t->s + i, word - i))
			return true;
		keeper = keeper ||
		         (piped && redact_listed("docker podman gh gcloud kubectl oc fly flyctl "
		                                 "vault aws az doppler heroku wrangler npx",
		                                 t->s + i, word - i));
		if (keeper && redact_listed("secret secrets", t->s + i, word - i))
			return true;
		sudo = sudo || (piped && redact_listed("sudo doas", t->s + i, word - i));
		if (sudo && word - i >= 2 && t->s[i] == '-' && memchr(t->s + i, 'S', word - i))
			return true;
	}
	return false;
}

/* Hides the lines of the here-document whose "<<" is at i, at most 4 KiB of them. */
static void hide_document(struct redact_text *t, size_t i, size_t end)
{
	size_t name = i + 2, n, line;

	while (name < end && strchr("-'\"\\ ", t->s[name]))
		name++;
	for (n = 0; redact_letter(redact_at(t, name + n)) || redact_digit(redact_at(t, name + n));)
		n++;
	for (i = name; i < end && t->s[i] != '\n';)
		i++;
	end = end - i > 4 * (size_t)AHEAD ? i + 4 * (size_t)AHEAD : end;
	for (line = ++i; n && line < end; line++)
		if (t->s[line - 1] == '\n' && t->n - line >= n &&
		    memcmp(t->s + line, t->s + name, n) == 0)
			break;
	if (line > i)
		redact_hide(t, i, line < end ? line - 1 : end);
}

static bool is_here_string(const struct redact_text *t, size_t i, size_t end)
{
	return end - i > 3 && memcmp(t->s + i, "<<<", 3) == 0;
}

/* Returns the end of the script in the quotes of a word: the position of the last quote. */
static size_t inner_end(const struct redact_text *t, const struct redact_word *w)
{
	size_t end = w->end;

	if (end == w->quoted || t->s[end - 1] != t->s[w->quoted - 1])
		return end;
	end--;
	while (end > w->quoted && t->s[end - 1] == '\\')
		end--;
	return end;
}

static void scan_script(struct redact_text *t, size_t begin, size_t end, int depth, bool asks);

/* Returns the end of the word at i as a shell reads it, if it has a quote within quotes, as in
 * 'it'\''s' and 'it'"'"'s', else i. */
static size_t inner_quote_end(const struct redact_text *t, size_t i, size_t end)
{
	size_t k = i, last = end - i > 4 * (size_t)AHEAD ? i + 4 * (size_t)AHEAD : end;
	bool found = false;
	char quote = '\0';

	for (; k < last; k++) {
		char c = t->s[k];
		if (quote ? c == quote : c == '\'' || c == '"') {
			found = found || redact_is(t, k, "'\\''") || redact_is(t, k, "'\"'\"'");
			quote = quote ? '\0' : c;
		} else if (c == '\\' && quote != '\'') {
			k++;
		} else if (!quote && (redact_blank(c) || is_operator(c))) {
			break;
		}
	}
	return found && !quote && k <= last ? k : i;
}

/* Removes the quotes of the n bytes at i, and notes where each byte was. Returns the length. */
static size_t unquote(const struct redact_text *t, size_t i, size_t n, char *text, uint32_t *at)
{
	size_t end = i + n, k = 0;
	char quote = '\0';

	for (; i < end; i++) {
		char c = t->s[i];
		if (quote ? c == quote : c == '\'' || c == '"') {
			quote = quote ? '\0' : c;
			continue;
		}
		if (c == '\\' && quote != '\'' && i + 1 < end &&
		    (!quote || strchr("\"\\$`", t->s[i + 1])))
			i++;
		at[k] = (uint32_t)i;
		text[k++] = t->s[i];
	}
	at[k] = (uint32_t)end;
	text[k] = '\0';
	return k;
}

/* Hides the secrets of the word at begin..end in what a shell makes of it, and passes it to the
 * command. Without memory, hides all of the word. */
static void scan_unquoted(struct redact_command *c, struct redact_text *t, size_t begin, size_t end,
                          int depth, bool asks)
{
	size_t n = end - begin;
	struct redact_word w;
	char *text = malloc(n + 1), *copy = malloc(n + 1);
	uint32_t *at = malloc((n + 1) * sizeof *at);
	struct redact_text inner = {.s = text, .copy = copy};

	if (text && copy && at) {
		inner.n = unquote(t, begin, n, text, at);
		memcpy(copy, text, inner.n);
		redact_shell_word(&inner, &w);
		redact_command_word(c, &inner, &w);
		redact_scan(&inner);
		scan_script(&inner, 0, inner.n, depth + 1, asks);
		for (size_t k = 0; k < inner.n; k++)
			if (!copy[k])
				memset(t->copy + at[k], 0,
				       k + 1 < inner.n && !copy[k + 1] ? at[k + 1] - at[k] : 1);
	} else {
		redact_hide(t, begin, end);
	}
	free(text);
	free(copy);
	free(at);
}

static void scan_script(struct redact_text *t, size_t begin, size_t end, int depth, bool asks)
{
	struct redact_command c = {.n_rows = 0};
	struct redact_word w;
	bool first = true, fed = false;
	size_t inner;

	for (size_t i = begin; i < end;) {
		if (is_here_string(t, i, end)) {
			c.secret = c.reads_in;
			i += 3;
			continue;
		}
		if (c.reads_in && t->s[i] == '<' && i + 1 < end && t->s[i + 1] == '<')
			hide_document(t, i, end);
		if (is_operator(t->s[i])) {
			if (t->s[i] != '<' && t->s[i] != '>') {
				c = (struct redact_command){.n_rows = 0};
				first = true;
				fed = t->s[i] == '(' && i > begin && t->s[i - 1] == '<';
			}
			i++;
			continue;
		}
		if (redact_blank(t->s[i]) || between_quotes(t, i, begin, end)) {
			i++;
			continue;
		}
		inner = depth < DEPTH_MAX ? inner_quote_end(t, i, end) : i;
		if (inner > i) {
			scan_unquoted(&c, t, i, inner, depth, asks);
			first = false;
			i = inner;
			continue;
		}
		i = next_word(t, i, end, depth < DEPTH_MAX, &w);
		if (i == w.begin) {
			i++;
			continue;
		}
		redact_command_word(&c, t, &w);
		if (first && redact_listed("echo printf yes", w.s, w.n))
			c.all = fed || is_piped(t, i, end);
		else if (first && asks)
			c.all = strcmp(w.s, "send") == 0;
		first = first && strchr(w.s, '=');
		if (depth < DEPTH_MAX && w.quoted && strpbrk(w.s, " \t\n;|&("))
			scan_script(t, w.quoted, inner_end(t, &w), depth + 1, asks);
		else if (depth < DEPTH_MAX && w.within)
			scan_script(t, w.within, w.end, depth + 1, asks);
	}
}

void redact_shell_scan(struct redact_text *t, size_t begin, size_t end)
{
	/* expect(1) waits for "assword:" and sends the password. */
	scan_script(t, begin, end, 0, strstr(t->s, "assword") != NULL);
}
