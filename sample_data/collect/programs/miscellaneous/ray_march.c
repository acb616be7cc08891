/* Draws a scene of spheres, boxes, rings and floors by marching rays through distance fields called through function pointers. */
#include "hem.h"

struct shape;
typedef float (*distance_field)(const struct shape *, float, float, float);
struct shape { distance_field field; float x, y, z, size; uint32_t shade; };

static struct shape *shapes;
static uint32_t shape_count, evaluations;

/* A square root by Newton's steps from a guess that halves the exponent. */
static float root(float square)
{
    union { float value; uint32_t bits; } guess = {square};
    guess.bits = (guess.bits >> 1) + 0x1FBD1DF5u;
    float r = guess.value;
    r = 0.5f * (r + square / r);
    return 0.5f * (r + square / r);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float magnitude(float a)
{
    return a < 0.0f ? -a : a;
}

static float sphere(const struct shape *s, float x, float y, float z)
{
    return root((x - s->x) * (x - s->x) + (y - s->y) * (y - s->y) + (z - s->z) * (z - s->z)) - s->size;
}

static float box(const struct shape *s, float x, float y, float z)
{
    return larger(magnitude(x - s->x), larger(magnitude(y - s->y), magnitude(z - s->z))) - s->size;
}

static float ring(const struct shape *s, float x, float y, float z)
{
    float around = root((x - s->x) * (x - s->x) + (z - s->z) * (z - s->z)) - s->size;
    return root(around * around + (y - s->y) * (y - s->y)) - s->size * 0.25f;
}

static float ground(const struct shape *s, float x, float y, float z)
{
    (void)x, (void)z;
    return y + 2.0f + s->size;
}

/* The distance to the nearest shape, which goes to `nearest`. */
static float scene(float x, float y, float z, const struct shape **nearest)
{
    float least = 1e9f;
    evaluations += shape_count + 2;
    for (uint32_t i = 0; i < shape_count; i++) {
        float distance = shapes[i].field(&shapes[i], x, y, z);
        if (distance < least) {
            least = distance;
            *nearest = &shapes[i];
        }
    }
    return least;
}

/* Follows one ray; returns a shade of grey. */
static uint32_t march(float dx, float dy, uint32_t most_steps)
{
    float scale = 1.0f / root(dx * dx + dy * dy + 1.0f), along = 0.0f;
    const struct shape *nearest = shapes;
    for (uint32_t step = 0; step < most_steps && along < 40.0f; step++) {
        float distance = scene(dx * scale * along, dy * scale * along, scale * along, &nearest);
        if (distance < 0.01f)
            return nearest->shade + 200 / (step + 1);
        along += distance;
    }
    return 0;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    static const distance_field fields[4] = {sphere, box, ring, ground};
    (void)seed;
    uint32_t width = hem_between(16, 40), budget = hem_scaled(hem_between(160000, 270000), scale), most_steps = hem_between(16, 64);
    uint32_t favourite = hem_below(3), most_shapes = hem_between(3, 24);
    uint8_t *image = hem_alloc((size_t)width * width);
    shapes = hem_alloc(most_shapes * sizeof *shapes);
    while (evaluations < budget) {
        hem_stage("scene");
        shape_count = hem_between(2, most_shapes);
        for (uint32_t i = 0; i < shape_count; i++) {
            shapes[i].field = fields[hem_below(2) ? favourite : hem_below(4)];
            shapes[i].x = (float)hem_uniform() * 8.0f - 4.0f;
            shapes[i].y = (float)hem_uniform() * 6.0f - 3.0f;
            shapes[i].z = (float)hem_uniform() * 10.0f + 4.0f;
            shapes[i].size = (float)hem_uniform() * 1.2f + 0.2f;
            shapes[i].shade = hem_between(10, 50);
        }
        hem_stage("draw");
        for (uint32_t y = 0; y < width && evaluations < budget; y++)
            for (uint32_t x = 0; x < width; x++)
                image[y * width + x] = (uint8_t)march(2.0f * x / width - 1.0f, 1.0f - 2.0f * y / width, most_steps);
        hem_stage("histogram");
        uint32_t bright = 0;
        for (uint32_t i = 0; i < width * width; i++)
            bright += image[i] > 60;
        hem_result(bright);
    }
}
