"""The part of py4j that PyFlink programs import: its exceptions. There is no JVM and no gateway."""
