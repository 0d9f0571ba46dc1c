"""What a Python shell begins with: `from pyflink.shell import *` gives the names of both APIs and two environments."""

# ruff: noqa: F403 - the names of both APIs are what it is for

from __future__ import annotations

from thalweg.common import *
from thalweg.datastream import *
from thalweg.datastream import StreamExecutionEnvironment
from thalweg.metrics import *
from thalweg.table import *
from thalweg.table import StreamTableEnvironment
from thalweg.table.catalog import *
from thalweg.table.window import *

s_env = StreamExecutionEnvironment.get_execution_environment()
st_env = StreamTableEnvironment.create(s_env)
