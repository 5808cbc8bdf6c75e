/* Text of strangers: as valid UTF-8, as a sentence, and as a JSON string that reads back. */
#include <string.h>

#include "core/base/err.h"
#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "tests/fuzz/fuzz.h"

/* How long the character is, by the table of RFC 3629; 0 for none. */
static size_t character(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, low, high; /* of the second byte */
		size_t n;
	} rows[] = {
	    {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
	    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
	    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (*s < rows[i].first || *s > rows[i].last)
			continue;
		if (rows[i].n > 1 && (s[1] < rows[i].low || s[1] > rows[i].high))
			return 0;
		for (size_t k = 2; k < rows[i].n; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].n;
	}
	return 0;
}

static void is_valid(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		size_t n = character(s);
		must(n > 0);
		s += n;
	}
}

static void check_sentence(const char *text)
{
	struct err e = {{0}};

	err_set(&e, "%s: wrong", text);
	err_wrap(&e, "%s", text);
	is_valid(e.msg);
	for (const char *s = e.msg; *s; s++)
		must((unsigned char)*s >= 0x20 && *s != 0x7f);
	/* A control of eight bits, the end of a line, and what turns the direction of writing. */
	must(!strstr(e.msg, "\xc2\x9b") && !strstr(e.msg, "\xe2\x80\xa8"));
	must(!strstr(e.msg, "\xe2\x80\xae") && !strstr(e.msg, "\xe2\x81\xa6"));
}

static void read_back(const struct buf *quoted, const struct buf *valid)
{
	int fd = fuzz_file(quoted->s, quoted->len);
	struct gz_in *g = gz_in_new(fd, 1 << 24, NULL);
	struct json_read *j = malloc(sizeof *j);
	struct buf back = {0};

	must(g && j);
	json_read_init(j, g, "fuzz", NULL);
	must(json_read_string(j, &back) == 0 && json_read_end(j) == 0);
	must(back.len == valid->len && memcmp(buf_cstr(&back), buf_cstr(valid), back.len) == 0);
	buf_free(&back);
	free(j);
	gz_in_free(g);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf valid = {0}, again = {0}, quoted = {0};
	char *text = malloc(size + 1);

	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_sentence(text);
	buf_utf8(&valid, text, strlen(text));
	is_valid(buf_cstr(&valid));
	buf_utf8(&again, buf_cstr(&valid), valid.len);
	must(again.len == valid.len && strcmp(buf_cstr(&again), buf_cstr(&valid)) == 0);
	json_write_quote(&quoted, text, strlen(text));
	is_valid(buf_cstr(&quoted));
	must(!strpbrk(buf_cstr(&quoted), "<>&\n\r\t\x1b\x7f"));
	read_back(&quoted, &valid);
	buf_free(&valid);
	buf_free(&again);
	buf_free(&quoted);
	free(text);
	return 0;
}
