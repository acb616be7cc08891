/* Dense linear algebra: a matrix product in tiles, LU factorisation with pivoting of the result, and triangular solves. */
#include "hem.h"

#define TILE 16

static uint32_t n;
static double *left, *right, *product, *vector;
static uint32_t *pivots;

static void multiply(void)
{
    for (uint32_t i = 0; i < n * n; i++)
        product[i] = 0.0;
    for (uint32_t top = 0; top < n; top += TILE)
        for (uint32_t middle = 0; middle < n; middle += TILE) {
            uint32_t row_end = top + TILE < n ? top + TILE : n, k_end = middle + TILE < n ? middle + TILE : n;
            for (uint32_t i = top; i < row_end; i++)
                for (uint32_t k = middle; k < k_end; k++) {
                    double factor = left[i * n + k];
                    if (factor == 0.0)
                        continue;
                    for (uint32_t j = 0; j < n; j++)
                        product[i * n + j] += factor * right[k * n + j];
                }
        }
}

/* Factors `product` in place; returns the number of row exchanges. */
static uint32_t factor(void)
{
    uint32_t exchanges = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (product[i * n + k] * product[i * n + k] > product[best * n + k] * product[best * n + k])
                best = i;
        pivots[k] = best;
        if (best != k) {
            exchanges++;
            for (uint32_t j = 0; j < n; j++) {
                double kept = product[k * n + j];
                product[k * n + j] = product[best * n + j];
                product[best * n + j] = kept;
            }
        }
        if (product[k * n + k] == 0.0)
            product[k * n + k] = 1e-9;
        for (uint32_t i = k + 1; i < n; i++) {
            double ratio = product[i * n + k] /= product[k * n + k];
            for (uint32_t j = k + 1; j < n; j++)
                product[i * n + j] -= ratio * product[k * n + j];
        }
    }
    return exchanges;
}

static void solve(void)
{
    for (uint32_t i = 0; i < n; i++) {
        double kept = vector[pivots[i]];
        vector[pivots[i]] = vector[i];
        vector[i] = kept;
        for (uint32_t j = i + 1; j < n; j++)
            vector[j] -= product[j * n + i] * kept;
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = i + 1; j < n; j++)
            vector[i] -= product[i * n + j] * vector[j];
        vector[i] /= product[i * n + i];
    }
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    n = hem_between(44, 90);
    uint32_t zeros = hem_below(70), rounds = hem_scaled(hem_between(700000, 1150000), scale) / (n * n * n) + 1;
    left = hem_alloc((size_t)n * n * sizeof *left);
    right = hem_alloc((size_t)n * n * sizeof *right);
    product = hem_alloc((size_t)n * n * sizeof *product);
    vector = hem_alloc(n * sizeof *vector);
    pivots = hem_alloc(n * sizeof *pivots);
    for (uint32_t round = 0; round < rounds; round++) {
        hem_stage("fill");
        for (uint32_t i = 0; i < n * n; i++) {
            left[i] = hem_below(100) < zeros ? 0.0 : hem_uniform() - 0.5;
            right[i] = hem_uniform() - 0.5;
        }
        for (uint32_t i = 0; i < n; i++)
            left[i * n + i] = vector[i] = 1.0 + hem_uniform();
        hem_stage("multiply");
        multiply();
        hem_stage("factor");
        hem_result(factor());
        hem_stage("solve");
        solve();
        hem_result(vector[0] > 0.0);
        hem_result(vector[n - 1] > vector[n / 2]);
    }
}
