# What documents repeat of the tables of the code.
tests/tables
