/* Numbers: read as strtod reads them, if they are JSON's at all; written so that they read back;
 * and rounded. The first eight bytes are a double too. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "core/numbers/stats.h"
#include "tests/fuzz/fuzz.h"

static size_t digits(const char *s)
{
	size_t n = 0;

	while (isdigit((unsigned char)s[n]))
		n++;
	return n;
}

/* RFC 8259, section 6, word for word: [ minus ] int [ frac ] [ exp ]. */
static bool is_json(const char *s)
{
	size_t n;

	if (*s == '-')
		s++;
	n = digits(s);
	if (n == 0 || (n > 1 && *s == '0'))
		return false;
	s += n;
	if (*s == '.') {
		n = digits(++s);
		if (n == 0)
			return false;
		s += n;
	}
	if (*s != 'e' && *s != 'E')
		return !*s;
	s++;
	if (*s == '+' || *s == '-')
		s++;
	n = digits(s);
	return n > 0 && !s[n];
}

static int read_cell(const char *text, size_t n, double *v)
{
	int fd = fuzz_file(text, n), r;
	struct gz_in *g = gz_in_new(fd, 1 << 20, NULL);
	struct json_read *j = malloc(sizeof *j);

	must(g && j);
	json_read_init(j, g, "fuzz", NULL);
	r = json_read_cell(j, v) || json_read_end(j) ? -1 : 0;
	free(j);
	gz_in_free(g);
	close(fd);
	return r;
}

/* Both ways in which a cell may hold it. */
static void check_read(const char *word)
{
	char quoted[64];
	double want = strtod(word, NULL), bare = 0, text = 0;

	snprintf(quoted, sizeof quoted, "\"%s\"", word);
	if (is_json(word)) {
		must(read_cell(word, strlen(word), &bare) == 0);
		must(isfinite(want) ? bare == want && !signbit(bare) == !signbit(want)
		                    : isnan(bare));
	} else if (read_cell(word, strlen(word), &bare) == 0) {
		must(isnan(bare)); /* null, true, NaN, Infinity … */
	}
	must(read_cell(quoted, strlen(quoted), &text) == 0);
	must(is_json(word) && isfinite(want) ? text == want : isnan(text));
}

static void check_write(double v)
{
	char text[32];
	double back = 0;
	size_t n = json_write_number_text(v, text);

	must(n == strlen(text) && n < sizeof text);
	if (!isfinite(v)) {
		must(strcmp(text, "null") == 0);
		return;
	}
	must(is_json(text) && read_cell(text, n, &back) == 0 && back == v);
	must(isfinite(stats_round(v, 2)) && fabs(stats_round(v, 2) - v) <= 0.005 + fabs(v) * 1e-15);
	must(fabs(stats_round(v, 0) - v) <= 0.5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char word[61];
	size_t n = size < 60 ? size : 60;
	double v = 0;

	for (size_t i = 0; i < n; i++) {
		/* Only what stands in a number or a word: brackets and blanks are others' business.
		 */
		static const char set[] = "0123456789.eE+-naNInfity0x_trulsAb";
		word[i] = isalnum(data[i]) || strchr(".+-", data[i] ? data[i] : 'x')
		              ? (char)data[i]
		              : set[data[i] % (sizeof set - 1)];
	}
	word[n] = '\0';
	if (n)
		check_read(word);
	memcpy(&v, data, size < sizeof v ? size : sizeof v);
	check_write(v);
	check_write(strtod(word, NULL));
	return 0;
}
