"""Before and after the converter Supers."""

from __future__ import annotations

from autograph.converters.supers import Supers
from tests.autograph.converters.steps import after, text


def test_super_gets_its_class_and_first_parameter() -> None:
    before = """
        def area(self, x):
            return super().area(x) + super(B, self).area(x)
    """
    expected = """
        def area(self, x):
            return (super(__class__, self).area(x) + super(B, self).area(x))
    """
    assert text(expected) == after(before, Supers, class_name="B")


def test_a_nested_function_uses_its_own_first_parameter() -> None:
    before = """
        def area(self):
            def g(other):
                return super().area()
            return (g, (lambda this: super().area()))
    """
    expected = """
        def area(self):

            def g(other):
                return super(__class__, other).area()
            return (g, (lambda this: super(__class__, this).area()))
    """
    assert text(expected) == after(before, Supers, class_name="B")


def test_a_function_without_parameters_is_left_alone() -> None:
    before = """
        def area():
            return super().area()
    """
    expected = """
        def area():
            return super().area()
    """
    assert text(expected) == after(before, Supers, class_name="B")


def test_outside_of_a_class_only_methods_of_inner_classes_change() -> None:
    before = """
        def area(self):
            class C(B):
                def g(this):
                    return super().g()
            return super().area()
    """
    expected = """
        def area(self):

            class C(B):

                def g(this):
                    return super(__class__, this).g()
            return super().area()
    """
    assert text(expected) == after(before, Supers)


def test_a_user_defined_super_is_left_alone() -> None:
    before = """
        def area(self):
            return super().area()
    """
    assert text(before) == after(before, Supers, class_name="B", namespace={"super": print})


def test_a_deleted_parameter_is_not_read() -> None:
    before = """
        def area(self):
            del self
            return super().area()
    """
    assert text(before) == after(before, Supers, class_name="B")
    before = """
        def area(self):
            nonlocal __class__
            del __class__
            return super().area()
    """
    assert text(before) == after(before, Supers, class_name="B")
