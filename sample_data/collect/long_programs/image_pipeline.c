/* An image pipeline on one grey picture of about 250 x 250 points.
 *
 * Stages: paint (discs of random size over noise: bursts), blur (separable passes, smooth and periodic), edges (gradients and a
 * threshold that is hard to predict), equalise (tile histograms, dependent loads and stores), label (connected components by union
 * and find, irregular), report (heap sort of the components by size, mispredicted).
 */
#include "hem.h"

static uint32_t width, height, points;
static uint16_t *image, *spare;
static uint8_t *edge;
static uint32_t *parent, *size_of, *heap;

static void paint(uint32_t discs)
{
    for (uint32_t i = 0; i < points; i++)
        image[i] = (uint16_t)hem_below(4000);
    for (uint32_t d = 0; d < discs; d++) {
        uint32_t cx = hem_below(width), cy = hem_below(height), radius = hem_between(3, 9 + (d & 15) * 2), tone = hem_below(40000);
        uint32_t left = cx > radius ? cx - radius : 0, right = cx + radius < width ? cx + radius : width;
        uint32_t top = cy > radius ? cy - radius : 0, bottom = cy + radius < height ? cy + radius : height;
        for (uint32_t y = top; y < bottom; y++)
            for (uint32_t x = left; x < right; x++) {
                uint32_t dx = x > cx ? x - cx : cx - x, dy = y > cy ? y - cy : cy - y;
                if (dx * dx + dy * dy <= radius * radius)
                    image[y * width + x] = (uint16_t)((image[y * width + x] + tone) / 2);
            }
    }
}

/* One pass along rows (step 1) or columns (step = width): five taps. */
static void blur(const uint16_t *from, uint16_t *to, uint32_t step)
{
    for (uint32_t i = 0; i < 2 * step; i++) {
        to[i] = from[i];
        to[points - 1 - i] = from[points - 1 - i];
    }
    for (uint32_t i = 2 * step; i < points - 2 * step; i++)
        to[i] = (uint16_t)((from[i - 2 * step] + 4u * from[i - step] + 6u * from[i] + 4u * from[i + step] + from[i + 2 * step]) / 16);
}

static uint32_t find_edges(uint32_t limit)
{
    uint32_t found = 0;
    for (uint32_t y = 1; y + 1 < height; y++)
        for (uint32_t x = 1; x + 1 < width; x++) {
            const uint16_t *at = image + y * width + x;
            int32_t gx = at[1] - at[-1], gy = at[width] - at[-(int32_t)width];
            uint32_t steep = (uint32_t)(gx < 0 ? -gx : gx) + (uint32_t)(gy < 0 ? -gy : gy);
            edge[y * width + x] = 0;
            if (steep > limit + hem_below(300)) {
                edge[y * width + x] = 1;
                found++;
            }
        }
    return found;
}

/* Spreads the tones of one tile over the whole range. */
static void equalise(uint32_t x0, uint32_t y0, uint32_t side, uint32_t *counts)
{
    uint32_t x1 = x0 + side < width ? x0 + side : width, y1 = y0 + side < height ? y0 + side : height, sum = 0;
    for (uint32_t i = 0; i < 256; i++)
        counts[i] = 1;
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++)
            counts[image[y * width + x] >> 8]++;
    for (uint32_t i = 0; i < 256; i++) {
        sum += counts[i];
        counts[i] = sum;
    }
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++)
            image[y * width + x] = (uint16_t)((uint64_t)counts[image[y * width + x] >> 8] * 60000u / sum);
}

static uint32_t root(uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins neighbours that are alike: both on no edge and their tones in the same band. */
static void label(uint32_t bands)
{
    for (uint32_t i = 0; i < points; i++) {
        parent[i] = i;
        size_of[i] = 0;
    }
    for (uint32_t i = width; i < points; i++) {
        if (edge[i])
            continue;
        if (!edge[i - 1] && image[i] * bands >> 16 == image[i - 1] * bands >> 16)
            parent[root(i)] = root(i - 1);
        if (!edge[i - width] && image[i] * bands >> 16 == image[i - width] * bands >> 16)
            parent[root(i)] = root(i - width);
    }
    for (uint32_t i = 0; i < points; i++)
        size_of[root(i)]++;
}

static void sift(uint32_t at, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        uint32_t kept = heap[at];
        heap[at] = heap[child];
        heap[child] = kept;
    }
}

static uint32_t report(void)
{
    uint32_t count = 0, sum = 0;
    for (uint32_t i = 0; i < points; i++)
        if (size_of[i] > 1)
            heap[count++] = size_of[i] * 64 + (i & 63);
    for (uint32_t i = count / 2; i-- > 0;)
        sift(i, count);
    for (uint32_t left = count; left > 1; left--) {
        sum = sum * 31 + heap[0];
        heap[0] = heap[left - 1];
        sift(0, left - 1);
    }
    return sum + count;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    width = hem_between(220, 280);
    height = 8 + hem_scaled(hem_between(220, 280), scale);
    points = width * height;
    image = hem_alloc(points * sizeof *image);
    spare = hem_alloc(points * sizeof *spare);
    edge = hem_alloc(points);
    parent = hem_alloc(points * sizeof *parent);
    size_of = hem_alloc(points * sizeof *size_of);
    heap = hem_alloc(points * sizeof *heap);
    uint32_t *counts = hem_alloc(256 * sizeof *counts);

    hem_stage("paint");
    paint(hem_scaled(hem_between(130, 230), scale));
    hem_stage("blur");
    for (uint32_t left = hem_between(3, 5); left > 0; left--) {
        blur(image, spare, 1);
        blur(spare, image, width);
    }
    hem_stage("edges");
    uint32_t limit = hem_between(600, 1500);
    for (uint32_t left = hem_between(2, 3); left > 0; left--, limit += 400)
        hem_result(find_edges(limit));
    hem_stage("equalise");
    for (uint32_t side = 16, last = hem_between(3, 5); last > 0; side += 12, last--)
        for (uint32_t y = 0; y < height; y += side)
            for (uint32_t x = 0; x < width; x += side)
                equalise(x, y, side, counts);
    hem_stage("label");
    label(hem_between(6, 12));
    hem_stage("report");
    hem_result(report());
}
