"""The search itself: exact below beta, otherwise between beta and the value."""

from __future__ import annotations

import pytest

from random_tables import INF, draw_loss, puzzles
from salet import Game
from salet.search.exact.engine import EXPAND, MAX_AT_ONCE, NEXT_GUESS, search
from salet.search.exact.layout import layout_of
from salet.search.exact.solver import Solver
from salet.search.exact.transposition_table import probe
from salet.search.roots import root_of

MODES = [*(("normal", wide) for wide in (False, True)), ("hard", False), ("strict", False)]


def betas(value):
    """Those that tell a right search from a wrong one."""
    return (INF, value + 1, value, value - 1, value - 4, 1)


def assert_contract(found, value, beta):
    """Exact below beta, otherwise between beta and the value."""
    if value < beta:
        assert found == value
    else:
        assert beta <= found <= value


@pytest.mark.tiny
@pytest.mark.parametrize(("mode", "wide"), MODES)
def test_a_value_is_exact_below_beta(mode, wide):
    infinite = lost = 0
    for rng, puzzle in puzzles(41, 250, mode=mode, wide=wide):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        depth = rng.randint(1, len(members) + 1)
        loss = draw_loss(rng, puzzle, depth)
        value = puzzle.value(members, depth, loss)
        infinite, lost = infinite + (value == INF), lost + (loss < value < INF)
        root = puzzle.root(members, depth)
        warm = puzzle.solver(loss)  # knows what the searches before it have found
        for beta in betas(value):
            assert_contract(warm.value(root, beta=beta), value, beta)
            assert_contract(puzzle.solver(loss).value(root, beta=beta), value, beta)
    assert infinite > 0
    assert lost > 0


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_a_value_is_exact_where_every_state_is_large(mode):
    """Guesses are bounded by scans of their parts, and by similar sets of searches before."""
    scans = remembered = 0
    answers = 10 if mode == "strict" else 11  # brute force takes longest there
    for rng, puzzle in puzzles(46, 40, mode=mode, unit=True, answers=answers):
        solver = Solver(puzzle.layout._replace(large=4), megabytes=0.01, similar_mb=0.01)
        for _ in range(3):
            members = rng.sample(puzzle.answers, rng.randint(9, len(puzzle.answers)))
            depth = rng.randint(4, 8)
            value = puzzle.value(members, depth)
            for beta in betas(value):
                assert_contract(solver.value(puzzle.root(members, depth), beta=beta), value, beta)
                solver.table.entries[:] = 0
        scans += solver.stack.counters[0].scans
        remembered += solver.stack.similar.stored[0]
    assert scans > 0
    assert remembered > 0 or mode != "normal"


@pytest.mark.tiny
@pytest.mark.parametrize(("mode", "wide"), MODES)
@pytest.mark.parametrize("in_rounds", [False, True])
def test_the_value_of_a_guess_is_exact_below_beta(mode, wide, in_rounds):
    for rng, puzzle in puzzles(42, 100, mode=mode, wide=wide):
        members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
        depth = rng.randint(1, len(members) + 1)
        loss = draw_loss(rng, puzzle, depth)
        root, solver = puzzle.root(members, depth), puzzle.solver(loss)
        for guess in rng.sample(sorted(puzzle.guesses), 2):
            value = puzzle.value_of_guess(members, guess, depth, loss)
            for beta in betas(value):
                found = solver.value(root, guess, beta, in_rounds=in_rounds)
                assert_contract(found, value, beta)


@pytest.mark.tiny
def test_one_solver_for_every_state_of_a_puzzle():
    """What one search leaves in the table is true for all others."""
    for rng, puzzle in puzzles(43, 25):
        loss = draw_loss(rng, puzzle, 9)
        solver = puzzle.solver(loss)
        for _ in range(20):
            members = rng.sample(puzzle.answers, rng.randint(1, len(puzzle.answers)))
            depth = rng.randint(1, len(members) + 1)
            value = puzzle.value(members, depth, loss)
            feasible = loss == INF and rng.random() < 0.3
            beta = INF if feasible else rng.choice(betas(value))
            found = solver.value(puzzle.root(members, depth), beta=beta, feasible=feasible)
            if feasible:
                assert (found < INF) == (value < INF)
            else:
                assert_contract(found, value, beta)


def run_in_slices(solver, layout, phase, budget):
    """The value, and how often the search paused."""
    pauses = 0
    while True:
        before = solver.nodes
        finished, phase, value = search(layout, solver.stack, solver.table, phase, budget)
        assert solver.nodes <= before + budget
        if finished:
            return int(value), pauses
        pauses += 1


@pytest.mark.tiny
@pytest.mark.parametrize("feasible", [0, 1])
def test_a_paused_search_resumes_as_if_it_had_not_paused(feasible):
    paused = 0
    for rng, puzzle in puzzles(44, 120):
        depth = rng.randint(2, len(puzzle.answers) + 1)
        loss = INF if feasible else draw_loss(rng, puzzle, depth)
        root = puzzle.root(puzzle.answers, depth)
        whole = puzzle.solver(loss)
        value = whole.value(root, feasible=bool(feasible))
        sliced = puzzle.solver(loss)
        sliced.enter(root)
        sliced.stack.frames[0].beta = INF
        sliced.stack.counters[0].level = 0
        layout = sliced.layout._replace(feasible=feasible)
        found, pauses = run_in_slices(sliced, layout, EXPAND, 1)
        assert (found, sliced.nodes) == (value, whole.nodes)
        assert sliced.stack.counters[0].guesses == whole.stack.counters[0].guesses
        assert (sliced.table.entries == whole.table.entries).all()
        paused += pauses > 0
    assert paused > 0


