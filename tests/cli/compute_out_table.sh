# SPDX-License-Identifier: MIT
cairn compute pca @pca --components 1 --out scores.csv >report
cairn compute pca @pca --components 1 --back --out back.csv --quiet
cairn compute map @distances-five --as distances --out map.csv --quiet
cairn compute decompose @pca --parts 1 --out product.csv --write product --quiet
for file in scores back map product; do
    head -n 1 $file.csv
    wc -l <$file.csv
done
cairn compute impurity --counts 9,5 --out nothing.csv || echo "exit $?"
ls nothing.csv 2> /dev/null || echo "no file was written"
