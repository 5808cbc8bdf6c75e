/* shell_word: what shells make of quoted words, and how these look. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shell_word.h"
#include "tests/unit/unit.h"

static const char *const hostile[] = {
    "",
    "plain",
    " ",
    "two words",
    "-",
    "--option=value",
    "-rf",
    "=ls",
    "a=b",
    "*",
    "/*",
    "a?[b]",
    "~",
    "~root/x",
    "a=~/b",
    "{1,2}",
    "$HOME",
    "${HOME}",
    "$(echo x)",
    "`echo x`",
    "!",
    "!!",
    "#",
    "a#b",
    "a;b",
    "a&b",
    "a|b",
    "a<b>c",
    "(a)",
    "%1",
    "^",
    "\\",
    "\\n",
    "a\\",
    "'",
    "''",
    "it's",
    "'a",
    "a'",
    "\"",
    "\"a\"",
    "'\"'\\''",
    "$'a'",
    "gr\xc3\xbc\xc3\x9f",
    "\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x90\xa7",
};

/* Words that only $'…' shows in one line. */
static const char *const invisible[] = {
    "\n",
    "a\nb",
    "\n\n",
    "a\n",
    "tab\there",
    "cr\r\n",
    "\x01",
    "\x01"
    "23",
    "\x1b[31mred\x1b[0m",
    "\x7f",
    "it's\n",
    "\\\n",
    "\xff",
    "gr\xc3\xbc\xff\xc3",
    "\xe2\x80\xae"
    "abc",
    "\xc2\x9b"
    "1m",
    "*\n$HOME `ls` \"",
};

/* What the shell's printf prints of the word, with a "." at the end. */
static void assert_read_back(const char *shell, const char *word)
{
	struct buf line = {0}, inner = {0};
	char got[256];
	size_t n;
	FILE *pipe;

	buf_str(&inner, "printf %s. ");
	shell_word_add(&inner, word);
	buf_printf(&line, "%s -c ", shell);
	shell_word_add(&line, buf_cstr(&inner));
	pipe = popen(buf_cstr(&line), "r");
	assert_non_null(pipe);
	n = fread(got, 1, sizeof got - 1, pipe);
	assert_int_equal(pclose(pipe), 0);
	got[n] = '\0';
	assert_true(n > 0 && got[n - 1] == '.');
	got[n - 1] = '\0';
	assert_string_equal(got, word);
	buf_free(&line);
	buf_free(&inner);
}

TEST(shells_read_words_back)
{
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		assert_true(shell_word_is_visible(hostile[i]));
		assert_read_back("sh", hostile[i]);
		assert_read_back("bash", hostile[i]);
	}
	for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++) {
		assert_false(shell_word_is_visible(invisible[i]));
		assert_read_back("bash", invisible[i]);
	}
}

/* Each byte, alone and before a digit. */
TEST(bash_reads_each_byte_back)
{
	for (int byte = 1; byte < 256; byte += EVERY(5)) {
		assert_read_back("bash", (char[]){(char)byte, '7', (char)byte, '\0'});
	}
}

TEST(looks)
{
	static const struct {
		const char *word, *quoted;
	} cases[] = {
	    {"a/b-c_d.e:f=g@h%i+j,k", "a/b-c_d.e:f=g@h%i+j,k"},
	    {"", "''"},
	    {"*", "'*'"},
	    {"~/a", "'~/a'"},
	    {"=a", "'=a'"},
	    {"it's", "'it'\\''s'"},
	    {"gr\xc3\xbc\xc3\x9f", "'gr\xc3\xbc\xc3\x9f'"},
	    {"a\nb's\\\x01", "$'a\\nb\\'s\\\\\\001'"},
	    {"\xff\xc3\xbc", "$'\\377\xc3\xbc'"},
	    {"\xe2\x80\xae", "$'\\342\\200\\256'"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};

		shell_word_add(&b, cases[i].word);
		assert_string_equal(buf_cstr(&b), cases[i].quoted);
		buf_free(&b);
	}
}
