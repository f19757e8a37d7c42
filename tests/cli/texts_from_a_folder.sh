# SPDX-License-Identifier: MIT
mkdir -p mails/spam mails/ham
echo "Win money now!" >mails/spam/one.txt
echo "Win the prize" >mails/spam/two.txt
echo "Lunch at two" >mails/ham/one.txt
cairn convert mails - --to csv --with bag:stop=english --with indicators --ignore file
cairn fit --full tree mails --with bag --steps | sed -n '/^Steps/,/^ham/p'
