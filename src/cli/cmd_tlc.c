/* `assay tlc`, and the program when it is called as `tlc`. */
#include "base/teller.h"
#include "cli/cli.h"
#include "cli/jobs.h"
#include "tlc/tlc.h"

int cmd_tlc(int argc, char **argv)
{
    struct teller teller = teller_here();
    signals_as_java();
    return tlc_run(&teller, argc, argv);
}
