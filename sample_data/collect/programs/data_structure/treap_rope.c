/* A sequence kept in a treap with subtree sums: cutting, moving and reversing ranges by recursive split and merge, then a full walk. */
#include "hem.h"

struct node {
    struct node *left, *right;
    uint32_t priority, count, reversed;
    int32_t value;
    int64_t sum;
};

static uint32_t count_of(const struct node *n) { return n ? n->count : 0; }
static int64_t sum_of(const struct node *n) { return n ? n->sum : 0; }

static void push_down(struct node *n)
{
    if (!n->reversed)
        return;
    struct node *kept = n->left;
    n->left = n->right;
    n->right = kept;
    if (n->left)
        n->left->reversed ^= 1;
    if (n->right)
        n->right->reversed ^= 1;
    n->reversed = 0;
}

static void refresh(struct node *n)
{
    n->count = 1 + count_of(n->left) + count_of(n->right);
    n->sum = n->value + sum_of(n->left) + sum_of(n->right);
}

static struct node *merge(struct node *a, struct node *b)
{
    if (!a || !b)
        return a ? a : b;
    if (a->priority > b->priority) {
        push_down(a);
        a->right = merge(a->right, b);
        refresh(a);
        return a;
    }
    push_down(b);
    b->left = merge(a, b->left);
    refresh(b);
    return b;
}

/* A treap of the nodes [from, to), in their order. */
static struct node *build(struct node *nodes, uint32_t from, uint32_t to)
{
    if (to - from == 1)
        return &nodes[from];
    uint32_t middle = (from + to) / 2;
    return merge(build(nodes, from, middle), build(nodes, middle, to));
}

/* The first `first` elements go to *a, the others to *b. */
static void split(struct node *n, uint32_t first, struct node **a, struct node **b)
{
    if (!n) {
        *a = *b = NULL;
        return;
    }
    push_down(n);
    if (count_of(n->left) < first) {
        *a = n;
        split(n->right, first - count_of(n->left) - 1, &n->right, b);
    } else {
        *b = n;
        split(n->left, first, a, &n->left);
    }
    refresh(n);
}

static uint64_t walk(struct node *n, uint64_t hash)
{
    for (; n; n = n->right) {
        push_down(n);
        hash = walk(n->left, hash);
        hash = (hash ^ (uint32_t)n->value) * 1099511628211ULL;
    }
    return hash;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t length = hem_scaled(hem_between(12000, 26000), scale), edits = hem_scaled(hem_between(260, 600), scale);
    uint32_t local_share = hem_below(100), kinds = hem_between(1, 3);
    struct node *nodes = hem_alloc(length * sizeof *nodes);

    hem_stage("build");
    for (uint32_t i = 0; i < length; i++) {
        struct node *n = &nodes[i];
        n->priority = hem_random();
        n->count = 1;
        n->value = (int32_t)hem_below(2001) - 1000;
        n->sum = n->value;
    }
    struct node *root = build(nodes, 0, length);

    hem_stage("edit");
    uint32_t window = length < 400 ? length : 400, at = 0;
    for (uint32_t i = 0; i < edits; i++) {
        uint32_t from = hem_below(length), size;
        if (hem_below(100) < local_share) {
            from = (at + hem_below(window)) % length;
            size = 1 + hem_below(window);
        } else
            size = 1 + hem_below(length);
        if (size > length - from)
            size = length - from;
        at = from;
        struct node *before, *range, *after;
        split(root, from, &before, &range);
        split(range, size, &range, &after);
        switch (hem_below(kinds)) {
        case 0: /* add up and put back */
            hem_result((uint64_t)sum_of(range));
            root = merge(merge(before, range), after);
            break;
        case 1: /* reverse */
            range->reversed ^= 1;
            root = merge(before, merge(range, after));
            break;
        default: /* move to the front */
            root = merge(range, merge(before, after));
        }
    }
    hem_stage("walk");
    for (uint32_t pass = 0; pass < 4; pass++)
        hem_result(walk(root, pass));
}
