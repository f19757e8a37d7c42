# SPDX-License-Identifier: MIT
"""Rules and rankings."""
from sides import Task, cairn, cairn_process, lines_of, peer, then_test, training_accuracy


TASKS = [
    Task("rules", "RIPPER on 8,124 x 22 mushrooms",
         cairn(["fit", "ripper", "MUSHROOM", "--target", "type"], "time.fit", training_accuracy),
         [("Weka JRip", 3.0, peer("weka.py", "weka.classifiers.rules.JRip", "MUSHROOM"))],
         needs="MUSHROOM"),
    Task("associations", "association rules of 8,124 x 23 mushrooms, support 0.25, confidence 0.8, whole process",
         cairn_process(["compute", "associations", "MUSHROOM", "--support", "0.25", "--confidence", "0.8",
                        "--no-empty-body", "--out", "DATA/mushroom-rules.csv"],
                       lambda setup: "%d rules" % lines_of(setup.path("DATA/mushroom-rules.csv"))),
         [("Weka Apriori", None, peer("weka_rules.py", "MUSHROOM", "0.25", "0.8"))],
         needs="MUSHROOM"),
    Task("rules-adult", "RIPPER on 32,561 x 14 adults with missing cells",
         then_test(["fit", "ripper", "ADULT", "--target", "income", "--missing-mark", "?", "--save",
                    "DATA/adult-rules.cairn"], "DATA/adult-rules.cairn", "ADULT_TEST"),
         [("Weka JRip", 3.0,
           peer("weka.py", "weka.classifiers.rules.JRip", "ADULT", "ADULT_TEST"))],
         needs="ADULT_TEST"),
    Task("rules-cn2", "rule list of CN2 on the same",
         then_test(["fit", "rule-list", "ADULT", "--target", "income", "--missing-mark", "?",
                    "--preset", "cn2", "--save", "DATA/adult-rules.cairn"],
                   "DATA/adult-rules.cairn", "ADULT_TEST"),
         [("Weka JRip", 3.0,
           peer("weka.py", "weka.classifiers.rules.JRip", "ADULT", "ADULT_TEST"))],
         needs="ADULT_TEST"),
    Task("roc", "ROC curve, area and hull of 10,000,000 scores",
         cairn(["compute", "roc", "DATA/scores.npy", "--score", "column1", "--target", "column2",
                "--kinds", "column2=level"], "time.compute", lambda v: "AUC %.9f" % v["auc"]),
         [("scikit-learn roc_curve and auc, no hull", 5.0, peer("roc.py", "DATA/scores.npy"))]),
]
