10 of 10 behaviours explained, 0 not decided; 400 steps, 280 events of a1
changed behaviours that raise an alarm:
a number one more                     8 of     10   80%
a number one less                     9 of     10   90%
a boolean turned                      0 of      0
a field of another message            4 of      5   80%
sent twice                            0 of     10    0%
sent to another node                  0 of      0
sent in another order                 0 of      2    0%
an earlier message instead            0 of      8    0%
an answer to what never came          2 of     10   20%
received with a field changed         1 of     10   10%
not sent                              0 of     10    0%
