# SPDX-License-Identifier: MIT
# Segments may be the levels of the target; a name that is not there is corrected.
cairn compute associations @weather --by play --support 0.6 --confidence 0.9
cairn compute associations @weather --by pley
