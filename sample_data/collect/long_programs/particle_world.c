/* Particles in a box, in scenes of some dozens of frames each; every frame is a broad phase (counting sort into cells), a narrow
 * phase (pairs of neighbours) and an integration, so that each scene is periodic.
 *
 * Stages: rain (particles are added frame by frame: the working set ramps up), pile (dense, many contacts, little movement), blast (no
 * gravity, high speed, few contacts, mispredicted), drift (springs along chains: smooth floating point), survey (statistics by cell).
 * Rain, pile and blast come round again in a second, shorter act.
 */
#include "hem.h"

#define CELLS 64u
#define CHAIN 24u

struct particle { float x, y, speed_x, speed_y; };

static struct particle *particles, *sorted;
static uint32_t *cell_first, *cell_of, *hits;
static uint32_t n, contacts;
static float gravity, damping, reach;

static uint32_t cell_index(float x, float y)
{
    uint32_t cx = x > 0.0f ? (uint32_t)(x * CELLS) : 0, cy = y > 0.0f ? (uint32_t)(y * CELLS) : 0;
    return (cy < CELLS ? cy : CELLS - 1) * CELLS + (cx < CELLS ? cx : CELLS - 1);
}

static void broad_phase(void)
{
    for (uint32_t c = 0; c <= CELLS * CELLS; c++)
        cell_first[c] = 0;
    for (uint32_t i = 0; i < n; i++) {
        cell_of[i] = cell_index(particles[i].x, particles[i].y);
        cell_first[cell_of[i]]++;
    }
    for (uint32_t c = 1; c <= CELLS * CELLS; c++)
        cell_first[c] += cell_first[c - 1];
    for (uint32_t i = n; i-- > 0;) {
        struct particle *to = &sorted[--cell_first[cell_of[i]]];
        to->x = particles[i].x;
        to->y = particles[i].y;
        to->speed_x = particles[i].speed_x;
        to->speed_y = particles[i].speed_y;
    }
    struct particle *kept = particles;
    particles = sorted;
    sorted = kept;
}

/* Pushes apart the particles of a cell and of the next one that are nearer than `reach`. */
static void solve(void)
{
    for (uint32_t c = 0; c + 1 < CELLS * CELLS; c++)
        for (uint32_t i = cell_first[c]; i < cell_first[c + 1]; i++) {
            uint32_t last = cell_first[c + 2 < CELLS * CELLS ? c + 2 : CELLS * CELLS];
            for (uint32_t j = i + 1; j < last && j < i + 24; j++) {
                float dx = particles[j].x - particles[i].x, dy = particles[j].y - particles[i].y, d = dx * dx + dy * dy;
                if (d >= reach * reach)
                    continue;
                float push = 0.2f * (1.0f - d / (reach * reach));
                particles[i].speed_x -= push * dx;
                particles[i].speed_y -= push * dy;
                particles[j].speed_x += push * dx;
                particles[j].speed_y += push * dy;
                contacts++;
            }
        }
}

static void integrate(void)
{
    for (uint32_t i = 0; i < n; i++) {
        struct particle *p = &particles[i];
        p->speed_x *= damping;
        p->speed_y = p->speed_y * damping - gravity;
        p->x += p->speed_x;
        p->y += p->speed_y;
        if (p->x < 0.0f || p->x > 1.0f) {
            p->x = p->x < 0.0f ? 0.0f : 1.0f;
            p->speed_x *= -0.8f;
        }
        if (p->y < 0.0f || p->y > 1.0f) {
            p->y = p->y < 0.0f ? 0.0f : 1.0f;
            p->speed_y *= -0.5f;
        }
    }
}

static void add_particle(void)
{
    particles[n].x = (float)hem_uniform();
    particles[n].y = 0.5f + 0.5f * (float)hem_uniform();
    particles[n].speed_x = 0.004f * ((float)hem_uniform() - 0.5f);
    particles[n++].speed_y = 0.0f;
}

/* Frames until `work` particles have been moved. */
static void scene(const char *name, uint32_t work, uint32_t arrivals, float pull, float drag, float range)
{
    hem_stage(name);
    gravity = pull;
    damping = drag;
    reach = range;
    for (uint32_t moved = 0; moved < work; moved += n) {
        for (uint32_t k = 0; k < arrivals; k++)
            add_particle();
        broad_phase();
        solve();
        integrate();
    }
}

static void blow_up(float strength)
{
    for (uint32_t i = 0; i < n; i++) {
        particles[i].speed_x += strength * ((float)hem_uniform() - 0.5f);
        particles[i].speed_y += strength * (float)hem_uniform();
    }
}

/* Chains of particles that follow each other by springs, the chains one after the other. */
static void drift(uint32_t work)
{
    for (uint32_t moved = 0; moved < work; moved += n)
        for (uint32_t chain = 0; chain + CHAIN <= n; chain += CHAIN)
            for (uint32_t repeat = 0; repeat < 4; repeat++)
                for (uint32_t i = chain + 1; i < chain + CHAIN; i++) {
                    float dx = particles[i].x - particles[i - 1].x, dy = particles[i].y - particles[i - 1].y;
                    float pull = 0.01f / (0.1f + dx * dx + dy * dy);
                    particles[i].x -= pull * dx;
                    particles[i].y -= pull * dy;
                    particles[i - 1].x += pull * dx;
                    particles[i - 1].y += pull * dy;
                }
}

static void survey(uint32_t samples)
{
    for (uint32_t s = 0; s < samples; s++) {
        const struct particle *p = &particles[hem_below(n)];
        uint32_t c = cell_index(p->x, p->y);
        for (uint32_t step = hem_below(12); step > 0; step--) {
            hits[c * 16 + step]++;
            c = (c + hits[c * 16 + (step & 3)] * 97 + 1) % (CELLS * CELLS);
        }
    }
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t start = hem_between(300, 900), arrivals = hem_between(100, 180), most = hem_scaled(60000, scale) + 20000;
    particles = hem_alloc(most * sizeof *particles);
    sorted = hem_alloc(most * sizeof *sorted);
    cell_of = hem_alloc(most * sizeof *cell_of);
    cell_first = hem_alloc((CELLS * CELLS + 1) * sizeof *cell_first);
    hits = hem_alloc(CELLS * CELLS * 16 * sizeof *hits);
    while (n < start)
        add_particle();
    for (uint32_t act = 2; act > 0; act--) {
        uint32_t share = scale * act;
        scene("rain", hem_scaled(hem_between(9500, 14500), share), arrivals, 0.0004f, 0.995f, 0.006f);
        scene("pile", hem_scaled(hem_between(8000, 13000), share), 0, 0.002f, 0.90f, 0.009f);
        blow_up(0.2f);
        scene("blast", hem_scaled(hem_between(8000, 13500), share), 0, 0.0f, 0.999f, 0.008f);
    }
    hem_stage("drift");
    drift(hem_scaled(hem_between(80000, 130000), scale));
    hem_stage("survey");
    survey(hem_scaled(hem_between(28000, 48000), scale));
    hem_result(n);
    hem_result(contacts);
    hem_result(hits[17 * 16 + 1] + 31u * hits[99 * 16 + 2]);
    hem_result((uint64_t)(1e6f * particles[n / 2].x));
}
