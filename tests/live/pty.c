/* pty: runs a program on a terminal of its own and talks to it, line by line of standard input:
 *   send TEXT     types it (\n, \r, \003 … as in C, octal of three digits)
 *   expect TEXT   waits until it was printed, after what was expected before; two minutes at most
 *   await FILE TEXT   waits until the file holds the text, as long
 *   sleep MS
 *   hangup        closes the terminal
 * All that was printed goes to standard output. Its status: that of the program, or 99 where an
 * expectation failed. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char seen[1 << 20];
static size_t n_seen, from;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads what is there until ms have passed. False at the end. */
static int take(int fd, long ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	ssize_t n;

	if (poll(&p, 1, (int)ms) <= 0)
		return 1;
	n = read(fd, seen + n_seen, sizeof seen - 1 - n_seen);
	if (n <= 0)
		return 0;
	if (write(STDOUT_FILENO, seen + n_seen, (size_t)n) < 0)
		return 0;
	n_seen += (size_t)n;
	seen[n_seen] = '\0';
	return 1;
}

static size_t unescape(const char *s, char *out)
{
	size_t n = 0;

	while (*s) {
		if (*s != '\\') {
			out[n++] = *s++;
		} else if (s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			out[n++] = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 4;
		} else {
			out[n++] = s[1] == 'n' ? '\n' : s[1] == 'r' ? '\r' : s[1];
			s += 2;
		}
	}
	out[n] = '\0';
	return n;
}

#define PATIENCE_MS 120000

static int await(int fd, char *file)
{
	char *text = strchr(file, ' '), held[4096];
	long end = now_ms() + PATIENCE_MS;

	if (!text)
		return -1;
	*text++ = '\0';
	while (now_ms() < end) {
		FILE *f = fopen(file, "r");
		held[f ? fread(held, 1, sizeof held - 1, f) : 0] = '\0';
		if (f)
			fclose(f);
		if (strstr(held, text))
			return 0;
		take(fd, 20);
	}
	fprintf(stderr, "\npty: %s: \"%s\" did not come\n", file, text);
	return -1;
}

static int expect(int fd, const char *text)
{
	long end = now_ms() + PATIENCE_MS;
	int more = 1;

	for (;;) {
		char *at = strstr(seen + from, text);
		if (at) {
			from = (size_t)(at - seen) + strlen(text);
			return 0;
		}
		if (!more || now_ms() > end) {
			fprintf(stderr, "\npty: \"%s\" did not come\n", text);
			return -1;
		}
		more = take(fd, 100);
	}
}

static int step(int *fd, char *line)
{
	char *arg = strchr(line, ' '), text[4096];
	size_t n;

	if (arg)
		*arg++ = '\0';
	else
		arg = line + strlen(line);
	n = unescape(arg, text);
	if (strcmp(line, "send") == 0)
		return write(*fd, text, n) == (ssize_t)n ? 0 : -1;
	if (strcmp(line, "expect") == 0)
		return expect(*fd, text);
	if (strcmp(line, "await") == 0)
		return await(*fd, text);
	if (strcmp(line, "sleep") == 0)
		for (long end = now_ms() + atol(text); now_ms() < end && take(*fd, 10);)
			;
	if (strcmp(line, "hangup") == 0) {
		close(*fd);
		*fd = -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	char line[4096];
	int fd, pid, status, failed = 0;

	if (argc < 2)
		return 99;
	pid = forkpty(&fd, NULL, NULL, &size);
	if (pid == 0) {
		setenv("TERM", "vt100", 1);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (!failed && fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		failed = step(&fd, line);
	}
	if (failed) {
		/* The terminal's end takes its session with it. */
		close(fd);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return 99;
	}
	while (fd >= 0 && waitpid(pid, &status, WNOHANG) == 0)
		take(fd, 100);
	if (fd < 0)
		waitpid(pid, &status, 0);
	else
		while (take(fd, 10) &&
		       (errno = 0, poll(&(struct pollfd){fd, POLLIN, 0}, 1, 50)) > 0)
			;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
