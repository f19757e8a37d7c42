# SPDX-License-Identifier: MIT
"""The products and decompositions of the library against OpenBLAS."""
import json

from sides import Task, run


def product(program, case, threads, **variables):
    """A product or decomposition of bench/products.c at one level of the instruction set."""
    def side(setup):
        text, _, _, memory = run([setup.path("DATA/" + program), case, threads], **variables)
        answer = json.loads(text)
        return answer["seconds"], memory, answer["quality"]
    return side


PRODUCTS = [("gram", "A'A double 60,000 x 784"), ("gram-float", "A'A float 60,000 x 784"),
            ("cross", "A'B double 800,000 x 50"), ("rows-float", "AB' float 1,024 x 60,000, k 784"),
            ("square", "AB double 2,000 cubed")]
DECOMPOSITIONS = [("eigen-some", "50 of 784 eigenvectors (dsyevr)"),
                  ("eigen-all", "all of 784 eigenvectors (dsyevd)"),
                  ("svd", "singular values of 2,000 x 200 (dgesdd)"),
                  ("cholesky", "Cholesky factor of 2,000 (dpotrf)"),
                  ("qr-pivoted", "least squares by pivoted QR of 2,000 x 500 (dgelsy)"),
                  ("least-squares", "the same of 2,000 x 100 (dgelsy)"),
                  ("shortest", "shortest least squares of 2,000 x 200 (dgelsd)")]
LEVELS = [("avx2", "avx2", "Haswell", 0.95), ("avx512", "avx512f", "SkylakeX", 0.9)]


def product_tasks():
    """The library against OpenBLAS, both held to one instruction set; those this machine has."""
    with open("/proc/cpuinfo") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return [Task("%s-%s" % (case, level), "%s, %s, %s thread%s" % (title, level, threads, "s"[:threads != "1"]),
             product("products", case, threads, CAIRN_KERNELS=level),
             [("OpenBLAS as " + core, wanted if threads == "2" else 0.8,
               product("products-openblas", case, threads, OPENBLAS_CORETYPE=core))])
            for level, flag, core, wanted in LEVELS if flag in flags
            for cases, threads in ((PRODUCTS, "2"), (DECOMPOSITIONS, "1")) for case, title in cases]


TASKS = product_tasks()
