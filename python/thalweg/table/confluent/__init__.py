"""The classes that Confluent adds to the Table API, in this process: `client.rest-endpoint = local`."""

from thalweg._lazy import lazy_exports

__all__ = ["ConfluentFlinkException", "ConfluentSettings", "ConfluentTableDescriptor", "ConfluentTools"]

__getattr__ = lazy_exports(
    __name__,
    {
        "confluent_settings": ["ConfluentFlinkException", "ConfluentSettings"],
        "confluent_table_descriptor": ["ConfluentTableDescriptor"],
        "confluent_tools": ["ConfluentTools"],
    },
)
