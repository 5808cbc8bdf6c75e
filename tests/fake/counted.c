/* For `make coverage`: writes a process's counts before it ends by _exit or becomes another program. */
#include <gcov.h>
#include <unistd.h>

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
int __real_execvp(const char *file, char *const argv[]);
int __wrap_execvp(const char *file, char *const argv[]);
int __real_execv(const char *path, char *const argv[]);
int __wrap_execv(const char *path, char *const argv[]);

_Noreturn void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}

int __wrap_execvp(const char *file, char *const argv[])
{
	__gcov_dump();
	__gcov_reset(); /* if it fails, the process goes on counting */
	return __real_execvp(file, argv);
}

int __wrap_execv(const char *path, char *const argv[])
{
	__gcov_dump();
	__gcov_reset();
	return __real_execv(path, argv);
}
