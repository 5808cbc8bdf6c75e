/* redact_shell: finds secrets in a shell script. */
#include "collect/redact/redact_shell.h"

#include <string.h>

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
	bool piped = false, sudo = false;
	int pipes = 0;

	for (; i<last; i = word> i ? word : i + 1) {
		word = i;
		pipes += t->s[i] == '|';
		piped = pipes > 0;
		if (t->s[i] == '\n' || pipes > 2 || (t->s[i] == ';' && piped))
			return false;
		while (word < last && !redact_blank(t->s[word]) && !is_operator(t->s[word]) &&
		       !redact_quote(t->s[word]))
			word++;
		if (piped && redact_command_reads(t->s + i, word - i))
			return true;
		sudo = sudo || (piped && redact_listed("sudo doas", t->s + i, word - i));
		if (sudo && word - i >= 2 && t->s[i] == '-' && memchr(t->s + i, 'S', word - i))
			return true;
	}
	return false;
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

static void scan_script(struct redact_text *t, size_t begin, size_t end, int depth, bool asks)
{
	struct redact_command c = {.n_rows = 0};
	struct redact_word w;
	bool first = true, fed = false;

	for (size_t i = begin; i < end;) {
		if (is_here_string(t, i, end)) {
			c.secret = c.reads_in;
			i += 3;
			continue;
		}
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
