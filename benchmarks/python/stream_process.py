"""DataStream: a keyed process function with state and a timer for every thousandth record of a key. usage: stream_process.py RECORDS"""

from pyflink.common import Types
from pyflink.datastream import KeyedProcessFunction, RuntimeContext
from pyflink.datastream.state import ValueStateDescriptor
from stream_programs import forget, sequence


class Count(KeyedProcessFunction):
    """Counts the records of a key."""

    def open(self, runtime_context: RuntimeContext):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value, ctx):
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        if count % 1000 == 0:
            ctx.timer_service().register_event_time_timer(count)
        yield count

    def on_timer(self, timestamp, ctx):
        yield timestamp


env, numbers = sequence()
forget(numbers.key_by(lambda x: x % 100, key_type=Types.LONG()).process(Count(), output_type=Types.LONG()))
env.execute()
