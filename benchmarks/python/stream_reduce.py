"""DataStream: map, key_by, reduce; a hundred keys. usage: stream_reduce.py RECORDS"""

from pyflink.common import Types
from stream_programs import forget, sequence

env, numbers = sequence()
sums = (
    numbers.map(lambda x: (x % 100, x), output_type=Types.TUPLE([Types.LONG(), Types.LONG()]))
    .key_by(lambda pair: pair[0], key_type=Types.LONG())
    .reduce(lambda left, right: (left[0], left[1] + right[1]))
)
forget(sums)
env.execute()
