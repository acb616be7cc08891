/* A map of ragged polygons: points are tested for lying inside by counting crossings, then the polygons are clipped to windows. */
#include "hem.h"

struct corner {
    double x, y;
};

struct polygon {
    struct corner *corners;
    uint32_t count, hits;
    double left, right, bottom, top;
};

static struct polygon *map;
static uint32_t polygon_count;
static struct corner *work_a, *work_b;

/* A star-shaped outline around a random centre: equal turns, random radii. */
static void make_polygon(struct polygon *p, uint32_t count, double size, double raggedness)
{
    double t = 3.14159265 / count, turn_x = (1 - t * t) / (1 + t * t), turn_y = 2 * t / (1 + t * t);
    double x = 1, y = 0, centre_x = hem_uniform(), centre_y = hem_uniform();
    p->corners = hem_alloc(count * sizeof *p->corners);
    p->count = count;
    p->left = p->bottom = 2;
    p->right = p->top = -1;
    for (uint32_t i = 0; i < count; i++) {
        double radius = size * (1 - raggedness * hem_uniform()), turned = x * turn_x - y * turn_y;
        struct corner *c = &p->corners[i];
        y = x * turn_y + y * turn_x;
        x = turned;
        c->x = centre_x + radius * x;
        c->y = centre_y + radius * y;
        p->left = c->x < p->left ? c->x : p->left;
        p->right = c->x > p->right ? c->x : p->right;
        p->bottom = c->y < p->bottom ? c->y : p->bottom;
        p->top = c->y > p->top ? c->y : p->top;
    }
}

static int inside(const struct polygon *p, double x, double y)
{
    int odd = 0;
    for (uint32_t i = 0, j = p->count - 1; i < p->count; j = i++) {
        const struct corner *a = &p->corners[i], *b = &p->corners[j];
        if ((a->y > y) != (b->y > y) && x < (b->x - a->x) * (y - a->y) / (b->y - a->y) + a->x)
            odd = !odd;
    }
    return odd;
}

/* The distances of a corner from the four sides of a window; negative is outside. */
static double from_left(const struct corner *c, const double *w) { return c->x - w[0]; }
static double from_right(const struct corner *c, const double *w) { return w[1] - c->x; }
static double from_bottom(const struct corner *c, const double *w) { return c->y - w[2]; }
static double from_top(const struct corner *c, const double *w) { return w[3] - c->y; }

static double (*const sides[4])(const struct corner *, const double *) = {from_left, from_right, from_bottom, from_top};

/* Sutherland and Hodgman: clips to one side of the window after the other; returns the area that is left. */
static double clip(const struct polygon *p, const double *window)
{
    struct corner *in = work_a, *out = work_b;
    uint32_t count = p->count;
    for (uint32_t i = 0; i < count; i++)
        in[i] = p->corners[i];
    for (uint32_t side = 0; side < 4 && count > 0; side++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct corner *a = &in[i ? i - 1 : count - 1], *b = &in[i];
            double da = sides[side](a, window), db = sides[side](b, window);
            if ((da < 0) != (db < 0)) {
                out[kept].x = a->x + (b->x - a->x) * da / (da - db);
                out[kept++].y = a->y + (b->y - a->y) * da / (da - db);
            }
            if (db >= 0)
                out[kept++] = *b;
        }
        struct corner *swapped = in;
        in = out;
        out = swapped;
        count = kept;
    }
    double twice = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct corner *a = &in[i ? i - 1 : count - 1];
        twice += a->x * in[i].y - in[i].x * a->y;
    }
    return twice < 0 ? -twice / 2 : twice / 2;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    polygon_count = hem_between(30, 160);
    map = hem_alloc(polygon_count * sizeof *map);
    uint32_t most = hem_between(20, 400);
    double size = 0.04 + 0.1 * hem_uniform(), raggedness = 0.9 * hem_uniform();
    work_a = hem_alloc(16 * (size_t)most * sizeof *work_a); /* a clip can at most double the corners */
    work_b = hem_alloc(16 * (size_t)most * sizeof *work_b);
    for (uint32_t i = 0; i < polygon_count; i++)
        make_polygon(&map[i], hem_between(8, most), size, raggedness);

    hem_stage("inside");
    int64_t work = hem_scaled(hem_between(110000, 280000), scale);
    while (work > 0) {
        double x = hem_uniform(), y = hem_uniform();
        for (uint32_t i = 0; i < polygon_count; i++) {
            struct polygon *p = &map[i];
            work--;
            if (x < p->left || x > p->right || y < p->bottom || y > p->top)
                continue;
            p->hits += (uint32_t)inside(p, x, y);
            work -= p->count;
        }
    }
    hem_stage("clip");
    double area = 0, reach = 0.02 + 0.3 * hem_uniform();
    work = hem_scaled(hem_between(8000, 22000), scale);
    while (work > 0) {
        const struct polygon *p = &map[hem_below(polygon_count)];
        double x = p->left + (p->right - p->left) * hem_uniform(), y = p->bottom + (p->top - p->bottom) * hem_uniform();
        const double window[4] = {x - reach, x + reach, y - reach, y + reach};
        area += clip(p, window);
        work -= p->count;
    }
    hem_result((uint64_t)(area * 1e9));
    for (uint32_t i = 0; i < polygon_count; i++)
        hem_result(map[i].hits);
}
