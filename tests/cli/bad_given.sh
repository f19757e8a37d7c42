# SPDX-License-Identifier: MIT
# Mistakes in models written by hand name the place and show a short line whole.
printf 'play = yes: yes\nplay = no: no\n' >target.txt
cairn fit --full tree @weather --given target.txt
printf 'if gills = yes & then neg\n' >open.txt
cairn fit --full rule-list @dolphins --given open.txt
printf 'petal_length <= 2.6: setosa\npetal_length > 2.6: virginicas\nsepal_length and much more than that to say > 2.6: virginica\n' >long.txt
cairn fit --full tree @iris --given long.txt
cairn compute horn --theory 'teeth&short=>beak'
printf 'outlook = sunny:\n    wind = weak: yes\noutlook = overcast: yes\n' >levels.txt
cairn fit --full tree @weather --given levels.txt | grep '[├└]'
