/* Particles in a box: every step moves them, bounces them off the walls, counts them by cell and applies one of four forces by kind.
 *
 * Collected before and after a change that is known: a larger input (scale 150 instead of 100), -O1 instead of -O2, and another data
 * layout: an array of structs of 64 bytes, or with HEM_ARRAYS one array per field. The result is the same in either layout.
 */
#include "hem.h"

#define CELLS 32u
#define STEPS 12u

#ifdef HEM_ARRAYS
static float *field_x, *field_y, *field_u, *field_v;
static uint32_t *field_kind;
#define X(i) field_x[i]
#define Y(i) field_y[i]
#define U(i) field_u[i]
#define V(i) field_v[i]
#define KIND(i) field_kind[i]
#else
struct particle { float x, y, u, v; uint32_t kind, unused[11]; };
static struct particle *particles;
#define X(i) particles[i].x
#define Y(i) particles[i].y
#define U(i) particles[i].u
#define V(i) particles[i].v
#define KIND(i) particles[i].kind
#endif

static uint32_t count, *cells;

static void fall(uint32_t i) { V(i) -= 0.0005f; }
static void rise(uint32_t i) { V(i) += 0.0004f; }
static void slow(uint32_t i) { U(i) *= 0.99f; V(i) *= 0.99f; }
static void spin(uint32_t i) { float u = U(i); U(i) = u - 0.02f * V(i); V(i) += 0.02f * u; }

static void (*const forces[4])(uint32_t) = {fall, rise, slow, spin};

static uint32_t move(uint32_t i)
{
    uint32_t bounces = 0;
    X(i) += U(i);
    Y(i) += V(i);
    if (X(i) < 0.0f || X(i) > 1.0f) {
        U(i) = -U(i);
        X(i) = X(i) < 0.0f ? -X(i) : 2.0f - X(i);
        bounces++;
    }
    if (Y(i) < 0.0f || Y(i) > 1.0f) {
        V(i) = -V(i);
        Y(i) = Y(i) < 0.0f ? -Y(i) : 2.0f - Y(i);
        bounces++;
    }
    return bounces;
}

static uint32_t cell_of(uint32_t i)
{
    uint32_t column = (uint32_t)(X(i) * CELLS) & (CELLS - 1), row = (uint32_t)(Y(i) * CELLS) & (CELLS - 1);
    return row * CELLS + column;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    count = hem_scaled(hem_between(2000, 3000), scale);
    uint32_t alike = hem_below(100);
    float speed = 0.005f + 0.02f * (float)hem_uniform();
#ifdef HEM_ARRAYS
    field_x = hem_alloc(count * sizeof *field_x);
    field_y = hem_alloc(count * sizeof *field_y);
    field_u = hem_alloc(count * sizeof *field_u);
    field_v = hem_alloc(count * sizeof *field_v);
    field_kind = hem_alloc(count * sizeof *field_kind);
#else
    particles = hem_alloc(count * sizeof *particles);
#endif
    cells = hem_alloc(CELLS * CELLS * sizeof *cells);
    for (uint32_t i = 0; i < count; i++) {
        X(i) = (float)hem_uniform();
        Y(i) = (float)hem_uniform();
        U(i) = speed * ((float)hem_uniform() - 0.5f);
        V(i) = speed * ((float)hem_uniform() - 0.5f);
        KIND(i) = hem_below(100) < alike ? 0 : hem_below(4);
    }
    uint64_t bounces = 0, crowded = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t c = 0; c < CELLS * CELLS; c++)
            cells[c] = 0;
        for (uint32_t i = 0; i < count; i++) {
            forces[KIND(i)](i);
            bounces += move(i);
            cells[cell_of(i)]++;
        }
        for (uint32_t i = 0; i < count; i++)
            crowded += cells[cell_of(i)] > 4;
    }
    hem_result(bounces);
    hem_result(crowded);
}
