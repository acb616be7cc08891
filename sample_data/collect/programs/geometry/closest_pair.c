/* Closest pairs of points: divide and conquer with a merge by height, then the points of each cell of a grid against their neighbours. */
#include "hem.h"

struct point {
    double x, y;
    uint32_t id, next; /* next: in the list of the grid cell */
};

static struct point *points, *spare;
static uint32_t count;
static double best;
static uint32_t best_a, best_b;

static void compare(const struct point *a, const struct point *b)
{
    double dx = a->x - b->x, dy = a->y - b->y, square = dx * dx + dy * dy;
    if (square < best) {
        best = square;
        best_a = a->id;
        best_b = b->id;
    }
}

/* Merge sort by x, bottom up. */
static void sort_by_x(void)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t low = 0; low < count; low += 2 * width) {
            uint32_t a = low, middle = low + width < count ? low + width : count, b = middle;
            uint32_t high = middle + width < count ? middle + width : count;
            for (uint32_t out = low; out < high; out++)
                spare[out] = b == high || (a < middle && points[a].x <= points[b].x) ? points[a++] : points[b++];
        }
        struct point *kept = points;
        points = spare;
        spare = kept;
    }
}

/* Leaves points[low, high) sorted by y, and `best` the least squared distance among all seen. */
static void divide(uint32_t low, uint32_t high)
{
    if (high - low <= 4) {
        for (uint32_t i = low; i < high; i++)
            for (uint32_t j = i; j > low; j--) {
                if (points[j - 1].y <= points[j].y)
                    break;
                struct point kept = points[j];
                points[j] = points[j - 1];
                points[j - 1] = kept;
            }
        for (uint32_t i = low; i < high; i++)
            for (uint32_t j = i + 1; j < high; j++)
                compare(&points[i], &points[j]);
        return;
    }
    uint32_t middle = (low + high) / 2, a = low, b = middle, strip = 0;
    double line = points[middle].x;
    divide(low, middle);
    divide(middle, high);
    for (uint32_t out = low; out < high; out++)
        spare[out] = b == high || (a < middle && points[a].y <= points[b].y) ? points[a++] : points[b++];
    for (uint32_t i = low; i < high; i++)
        points[i] = spare[i];
    for (uint32_t i = low; i < high; i++)
        if ((points[i].x - line) * (points[i].x - line) < best) {
            for (uint32_t k = strip; k-- > 0;) {
                double dy = points[i].y - spare[low + k].y;
                if (dy * dy >= best)
                    break;
                compare(&spare[low + k], &points[i]);
            }
            spare[low + strip++] = points[i];
        }
}

/* Counts the pairs nearer than the side of a cell, each point against those before it in the cells around; at most six of a cell. */
static uint64_t near_pairs(uint32_t side, uint32_t *cells)
{
    uint64_t pairs = 0;
    double reach = 1.0 / side;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = (uint32_t)(points[i].x * side), y = (uint32_t)(points[i].y * side);
        uint32_t y_low = y ? y - 1 : 0, y_high = y + 1 < side ? y + 1 : y, x_low = x ? x - 1 : 0, x_high = x + 1 < side ? x + 1 : x;
        for (uint32_t row = y_low; row <= y_high; row++)
            for (uint32_t column = x_low; column <= x_high; column++)
                for (uint32_t other = cells[row * side + column], seen = 0; other && seen < 6; other = points[other - 1].next, seen++) {
                    double dx = points[i].x - points[other - 1].x, dy = points[i].y - points[other - 1].y;
                    pairs += dx * dx + dy * dy < reach * reach;
                }
        points[i].next = cells[y * side + x];
        cells[y * side + x] = i + 1;
    }
    return pairs;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    count = 1 + hem_scaled(hem_between(3400, 6800), scale);
    points = hem_alloc(count * sizeof *points);
    spare = hem_alloc(count * sizeof *spare);
    uint32_t clustered = hem_below(100), narrow = hem_between(1, 20);
    double x = 0.5, y = 0.5;
    hem_stage("generate");
    for (uint32_t i = 0; i < count; i++) {
        if (i % 100 == 0) {
            x = 0.9 * hem_uniform();
            y = 0.9 * hem_uniform();
        }
        int near = hem_below(100) < clustered;
        points[i].x = (near ? x + 0.09 * hem_uniform() : hem_uniform()) / narrow;
        points[i].y = near ? y + 0.09 * hem_uniform() : hem_uniform();
        points[i].id = i;
    }
    hem_stage("sort");
    sort_by_x();
    hem_stage("divide");
    best = 4;
    divide(0, count);
    hem_result(best_a + best_b);
    hem_result((uint64_t)(best * 1e18));
    hem_stage("grid");
    uint32_t side = 1;
    while (side * side < count)
        side++;
    hem_result(near_pairs(side, hem_alloc((size_t)side * side * sizeof(uint32_t))));
}
