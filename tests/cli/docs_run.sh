# SPDX-License-Identifier: MIT
# Every command that stands in a block of README.md or a page of docs/ runs as it stands, page by page
# in a folder of its own. What reads a file of the reader's own (exit 5: there is no such file) and
# lines with a name to fill in are passed over; the examples of generated parts have a test of their own.
commands() {
    awk '/^<!-- cairn help/ { made = 1 } /^<!-- end/ { made = 0 }
         /^```/ { block = !block; other = block && $0 ~ /^```(c|json|ebnf)$/; next }
         !block || other || made { next }
         { line = held $0; held = "" }
         line ~ /\\$/ { sub(/\\$/, "", line); held = line; next }
         { sub(/^ *(\$ )?/, "", line) }
         line ~ /^cairn / && line !~ /\.\.\.|\[| [A-Z]+( |$)/ { print line }' "$1"
}
n=0
for page in "$ROOT"/README.md "$ROOT"/docs/*.md "$ROOT"/docs/*/*.md; do
    mkdir here && cd here || exit 1
    commands "$page" >../commands
    while read -r line; do
        n=$((n + 1))
        sh -c "$line" </dev/null >/dev/null 2>../message && continue
        grep -qi 'no such file\|unable to open database\|could not translate host\|definition of service' \
            ../message && continue
        echo "$(basename "$page"): $line"
        cat ../message
    done <../commands
    cd .. && rm -rf here
done
[ "$n" -gt 200 ] || echo "only $n commands"
