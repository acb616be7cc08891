/* Sudoku as exact cover with dancing links: a solved grid is shuffled, cells are taken out, and up to two completions are counted. */
#include "hem.h"

#define COLUMNS 324
#define NODES (1 + COLUMNS + 729 * 4)

struct node {
    uint32_t left, right, up, down, column, row;
};

static struct node *nodes;
static uint32_t column_size[COLUMNS + 1];
static uint32_t used, budget, most_solutions, solutions, links;
static uint8_t grid[81];

static uint32_t row_start(uint32_t row) { return 1 + COLUMNS + 4 * row; }

static void build_matrix(void)
{
    for (uint32_t c = 0; c <= COLUMNS; c++) {
        struct node *head = &nodes[c];
        head->left = c ? c - 1 : COLUMNS;
        head->right = c < COLUMNS ? c + 1 : 0;
        head->up = head->down = head->column = c;
        column_size[c] = 0;
    }
    for (uint32_t row = 0; row < 729; row++) {
        uint32_t cell = row / 9, digit = row % 9, y = cell / 9, x = cell % 9, box = y / 3 * 3 + x / 3, first = row_start(row);
        const uint32_t columns[4] = {1 + cell, 82 + y * 9 + digit, 163 + x * 9 + digit, 244 + box * 9 + digit};
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t c = columns[i], at = first + i, last = nodes[c].up;
            nodes[at].left = first + (i + 3) % 4;
            nodes[at].right = first + (i + 1) % 4;
            nodes[at].up = last;
            nodes[at].down = c;
            nodes[at].column = c;
            nodes[at].row = row;
            nodes[last].down = nodes[c].up = at;
            column_size[c]++;
        }
    }
}

static void cover(uint32_t c)
{
    links += 1 + 3 * column_size[c];
    nodes[nodes[c].right].left = nodes[c].left;
    nodes[nodes[c].left].right = nodes[c].right;
    for (uint32_t i = nodes[c].down; i != c; i = nodes[i].down)
        for (uint32_t j = nodes[i].right; j != i; j = nodes[j].right) {
            nodes[nodes[j].down].up = nodes[j].up;
            nodes[nodes[j].up].down = nodes[j].down;
            column_size[nodes[j].column]--;
        }
}

static void uncover(uint32_t c)
{
    for (uint32_t i = nodes[c].up; i != c; i = nodes[i].up)
        for (uint32_t j = nodes[i].left; j != i; j = nodes[j].left) {
            column_size[nodes[j].column]++;
            nodes[nodes[j].down].up = j;
            nodes[nodes[j].up].down = j;
        }
    nodes[nodes[c].right].left = c;
    nodes[nodes[c].left].right = c;
}

static void search(void)
{
    if (nodes[0].right == 0) {
        solutions++;
        return;
    }
    uint32_t best = nodes[0].right;
    for (uint32_t c = nodes[0].right; c != 0 && column_size[best] > 1; c = nodes[c].right)
        if (column_size[c] < column_size[best])
            best = c;
    if (column_size[best] == 0)
        return;
    cover(best);
    for (uint32_t i = nodes[best].down; i != best && solutions < most_solutions && used < budget; i = nodes[i].down) {
        used++;
        for (uint32_t j = nodes[i].right; j != i; j = nodes[j].right)
            cover(nodes[j].column);
        search();
        for (uint32_t j = nodes[i].left; j != i; j = nodes[j].left)
            uncover(nodes[j].column);
    }
    uncover(best);
}

/* A solved grid: the cyclic pattern under random names for the digits, and random orders of the rows and columns within bands. */
static void make_grid(uint32_t given)
{
    uint8_t name[9], line[2][9];
    for (uint32_t i = 0; i < 9; i++)
        name[i] = line[0][i] = line[1][i] = (uint8_t)i;
    for (uint32_t i = 8; i > 0; i--) {
        uint32_t j = hem_below(i + 1), kept = name[i];
        name[i] = name[j];
        name[j] = (uint8_t)kept;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t k = i / 3 * 3 + hem_below(i % 3 + 1);
            kept = line[side][i];
            line[side][i] = line[side][k];
            line[side][k] = (uint8_t)kept;
        }
    }
    for (uint32_t cell = 0; cell < 81; cell++) {
        uint32_t y = line[0][cell / 9], x = line[1][cell % 9];
        grid[cell] = hem_below(81) < given ? (uint8_t)(1 + name[(y * 3 + y / 3 + x) % 9]) : 0;
    }
}

void hem_main(uint32_t seed, uint32_t scale)
{
    (void)seed;
    nodes = hem_alloc(NODES * sizeof *nodes);
    uint32_t limit = hem_scaled(hem_between(90000, 230000), scale), given = hem_between(18, 36);
    most_solutions = hem_between(2, 30);
    hem_stage("puzzles");
    while (links < limit) {
        make_grid(given);
        build_matrix();
        used = solutions = 0;
        budget = 250;
        for (uint32_t cell = 0; cell < 81; cell++)
            if (grid[cell])
                for (uint32_t i = 0, at = row_start(cell * 9 + grid[cell] - 1u); i < 4; i++)
                    cover(nodes[at + i].column);
        search();
        hem_result(solutions);
        hem_result(used);
    }
}
