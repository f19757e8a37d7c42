# SPDX-License-Identifier: MIT
cairn lesson no-such-lesson
