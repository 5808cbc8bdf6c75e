/* deed: does something whose account is known. Where it ends with TRUTH, a file, it writes what
 * getrusage says to it: user + system seconds of itself and of the children it waited for.
 *   burn S TRUTH         burns S seconds of CPU time
 *   child S TRUTH        a child does, and is reaped at once; then sleeps 0.5 s
 *   daemon S WAIT TRUTH  a daemon, forked twice, burns S seconds; sleeps WAIT seconds itself, or
 * until 0.5 s after the daemon's end where WAIT is "end" hold MIB MS S        has MIB MiB for MS
 * ms, sleeps S seconds name NAME S TRUTH    calls itself so, and burns S seconds write MIB a child
 * writes MIB MiB to the file "big", and ends after fsync(2) unwaited N MS        N children burn MS
 * ms each, and are waited for by nobody
 *   beside S N MS TRUTH  burns S seconds itself, and waits for N children of MS ms, one after the
 * other; the truth is of itself alone
 *   threads S N MS TRUTH  the same, with a second thread that burns, too: S seconds in all */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(double s)
{
	struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};

	nanosleep(&t, NULL);
}

static void burn(double s)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < s);
}

static double used(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int write_number(const char *file, double v)
{
	FILE *f = fopen(file, "w");

	if (!f)
		return 1;
	fprintf(f, "%.6f\n", v);
	return fclose(f) ? 1 : 0;
}

/* Burns half of s, waits for n children that burn as much each, and burns the rest. */
static void beside(double s, int n, double each_s)
{
	burn(s / 2);
	for (int i = 0; i < n; i++) {
		if (fork() == 0) {
			burn(each_s);
			_exit(0);
		}
		wait(NULL);
	}
	burn(s);
}

static void *burn_too(void *s)
{
	burn(*(double *)s);
	return NULL;
}

static void beside_thread(double s, int n, double each_s)
{
	pthread_t second;

	if (pthread_create(&second, NULL, burn_too, &s))
		exit(1);
	beside(s, n, each_s);
	pthread_join(second, NULL);
}

static int tell(const char *file)
{
	return write_number(file, used(RUSAGE_SELF) + used(RUSAGE_CHILDREN));
}

/* The two tell of themselves, and the later one of both. */
static int tell_of_both(double *sum, const char *file)
{
	*sum += used(RUSAGE_SELF) + used(RUSAGE_CHILDREN);
	return write_number(file, *sum);
}

static int with_daemon(double s, const char *until, const char *file)
{
	double *sum =
	    mmap(NULL, sizeof *sum, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ends[2];
	char byte;

	if (sum == MAP_FAILED || pipe(ends))
		return 1;
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			burn(s);
			_exit(tell_of_both(sum, file));
		}
		_exit(0);
	}
	wait(NULL);
	close(ends[1]);
	if (strcmp(until, "end") == 0)
		nap(read(ends[0], &byte, 1) == 0 ? 0.5 : 0);
	else
		nap(atof(until));
	return tell_of_both(sum, file);
}

static void hold(size_t mib, double ms)
{
	size_t n = mib << 20;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	memset(p, 1, n);
	nap(ms / 1e3);
	munmap(p, n);
}

static void write_file(size_t mib)
{
	static char block[1 << 20];
	int fd = open("big", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (size_t i = 0; i < mib; i++) {
		memset(block, (int)i + 1, sizeof block);
		if (write(fd, block, sizeof block) != sizeof block)
			_exit(1);
	}
	_exit(fsync(fd) ? 1 : 0);
}

static void unwaited(int n, double s)
{
	signal(SIGCHLD, SIG_IGN);
	for (int i = 0; i < n; i++)
		if (fork() == 0) {
			burn(s);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *deed = argc > 2 ? argv[1] : "";
	double number = argc > 2 ? atof(argv[2]) : 0;

	if (strcmp(deed, "burn") == 0 && argc == 4) {
		burn(number);
	} else if (strcmp(deed, "child") == 0 && argc == 4) {
		if (fork() == 0) {
			burn(number);
			_exit(0);
		}
		wait(NULL);
		nap(0.5);
	} else if (strcmp(deed, "daemon") == 0 && argc == 5) {
		return with_daemon(number, argv[3], argv[4]);
	} else if (strcmp(deed, "hold") == 0 && argc == 5) {
		hold((size_t)number, atof(argv[3]));
		nap(atof(argv[4]));
		return 0;
	} else if (strcmp(deed, "name") == 0 && argc == 5) {
		prctl(PR_SET_NAME, argv[2], 0, 0, 0);
		burn(atof(argv[3]));
	} else if (strcmp(deed, "beside") == 0 && argc == 6) {
		beside(number, atoi(argv[3]), atof(argv[4]) / 1e3);
		return write_number(argv[5], used(RUSAGE_SELF));
	} else if (strcmp(deed, "threads") == 0 && argc == 6) {
		beside_thread(number, atoi(argv[3]), atof(argv[4]) / 1e3);
		return write_number(argv[5], used(RUSAGE_SELF));
	} else if (strcmp(deed, "write") == 0) {
		if (fork() == 0)
			write_file((size_t)number);
		wait(NULL);
		nap(0.3);
		return 0;
	} else if (strcmp(deed, "unwaited") == 0 && argc == 4) {
		unwaited((int)number, atof(argv[3]) / 1e3);
		return 0;
	} else {
		return 2;
	}
	return tell(argv[argc - 1]);
}
