---- MODULE E3013_label_outside_definition ----
ASSUME here :: TRUE
====
