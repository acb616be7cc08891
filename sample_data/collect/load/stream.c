/* Keeps the memory busy until it is killed: copy, scale, add and triad over three arrays that no cache holds. The full load. */
#include <stdio.h>
#include <stdlib.h>

#define DOUBLES ((size_t)4 << 20) /* 32 MiB an array */

int main(void)
{
    double *a = malloc(DOUBLES * sizeof *a), *b = malloc(DOUBLES * sizeof *b), *c = malloc(DOUBLES * sizeof *c);
    if (!a || !b || !c) {
        fprintf(stderr, "stream: 96 MiB of memory are needed\n");
        return 2;
    }
    for (size_t i = 0; i < DOUBLES; i++) {
        a[i] = 1.0 + (double)(i & 7);
        b[i] = 2.0;
        c[i] = 0.0;
    }
    puts("running");
    fflush(stdout);
    for (;;) {
        for (size_t i = 0; i < DOUBLES; i++)
            c[i] = a[i];
        for (size_t i = 0; i < DOUBLES; i++)
            b[i] = 0.5 * c[i];
        for (size_t i = 0; i < DOUBLES; i++)
            c[i] = a[i] + b[i];
        for (size_t i = 0; i < DOUBLES; i++)
            a[i] = b[i] + 0.5 * c[i];
        __asm__ volatile("" : : "g"(a), "g"(b), "g"(c) : "memory");
    }
}
