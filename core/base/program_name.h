/*
 * program_name: which program this is, for what the rooms that rtrack-report and rtrack-fleet share
 * write: generator.name in models and pages, User-Agent in requests.
 */
#ifndef CORE_BASE_PROGRAM_NAME_H
#define CORE_BASE_PROGRAM_NAME_H

#define PROGRAM_NAME_REPORT "rtrack-report"
#define PROGRAM_NAME_FLEET  "rtrack-fleet"

/* main() of rtrack-fleet calls this before it starts a process. */
void program_name_is_fleet(void);

/* PROGRAM_NAME_REPORT, or PROGRAM_NAME_FLEET after program_name_is_fleet(). */
const char *program_name(void);

#endif
