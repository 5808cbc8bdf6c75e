/* states: spends S seconds in each of the states that are named, one after the other, and says how
 * long it was in each. states FILE S STATE…
 *
 * cpu burns; disk reads directly from, and fsync writes to, FILE.data; sleep sleeps; lock waits for
 * a child that holds a mutex; pool waits for a condition until a time, beside four idle workers;
 * net for a socket and pipe for a pipe, both of a child; download polls a connection to one; child
 * waits for a child that sleeps; event in poll; flock for a lock of FILE.data that a child has; hide
 * sleeps,
 * and lets nobody but root see that. FILE gets a line "STATE SECONDS" for each. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BLOCK       65536
#define FILE_BLOCKS 256

static const char *data;
static double seconds;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static bool stopped;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wait_s(double s)
{
	struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};

	nanosleep(&t, NULL);
}

static void do_cpu(void)
{
	double from = now_s();

	while (now_s() - from < seconds)
		;
}

static void *block_of_memory(void)
{
	void *p = NULL;

	if (posix_memalign(&p, 4096, BLOCK))
		exit(1);
	memset(p, 1, BLOCK);
	return p;
}

static void do_fsync(void)
{
	int fd = open(data, O_RDWR | O_CREAT, 0600);
	double from = now_s();
	void *p = block_of_memory();

	for (long i = 0; fd >= 0 && now_s() - from < seconds; i++)
		if (pwrite(fd, p, BLOCK, i % FILE_BLOCKS * BLOCK) != BLOCK || fsync(fd))
			exit(1);
	close(fd);
	free(p);
}

static void do_disk(void)
{
	int fd = open(data, O_RDWR | O_CREAT | O_DIRECT, 0600);
	double from;
	void *p = block_of_memory();

	for (int i = 0; fd >= 0 && i < FILE_BLOCKS; i++)
		if (pwrite(fd, p, BLOCK, (off_t)i * BLOCK) != BLOCK)
			exit(1);
	from = now_s();
	for (long i = 0; fd >= 0 && now_s() - from < seconds; i++)
		if (pread(fd, p, BLOCK, (i * 97 + 13) % FILE_BLOCKS * BLOCK) != BLOCK)
			exit(1);
	close(fd);
	free(p);
}

static void do_lock(void)
{
	pthread_mutex_t *shared =
	    mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attr;
	int held[2];
	char byte;

	if (shared == MAP_FAILED || pthread_mutexattr_init(&attr) ||
	    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) ||
	    pthread_mutex_init(shared, &attr) || pipe(held))
		exit(1);
	if (fork() == 0) {
		pthread_mutex_lock(shared);
		if (write(held[1], "x", 1) != 1)
			_exit(1);
		wait_s(seconds);
		pthread_mutex_unlock(shared);
		_exit(0);
	}
	close(held[1]);
	if (read(held[0], &byte, 1) != 1)
		exit(1);
	close(held[0]);
	pthread_mutex_lock(shared);
	wait(NULL);
}

static void *work(void *arg)
{
	pthread_mutex_lock(&mutex);
	while (!stopped)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void do_pool(void)
{
	pthread_t t[4];
	struct timespec end;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, NULL))
			exit(1);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += (time_t)seconds;
	pthread_mutex_lock(&mutex);
	while (pthread_cond_timedwait(&never, &mutex, &end) == 0)
		;
	stopped = true;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

/* A child that writes a byte to fd after the time. */
static void wait_for_byte(int of_child, int ours)
{
	char byte;

	if (fork() == 0) {
		close(ours);
		wait_s(seconds);
		_exit(write(of_child, "x", 1) != 1);
	}
	close(of_child);
	if (read(ours, &byte, 1) != 1)
		exit(1);
	close(ours);
	wait(NULL);
}

static void do_pipe(void)
{
	int fd[2];

	if (pipe(fd))
		exit(1);
	wait_for_byte(fd[1], fd[0]);
}

static void do_net(void)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		exit(1);
	wait_for_byte(fd[1], fd[0]);
}

/* A download: in poll, for a child at the other end of a connection. */
static void do_download(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof at;
	int listening = socket(AF_INET, SOCK_STREAM, 0), ours = socket(AF_INET, SOCK_STREAM, 0);
	int theirs;
	struct pollfd wait_for = {ours, POLLIN, 0};

	if (bind(listening, (struct sockaddr *)&at, size) || listen(listening, 1) ||
	    getsockname(listening, (struct sockaddr *)&at, &size) ||
	    connect(ours, (struct sockaddr *)&at, size))
		exit(1);
	theirs = accept(listening, NULL, NULL);
	close(listening);
	if (fork() == 0) {
		close(ours);
		wait_s(seconds);
		_exit(write(theirs, "x", 1) != 1);
	}
	close(theirs);
	if (poll(&wait_for, 1, -1) != 1)
		exit(1);
	close(ours);
	wait(NULL);
}

static void do_flock(void)
{
	int fd = open(data, O_RDWR | O_CREAT, 0600), ready[2];
	char byte;

	if (fd < 0 || pipe(ready))
		exit(1);
	if (fork() == 0) {
		int held = open(data, O_RDWR);
		if (flock(held, LOCK_EX) || write(ready[1], "x", 1) != 1)
			_exit(1);
		wait_s(seconds);
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1 || flock(fd, LOCK_EX))
		exit(1);
	wait(NULL);
	close(ready[0]);
	close(fd);
}

static void do_hide(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	wait_s(seconds);
}

static void do_child(void)
{
	if (fork() == 0) {
		wait_s(seconds);
		_exit(0);
	}
	wait(NULL);
}

static void do_event(void)
{
	poll(NULL, 0, (int)(seconds * 1e3));
}

static void do_sleep(void)
{
	wait_s(seconds);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*deed)(void);
	} deeds[] = {{"cpu", do_cpu},          {"disk", do_disk},   {"fsync", do_fsync},
	             {"sleep", do_sleep},      {"lock", do_lock},   {"net", do_net},
	             {"pipe", do_pipe},        {"child", do_child}, {"event", do_event},
	             {"flock", do_flock},      {"hide", do_hide},   {"pool", do_pool},
	             {"download", do_download}};
	char name[4096];
	FILE *f;

	if (argc < 4)
		return 2;
	f = fopen(argv[1], "w");
	snprintf(name, sizeof name, "%s.data", argv[1]);
	data = name;
	seconds = atof(argv[2]);
	for (int i = 3; f && i < argc; i++)
		for (size_t k = 0; k < sizeof deeds / sizeof *deeds; k++)
			if (strcmp(argv[i], deeds[k].name) == 0) {
				double from = now_s();
				deeds[k].deed();
				fprintf(f, "%s %.3f\n", argv[i], now_s() - from);
			}
	unlink(name);
	return !f || fclose(f);
}
