# SPDX-License-Identifier: MIT
cairn compute contingency @weather --rows outlook
