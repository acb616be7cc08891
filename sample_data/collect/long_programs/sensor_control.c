/* The control loop of a plant with many sensors. Every tick reads a block of samples and calls the handler of each sensor through a
 * pointer; a supervisor changes the mode every so many ticks.
 *
 * Stages: calibrate (least squares per sensor, smooth floating point), then, several times round and for times of their own: track (a
 * filter bank with a burst of planning every few ticks: periodic), search (pattern look-up in a history of growing length, up to 4 MiB),
 * alarm (handlers picked by noisy readings: indirect calls and branches that mispredict), log (readings written out: store-heavy);
 * and at the end: review (sorts the logged peaks).
 */
#include "hem.h"

#define SENSORS 48u
#define TAPS 16u
#define HISTORY (1u << 20)

typedef int32_t handler(uint32_t sensor, int32_t reading);

static float gain[SENSORS], offset[SENSORS], level[SENSORS], taps[TAPS], recent[SENSORS][TAPS];
static int32_t threshold[SENSORS];
static uint32_t alarms[8], history_used, log_used, tick;
static int32_t *history;
static uint32_t *log_words, *peaks;

static int32_t read_sensor(uint32_t sensor)
{
    tick++;
    return (int32_t)((tick * (sensor + 3)) % 2000) + (int32_t)hem_below(600) - 300;
}

static int32_t ignore(uint32_t sensor, int32_t reading) { return reading + (int32_t)sensor; }
static int32_t raise(uint32_t sensor, int32_t reading)
{
    alarms[sensor & 7]++;
    return reading > 1000 ? 1000 : reading;
}
static int32_t soften(uint32_t sensor, int32_t reading)
{
    for (uint32_t k = sensor & 3; k < 6 && reading > 40; k++)
        reading -= reading >> 2;
    return reading;
}
static int32_t vote(uint32_t sensor, int32_t reading)
{
    uint32_t votes = 0;
    for (uint32_t k = 1; k < 8; k++)
        if (level[(sensor + k) % SENSORS] > (float)reading)
            votes++;
    return votes > 3 ? -reading : reading;
}
static int32_t adapt(uint32_t sensor, int32_t reading)
{
    threshold[sensor] += reading > threshold[sensor] ? 7 : -7;
    return threshold[sensor];
}
static int32_t smooth(uint32_t sensor, int32_t reading)
{
    level[sensor] += 0.1f * ((float)reading - level[sensor]);
    return (int32_t)level[sensor];
}
static handler *const handlers[8] = {ignore, raise, soften, vote, adapt, smooth, ignore, raise};

