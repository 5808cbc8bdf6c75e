/* For `make coverage`: what a process has counted is written down, too, where it ends with _exit or
 * becomes a command. */
#include <gcov.h>
#include <unistd.h>

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_execvp(const char *file, char *const argv[]);
int __wrap_execvp(const char *file, char *const argv[]);

_Noreturn void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}

int __wrap_execvp(const char *file, char *const argv[])
{
	__gcov_dump();
	__gcov_reset(); /* where it fails, there is more to come */
	return __real_execvp(file, argv);
}
