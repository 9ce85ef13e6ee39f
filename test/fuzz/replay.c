/* Runs a fuzz target on files, without libFuzzer: how stored inputs are tested in every variant. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    enum { INPUT_MAX = 64 << 20 };
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            fprintf(stderr, "cannot open %s\n", argv[i]);
            return 1;
        }
        uint8_t *data = malloc(INPUT_MAX);
        size_t size = data != NULL ? fread(data, 1, INPUT_MAX, file) : 0;
        fclose(file);
        fprintf(stderr, "%s (%zu bytes)\n", argv[i], size);
        uint8_t *exact =
            realloc(data, size > 0 ? size : 1); /* so that a read beyond the end is seen */
        if (exact == NULL) {
            return 1;
        }
        LLVMFuzzerTestOneInput(exact, size);
        free(exact);
    }
    return 0;
}
