/* Convex hull of points on a grid: radix sort by place, monotone chain, then the diameter by calipers and tests of points inside. */
#include "hem.h"

struct point {
    int32_t x, y;
};

static struct point *points, *spare, *hull;
static uint32_t count, corners;

enum { SQUARE, DISC, CIRCLE, CLUSTERS };

static void make_points(uint32_t shape)
{
    struct point centre = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        double x, y, radius = shape == CLUSTERS ? 40000 : 500000;
        do {
            x = 2 * hem_uniform() - 1;
            y = 2 * hem_uniform() - 1;
        } while (shape != SQUARE && x * x + y * y > 1);
        if (shape == CIRCLE) { /* onto the circle: the right half from the tangent of half the angle, the left one by its mirror */
            double tangent = y, mirror = x < 0 ? -1 : 1;
            x = mirror * (1 - tangent * tangent) / (1 + tangent * tangent);
            y = 2 * tangent / (1 + tangent * tangent);
        }
        if (shape == CLUSTERS && i % 64 == 0) {
            centre.x = (int32_t)hem_below(900000) - 450000;
            centre.y = (int32_t)hem_below(900000) - 450000;
        }
        points[i].x = 524288 + centre.x + (int32_t)(x * radius);
        points[i].y = 524288 + centre.y + (int32_t)(y * radius);
    }
}

/* Sorts by x, then y: ten bits at a time, from the lowest of y to the highest of x. */
static void sort_points(void)
{
    static uint32_t start[1024];
    for (uint32_t pass = 0; pass < 4; pass++) {
        uint32_t shift = pass % 2 * 10, next = 0;
        for (uint32_t d = 0; d < 1024; d++)
            start[d] = 0;
        for (uint32_t i = 0; i < count; i++)
            start[(uint32_t)(pass < 2 ? points[i].y : points[i].x) >> shift & 1023]++;
        for (uint32_t d = 0; d < 1024; d++) {
            uint32_t here = start[d];
            start[d] = next;
            next += here;
        }
        for (uint32_t i = 0; i < count; i++)
            spare[start[(uint32_t)(pass < 2 ? points[i].y : points[i].x) >> shift & 1023]++] = points[i];
        struct point *kept = points;
        points = spare;
        spare = kept;
    }
}

static int64_t turn(const struct point *a, const struct point *b, const struct point *c)
{
    return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(b->y - a->y) * (c->x - a->x);
}

static void find_hull(void)
{
    corners = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (corners >= 2 && turn(&hull[corners - 2], &hull[corners - 1], &points[i]) <= 0)
            corners--;
        hull[corners++] = points[i];
    }
    uint32_t lower = corners + 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        while (corners >= lower && turn(&hull[corners - 2], &hull[corners - 1], &points[i]) <= 0)
            corners--;
        hull[corners++] = points[i];
    }
    corners--;
}

static int64_t distance(const struct point *a, const struct point *b)
{
    return (int64_t)(a->x - b->x) * (a->x - b->x) + (int64_t)(a->y - b->y) * (a->y - b->y);
}

static int64_t diameter(void)
{
    int64_t longest = 0;
    for (uint32_t i = 0, far = 1; i < corners; i++) {
        const struct point *a = &hull[i], *b = &hull[(i + 1) % corners];
        for (uint32_t steps = 0; steps < corners && turn(a, b, &hull[(far + 1) % corners]) > turn(a, b, &hull[far]); steps++)
            far = (far + 1) % corners;
        if (distance(a, &hull[far]) > longest)
            longest = distance(a, &hull[far]);
    }
    return longest;
}

/* Whether the point is inside: a binary search for the wedge, as seen from the first corner, that it is in. */
static int inside(const struct point *p)
{
    uint32_t low = 1, high = corners - 1;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        if (turn(&hull[0], &hull[middle], p) >= 0)
            low = middle;
        else
            high = middle;
    }
    return turn(&hull[0], &hull[low], p) >= 0 && turn(&hull[low], &hull[high], p) >= 0 && turn(&hull[high], &hull[0], p) >= 0;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    count = 2 + hem_scaled(hem_between(14000, 32000), scale);
    points = hem_alloc(count * sizeof *points);
    spare = hem_alloc(count * sizeof *spare);
    hull = hem_alloc((2 * (size_t)count + 2) * sizeof *hull);
    hem_stage("generate");
    make_points(hem_below(4));
    hem_stage("sort");
    sort_points();
    hem_stage("hull");
    find_hull();
    hem_result(corners);
    hem_stage("query");
    hem_result(corners > 2 ? (uint64_t)diameter() : 0);
    uint32_t tests = hem_scaled(hem_between(4000, 20000), scale), hits = 0;
    for (uint32_t i = 0; i < tests && corners > 2; i++) {
        struct point p = {(int32_t)hem_below(1 << 20), (int32_t)hem_below(1 << 20)};
        hits += (uint32_t)inside(&p);
    }
    hem_result(hits);
}
