"""What programs that test DataStream jobs import from Flink's own test package."""
