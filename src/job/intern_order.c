/* The order in which TLC meets words, where it cannot be learnt from the user's files.
 *
 * TLC orders strings by when it first saw their text, as anything: a name, an operator, a literal.
 * So the words of its standard modules count: a spec that writes "t" and "s" as literals gets them
 * in the order in which Sequences names its parameters. Our modules are written anew and name
 * things differently; these lists say in which order TLC's own modules bring up new words. */
#include "job/intern_order.h"

#include <stddef.h>
#include <string.h>

#include "base/str.h"
#include "value/value.h"

/* Before any module: the operators of the language. */
static const char language[] = "STRING FALSE TRUE BOOLEAN = /= . ' SUBSET UNION DOMAIN \\ ~> [] <> "
                               "ENABLED UNCHANGED -+-> ^ / * - -. + ^+ ^* "
                               "^# < > ... .. | || && & $$ $ ?\? %% % ## ++ -- ** // ^^ @@ !! |- "
                               "|= -| =| <: :> := ::= ~ /\\ \\/ <=> # <= =< "
                               ">= (+) (-) (.) (/) @";

static const struct {
    const char *module;
    const char *words;
} modules[] = {
    {"Bags",                  "TLC Naturals IsABag B n Nat 0 BagToSet SetToBag S e 1 BagIn EmptyBag B1 B2 d Sum f "
             "DSum elt TRUE BagUnion "
             "SubBag RemoveFromDom x y Combine BagSet i Biggest Range r s RSB BB BagOfAll F "
             "BagCardinality CopiesIn"                                                                      },
    {"BagsExt",               "Bags Integers Folds BagAdd B x e 1 BagRemove BagRemoveAll MapThenFoldBag op base "
                "f choose handle pow n Nat 0 "
                "MapThenFoldSet S TRUE FoldBag SumBag y ProductBag"                                      },
    {"Bitwise",               "Integers And x y n m exp 2 0 1 Or xdm ydm Xor NotR Not a shiftR pos odd z"               },
    {"CSV",                   "TLC Integers CSVWrite template val file TRUE CSVWriteRecord record delim headers "
            "CSVRead columns delimiter "
            "CSVRecords n Nat"                                                                               },
    {"Combinatorics",         "Naturals factorial n Nat 0 1 choose k"                                                   },
    {"DifferentialEquations", "Reals Sequences PosReal r Real 0 OpenInterval a b s Nbhd e "
                              "IsFirstDeriv df f d IsDeriv n IsD k g gg 1 "
                              "Integrate D InitVals Len i"                                 },
    {"DyadicRationals",
     "FiniteSets Integers Sequences FiniteSetsExt TLC Divides p q d 1 Divisors GCD n m Max "
     "Rational num den Reduce "
     "gcd IsDyadicRational r i 0 2 Zero One Add lcn qq pp Half PrettyPrint ToString"                                    },
    {"FiniteSets",            "Naturals Sequences IsFiniteSet S seq Seq s n 1 Len Cardinality CS T 0 x"                 },
    {"FiniteSetsExt",         "Integers FiniteSets Folds Functions FoldSet op base set MapThenFoldSet x s "
                      "TRUE SumSet 0 ProductSet y 1 "
                      "ReduceSet acc MapThenSumSet FlattenSet S SymDiff A B Quantify P Cardinality "
                      "kSubset k Max Min Choices Sets "
                      "ChoiceFunction Ts f T Range ChooseUnique"                                   },
    {"Folds",                 "MapThenFoldSet op base f choose S iter s x"                                              },
    {"Functions",             "Integers Folds Restrict f S x RestrictDomain Test RestrictValues IsRestriction "
                  "narrow wide Range Pointwise g T "
                  "e Inverse t s AntiFunction IsInjective a b Injection M Surjection Bijection "
                  "ExistsInjection ExistsSurjection "
                  "ExistsBijection FoldFunctionOnSet op base fun indices MapThenFoldSet i TRUE "
                  "FoldFunction SumFunctionOnSet 0 "
                  "SumFunction"                                                                        },
    {"GraphViz",              "DotDiGraph G VL EL TRUE"                                                                 },
    {"Graphs",                "Naturals Sequences FiniteSets SequencesExt Relation IsDirectedGraph G node edge "
               "DirectedSubgraph H Transpose e "
               "2 1 IsUndirectedGraph UndirectedSubgraph Path p Seq i Len SimplePath j "
               "AreConnectedIn m n IsStronglyConnected "
               "ConnectionsIn C N u TRUE Cu IsTreeWithRoot r f GraphUnion "
               "IsBipartiteWithPartitions U V HasCycle IsDag "
               "Successors AllSuccessors S Predecessors AllPredecessors Ancestors EdgeRelation "
               "TransitiveClosure Descendants "
               "InDegree Cardinality OutDegree Roots Leaves EmptyGraph Graphs"                            },
    {"HTML",                  "Sequences SequencesExt HTMLFill string args f str x ReplaceFirstSubSeq 2 1 FoldLeft "
             "StringSeqToString "
             "string_seq separator str1 str2 HTMLDocument header body list_of_scripts HTMLClass "
             "classname attribute_list "
             "HTMLAttribute name value HTMLDefaultStyle HTMLStyleSheet class_list HTMLScriptFile "
             "HTMLScript children "
             "HTMLLink type HTMLHeader title list_of_links HTMLBody HTMLFrame id HTMLGridContainer "
             "HTMLBox size HTMLCircle "
             "HTMLText text HTMLSVG viewBox svgString HTMLSize width height HTMLNewLine "
             "HTMLFlexCenterAttributes "
             "HTMLJSLineElems fromID destID HTMLJSLine color HTMLJSLineDash HTMLJSKeyListener "
             "events HTMLJSNavigationKey key "
             "file"                                                                                         },
    {"IOUtils",               "TLC Integers Sequences SequencesExt IOSerialize val absoluteFilename compress "
                "TRUE IODeserialize compressed "
                "Serialize value dest options r exitValue Int stdout STRING stderr Deserialize src "
                "IOExec command IOEnvExec env "
                "IOExecTemplate commandTemplate parameters IOEnvExecTemplate IOEnv atoi str i "
                "ToString zeroPadN n width s "
                "padLen Len zeros 1 FoldLeft acc z"                                                      },
    {"Integers",              "Naturals Int a 0"                                                                        },
    {"Json",                  "Sequences FiniteSets TLC IsSequence F D TRUE FALSE ToJsonKeyValue d ToString "
             "ToJsonObjectString "
             "ToJsonArrayString ToJsonString IsFiniteSet ToJson value ToJsonArray ToJsonObject "
             "JsonSerialize "
             "absoluteFilename JsonDeserialize val ndJsonSerialize ndJsonDeserialize"                       },
    {"Naturals",              "Nat a b n TRUE"                                                                          },
    {"Quorum",                "QuorumSystem S QS Q1 Q2"                                                                 },
    {"Randomization",         "Naturals FiniteSets RandomSubset k S T Cardinality RandomSetOfSubsets n "
                      "TestRandomSetOfSubsets i 1 5"                                               },
    {"RealTime",              "Reals now RTBound A v D E TNext t _v 0 Timer MaxTime MinTime RTnow NowNext r "
                 "Real _now WF_now"                                                                     },
    {"Reals",                 "Integers Real a b m Infinity i r"                                                        },
    {"Relation",              "Naturals FiniteSets IsReflexive R S x IsReflexiveUnder op p 1 2 IsIrreflexive "
                 "IsIrreflexiveUnder IsSymmetric y "
                 "IsSymmetricUnder IsAntiSymmetric IsAntiSymmetricUnder IsAsymmetric "
                 "IsAsymmetricUnder IsTransitive z "
                 "IsTransitiveUnder IsStrictlyPartiallyOrdered IsStrictlyPartiallyOrderedUnder "
                 "IsPartiallyOrdered "
                 "IsPartiallyOrderedUnder IsStrictlyTotallyOrdered IsStrictlyTotallyOrderedUnder "
                 "IsTotallyOrdered "
                 "IsTotallyOrderedUnder TransitiveClosure N Cardinality trcl n Nat 0 "
                 "ReflexiveTransitiveClosure IsConnected "
                 "rtrcl"                                                                                },
    {"SVG",
     "Naturals Sequences Integers TLC FiniteSets Merge r1 r2 D1 D2 k SVGElem _name _attrs "
     "_children _innerText name "
     "attrs children innerText Line x1 y1 x2 y2 svgAttrs ToString Circle cx cy r Rect x y w h "
     "width height Text text "
     "Image href Group Svg SVGDoc vbX vbY vbW vbH SVGElemToString elem TRUE NodeOfRingNetwork n m "
     "0 "
     "NodesOfDirectedMultiGraph nodes edges options f Int PointOnLine from to segment SVGSerialize "
     "svg "
     "frameNamePrefix frameNumber IO IOUtils Serialize zeroPadN 3 format charset openOptions"                           },
    {"Sequences",
     "Naturals Seq S 1 n Nat Len s t i Append e Head Tail SubSeq m SelectSeq Test F 0"                                  },
    {"SequencesExt",          "Sequences Naturals FiniteSets FiniteSetsExt Folds Functions Bags TLC ToSet s "
                     "i ToBag x Range Cardinality "
                     "SetToSeq S f 1 IsInjective SetToSeqs D j SetToSortSeq op SortSeq "
                     "SetToAllKPermutations TupleOf set n SeqOf m 0 "
                     "BoundedSeq Contains e Len IsSorted Reverse Remove SelectSeq t ReplaceAll old "
                     "new SelectInSeq seq Test I Min "
                     "SelectInSubSeq from to SubSeq SelectLastInSeq Max SelectLastInSubSeq "
                     "InsertAt ReplaceAt RemoveAt RemoveFirst v "
                     "RemoveFirstMatch Cons elt Snoc Append Front Last IsPrefix IsStrictPrefix "
                     "IsSuffix IsStrictSuffix Prefixes l "
                     "CommonPrefixes P prefix LongestCommonPrefix longest other Suffixes SeqMod a "
                     "b FoldSeq base FoldFunction "
                     "FoldLeft MapThenFoldSet y FoldRight FoldLeftDomain FoldRightDomain "
                     "FlattenSeq seqs flatten Zip Interleave u "
                     "SubSeqs AllSubSeqs IndexFirstSubSeq last ReplaceSubSeqAt r suffix "
                     "ReplaceFirstSubSeq ReplaceAllSubSeqs z match "
                     "comp p q R T g"                                                               },
    {"ShiViz",                "Integers Json TLC Toolbox FnHost host i _TETrace 1 pc p TLCEval Host _TEPosition "
               "clock n 0 sum F G d FnClock "
               "vclock Clock ToJsonObject"                                                                },
    {"Statistics",            "Naturals ChiSquare expected actual alpha TRUE"                                           },
    {"TLC",
     "Naturals Sequences FiniteSets Print out val PrintT TRUE Assert v JavaTime n Nat TLCGet i "
     "TLCSet d e x f g "
     "Permutations S w SortSeq s Op Perm p 1 Len j RandomElement Any ToString a b STRING TLCEval"                       },
    {"TLCExt",                "TLC Integers AssertEq a b PrintT AssertError err exp FailsEval e BOOLEAN TRUE "
               "TLCError s STRING Assert "
               "TLCGetOrDefault key defaultVal n TLCGetAndSet Op val oldVal v TLCSet Trace "
               "CounterExample ToTrace CE "
               "TLCModelValue str ToString TLCDefer expression TLCNoOp PickSuccessor bool TLCCache "
               "closure TLCFP var i Int "
               "TLCEvalDefinition definitionName"                                                         },
    {"Toolbox",               "Naturals FiniteSets TLC _TETrace f Nat 0 STRING TRUE _TETraceLength Cardinality "
                "_TEPosition TLCGet 1"                                                                   },
    {"UndirectedGraphs",      "Naturals Sequences SequencesExt FiniteSets Folds Functions "
                         "IsUndirectedGraph G node edge e a b "
                         "IsLoopFreeUndirectedGraph UndirectedSubgraph H Path p Seq i 1 Len "
                         "SimplePath j AreConnectedIn m n "
                         "ConnectedComponents IsCC S T IsStronglyConnected UndirectedGraphs s t"},
    {"VectorClocks",          "Naturals Sequences Functions concurrent v1 v2 i j happenedBefore "
                     "IsCausalOrder log clock 1 Len Fill c D d 0 "
                     "vci vcj CausalOrder node domain newlog f Range"                               },
    {"_TLCTrace",             "TLC TLCExt Sequences Naturals _TLCTraceDeserialize absoluteFilename TRUE "
                  "_TLCTraceSerialize val _TLCTraceFile "
                  "_TLCTrace0 verbose CounterExample state FALSE trace ToTrace vars i "
                  "counterexample PrintT _TLCTraceSilent "
                  "_TLCTrace _TLCTraceInputFile _TLCTraceFileDeserialized _TLCState level Trace "
                  "_TLCTraceLassoTarget actions e 3 "
                  "1 0 _TLCTraceConstraint TLCGet dump pair v 2 _TLCTraceView lassoTarget"             },
};

static void intern_words(struct strtab *strings, const char *words)
{
    while (*words != '\0') {
        size_t len = strcspn(words, " ");
        (void)strtab_intern(strings, (struct str){words, len});
        words += len + (words[len] == ' ');
    }
}

void intern_language(struct strtab *strings)
{
    intern_words(strings, language);
}

bool intern_module(struct strtab *strings, const char *module)
{
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
        if (strcmp(modules[i].module, module) == 0) {
            intern_words(strings, modules[i].words);
            return true;
        }
    }
    return false;
}
