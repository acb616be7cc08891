/* Queens on boards with blocked squares: all placements counted by backtracking on bit masks, then large boards repaired step by step. */
#include "hem.h"

#define LARGE 72

static uint32_t size, full;
static uint32_t blocked[16];
static uint64_t budget; /* how many more nodes may be visited */

/* Counts the ways to fill the rows from `row` on; a budget that is used up cuts the search short. */
static uint32_t place(uint32_t row, uint32_t columns, uint32_t left, uint32_t right)
{
    if (row == size)
        return 1;
    uint32_t ways = 0;
    uint32_t open = full & ~(columns | left | right | blocked[row]);
    while (open && budget) {
        uint32_t bit = open & (0u - open);
        open ^= bit;
        budget--;
        ways += place(row + 1, columns | bit, ((left | bit) << 1) & full, (right | bit) >> 1);
    }
    return ways;
}

static void make_board(uint32_t percent_blocked)
{
    full = (1u << size) - 1;
    for (uint32_t row = 0; row < size; row++) {
        blocked[row] = 0;
        for (uint32_t column = 0; column < size; column++)
            if (hem_below(100) < percent_blocked)
                blocked[row] |= 1u << column;
    }
}

static uint32_t where[LARGE];
static uint32_t in_column[LARGE], in_rising[2 * LARGE], in_falling[2 * LARGE];

static void put(uint32_t row, uint32_t column, uint32_t change)
{
    in_column[column] += change;
    in_rising[row + column] += change;
    in_falling[row + LARGE - column] += change;
}

static uint32_t attacks(uint32_t row, uint32_t column)
{
    return in_column[column] + in_rising[row + column] + in_falling[row + LARGE - column];
}

/* Moves queens to the least attacked column of their row until nothing is attacked; returns the moves that it took. */
static uint32_t repair(uint32_t side, uint32_t most_moves)
{
    for (uint32_t i = 0; i < LARGE; i++)
        in_column[i] = in_rising[i] = in_falling[i] = in_rising[i + LARGE] = in_falling[i + LARGE] = 0;
    for (uint32_t row = 0; row < side; row++) {
        where[row] = hem_below(side);
        put(row, where[row], 1);
    }
    uint32_t moves = 0, calm = 0;
    for (uint32_t row = 0; calm < side && moves < most_moves; row = row + 1 < side ? row + 1 : 0) {
        put(row, where[row], 0u - 1);
        if (attacks(row, where[row]) == 0) {
            put(row, where[row], 1);
            calm++;
            continue;
        }
        uint32_t best = hem_below(side), fewest = attacks(row, best);
        for (uint32_t column = 0; column < side; column++) {
            uint32_t here = attacks(row, column);
            if (here < fewest || (here == fewest && (hem_random() & 3) == 0)) {
                fewest = here;
                best = column;
            }
        }
        where[row] = best;
        put(row, best, 1);
        calm = 0;
        moves++;
    }
    return moves;
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    uint64_t total = hem_scaled(hem_between(70000, 190000), scale);
    uint32_t percent = hem_below(25);
    hem_stage("count");
    while (total > 0) {
        size = hem_between(7, 11);
        make_board(percent);
        uint64_t share = total < 12000 ? total : 12000;
        budget = share;
        hem_result(place(0, 0, 0, 0));
        total -= share - budget < 20 ? (total < 20 ? total : 20) : share - budget;
    }

    hem_stage("repair");
    uint32_t moves_left = hem_scaled(hem_between(1200, 4500), scale);
    while (moves_left > 0) {
        uint32_t moves = repair(hem_between(24, LARGE), moves_left < 400 ? moves_left : 400);
        hem_result(moves);
        moves_left -= moves ? moves : 1;
    }
}
