/* own_size: options that give a command its size, and others that do not. */
#include <string.h>

#include "report/advice/own_size.h"
#include "tests/unit/unit.h"

TEST(options)
{
	static const struct {
		const char *argv[6];
		const char *found; /* NULL: nothing */
	} cases[] = {
	    {{"java", "-Xms1g", "-Xmx12g", "-jar", "a.jar"}, "-Xmx12g"},
	    {{"java", "-Xmx4000m"}, "-Xmx4000m"},
	    {{"java", "-Xmx"}, NULL},
	    {{"gatk", "--java-options", "-Xms1g -Xmx8G", "x"}, "-Xmx8G"},
	    {{"sh", "-c", "cd x; java -Xmx2g -jar y"}, "-Xmx2g"},
	    {{"samtools", "sort", "-m", "4G", "a.bam"}, "-m 4G"},
	    {{"samtools", "sort", "-m4G", "a.bam"}, "-m4G"},
	    {{"sort", "-S", "2G", "a"}, "-S 2G"},
	    {{"sort", "--buffer-size=2G", "a"}, "--buffer-size=2G"},
	    {{"sort", "--buffer-size=50%", "a"}, NULL},
	    {{"STAR", "--limitBAMsortRAM", "31000000000"}, "--limitBAMsortRAM 31000000000"},
	    {{"x", "--max-mem=16"}, "--max-mem=16"},
	    {{"x", "--memory", "16GB", "y"}, "--memory 16GB"},
	    {{"x", "--memory"}, NULL},
	    {{"x", "--memory", "--verbose"}, NULL},
	    {{"x", "--memory-report", "5"}, NULL},
	    {{"x", "--mem=0"}, NULL},
	    {{"python", "-m", "http.server"}, NULL},
	    {{"x", "-m", "5"}, NULL},
	    {{"x", "-mG"}, NULL},
	    {{"node", "--max-old-space-size=4096", "x.js"}, "--max-old-space-size=4096"},
	    {{"x", "-Xmx***"}, NULL},
	    {{""}, NULL},
	    {{NULL}, NULL},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[OWN_SIZE_MAX] = "";
		size_t n = 0;
		while (n < 6 && cases[i].argv[n])
			n++;
		assert_int_equal(own_size_find(cases[i].argv, n, out), cases[i].found != NULL);
		assert_string_equal(out, cases[i].found ? cases[i].found : "");
	}
}
