"""Before and after the converter PrivateNames."""

from __future__ import annotations

from autograph.converters.private_names import PrivateNames
from tests.autograph.converters.steps import after, text


def test_names_attributes_and_parameters_are_written_out() -> None:
    before = """
        def m(self, __x):
            self.__count = __x
            return self.__count + self.__dunder__
    """
    expected = """
        def m(self, _Counter__x):
            self._Counter__count = _Counter__x
            return (self._Counter__count + self.__dunder__)
    """
    assert text(expected) == after(before, PrivateNames, class_name="_Counter")


def test_keyword_arguments_and_nested_classes_are_left_alone() -> None:
    before = """
        def m(self):
            class __Inner:
                __z = 1
            return self.f(__k=1), __Inner
    """
    expected = """
        def m(self):

            class _C__Inner():
                __z = 1
            return (self.f(__k=1), _C__Inner)
    """
    assert text(expected) == after(before, PrivateNames, class_name="C")
