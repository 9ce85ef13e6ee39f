-------------------------------- MODULE Wide --------------------------------
EXTENDS Integers, Sequences
CONSTANT NodesOfTheCluster
(* --algorithm Wide {
variables firstVariable = 1, secondVariable = 2, thirdVariable = 3, fourthVariable = 4, fifthVariable = 5, sixth = 6;
procedure FirstProcedure(argumentOfTheFirst) variable localOfTheFirst = 0; {
FirstLabelOfFirst:+ firstVariable := argumentOfTheFirst;
SecondLabelOfFirst:- localOfTheFirst := 1;
ThirdLabelOfFirst:- return }
procedure SecondProcedure() {
FirstLabelOfSecond: secondVariable := 1;
SecondLabelOfSecond:+ call FirstProcedure(2);
ThirdLabelOfSecond: return }
fair process (ProcessWithAVeryLongName \in NodesOfTheCluster)
variable localOfTheProcess = 0; {
LabelNumberOneOfTheProcess:+ call SecondProcedure();
LabelNumberTwoOfTheProcess:- localOfTheProcess := 2;
LabelNumberThreeOfTheProcess:- if (localOfTheProcess = 1) { sixth := 1 } else { thirdVariable := 2; fourthVariable := 3; fifthVariable := 3 };
LabelNumberFourOfTheProcess: either { firstVariable := 0; secondVariable := 0; thirdVariable := 0 } or { sixth := 0 } or skip;
LabelNumberFiveOfTheProcess: goto Done;
}
fair process (Alone = <<1,
                        2>>) {
A1:- call FirstProcedure(1);
A2:+ skip }
fair process (Single = 0) {
B1:- call FirstProcedure(1);
B2:+ skip }
} *)
=============================================================================
