/* A k-d tree of scattered bodies: built by median selection, then nearest neighbours and sums over boxes. */
#include "hem.h"

#define LEAF 8

struct body {
    double at[3];
    double mass;
    uint64_t visits;
};

struct node {
    double low[3], high[3], mass, cut;
    uint32_t axis, from, to, pad;
    struct node *near, *far;
};

static struct body *bodies;
static uint32_t count, opened; /* opened: nodes that the queries looked into */

static void swap(uint32_t i, uint32_t j)
{
    struct body kept = bodies[i];
    bodies[i] = bodies[j];
    bodies[j] = kept;
}

/* Quickselect: puts the body of rank `middle` along the axis at its place. */
static void select_middle(uint32_t from, uint32_t to, uint32_t middle, uint32_t axis)
{
    while (to - from > 1) {
        swap(from, from + hem_below(to - from));
        double pivot = bodies[from].at[axis];
        uint32_t edge = from;
        for (uint32_t i = from + 1; i < to; i++)
            if (bodies[i].at[axis] < pivot)
                swap(++edge, i);
        swap(from, edge);
        if (edge == middle)
            return;
        if (edge < middle)
            from = edge + 1;
        else
            to = edge;
    }
}

static void widen(struct node *n, const double *low, const double *high)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (low[axis] < n->low[axis])
            n->low[axis] = low[axis];
        if (high[axis] > n->high[axis])
            n->high[axis] = high[axis];
    }
}

static struct node *build(uint32_t from, uint32_t to, uint32_t axis)
{
    struct node *n = hem_alloc(sizeof *n);
    n->from = from;
    n->to = to;
    n->axis = axis;
    for (uint32_t a = 0; a < 3; a++)
        n->low[a] = n->high[a] = bodies[from].at[a];
    if (to - from <= LEAF) {
        for (uint32_t i = from; i < to; i++) {
            n->mass += bodies[i].mass;
            widen(n, bodies[i].at, bodies[i].at);
        }
        return n;
    }
    uint32_t middle = (from + to) / 2;
    select_middle(from, to, middle, axis);
    n->cut = bodies[middle].at[axis];
    n->near = build(from, middle, (axis + 1) % 3);
    n->far = build(middle, to, (axis + 1) % 3);
    n->mass = n->near->mass + n->far->mass;
    widen(n, n->near->low, n->near->high);
    widen(n, n->far->low, n->far->high);
    return n;
}

static double square(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void nearest(const struct node *n, const double *at, double *best, uint32_t *which)
{
    opened++;
    if (!n->near) {
        for (uint32_t i = n->from; i < n->to; i++)
            if (square(bodies[i].at, at) < *best) {
                *best = square(bodies[i].at, at);
                *which = i;
            }
        return;
    }
    double side = at[n->axis] - n->cut;
    nearest(side < 0 ? n->near : n->far, at, best, which);
    if (side * side < *best)
        nearest(side < 0 ? n->far : n->near, at, best, which);
}

/* The mass within a cube of half width `reach`; nodes that are wholly inside are not opened. */
static double mass_within(const struct node *n, const double *at, double reach)
{
    int whole = 1;
    opened++;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (n->low[axis] > at[axis] + reach || n->high[axis] < at[axis] - reach)
            return 0;
        whole &= n->low[axis] >= at[axis] - reach && n->high[axis] <= at[axis] + reach;
    }
    if (whole)
        return n->mass;
    if (n->near)
        return mass_within(n->near, at, reach) + mass_within(n->far, at, reach);
    double mass = 0;
    for (uint32_t i = n->from; i < n->to; i++) {
        double x = bodies[i].at[0] - at[0], y = bodies[i].at[1] - at[1], z = bodies[i].at[2] - at[2];
        if (x * x <= reach * reach && y * y <= reach * reach && z * z <= reach * reach)
            mass += bodies[i].mass;
    }
    return mass;
}

/* A place near one of the first `known` bodies, or anywhere. */
static void pick_place(double *at, uint32_t known, uint32_t percent_near, double height)
{
    if (hem_below(100) < percent_near && known > 0) {
        const double *near = bodies[hem_below(known)].at;
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = near[axis] + (0.02 * hem_uniform() - 0.01) * (axis == 2 ? height : 1);
    } else
        for (uint32_t axis = 0; axis < 3; axis++)
            at[axis] = hem_uniform() * (axis == 2 ? height : 1);
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    count = hem_scaled(hem_between(5000, 12000), scale);
    uint32_t clustered = hem_below(95), from_bodies = hem_below(100);
    double at[3], total = 0, height = hem_below(3) ? 1 : 0.05;
    bodies = hem_alloc(count * sizeof *bodies);
    for (uint32_t i = 0; i < count; i++) {
        pick_place(bodies[i].at, i, clustered, height);
        bodies[i].mass = hem_between(1, 50);
    }
    hem_stage("build");
    struct node *root = build(0, count, 0);

    hem_stage("nearest");
    opened = 0;
    for (uint32_t limit = hem_scaled(hem_between(8000, 30000), scale); opened < limit;) {
        double best = 1e9;
        uint32_t which = 0;
        pick_place(at, count, from_bodies, height);
        nearest(root, at, &best, &which);
        bodies[which].visits++;
        hem_result(which);
    }
    hem_stage("boxes");
    opened = 0;
    double reach = 0.01 + 0.1 * hem_uniform();
    for (uint32_t limit = hem_scaled(hem_between(4000, 14000), scale); opened < limit;) {
        pick_place(at, count, 50, height);
        total += mass_within(root, at, reach);
    }
    hem_result((uint64_t)total);
}
