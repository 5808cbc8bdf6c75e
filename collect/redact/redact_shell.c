/* redact_shell: finds secrets in arguments and shell scripts. */
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

static void set_word(struct redact_word *w, struct redact_text *t, size_t begin, size_t end,
                     bool shell)
{
	w->n = end - begin < REDACT_WORD_MAX ? end - begin : REDACT_WORD_MAX;
	memcpy(w->s, t->s + begin, w->n);
	w->s[w->n] = '\0';
	w->t = t;
	w->begin = begin;
	w->end = end;
	w->shell = shell;
}

/* Returns the end of the "$(…)" or "${…}" at i, or i if there is none. */
static size_t substitution_end(const struct redact_text *t, size_t i, size_t end)
{
	char open = t->s[i] == '$' && i + 1 < end ? t->s[i + 1] : '\0';
	struct redact_text near = {.s = t->s, .n = end - i > AHEAD ? i + AHEAD : end};
	size_t behind;

	if (open != '(' && open != '{')
		return i;
	behind = redact_value_behind(&near, i + 2, open, open == '(' ? ')' : '}');
	return behind < near.n || t->s[behind - 1] == (open == '(' ? ')' : '}') ? behind : i;
}

/* Returns the position after the quote that closes the one at i, or i if it is not closed. */
static size_t quote_end(const struct redact_text *t, size_t i, size_t end)
{
	for (size_t k = i + 1; k < end; k++) {
		if (t->s[k] == t->s[i])
			return k + 1;
		k += t->s[k] == '\\' && t->s[i] != '\'';
	}
	return i;
}

/* Returns the end of the word at i. *within: the first "$(" or "${" that is not in quotes, or 0.
 * *quoted: it has quotes or backslashes. A quote that is not closed is an apostrophe: then all
 * quotes are plain bytes. */
static size_t word_end(const struct redact_text *t, size_t begin, size_t end, size_t *within,
                       bool *quoted)
{
	size_t i = begin, behind;
	bool plain = false;

	*within = 0;
	*quoted = false;
	while (i < end) {
		char c = t->s[i];
		if (!plain && c == '\\') {
			*quoted = true;
			i += i + 1 < end ? 2 : 1;
			continue;
		}
		if (!plain && redact_quote(c)) {
			behind = quote_end(t, i, end);
			plain = behind == i;
			*quoted = !plain;
			i = plain ? begin : behind;
			continue;
		}
		if (redact_blank(c) || is_operator(c) || between_quotes(t, i, begin, end))
			break;
		behind = plain ? i : substitution_end(t, i, end);
		if (behind > i && !*within)
			*within = i + 2;
		i = behind > i ? behind : i + 1;
	}
	return i;
}

/* Removes the quotes of the word at i..end, and notes where each byte was. Returns the length. */
static size_t unquote(const struct redact_text *t, size_t i, size_t end, char *text, uint32_t *at)
{
	size_t k = 0;
	char quote = '\0';

	for (; i < end; i++) {
		char c = t->s[i];
		if (quote ? c == quote : redact_quote(c)) {
			quote = quote ? '\0' : c;
			continue;
		}
		if (c == '\\' && quote != '\'' && i + 1 < end) {
			if (t->s[i + 1] == '\n') { /* a continued line */
				i++;
				continue;
			}
			i += !quote || strchr("\"\\$`", t->s[i + 1]);
		}
		at[k] = (uint32_t)i;
		text[k++] = t->s[i];
	}
	at[k] = (uint32_t)end;
	text[k] = '\0';
	return k;
}

/* -- commands ---------------------------------------------------------------------------------- */

/* Whether the output of the echo before i goes to a program that reads a secret. */
static bool is_piped(const struct redact_text *t, size_t i, size_t end)
{
	size_t last = end - i > AHEAD / 4 ? i + AHEAD / 4 : end, word;
	bool sudo = false, keeper = false;
	int pipes = 0;

	for (; i<last; i = word> i ? word : i + 1) {
		word = i;
		if (!pipes && redact_quote(t->s[i])) {
			word = redact_value_behind(t, i + 1, t->s[i], t->s[i]);
			continue;
		}
		pipes += t->s[i] == '|';
		if (t->s[i] == '\n' || pipes > 2 || (t->s[i] == ';' && pipes))
			return false;
		while (word < last && !redact_blank(t->s[word]) && !is_operator(t->s[word]) &&
		       !redact_quote(t->s[word]))
			word++;
		if (!pipes)
			continue;
		if (redact_command_reads(t->s + i, word - i))
			return true;
		keeper = keeper ||
		         redact_listed("docker podman gh gcloud kubectl oc fly flyctl vault aws az "
		                       "doppler heroku wrangler npx",
		                       t->s + i, word - i);
		sudo = sudo || redact_listed("sudo doas", t->s + i, word - i);
		if ((keeper && redact_listed("secret secrets", t->s + i, word - i)) ||
		    (sudo && word - i >= 2 && t->s[i] == '-' && memchr(t->s + i, 'S', word - i)))
			return true;
	}
	return false;
}

