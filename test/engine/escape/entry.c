/* expect: violation signal 11 */
/* cc: -nostdlib -static -no-pie -Wl,-e,data -Wl,-z,noexecstack */
/* The program begins where nothing may be executed: it dies of that, as it would elsewhere. */
long data[512] = {0x050f050f};
