"""What runs inside the engine for the DataStream API: hosts of user functions, their state and their contexts."""
