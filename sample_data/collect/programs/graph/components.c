/* Connected components of a random sparse graph: adjacency build, breadth-first labelling, then union-find as a cross-check. */
#include "hem.h"

struct vertex {
    uint32_t label, parent, first, degree;
    uint32_t payload[12]; /* makes a vertex one cache line */
};

static struct vertex *vertices;
static uint32_t vertex_count, edge_count;
static uint32_t *from, *to, *neighbours;

static void make_edges(uint32_t locality)
{
    for (uint32_t e = 0; e < edge_count; e++) {
        uint32_t a = hem_below(vertex_count), b;
        if (hem_below(100) < locality)
            b = (a + hem_below(64)) % vertex_count;
        else
            b = hem_below(vertex_count);
        from[e] = a;
        to[e] = b;
        vertices[a].degree++;
        vertices[b].degree++;
    }
}

static void build_adjacency(void)
{
    uint32_t next = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        vertices[v].first = next;
        next += vertices[v].degree;
        vertices[v].degree = 0;
    }
    for (uint32_t e = 0; e < edge_count; e++) {
        struct vertex *a = &vertices[from[e]], *b = &vertices[to[e]];
        neighbours[a->first + a->degree++] = to[e];
        neighbours[b->first + b->degree++] = from[e];
    }
}

/* Labels everything reachable from `start`; returns how many vertices that is. */
static uint32_t flood(uint32_t start, uint32_t label, uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    queue[tail++] = start;
    vertices[start].label = label;
    while (head < tail) {
        struct vertex *v = &vertices[queue[head++]];
        for (uint32_t i = 0; i < v->degree; i++) {
            uint32_t other = neighbours[v->first + i];
            if (vertices[other].label == 0) {
                vertices[other].label = label;
                vertices[other].payload[label % 12] = v->payload[label % 12] + 1;
                queue[tail++] = other;
            }
        }
    }
    return tail;
}

static uint32_t find_root(uint32_t v)
{
    while (vertices[v].parent != v) {
        vertices[v].parent = vertices[vertices[v].parent].parent;
        v = vertices[v].parent;
    }
    return v;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    vertex_count = hem_scaled(hem_between(26000, 36000), scale);
    edge_count = (uint32_t)((uint64_t)vertex_count * hem_between(12, 22) / 10);
    vertices = hem_alloc(vertex_count * sizeof *vertices);
    from = hem_alloc(edge_count * sizeof *from);
    to = hem_alloc(edge_count * sizeof *to);
    neighbours = hem_alloc(2 * (size_t)edge_count * sizeof *neighbours);
    uint32_t *queue = hem_alloc(vertex_count * sizeof *queue);

    hem_stage("generate");
    make_edges(hem_below(80));
    hem_stage("build");
    build_adjacency();

    hem_stage("flood");
    uint32_t components = 0, largest = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        if (vertices[v].label == 0) {
            uint32_t size = flood(v, ++components, queue);
            if (size > largest)
                largest = size;
        }
    }

    hem_stage("union");
    uint32_t sets = vertex_count;
    for (uint32_t v = 0; v < vertex_count; v++)
        vertices[v].parent = v;
    for (uint32_t e = 0; e < edge_count; e++) {
        uint32_t a = find_root(from[e]), b = find_root(to[e]);
        if (a != b) {
            vertices[a].parent = b;
            sets--;
        }
    }
    hem_result(components);
    hem_result(largest);
    hem_result(sets);
}
