# SPDX-License-Identifier: MIT
# A page allows its own style and its own script by their hashes, and no others: names in the data
# could not bring in a style or a script even if they got through unescaped.
command -v python3 >/dev/null || exit 77
cairn fit tree @iris --steps --out page.html >/dev/null
python3 - <<'END'
import base64, hashlib, re
page = open("page.html", encoding="utf-8").read()
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
print(re.sub(r"'sha256-[^']*'", "HASH", policy))
for tag in ("style", "script"):
    texts = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.S)
    print(tag, "elements:", len(texts))
    for text in texts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        allowed = f"{tag}-src 'sha256-{digest}'" in policy
        print("allowed" if allowed else f"not allowed: its hash is sha256-{digest}")
print("style attributes:", len(re.findall(r"<[^>]* style=", page)))
print("event attributes:", len(re.findall(r"<[^>]* on[a-z]+=", page)))
END
