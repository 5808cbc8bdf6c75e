/* stall: a reader that stalls. stall GO: makes its standard input as small as a pipe can be, reads
 * nothing until the file GO is there, and then copies all to standard output. */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const struct timespec moment = {.tv_nsec = 10000000};
	static char part[65536];
	ssize_t n;

	if (argc != 2)
		return 2;
	(void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, 4096);
	while (access(argv[1], F_OK))
		nanosleep(&moment, NULL);
	while ((n = read(STDIN_FILENO, part, sizeof part)) > 0)
		if (write(STDOUT_FILENO, part, (size_t)n) != n)
			return 1;
	return n < 0;
}
