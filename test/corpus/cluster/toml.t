#### toml
#----
table <> line 0 [0, 0)
#### toml
a = 1
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 5) number 1 <1>
#### toml
a = "b"
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [5, 6) string "b"
#### toml
a = 'b\n'
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [5, 8) string "b\\n"
#### toml
a = "b\n\t\r\"\\"
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [5, 16) string "b\n\t\r\"\\"
#### toml
a = "\0"
#----
line 1: unknown escape in a string
#### toml
a = "\x"
#----
line 1: unknown escape in a string
#### toml
a = "\
#----
line 1: unknown escape in a string
#### toml
a = """
b
c"""
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [8, 11) string "b\nc"
#### toml
a = """b"c""d"""
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [7, 13) string "b\"c\"\"d"
#### toml
a = '''
\x'''
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [8, 10) string "\\x"
#### toml
a = """b
#----
line 2: a string is not closed
#### toml
a = "b
#----
line 1: a string is not closed
#### toml
a = "b
c"
#----
line 1: a string is not closed
#### toml
a = []
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 6) array
#### toml
a = [1]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 7) array
 - line 1 [5, 6) number 1 <1>
#### toml
a = [1, 2,]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 11) array
 - line 1 [5, 6) number 1 <1>
 - line 1 [8, 9) number 2 <2>
#### toml
a = [1, # c
 2
]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 16) array
 - line 1 [5, 6) number 1 <1>
 - line 2 [13, 14) number 2 <2>
#### toml
a = [1 2]
#----
line 1: expected , or ] in an array
#### toml
a = [1
#----
line 2: expected , or ] in an array
#### toml
a = [1,
#----
line 2: a value is missing
#### toml
a = {}
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 6) table of line 1 {
}
#### toml
a = {b = 1}
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 11) table of line 1 {
b [5, 6) = line 1 [9, 10) number 1 <1>
}
#### toml
a = {b = 1, c = "d"}
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 20) table of line 1 {
b [5, 6) = line 1 [9, 10) number 1 <1>
c [12, 13) = line 1 [17, 18) string "d"
}
#### toml
a = {b = 1,
 c = 2}
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 19) table of line 1 {
b [5, 6) = line 1 [9, 10) number 1 <1>
c [13, 14) = line 2 [17, 18) number 2 <2>
}
#### toml
a = {b = 1 c = 2}
#----
line 1: expected , or } in a table
#### toml
a = {b = 1
#----
line 2: expected , or } in a table
#### toml
a = {b}
#----
line 1: = is missing
#### toml
a = {b = 1, b = 2}
#----
line 1: this name was given a value before
#### toml
a = true
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 8) true
#### toml
a = false
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 9) false
#### toml
a = tru
#----
line 1: not a value: strings stand between quotes
#### toml
a = truex
#----
line 1: unexpected text at the end of the line
#### toml
a = 1.5
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 7) number 1.5 <1.5>
#### toml
a = -2
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 6) number -2 <-2>
#### toml
a = +3e2
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 8) number 300 <+3e2>
#### toml
a = 1_000
#----
line 1: not a value: strings stand between quotes
#### toml
a = 2024-01-01
#----
line 1: not a value: strings stand between quotes
#### toml
a = 
#----
line 1: a value is missing
#### toml
a
#----
line 1: = is missing
#### toml
a =
#----
line 1: a value is missing
#### toml
= 1
#----
line 1: a name is missing
#### toml
a.b = 1
#----
line 1: names with dots are not supported
#### toml
"a b" = 1
#----
table <> line 0 [0, 0)
a b [0, 5) = line 1 [8, 9) number 1 <1>
#### toml
'c d' = 2
#----
table <> line 0 [0, 0)
c d [0, 5) = line 1 [8, 9) number 2 <2>
#### toml
a-b_c9 = 1
#----
table <> line 0 [0, 0)
a-b_c9 [0, 6) = line 1 [9, 10) number 1 <1>
#### toml
a = 1 # comment
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 5) number 1 <1>
#### toml
a = 1 b
#----
line 1: unexpected text at the end of the line
#### toml
a = 1
a = 2
#----
line 2: this name was given a value before
#### toml
a = 1
b = 2
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 5) number 1 <1>
b [6, 7) = line 2 [10, 11) number 2 <2>
#### toml
# only

	 
#----
table <> line 0 [0, 0)
#### toml
[t]
#----
table <> line 0 [0, 0)
table <t> line 1 [0, 3)
#### toml
[t]
a = 1
[u]
a = 2
#----
table <> line 0 [0, 0)
table <t> line 1 [0, 3)
a [4, 5) = line 2 [8, 9) number 1 <1>
table <u> line 3 [10, 13)
a [14, 15) = line 4 [18, 19) number 2 <2>
#### toml
[[t]]
a = 1
[[t]]
a = 2
#----
table <> line 0 [0, 0)
element <t> line 1 [0, 5)
a [6, 7) = line 2 [10, 11) number 1 <1>
element <t> line 3 [12, 17)
a [18, 19) = line 4 [22, 23) number 2 <2>
#### toml
[ t ]
#----
table <> line 0 [0, 0)
table <t> line 1 [0, 5)
#### toml
[[ t ]]
#----
table <> line 0 [0, 0)
element <t> line 1 [0, 7)
#### toml
[a.b]
#----
table <> line 0 [0, 0)
table <a.b> line 1 [0, 5)
#### toml
[a.b]x
#----
line 1: unexpected text at the end of the line
#### toml
[t
#----
line 1: ] is missing
#### toml
[[t]
#----
line 1: ] is missing
#### toml
[]
#----
line 1: a name is missing
#### toml
[t] # c
#----
table <> line 0 [0, 0)
table <t> line 1 [0, 3)
#### toml
["q r"]
#----
table <> line 0 [0, 0)
table <q r> line 1 [0, 7)
#### toml
a = [[1], [2, [3]]]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 19) array
 - line 1 [5, 8) array
 - line 1 [6, 7) number 1 <1>
 - line 1 [10, 18) array
 - line 1 [11, 12) number 2 <2>
 - line 1 [14, 17) array
 - line 1 [15, 16) number 3 <3>
#### toml
a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 68) array
 - line 1 [5, 67) array
 - line 1 [6, 66) array
 - line 1 [7, 65) array
 - line 1 [8, 64) array
 - line 1 [9, 63) array
 - line 1 [10, 62) array
 - line 1 [11, 61) array
 - line 1 [12, 60) array
 - line 1 [13, 59) array
 - line 1 [14, 58) array
 - line 1 [15, 57) array
 - line 1 [16, 56) array
 - line 1 [17, 55) array
 - line 1 [18, 54) array
 - line 1 [19, 53) array
 - line 1 [20, 52) array
 - line 1 [21, 51) array
 - line 1 [22, 50) array
 - line 1 [23, 49) array
 - line 1 [24, 48) array
 - line 1 [25, 47) array
 - line 1 [26, 46) array
 - line 1 [27, 45) array
 - line 1 [28, 44) array
 - line 1 [29, 43) array
 - line 1 [30, 42) array
 - line 1 [31, 41) array
 - line 1 [32, 40) array
 - line 1 [33, 39) array
 - line 1 [34, 38) array
 - line 1 [35, 37) array
#### toml
a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 66) array
 - line 1 [5, 65) array
 - line 1 [6, 64) array
 - line 1 [7, 63) array
 - line 1 [8, 62) array
 - line 1 [9, 61) array
 - line 1 [10, 60) array
 - line 1 [11, 59) array
 - line 1 [12, 58) array
 - line 1 [13, 57) array
 - line 1 [14, 56) array
 - line 1 [15, 55) array
 - line 1 [16, 54) array
 - line 1 [17, 53) array
 - line 1 [18, 52) array
 - line 1 [19, 51) array
 - line 1 [20, 50) array
 - line 1 [21, 49) array
 - line 1 [22, 48) array
 - line 1 [23, 47) array
 - line 1 [24, 46) array
 - line 1 [25, 45) array
 - line 1 [26, 44) array
 - line 1 [27, 43) array
 - line 1 [28, 42) array
 - line 1 [29, 41) array
 - line 1 [30, 40) array
 - line 1 [31, 39) array
 - line 1 [32, 38) array
 - line 1 [33, 37) array
 - line 1 [34, 36) array
#### toml
a = 111111111111111111111111111111111111111111111111111111111111111
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 67) number 1.1111111111111112e+62 <111111111111111111111111111111111111111111111111111111111111111>
#### toml
a = 1111111111111111111111111111111111111111111111111111111111111111
#----
line 1: a value is missing
#### toml

a = 1
b = 2
#----
table <> line 0 [0, 0)
a [2, 3) = line 2 [6, 7) number 1 <1>
b [9, 10) = line 3 [13, 14) number 2 <2>
#### toml
a	=	1
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 5) number 1 <1>
#### toml
a = ""
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [5, 5) string 
#### toml
a = """"""
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [7, 7) string 
#### toml
a = [1,2,3,4,5,6,7,8,9,10,11,12,13]
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 35) array
 - line 1 [5, 6) number 1 <1>
 - line 1 [7, 8) number 2 <2>
 - line 1 [9, 10) number 3 <3>
 - line 1 [11, 12) number 4 <4>
 - line 1 [13, 14) number 5 <5>
 - line 1 [15, 16) number 6 <6>
 - line 1 [17, 18) number 7 <7>
 - line 1 [19, 20) number 8 <8>
 - line 1 [21, 22) number 9 <9>
 - line 1 [23, 25) number 10 <10>
 - line 1 [26, 28) number 11 <11>
 - line 1 [29, 31) number 12 <12>
 - line 1 [32, 34) number 13 <13>
#### toml
k0 = 0
k1 = 1
k2 = 2
k3 = 3
k4 = 4
k5 = 5
k6 = 6
k7 = 7
k8 = 8
k9 = 9
k10 = 10
k11 = 11
k12 = 12
k13 = 13
k14 = 14
k15 = 15
k16 = 16
k17 = 17
k18 = 18
k19 = 19
#----
table <> line 0 [0, 0)
k0 [0, 2) = line 1 [5, 6) number 0 <0>
k1 [7, 9) = line 2 [12, 13) number 1 <1>
k2 [14, 16) = line 3 [19, 20) number 2 <2>
k3 [21, 23) = line 4 [26, 27) number 3 <3>
k4 [28, 30) = line 5 [33, 34) number 4 <4>
k5 [35, 37) = line 6 [40, 41) number 5 <5>
k6 [42, 44) = line 7 [47, 48) number 6 <6>
k7 [49, 51) = line 8 [54, 55) number 7 <7>
k8 [56, 58) = line 9 [61, 62) number 8 <8>
k9 [63, 65) = line 10 [68, 69) number 9 <9>
k10 [70, 73) = line 11 [76, 78) number 10 <10>
k11 [79, 82) = line 12 [85, 87) number 11 <11>
k12 [88, 91) = line 13 [94, 96) number 12 <12>
k13 [97, 100) = line 14 [103, 105) number 13 <13>
k14 [106, 109) = line 15 [112, 114) number 14 <14>
k15 [115, 118) = line 16 [121, 123) number 15 <15>
k16 [124, 127) = line 17 [130, 132) number 16 <16>
k17 [133, 136) = line 18 [139, 141) number 17 <17>
k18 [142, 145) = line 19 [148, 150) number 18 <18>
k19 [151, 154) = line 20 [157, 159) number 19 <19>
#### toml
[t0]
[t1]
[t2]
[t3]
[t4]
[t5]
[t6]
[t7]
[t8]
[t9]
[t10]
[t11]
[t12]
[t13]
[t14]
[t15]
[t16]
[t17]
[t18]
[t19]
#----
table <> line 0 [0, 0)
table <t0> line 1 [0, 4)
table <t1> line 2 [5, 9)
table <t2> line 3 [10, 14)
table <t3> line 4 [15, 19)
table <t4> line 5 [20, 24)
table <t5> line 6 [25, 29)
table <t6> line 7 [30, 34)
table <t7> line 8 [35, 39)
table <t8> line 9 [40, 44)
table <t9> line 10 [45, 49)
table <t10> line 11 [50, 55)
table <t11> line 12 [56, 61)
table <t12> line 13 [62, 67)
table <t13> line 14 [68, 73)
table <t14> line 15 [74, 79)
table <t15> line 16 [80, 85)
table <t16> line 17 [86, 91)
table <t17> line 18 [92, 97)
table <t18> line 19 [98, 103)
table <t19> line 20 [104, 109)
#### toml
a = {b = {c = [1, {d = 2}]}}
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 28) table of line 1 {
b [5, 6) = line 1 [9, 27) table of line 1 {
c [10, 11) = line 1 [14, 26) array
 - line 1 [15, 16) number 1 <1>
 - line 1 [18, 25) table of line 1 {
d [19, 20) = line 1 [23, 24) number 2 <2>
}
}
}
#### toml
x = """

b"""
y = 1
#----
table <> line 0 [0, 0)
x [0, 1) = line 1 [8, 10) string "\nb"
y [14, 15) = line 4 [18, 19) number 1 <1>
#### toml
x = [
"a",
"b"
]
y = 2
#----
table <> line 0 [0, 0)
x [0, 1) = line 1 [4, 16) array
 - line 2 [7, 8) string "a"
 - line 3 [12, 13) string "b"
y [17, 18) = line 5 [21, 22) number 2 <2>
#### toml
é = 1
#----
line 1: a name is missing
#### toml
a = nan
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 7) number nan <nan>
#### toml
a = inf
#----
table <> line 0 [0, 0)
a [0, 1) = line 1 [4, 7) number inf <inf>
