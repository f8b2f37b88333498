"""The order of tests for several workers."""

from support.shares import dealt


def test_each_worker_begins_with_the_slow_files_of_its_share():
    items = ["a1", "a2", "A1", "A2", "b1", "B1", "c1", "c2", "C1", "d1"]
    order = dealt(items, 2, str.isupper, lambda item: item[0])
    assert order == ["A1", "A2", "C1", "a1", "a2", "B1", "b1", "c1", "c2", "d1"]


def test_every_test_is_there_once_whatever_the_number_of_workers():
    items = [*"ABCDEabcdefg"]
    for workers in range(1, 15):
        order = dealt(items, workers, str.isupper, str)
        assert sorted(order) == sorted(items)
