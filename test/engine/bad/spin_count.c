/* expect: failed is no loop that only waits */
/* limits: spin = "1s", spin_escape = "50ms" */
int main(void)
{
    for (volatile unsigned long i = 0;; i++) {
    }
}
