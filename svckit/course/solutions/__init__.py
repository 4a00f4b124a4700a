"""Solutions of the exercises, which learners see once they have solved one: a module for each lesson."""
