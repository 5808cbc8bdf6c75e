/* inflate: what zlib alone takes: inflates the first MAX bytes of each file (0: all), and does
 * nothing with them. inflate MAX FILE... */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static int inflate_file(const char *path, unsigned long max)
{
	static char out[65536];
	gzFile f = gzopen(path, "rb");
	unsigned long len = 0;
	int n = 0;

	if (!f)
		return -1;
	while (!max || len < max) {
		unsigned room = max && max - len < sizeof out ? (unsigned)(max - len) : sizeof out;

		n = gzread(f, out, room);
		if (n <= 0)
			break;
		len += (unsigned long)n;
	}
	gzclose_r(f);
	return n < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	unsigned long max = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	for (int i = 2; i < argc; i++)
		if (inflate_file(argv[i], max)) {
			fprintf(stderr, "inflate: %s\n", argv[i]);
			return 1;
		}
	return 0;
}