static void calibrate(uint32_t samples)
{
    for (uint32_t s = 0; s < SENSORS; s++) {
        float sx = 0.0f, sy = 0.0f, sxx = 0.0f, sxy = 0.0f;
        for (uint32_t i = 0; i < samples; i++) {
            float x = (float)(i % 100) * 0.01f, y = (float)read_sensor(s) * 0.001f;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        float n = (float)samples;
        gain[s] = (n * sxy - sx * sy) / (n * sxx - sx * sx + 0.01f);
        offset[s] = (sy - gain[s] * sx) / n;
        threshold[s] = 900;
    }
}

/* Looks ahead with the model of one sensor, longer where it swings. */
static void plan(uint32_t sensor)
{
    float state = level[sensor], best = 1e9f;
    for (uint32_t candidate = 0; candidate < 12; candidate++) {
        float cost = 0.0f, at = state;
        for (uint32_t step = 0; step < 20 && cost < best; step++) {
            at += 0.2f * ((float)candidate * 100.0f - at) + offset[sensor];
            cost += (at - 700.0f) * (at - 700.0f) * 0.001f;
        }
        best = cost < best ? cost : best;
    }
    level[sensor] += best < 1e5f ? 1.0f : -1.0f;
}

static void track(uint32_t ticks, uint32_t period)
{
    for (uint32_t t = 0; t < ticks; t++) {
        for (uint32_t s = 0; s < SENSORS; s++) {
            float sum = 0.0f;
            recent[s][t % TAPS] = (float)read_sensor(s);
            for (uint32_t k = 0; k < TAPS; k++)
                sum += taps[k] * recent[s][(t + k) % TAPS];
            level[s] = sum + gain[s] + offset[s];
        }
        if (t % period == 0)
            for (uint32_t s = 0; s < SENSORS; s++)
                plan(s);
    }
}

/* Appends readings to the history and looks for where the newest ones were seen before. */
static uint32_t search(uint32_t ticks, uint32_t growth)
{
    uint32_t found = 0;
    for (uint32_t t = 0; t < ticks; t++) {
        for (uint32_t k = 0; k < growth; k += 64) /* a reading per 256 bytes stands for the stretch */
            history[(history_used + k) % HISTORY] = read_sensor(k % SENSORS);
        history_used = history_used + growth < HISTORY ? history_used + growth : HISTORY;
        int32_t wanted = history[hem_below(history_used) & ~63u];
        for (uint32_t tries = 0, at = hem_below(history_used); tries < 60; tries++) {
            if (history[at & ~63u] == wanted) {
                found++;
                break;
            }
            at = (at * 1664525u + 1013904223u) % history_used;
        }
    }
    return found;
}

static uint32_t alarm(uint32_t ticks)
{
    uint32_t sum = 0;
    for (uint32_t t = 0; t < ticks; t++)
        for (uint32_t s = 0; s < SENSORS; s++) {
            int32_t reading = read_sensor(s);
            uint32_t kind = (uint32_t)reading % 11 % 8;
            if (reading > threshold[s])
                reading = handlers[kind ^ 1](s, reading);
            sum += (uint32_t)handlers[kind](s, reading);
        }
    return sum;
}

static void write_log(uint32_t ticks, uint32_t capacity)
{
    for (uint32_t t = 0; t < ticks; t++)
        for (uint32_t s = 0; s < SENSORS; s++)
            for (uint32_t k = 0; k < TAPS; k++) {
                log_words[log_used] = t ^ (s << 8) ^ (uint32_t)threshold[s];
                log_used = log_used + 1 == capacity ? 0 : log_used + 1;
            }
}

static uint32_t review(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        peaks[i] = log_words[i * 16] * 2654435761u >> 8;
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t value = peaks[i], k = i;
            for (; k >= gap && peaks[k - gap] > value; k -= gap)
                peaks[k] = peaks[k - gap];
            peaks[k] = value;
        }
    return peaks[count / 2];
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint32_t rounds = hem_between(2, 3), share = scale * 5 / (rounds + 2), capacity = 1u << hem_between(17, 20);
    history = hem_alloc(HISTORY * sizeof *history);
    log_words = hem_alloc(capacity * sizeof *log_words);
    peaks = hem_alloc(65536 * sizeof *peaks);
    for (uint32_t k = 0; k < TAPS; k++)
        taps[k] = (float)hem_uniform() / TAPS;

    hem_stage("calibrate");
    calibrate(hem_scaled(hem_between(5000, 8000), scale));
    for (uint32_t round = 0; round < rounds; round++) {
        hem_stage("track");
        track(hem_scaled(hem_between(90, 150), share), hem_between(8, 16));
        hem_stage("search");
        hem_result(search(hem_scaled(hem_between(2000, 3200), share), 64 * hem_between(4, 16)));
        hem_stage("alarm");
        hem_result(alarm(hem_scaled(hem_between(450, 750), share)));
        hem_stage("log");
        write_log(hem_scaled(hem_between(120, 200), share), capacity);
    }
    hem_stage("review");
    hem_result(review(hem_between(4000, 8000)));
    hem_result(alarms[1] + 31u * alarms[2]);
    hem_result(log_used);
}
