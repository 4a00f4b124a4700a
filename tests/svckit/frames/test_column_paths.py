"""The columns of the frame of users have the paths by which your own data name them."""

from svckit.frames.user_columns import LISTS, USERS
from svckit.models.base import wire_name
from svckit.models.column_paths import DERIVED_COLUMNS, USER_COLUMNS


def test_each_column_has_the_path_that_data_give_it():
    paths = {
        column.name: column.path.removesuffix("[joined]").removesuffix("[json]")
        for column in (*USERS, *LISTS)
        if column.name not in DERIVED_COLUMNS
    }
    assert paths == {name: USER_COLUMNS.get(name, wire_name(name)) for name in paths}
    assert USER_COLUMNS.keys() <= paths.keys()


def test_derived_columns_are_those_that_are_computed():
    computed = {column.name for column in USERS if column.derive or column.path.endswith("[count]")}
    assert computed == DERIVED_COLUMNS, "change DERIVED_COLUMNS in svckit/models/column_paths.py"
