"""The program that `thalweg demo` runs. It is a PyFlink program like any other: copy it and change it."""
