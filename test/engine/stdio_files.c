/* calls: open write lseek rename */
#include "t.h"

int main(void)
{
    FILE *f = fopen("x", "w");
    fprintf(f, "line %d\n", 1);
    for (int i = 2; i < 5000; i++) {
        fprintf(f, "line %d\n", i);
    }
    R(fclose(f));
    f = fopen("x", "r+");
    char b[64];
    int n = 0;
    while (fgets(b, sizeof b, f)) {
        n++;
    }
    R(n);
    R(fseek(f, 0, SEEK_SET));
    R(ftell(f));
    fputs("LINE", f);
    R(fclose(f));
    f = fopen("x", "a");
    R(ftell(f) >= 0);
    fputs("end\n", f);
    fclose(f);
    struct stat st;
    stat("x", &st);
    R(st.st_size);
    R(remove("x"));
    char t[] = "tmpXXXXXX";
    int d = mkstemp(t);
    R(d >= 0);
    R(unlink(t));
    f = tmpfile();
    R(f != NULL);
    R(fputs("hi", f) >= 0);
    return 0;
}
