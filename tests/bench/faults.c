/* faults: has MIB MiB of memory of its own, and for S seconds gives a sixteenth of it back and
 * touches it again, over and over, so that its page tables change all the while. faults MIB S */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define PART 16
#define PAGE 4096

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i += PAGE)
		p[i] = 1;
}

int main(int argc, char **argv)
{
	size_t n = (size_t)(argc > 1 ? atol(argv[1]) : 64) << 20, part = n / PART;
	double end = now_s() + (argc > 2 ? atof(argv[2]) : 1);
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	/* Small pages: those are what takes long to count. */
	madvise(p, n, MADV_NOHUGEPAGE);
	touch(p, n);
	for (size_t i = 0; now_s() < end; i++) {
		char *at = p + i % PART * part;

		madvise(at, part, MADV_DONTNEED);
		touch(at, part);
	}
	return 0;
}
