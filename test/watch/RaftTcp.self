10 of 10 behaviours explained, 0 not decided; 800 steps, 452 events of s2
changed behaviours that raise an alarm:
a number one more                     5 of      9   56%
a number one less                     6 of      9   67%
a boolean turned                      4 of      6   67%
a field of another message            6 of      6  100%
sent twice                            8 of      9   89%
sent to another node                  9 of      9  100%
sent in another order                 3 of      3  100%
an earlier message instead            9 of      9  100%
an answer to what never came          6 of      7   86%
received with a field changed         3 of      4   75%
not sent                              0 of      9    0%
