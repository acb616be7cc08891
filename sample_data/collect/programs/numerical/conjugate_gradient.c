/* Conjugate gradients on a random sparse, diagonally dominant matrix: gathers over a multi-megabyte matrix and long vectors. */
#include "hem.h"

struct element { double value; uint32_t column; };

static uint32_t n, band;
static uint32_t *first;
static struct element *elements;
static double *diagonal;

/* A symmetric matrix out of pairs: row i and row j get the same element, by a shared hash of (i, j). */
static double coupling(uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    uint32_t mixed = (low * 2654435761u) ^ (high * 40503u + 12345u);
    return -(double)(mixed >> 20) / 4096.0;
}

static uint32_t build(uint32_t density)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        first[i] = count;
        diagonal[i] = 1.0;
        for (uint32_t k = 0; k < density; k++) {
            /* Partners come from xor with fixed masks, so that j is a partner of i exactly when i is one of j. */
            uint32_t j = i ^ ((k * 2246822519u + 374761393u) >> 7 & (band - 1));
            if (j >= n || j == i)
                continue;
            double value = coupling(i, j);
            elements[count].value = value;
            elements[count++].column = j;
            diagonal[i] -= value;
        }
    }
    first[n] = count;
    return count;
}

static void apply(const double *in, double *out)
{
    for (uint32_t i = 0; i < n; i++) {
        double sum = diagonal[i] * in[i];
        for (uint32_t k = first[i]; k < first[i + 1]; k++)
            sum += elements[k].value * in[elements[k].column];
        out[i] = sum;
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_scaled(double *to, double factor, const double *from)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] += factor * from[i];
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    n = hem_scaled(hem_between(7000, 12000), scale);
    uint32_t density = hem_between(3, 9);
    uint32_t iterations = hem_between(80, 120) / (density + 5);
    band = 1u << hem_between(6, 15);
    first = hem_alloc((n + 1) * sizeof *first);
    elements = hem_alloc((size_t)n * density * sizeof *elements);
    diagonal = hem_alloc(n * sizeof *diagonal);
    double *x = hem_alloc(n * sizeof *x), *residual = hem_alloc(n * sizeof *x);
    double *direction = hem_alloc(n * sizeof *x), *image = hem_alloc(n * sizeof *x);

    hem_stage("build");
    hem_result(build(density));
    for (uint32_t i = 0; i < n; i++)
        residual[i] = direction[i] = hem_uniform() - 0.5;
    hem_stage("solve");
    double size = dot(residual, residual);
    for (uint32_t k = 0; k < iterations && size > 1e-20; k++) {
        apply(direction, image);
        double step = size / dot(direction, image);
        add_scaled(x, step, direction);
        add_scaled(residual, -step, image);
        double smaller = dot(residual, residual), ratio = smaller / size;
        for (uint32_t i = 0; i < n; i++)
            direction[i] = residual[i] + ratio * direction[i];
        size = smaller;
    }
    hem_result((uint64_t)(size * 1e6));
    hem_result((uint64_t)(dot(x, x) * 1e6));
}
