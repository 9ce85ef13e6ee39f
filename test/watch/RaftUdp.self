3 of 3 behaviours explained, 0 not decided; 75 steps, 35 events of s1
changed behaviours that raise an alarm:
a number one more                     3 of      3  100%
a number one less                     2 of      3   67%  (1 not decided)
a boolean turned                      1 of      3   33%  (1 not decided)
a field of another message            3 of      3  100%
sent twice                            2 of      3   67%
sent to another node                  0 of      0
sent in another order                 0 of      3    0%
an earlier message instead            3 of      3  100%
an answer to what never came          3 of      3  100%
received with a field changed         2 of      3   67%
not sent                              0 of      3    0%
