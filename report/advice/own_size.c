/* own_size: whether a command sizes itself by a number that it was given. */
#include "report/advice/own_size.h"

#include <stdio.h>
#include <string.h>

#include "core/base/quantity.h"

/* Options of memory. unit: the number needs one, since without it the option may mean another
 * thing (python -m, cut -S); joined: the number follows at once. */
static const struct {
	const char *name;
	bool unit, joined;
} options[] = {
    {"-Xmx", false, true},
    {"--max-mem", false, false},
    {"--max-memory", false, false},
    {"--memory", false, false},
    {"--mem", false, false},
    {"--limitBAMsortRAM", false, false},
    {"--limitGenomeGenerateRAM", false, false},
    {"--max-old-space-size", false, false},
    {"--driver-memory", false, false},
    {"--executor-memory", false, false},
    {"--buffer-size", true, false},
    {"-m", true, false},
    {"-S", true, false},
};

/* A word of the command line, or of a text for a shell. */
struct word {
	const char *s;
	size_t n;
};

static bool is_size(struct word w, bool unit)
{
	double bytes;
	char last = w.n ? w.s[w.n - 1] : '\0';

	if (w.n > 1 && last >= 'a' && last <= 'z') { /* 12g */
		char upper[QUANTITY_MAX];
		if (w.n >= sizeof upper)
			return false;
		memcpy(upper, w.s, w.n);
		upper[w.n - 1] = (char)(last - 'a' + 'A');
		return quantity_size(upper, w.n, QUANTITY_WITH_UNIT, &bytes) == 0 && bytes > 0;
	}
	return quantity_size(w.s, w.n, unit ? QUANTITY_WITH_UNIT : QUANTITY_BARE, &bytes) == 0 &&
	       bytes > 0;
}

/* Whether a word, or this word and the next one, are an option of memory with its number. */
static bool is_sized(struct word w, struct word next, char out[OWN_SIZE_MAX])
{
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		size_t n = strlen(options[i].name);
		struct word value = {w.s + n, w.n - n};
		if (w.n < n || memcmp(w.s, options[i].name, n) != 0)
			continue;
		if (w.n > n && !options[i].joined && *value.s == '=')
			value = (struct word){value.s + 1, value.n - 1};
		else if (w.n == n && !options[i].joined)
			value = next;
		else if (!options[i].joined && n > 2)
			continue; /* a longer name; but -m4G */
		if (!is_size(value, options[i].unit))
			continue;
		snprintf(out, OWN_SIZE_MAX, "%.*s%s%.*s", (int)w.n, w.s,
		         value.s == next.s ? " " : "", value.s == next.s ? (int)value.n : 0,
		         value.s);
		return true;
	}
	return false;
}

/* The next word of a text, without quotes around it; n 0: none. */
static struct word next_word(const char **text)
{
	static const char blank[] = " \t\n;|&()'\"";
	struct word w = {*text + strspn(*text, blank), 0};

	w.n = strcspn(w.s, blank);
	*text = w.s + w.n;
	return w;
}

bool own_size_find(const char *const *argv, size_t argc, char out[OWN_SIZE_MAX])
{
	struct word w = {"", 0};

	for (size_t i = 0; i < argc; i++)
		for (const char *text = argv[i]; text && *text;) {
			struct word next = next_word(&text);
			if (next.n && is_sized(w, next, out))
				return true;
			if (next.n)
				w = next;
		}
	return is_sized(w, (struct word){"", 0}, out);
}