@pytest.mark.tiny
def test_a_guess_in_rounds_can_pause():
    for _, puzzle in puzzles(45, 40, answers=8):
        guess = 0
        root = puzzle.root(puzzle.answers, 8)
        whole = puzzle.solver()
        value = whole.value(root, guess, in_rounds=True)
        sliced = puzzle.solver()
        sliced.value(root, guess, 1, in_rounds=True)  # refuted at once: sets up the frame
        assert sliced.nodes == 0
        frame = sliced.stack.frames[0]
        frame.beta, frame.taken, frame.tried = INF, 0, 0
        assert run_in_slices(sliced, sliced.layout, NEXT_GUESS, 1)[0] == value
        assert sliced.nodes == whole.nodes


@pytest.mark.tiny
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_feasible_is_whether_the_cap_suffices(mode):
    seen = {True: 0, False: 0}
    sooner = 0
    for rng, puzzle in puzzles(46, 150, mode=mode, answers=8):
        members = rng.sample(puzzle.answers, rng.randint(4, 8))
        depth = rng.randint(2, len(members) - 1)
        root, solver, exact = puzzle.root(members, depth), puzzle.solver(), puzzle.solver()
        value = puzzle.value(members, depth)
        assert (solver.value(root, feasible=True) < INF) == (value < INF)
        exact.value(root)
        sooner += solver.nodes < exact.nodes  # the first plan will do
        assert (solver.value(root, feasible=True) < INF) == (value < INF)  # from the table
        guess = rng.choice(sorted(puzzle.guesses))
        of_guess = puzzle.value_of_guess(members, guess, depth)
        assert (solver.value(root, guess, feasible=True) < INF) == (of_guess < INF)
        assert solver.value(root) == value  # what is left in the table are true bounds
        seen[value < INF] += 1
    assert min(seen.values()) > 0
    assert sooner > 0 or mode == "hard"  # where small states are settled by one look


@pytest.mark.tiny
def test_a_search_leaves_its_value_in_the_table():
    for rng, puzzle in puzzles(47, 80):
        if len(puzzle.answers) < 3:
            continue
        depth = rng.randint(2, len(puzzle.answers))
        value, solver = puzzle.value(puzzle.answers, depth), puzzle.solver()
        root = puzzle.root(puzzle.answers, depth)
        solver.value(root, beta=max(1, value - 1))
        lower, upper = probe(solver.table, *solver.stack.keys[0])
        assert lower <= value <= upper or upper == -1
        solver.value(root)
        lower, upper = probe(solver.table, *solver.stack.keys[0])
        if (lower, upper) != (0, -1):  # trivial states are not stored
            assert lower == upper == value


def logged(puzzle, rows):
    """[(path, lower)] of rows of the log, guesses in the game's numbering."""
    found = []
    for row in rows.tolist():
        steps = [(row[2 + 2 * i], row[3 + 2 * i]) for i in range(row[0])]
        path = [(int(puzzle.layout.original[guess]), pattern) for guess, pattern in steps]
        found.append((tuple(path), row[1]))
    return found


@pytest.mark.tiny
@pytest.mark.parametrize("feasible", [False, True])
def test_what_is_logged_is_a_lower_bound_of_the_state_it_names(feasible):
    below_the_bottom = 0
    for rng, puzzle in puzzles(48, 100):
        depth = rng.randint(2, len(puzzle.answers) + 1)
        loss = INF if feasible else draw_loss(rng, puzzle, depth)
        facts = []
        solver = puzzle.solver(loss, log=lambda rows, facts=facts: facts.append(rows))
        root = puzzle.root(puzzle.answers, depth)
        value = solver.value(root, feasible=feasible)
        assert (value < INF) == (puzzle.value(puzzle.answers, depth, loss) < INF)
        for path, lower in (fact for rows in facts for fact in logged(puzzle, rows)):
            members, legal = puzzle.answers, puzzle.guesses
            for guess, pattern in path:
                members = puzzle.split(members, guess)[pattern]
                legal = puzzle.narrow(legal, guess, pattern)
            assert lower <= puzzle.value(members, depth - len(path), loss, legal)
            below_the_bottom += len(path) > 0
    assert below_the_bottom > 0


@pytest.mark.tiny
def test_a_small_log_is_handed_on_in_pieces(monkeypatch):
    """Even one that has fewer rows than the stack has levels."""
    several = 0
    for _, puzzle in puzzles(49, 40, answers=11, others=4):
        root, found = puzzle.root(puzzle.answers, 5), []
        for rows in (4096, 1):
            monkeypatch.setattr("salet.search.exact.solver._LOG_ROWS", rows)
            pieces = []
            solver = puzzle.solver(log=pieces.append, max_depth=5)
            solver.value(root)
            found.append([fact for piece in pieces for fact in logged(puzzle, piece)])
        assert found[0] == found[1]
        several += len(pieces) > 1
    assert several > 0


@pytest.mark.parametrize("mode", ["normal", "hard"])
@pytest.mark.parametrize("cap", [4, 6])
def test_rounds_of_large_parts_give_what_one_part_after_the_other_gives(mode, cap):
    """Parts above MAX_AT_ONCE answers are searched a little at a time."""
    game = Game.named("original:first=400,guesses=answers", mode=mode, cap=cap)
    root = root_of(game.start())
    one_by_one = Solver(layout_of(game), max_depth=cap)
    searched = False
    for guess in (57, 203):
        value = one_by_one.value(root, guess)
        largest = max(len(below.candidates) for below in game.start().groups(guess).values())
        searched |= largest > MAX_AT_ONCE and value < INF
        for beta in [value - 40, value - 1, value, value + 1] if value < INF else [2000]:
            in_rounds = Solver(layout_of(game), max_depth=cap)
            assert_contract(in_rounds.value(root, guess, beta, in_rounds=True), value, beta)
    assert searched or cap == 4
