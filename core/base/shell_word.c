/* shell_word: a word of a command line, with the quotes that it needs. */
#include "core/base/shell_word.h"

#include <string.h>

#include "core/base/utf8.h"

/* The length of the visible character at s, or 0. */
static size_t visible(const char *s, size_t n)
{
	size_t length = utf8_length(s, n);

	return length && (unsigned char)*s >= ' ' && *s != 0x7f && !utf8_hidden(s, length) ? length
	                                                                                   : 0;
}

bool shell_word_is_visible(const char *word)
{
	size_t n = strlen(word), i = 0;

	for (size_t length; i < n && (length = visible(word + i, n - i)) > 0;)
		i += length;
	return i == n;
}

/* Not "*", "?" and "~", which a shell expands, nor "=" in front, which zsh expands. */
static bool needs_no_quotes(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./:=@%+,";

	return *word && *word != '=' && !word[strspn(word, plain)];
}

/* Octal, of three digits: a digit of the word may follow, which \x would take too. */
static void add_escaped(struct buf *out, char c)
{
	static const char named[] = "\n\r\t", letters[] = "nrt";
	const char *at = strchr(named, c);

	if (at)
		buf_printf(out, "\\%c", letters[at - named]);
	else
		buf_printf(out, "\\%03o", (unsigned)(unsigned char)c);
}

static void add_with_escapes(struct buf *out, const char *word)
{
	size_t n = strlen(word), length;

	buf_str(out, "$'");
	for (; n; word += length, n -= length) {
		length = visible(word, n);
		if (!length) {
			length = 1;
			add_escaped(out, *word);
			continue;
		}
		if (*word == '\'' || *word == '\\')
			buf_char(out, '\\');
		buf_add(out, word, length);
	}
	buf_char(out, '\'');
}

void shell_word_add(struct buf *out, const char *word)
{
	if (needs_no_quotes(word)) {
		buf_str(out, word);
		return;
	}
	if (!shell_word_is_visible(word)) {
		add_with_escapes(out, word);
		return;
	}
	buf_char(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_str(out, "'\\''");
		else
			buf_char(out, *word);
	buf_char(out, '\'');
}
