/* `assay tlc`, and the program when it is called as `tlc`. */
#include <string.h>

#include "base/status.h"
#include "base/teller.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "cli/reports.h"
#include "tlc/tlc.h"

int cmd_tlc(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) { /* the report has to be there before the search is */
        const char *wrong =
            strcmp(argv[i], "-report") == 0 ? reports_option(NULL, argv[i + 1]) : NULL;
        if (wrong != NULL) {
            return wrong[0] != '\0'
                       ? usage_error("tlc", "-report: %s expected, not '%s'", wrong, argv[i + 1])
                       : EXIT_USAGE;
        }
    }
    struct teller teller = teller_here();
    signals_as_java();
    return tlc_run(&teller, argc, argv);
}
