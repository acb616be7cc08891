/* A diffusion problem on a square grid, solved on four grids of which each is twice as fine as the one before.
 *
 * Stages, once per grid: assemble (numerical integration of the coefficients into a sparse matrix), iterate (conjugate gradients, a
 * wave per iteration; the working set grows from 60 KiB to 4 MiB), smooth (relaxation in place and interpolation to the next grid).
 * Coarser grids get more integration points and more iterations, so that no stage is short. Floating point throughout.
 */
#include "hem.h"

#define LEVELS 4u
#define FINEST 130u

static uint32_t side, cells;
static uint32_t *first, *column;
static double *value, *x, *right, *residual, *direction, *image, *finer;
static double hill[4][3];

/* The diffusion coefficient at a point of the unit square, averaged over `samples` points near by. */
static double coefficient(double px, double py, double width, uint32_t samples)
{
    double sum = 0.0;
    for (uint32_t s = 0; s < samples; s++) {
        double qx = px + width * ((s * 7 % 16) / 16.0 - 0.5), qy = py + width * ((s * 11 % 16) / 16.0 - 0.5);
        for (uint32_t h = 0; h < 4; h++) {
            double dx = qx - hill[h][0], dy = qy - hill[h][1];
            sum += 1.0 / (1.0 + hill[h][2] * (dx * dx + dy * dy));
        }
    }
    return 0.1 + sum / samples;
}

static void add_neighbour(uint32_t *count, uint32_t to, double weight, double *diagonal)
{
    column[*count] = to;
    value[(*count)++] = -weight;
    *diagonal += weight;
}

static void assemble(uint32_t samples)
{
    uint32_t count = 0;
    double width = 1.0 / side;
    for (uint32_t i = 0; i < cells; i++) {
        double px = i % side * width, py = i / side * width, diagonal = 0.01;
        first[i] = count;
        if (i >= side)
            add_neighbour(&count, i - side, coefficient(px, py - 0.5 * width, width, samples), &diagonal);
        if (i % side > 0)
            add_neighbour(&count, i - 1, coefficient(px - 0.5 * width, py, width, samples), &diagonal);
        if (i % side + 1 < side)
            add_neighbour(&count, i + 1, coefficient(px + 0.5 * width, py, width, samples), &diagonal);
        if (i + side < cells)
            add_neighbour(&count, i + side, coefficient(px, py + 0.5 * width, width, samples), &diagonal);
        column[count] = i; /* the diagonal comes last */
        value[count++] = diagonal;
        right[i] = (i * 2654435761u >> 20) / 4096.0 - 0.5;
    }
    first[cells] = count;
}

static void apply(const double *in, double *out)
{
    for (uint32_t i = 0; i < cells; i++) {
        double sum = 0.0;
        for (uint32_t k = first[i]; k < first[i + 1]; k++)
            sum += value[k] * in[column[k]];
        out[i] = sum;
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < cells; i++)
        sum += a[i] * b[i];
    return sum;
}

static double iterate(uint32_t iterations)
{
    apply(x, image);
    for (uint32_t i = 0; i < cells; i++)
        residual[i] = direction[i] = right[i] - image[i];
    double size = dot(residual, residual);
    for (uint32_t left = iterations; left > 0 && size > 1e-18; left--) {
        apply(direction, image);
        double step = size / dot(direction, image);
        for (uint32_t i = 0; i < cells; i++) {
            x[i] += step * direction[i];
            residual[i] -= step * image[i];
        }
        double smaller = dot(residual, residual), ratio = smaller / size;
        for (uint32_t i = 0; i < cells; i++)
            direction[i] = residual[i] + ratio * direction[i];
        size = smaller;
    }
    return size;
}

static void smooth(uint32_t sweeps)
{
    for (uint32_t sweep = 0; sweep < sweeps; sweep++)
        for (uint32_t i = sweep & 1; i < cells; i += 1 + (sweep & 1)) {
            uint32_t last = first[i + 1] - 1;
            double sum = right[i];
            for (uint32_t k = first[i]; k < last; k++)
                sum -= value[k] * x[column[k]];
            x[i] = sum / value[last];
        }
}

/* The values of x between the points of the next grid, twice as fine. */
static void interpolate(void)
{
    uint32_t fine = side * 2;
    for (uint32_t i = 0; i < fine * fine; i++) {
        uint32_t cx = i % fine / 2, cy = i / fine / 2;
        uint32_t nx = (i & 1) && cx + 1 < side ? cx + 1 : cx, ny = (i / fine & 1) && cy + 1 < side ? cy + 1 : cy;
        finer[i] = 0.25 * (x[cy * side + cx] + x[cy * side + nx] + x[ny * side + cx] + x[ny * side + nx]);
    }
    double *kept = x;
    x = finer;
    finer = kept;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t most = FINEST * FINEST;
    first = hem_alloc((most + 1) * sizeof *first);
    column = hem_alloc(5 * most * sizeof *column);
    value = hem_alloc(5 * most * sizeof *value);
    double **vectors[] = {&x, &right, &residual, &direction, &image, &finer};
    for (uint32_t i = 0; i < 6; i++)
        *vectors[i] = hem_alloc(4 * most * sizeof(double));
    for (uint32_t h = 0; h < 4; h++) {
        hill[h][0] = hem_uniform();
        hill[h][1] = hem_uniform();
        hill[h][2] = 4.0 + 60.0 * hem_uniform();
    }
    side = hem_between(13, 16);
    for (uint32_t level = 0; level < LEVELS; level++, side *= 2) {
        cells = side * side;
        hem_stage("assemble");
        assemble(1 + hem_scaled(hem_between(30000, 50000), scale) / (cells * 4));
        hem_stage("iterate");
        hem_result((uint64_t)(iterate(1 + hem_scaled(hem_between(26000, 50000), scale) / cells) * 1e6));
        hem_stage("smooth");
        smooth(1 + hem_scaled(hem_between(27000, 48000), scale) / cells);
        interpolate();
    }
    hem_result((uint64_t)(1e3 * (x[0] * x[0] + x[cells / 2] * x[cells / 2])));
}
