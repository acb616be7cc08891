/* A workshop simulated with a binary heap of events: each event is handled by the function of its kind, which plans others. */
#include "hem.h"

struct event {
    uint64_t time;
    uint32_t kind, subject;
};

struct machine {
    uint32_t waiting, busy, broken, done, repairs, inspected;
};

enum { ARRIVE, START, FINISH, BREAK, REPAIR, INSPECT, KINDS };

static struct event *heap; /* heap[1] is the earliest */
static uint32_t pending, room;
static struct machine *machines;
static uint32_t machine_count, gap, service, fault_share;
static uint64_t lost;

static void plan(uint64_t time, uint32_t kind, uint32_t subject)
{
    if (pending == room) {
        lost++;
        return;
    }
    uint32_t at = ++pending;
    while (at > 1 && heap[at / 2].time > time) {
        heap[at] = heap[at / 2];
        at /= 2;
    }
    heap[at].time = time;
    heap[at].kind = kind;
    heap[at].subject = subject;
}

static struct event earliest(void)
{
    struct event first = heap[1], last = heap[pending--];
    uint32_t at = 1;
    for (uint32_t child = 2; child <= pending; child = 2 * at) {
        if (child < pending && heap[child + 1].time < heap[child].time)
            child++;
        if (heap[child].time >= last.time)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

static void on_arrive(const struct event *e)
{
    machines[e->subject].waiting++;
    plan(e->time, START, e->subject);
    plan(e->time + 1 + hem_below(gap), ARRIVE, hem_below(machine_count));
}

static void on_start(const struct event *e)
{
    struct machine *m = &machines[e->subject];
    if (m->busy || m->broken || m->waiting == 0)
        return;
    m->waiting--;
    m->busy = 1;
    if (hem_below(1000) < fault_share)
        plan(e->time + hem_below(service), BREAK, e->subject);
    else
        plan(e->time + service / 2 + hem_below(service), FINISH, e->subject);
}

static void on_finish(const struct event *e)
{
    struct machine *m = &machines[e->subject];
    m->busy = 0;
    m->done++;
    if (m->done % 16 == 0)
        plan(e->time + 4 * (uint64_t)service, INSPECT, e->subject);
    if (m->waiting)
        plan(e->time + 1, START, e->subject);
}

static void on_break(const struct event *e)
{
    machines[e->subject].busy = 0;
    machines[e->subject].broken = 1;
    plan(e->time + 3 * (uint64_t)service + hem_below(service), REPAIR, e->subject);
}

static void on_repair(const struct event *e)
{
    machines[e->subject].broken = 0;
    machines[e->subject].repairs++;
    plan(e->time + 1, START, e->subject);
}

static void on_inspect(const struct event *e)
{
    uint32_t sum = 0; /* looks at the neighbouring machines too */
    for (uint32_t i = 0; i < 24; i++)
        sum += machines[(e->subject + i) % machine_count].waiting;
    machines[e->subject].inspected += sum;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    static void (*const handlers[KINDS])(const struct event *) = {on_arrive, on_start, on_finish, on_break, on_repair, on_inspect};
    (void)seed;
    uint32_t events = hem_scaled(hem_between(12000, 30000), scale), sources = hem_between(100, 6000);
    machine_count = hem_between(50, 5000);
    gap = hem_between(50, 4000);
    service = hem_between(20, 3000);
    fault_share = hem_below(200);
    room = 60000;
    heap = hem_alloc((room + 1) * sizeof *heap);
    machines = hem_alloc(machine_count * sizeof *machines);

    hem_stage("fill");
    for (uint32_t i = 0; i < sources; i++)
        plan(hem_below(gap), ARRIVE, hem_below(machine_count));
    hem_stage("simulate");
    uint64_t now = 0;
    for (uint32_t i = 0; i < events && pending > 0; i++) {
        struct event event = earliest();
        now = event.time;
        handlers[event.kind](&event);
    }
    hem_result(now);
    hem_result(pending + lost);
    for (uint32_t i = 0; i < machine_count; i++)
        hem_result(machines[i].done * 64ull + machines[i].repairs + machines[i].inspected);
}
