"""Solutions and typical mistakes, for trainers and tests: a module for each exercise.

Functions that start with ``solution_`` solve the exercise; those in ``MISTAKES`` make one mistake each, under the name
of the hint they should get.
"""