/* Hides the lines of the here-document whose "<<" is at i, at most 4 KiB of them. */
static void hide_document(struct redact_text *t, size_t i, size_t end)
{
	size_t name = i + 2, n = 0, line;

	while (name < end && strchr("-'\"\\ ", t->s[name]))
		name++;
	while (redact_ident(redact_at(t, name + n)))
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

static void scan_argument(struct redact_command *c, struct redact_text *t, int depth, bool asks);

/* Hides the secrets of the word at begin..end in what a shell makes of it, and passes it to the
 * command. Without memory, hides all of the word. */
static void scan_quoted(struct redact_command *c, struct redact_text *t, size_t begin, size_t end,
                        int depth, bool asks)
{
	size_t n = end - begin + 1;
	char *text = malloc(n), *copy = malloc(n);
	uint32_t *at = malloc(n * sizeof *at);
	struct redact_text inner = {.s = text, .copy = copy};

	if (text && copy && at) {
		inner.n = unquote(t, begin, end, text, at);
		for (size_t k = 0; k < inner.n; k++)
			copy[k] = (char)(t->copy[at[k]] ? text[k] : 0);
		scan_argument(c, &inner, depth, asks);
		for (size_t k = 0; k < inner.n; k++)
			if (copy[k])
				t->copy[at[k]] = text[k];
			else
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
	bool first = true, fed = false, quoted;
	size_t word, last, within;
	struct redact_word w;

	for (size_t i = begin; i<end; i = word> i ? word : i + 1) {
		char ch = t->s[i];
		word = i;
		if (end - i > 3 && memcmp(t->s + i, "<<<", 3) == 0) {
			if (c.reads_in)
				c.next = REDACT_NEXT_SECRET;
			word = i + 3;
			continue;
		}
		if (c.reads_in && ch == '<' && i + 1 < end && t->s[i + 1] == '<')
			hide_document(t, i, end);
		if (is_operator(ch) && ch != '<' && ch != '>') {
			c = (struct redact_command){.n_rows = 0};
			first = true;
			fed = ch == '(' && i > begin && t->s[i - 1] == '<';
		}
		if (is_operator(ch) || redact_blank(ch) || between_quotes(t, i, begin, end))
			continue;
		word = word_end(t, i, end, &within, &quoted);
		/* Brackets of the text around it: {"a": "X"} */
		for (last = word; !within && last > i + 1 && strchr("]}),;", t->s[last - 1]);)
			last--;
		set_word(&w, t, i, last, true);
		if (quoted && depth < DEPTH_MAX)
			scan_quoted(&c, t, i, last, depth + 1, asks);
		else
			redact_command_word(&c, &w);
		if (within && depth < DEPTH_MAX)
			scan_script(t, within, word, depth + 1, asks);
		if (first && redact_listed("echo printf yes", w.s, w.n))
			c.all = fed || is_piped(t, word, end);
		else if (first && asks)
			c.all = strcmp(w.s, "send") == 0;
		first = first && strchr(w.s, '=');
	}
}

static void scan_argument(struct redact_command *c, struct redact_text *t, int depth, bool asks)
{
	struct redact_word w;

	t->word = c && !strpbrk(t->s, " \t\n");
	redact_scan(t);
	if (c) {
		set_word(&w, t, 0, t->n, false);
		redact_command_word(c, &w);
	}
	if (!t->word)
		scan_script(t, 0, t->n, depth, asks);
}

void redact_shell(struct redact_command *command, struct redact_text *t)
{
	/* expect(1) waits for "assword:" and sends the password. */
	scan_argument(command, t, 0, strstr(t->s, "assword") != NULL);
}
