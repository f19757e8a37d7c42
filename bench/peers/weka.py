# SPDX-License-Identifier: MIT
"""A learner of Weka (Debian's package) on a CSV file whose last column is the class: the seconds that
it reports for building the model, and its accuracy on the training rows."""
import json
import re
import subprocess
import sys

learner, data = sys.argv[1:3]
text = subprocess.run(["java", "-cp", "/usr/share/java/weka.jar:/usr/share/java/java-cup.jar", learner,
                       "-t", data, "-no-cv"], check=True, capture_output=True, text=True).stdout
seconds = float(re.search(r"Time taken to build model: ([0-9.]+)", text).group(1))
share = float(re.search(r"Correctly Classified Instances +[0-9]+ +([0-9.]+)", text).group(1))
print(json.dumps({"seconds": seconds,
                  "quality": "accuracy on the training rows %.6f" % (share / 100)}))
