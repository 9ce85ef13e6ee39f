--------------------------------- MODULE CSV --------------------------------
(* Lines of values in files. *)

LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

(* Appends a line: the template with %1$s, %2$s, ... replaced by the values. *)
CSVWrite(template, val, file) == TRUE

(* Appends the fields of a record; before them a line of their names when headers is TRUE. *)
CSVWriteRecord(record, delim, headers, file) == TRUE

(* The lines of a file as records from column names to strings; and how many lines there are. *)
CSVRead(columns, delimiter, file) == CHOOSE rows : rows = rows
CSVRecords(file)                  == CHOOSE n \in Nat : TRUE
=============================================================================
