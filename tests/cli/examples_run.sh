# SPDX-License-Identifier: MIT
# The example of every entry runs as it stands; some formats read files that Cairn does not write.
printf 'yes, no.\noutlook: sunny, rain.\n' >golf.names
printf 'sunny, yes\nrain, no\n' >golf.data
printf '\000\000\010\003\000\000\000\001\000\000\000\002\000\000\000\002\001\002\003\004' |
    gzip >train-images-idx3-ubyte.gz
printf 'P3 2 1 9 1 2 3 9 8 7\n' >photo.ppm
printf 'P2 2 2 9\n1 2\n3 9\n' >digit.pgm
printf '##.\n..#\n' >letters.grid
printf '((a:1,b:1):2,c:3);' >tree.nwk
printf 'win now\nlunch at two\n' >messages.txt
mkdir -p mails/spam mails/ham
echo win now >mails/spam/1
echo lunch >mails/ham/1
cairn help --format json | sed -n 's/.*"example":"\([^"]*\)".*/\1/p' >examples
[ "$(wc -l <examples)" -gt 25 ] || echo "too few examples"
while read -r line; do
    sh -c "$line" </dev/null >/dev/null 2>message || { echo "fails: $line"; cat message; }
done <examples
