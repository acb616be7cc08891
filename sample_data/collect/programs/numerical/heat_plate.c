/* Jacobi relaxation of the temperature of a plate with holes and fixed hot spots, on a grid larger than the first-level cache. */
#include "hem.h"

enum { METAL, HOLE, FIXED };

static uint32_t width, height;
static float *now, *next;
static uint8_t *kind;

static void cut_holes(uint32_t holes, uint32_t largest)
{
    for (uint32_t h = 0; h < holes; h++) {
        uint32_t w = hem_between(1, largest), x = 1 + hem_below(width - 2), y = 1 + hem_below(height - 2);
        uint8_t what = hem_below(4) == 0 ? FIXED : HOLE;
        float heat = (float)hem_uniform() * 100.0f;
        for (uint32_t j = y; j < y + w && j + 1 < height; j++)
            for (uint32_t i = x; i < x + w && i + 1 < width; i++) {
                kind[j * width + i] = what;
                now[j * width + i] = next[j * width + i] = what == FIXED ? heat : 0.0f;
            }
    }
}

static void relax(void)
{
    for (uint32_t y = 1; y + 1 < height; y++)
        for (uint32_t x = 1; x + 1 < width; x++) {
            uint32_t i = y * width + x;
            if (kind[i] != METAL)
                continue;
            next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - width] + now[i + width]);
        }
    float *swapped = now;
    now = next;
    next = swapped;
}

static double largest_change(void)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < width * height; i++) {
        float change = now[i] - next[i];
        if (change < 0.0f)
            change = -change;
        if (change > most)
            most = change;
    }
    return most;
}

static double flux(void)
{
    double sum = 0.0;
    for (uint32_t x = 1; x + 1 < width; x++) /* down the columns: a stride of a whole row */
        for (uint32_t y = 1; y + 1 < height; y++)
            sum += now[y * width + x] - now[(y - 1) * width + x];
    return sum;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    width = hem_between(100, 260);
    height = hem_between(100, 260);
    uint32_t cells = width * height;
    uint32_t sweeps = hem_scaled(hem_between(220000, 380000), scale) / cells + 1;
    now = hem_alloc(cells * sizeof *now);
    next = hem_alloc(cells * sizeof *next);
    kind = hem_alloc(cells);

    hem_stage("shape");
    for (uint32_t x = 0; x < width; x++)
        now[x] = next[x] = 100.0f;
    cut_holes(hem_below(cells / 200), hem_between(3, 16));
    for (uint32_t s = 0; s < sweeps; s++) {
        hem_stage("relax");
        relax();
        if (s % 4 == 3) {
            hem_stage("check");
            hem_result((uint64_t)(largest_change() * 1000.0));
        }
    }
    hem_stage("flux");
    double total = flux();
    hem_result((uint64_t)((total < 0.0 ? -total : total) * 100.0));
}
