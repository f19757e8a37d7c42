# SPDX-License-Identifier: MIT
# Long sets of levels are shortened by whole levels; the test and the counts stay on the line.
i=0
echo 'job,town,age,pay' >jobs.csv
while [ $i -lt 96 ]; do
    case $((i % 12)) in
    0) job=Exec-managerial ;; 1) job=Prof-specialty ;; 2) job=Tech-support ;;
    3) job=Protective-service ;; 4) job=Sales-and-representation ;; 5) job=Craft-repair ;;
    6) job=Machine-operation ;; 7) job=Priv-house-service ;; 8) job=Farming-and-fishing ;;
    9) job=Handlers-and-cleaners ;; 10) job=Transport-and-moving ;; *) job=Adm-clerical ;;
    esac
    pay=low
    [ $((i % 12)) -lt 6 ] && [ $((i / 12)) -gt 3 ] && pay=high
    [ $((i % 12)) -gt 8 ] && [ $((i / 12)) -gt 5 ] && pay=high
    echo "$job,town-$((i / 7 % 5)),$((20 + i / 12)),$pay" >>jobs.csv
    i=$((i + 1))
done
cairn fit --full tree jobs.csv --target pay --split subset | grep '[├└]'
