/* Dijkstra's shortest paths with a binary heap, from several sources, on a grid-like road map with some motorways. */
#include "hem.h"

#define ARCS 5
#define UNREACHED UINT32_MAX

struct arc { uint32_t target, length; };
struct place { struct arc arcs[ARCS]; uint32_t count, distance; };
struct entry { uint32_t distance, place; };

static struct place *places;
static struct entry *heap;
static uint32_t heap_size;

static void push(uint32_t distance, uint32_t place)
{
    uint32_t i = heap_size++;
    while (i > 0 && heap[(i - 1) / 2].distance > distance) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i].distance = distance;
    heap[i].place = place;
}

static struct entry pop(void)
{
    struct entry top = heap[0], last = heap[--heap_size];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= heap_size)
            break;
        if (child + 1 < heap_size && heap[child + 1].distance < heap[child].distance)
            child++;
        if (heap[child].distance >= last.distance)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

static void connect(uint32_t a, uint32_t b, uint32_t length)
{
    struct place *p = &places[a];
    if (p->count < ARCS) {
        p->arcs[p->count].target = b;
        p->arcs[p->count++].length = length;
    }
}

/* Distances from `source`; returns how many places were settled. */
static uint32_t search(uint32_t source, uint32_t place_count)
{
    uint32_t settled = 0;
    for (uint32_t i = 0; i < place_count; i++)
        places[i].distance = UNREACHED;
    heap_size = 0;
    places[source].distance = 0;
    push(0, source);
    while (heap_size > 0) {
        struct entry e = pop();
        struct place *p = &places[e.place];
        if (e.distance > p->distance)
            continue;
        settled++;
        for (uint32_t i = 0; i < p->count; i++) {
            uint32_t distance = e.distance + p->arcs[i].length;
            if (distance < places[p->arcs[i].target].distance) {
                places[p->arcs[i].target].distance = distance;
                push(distance, p->arcs[i].target);
            }
        }
    }
    return settled;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t width = hem_between(30, 150), place_count = width * hem_between(30, 110);
    uint32_t budget = hem_between(10000, 19000), longest = hem_between(2, 2000), closed = hem_below(25);
    uint32_t sources = hem_scaled(budget, scale) / place_count + 1;
    places = hem_alloc(place_count * sizeof *places);
    heap = hem_alloc((size_t)place_count * (ARCS + 1) * sizeof *heap);

    hem_stage("build");
    for (uint32_t i = 0; i < place_count; i++) {
        if (i % width + 1 < width && hem_below(100) >= closed) {
            uint32_t length = hem_between(1, longest);
            connect(i, i + 1, length);
            connect(i + 1, i, length);
        }
        if (i + width < place_count && hem_below(100) >= closed) {
            uint32_t length = hem_between(1, longest);
            connect(i, i + width, length);
            connect(i + width, i, length);
        }
        if (hem_below(20) == 0)
            connect(i, hem_below(place_count), hem_between(longest, 4 * longest));
    }
    for (uint32_t s = 0; s < sources; s++) {
        hem_stage("search");
        hem_result(search(hem_below(place_count), place_count));
        hem_result(places[place_count - 1].distance);
    }
}
