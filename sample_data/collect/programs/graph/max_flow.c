/* Dinic's maximum flow on many small layered networks: level search and augmenting walks, all in the first-level cache. */
#include "hem.h"

#define MOST_NODES 256
#define MOST_EDGES 4096
#define NONE UINT32_MAX

struct edge { uint32_t target, capacity, next; };

static struct edge *edges;
static uint32_t *head, *current, *level, *queue;
static uint32_t node_count, edge_count;

static void add_edge(uint32_t a, uint32_t b, uint32_t capacity)
{
    if (edge_count + 2 > MOST_EDGES)
        return;
    edges[edge_count] = (struct edge){b, capacity, head[a]};
    head[a] = edge_count++;
    edges[edge_count] = (struct edge){a, 0, head[b]};
    head[b] = edge_count++;
}

static void make_network(uint32_t layers, uint32_t width, uint32_t fan, uint32_t largest)
{
    uint32_t sink = 1 + layers * width;
    node_count = sink + 1;
    edge_count = 0;
    for (uint32_t v = 0; v < node_count; v++)
        head[v] = NONE;
    for (uint32_t i = 0; i < width; i++) {
        add_edge(0, 1 + i, hem_between(1, 2 * largest));
        add_edge(sink - 1 - i, sink, hem_between(1, 2 * largest));
    }
    for (uint32_t layer = 0; layer + 1 < layers; layer++)
        for (uint32_t i = 0; i < width; i++) {
            uint32_t from = 1 + layer * width + i;
            for (uint32_t k = 0; k < fan; k++)
                add_edge(from, 1 + (layer + 1) * width + hem_below(width), hem_between(1, largest));
            if (hem_below(4) == 0)
                add_edge(from, 1 + hem_below(layers * width), hem_between(1, largest));
        }
}

static int find_levels(uint32_t sink)
{
    uint32_t start = 0, end = 1;
    for (uint32_t v = 0; v < node_count; v++) {
        level[v] = NONE;
        current[v] = head[v];
    }
    level[0] = 0;
    queue[0] = 0;
    while (start < end) {
        uint32_t v = queue[start++];
        for (uint32_t e = head[v]; e != NONE; e = edges[e].next)
            if (edges[e].capacity > 0 && level[edges[e].target] == NONE) {
                level[edges[e].target] = level[v] + 1;
                queue[end++] = edges[e].target;
            }
    }
    return level[sink] != NONE;
}

/* Sends up to `limit` from `v` to the sink along rising levels (at most MOST_NODES deep). */
static uint32_t augment(uint32_t v, uint32_t sink, uint32_t limit)
{
    if (v == sink)
        return limit;
    for (; current[v] != NONE; current[v] = edges[current[v]].next) {
        struct edge *e = &edges[current[v]];
        if (e->capacity == 0 || level[e->target] != level[v] + 1)
            continue;
        uint32_t sent = augment(e->target, sink, e->capacity < limit ? e->capacity : limit);
        if (sent > 0) {
            e->capacity -= sent;
            edges[current[v] ^ 1].capacity += sent;
            return sent;
        }
    }
    return 0;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t budget = hem_scaled(hem_between(18000, 30000), scale), largest = hem_between(4, 60), wide = hem_between(8, 20);
    edges = hem_alloc(MOST_EDGES * sizeof *edges);
    head = hem_alloc(MOST_NODES * sizeof *head);
    current = hem_alloc(MOST_NODES * sizeof *current);
    level = hem_alloc(MOST_NODES * sizeof *level);
    queue = hem_alloc(MOST_NODES * sizeof *queue);

    for (uint32_t used = 0; used < budget; used += edge_count) {
        make_network(hem_between(3, 10), hem_between(4, wide), hem_between(2, 6), largest);
        uint32_t sink = node_count - 1, flow = 0, sent;
        while (find_levels(sink))
            while ((sent = augment(0, sink, NONE)) > 0)
                flow += sent;
        hem_result(flow);
    }
}
