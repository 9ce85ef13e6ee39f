---- MODULE W6002_file_of_standard_module ----
EXTENDS Naturals
Two == 1 + 1
====
