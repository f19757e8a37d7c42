# SPDX-License-Identifier: MIT
cairn compute map @distances-five --as distances --steps
