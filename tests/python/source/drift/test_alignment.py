import random

from scopelight.source.drift import alignment
from scopelight.source.drift.alignment import align, longest_rise


def all_pairs(one, other):
    """Every pair that each rank has in any of the longest common subsequences, by the whole tables of lengths."""
    before = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    after = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, left in enumerate(one):
        for column, right in enumerate(other):
            longest = max(before[row][column + 1], before[row + 1][column])
            before[row + 1][column + 1] = before[row][column] + 1 if left == right else longest
    for row in range(len(one) - 1, -1, -1):
        for column in range(len(other) - 1, -1, -1):
            longest = max(after[row + 1][column], after[row][column + 1])
            after[row][column] = after[row + 1][column + 1] + 1 if one[row] == other[column] else longest
    ranks = [set() for _ in range(before[-1][-1])]
    for row, left in enumerate(one):
        for column, right in enumerate(other):
            if left == right and before[row][column] + 1 + after[row + 1][column + 1] == len(ranks):
                ranks[before[row][column]].add((row, column))
    return ranks


def test_a_pair_is_sure_exactly_when_no_other_best_alignment_has_another():
    source = random.Random(7)
    for _ in range(4000):
        texts = source.randint(1, 5)
        one = [source.randrange(texts) for _ in range(source.randint(0, 9))]
        other = list(one) if source.random() < 0.7 else [source.randrange(texts) for _ in range(source.randint(0, 9))]
        for _ in range(source.randint(0, 3)):
            if other and source.random() < 0.5:
                del other[source.randrange(len(other))]
            else:
                other.insert(source.randint(0, len(other)), source.randrange(texts))
        expected = all_pairs(one, other)
        found = align(one, other)
        assert len(found.recorded) == len(expected), (one, other)
        for rank, pairs in enumerate(expected):
            assert (found.recorded[rank], found.present[rank]) in pairs, (one, other)
            assert found.sure[rank] == (len(pairs) == 1), (one, other)
            assert found.last_recorded[rank] == max(row for row, _ in pairs), (one, other)
            assert found.last_present[rank] == max(column for _, column in pairs), (one, other)


def test_too_large_texts_are_divided_at_unique_lines_and_otherwise_paired_in_passing(monkeypatch):
    monkeypatch.setattr(alignment, "MOST_CELLS", 100)
    source = random.Random(3)
    one = [value for part in range(30) for value in (1000 + part, *(source.randrange(3) for _ in range(8)))]
    other = [value for value in one if value >= 1000 or source.random() < 0.8]
    divided = align(one, other)
    pairs = dict(zip(divided.recorded, divided.present, strict=True))
    assert all(one[row] == other[column] for row, column in pairs.items())
    assert divided.recorded == sorted(pairs)
    assert divided.present == sorted(pairs.values())
    assert all(other[pairs[row]] == value for row, value in enumerate(one) if value >= 1000)
    shuffled = align([source.randrange(2) for _ in range(50)], [source.randrange(2) for _ in range(50)])
    assert shuffled.recorded
    assert not any(shuffled.sure)


def test_longest_rise():
    assert longest_rise([]) == []
    assert [[5, 1, 6, 2, 3][at] for at in longest_rise([5, 1, 6, 2, 3])] == [1, 2, 3]
