/* SPDX-License-Identifier: MIT */
/* How the contract tests use each transform on their table (tests/contract/test_transform_contract.c
 * says what is in it). A transform that is not listed is used with its defaults; list it when it
 * needs parameters, or has parameters that make it another thing. A listed transform may appear
 * several times. Sorted by name. */
#ifndef CAIRN_TESTS_TRANSFORM_SPECS_H
#define CAIRN_TESTS_TRANSFORM_SPECS_H

static const char *const transform_specs[] = {
    "bag",
    "bag:stop=english,stem=english,max-gram=2,unknown=count",
    "bag:columns=\"note,colour\",values=bits,missing=keep",
    "impute",
    "impute:numbers=median,levels=new",
    "indicators",
    "indicators:reference=yes",
    "standardise",
    "standardise:divisor=n-1",
    "tf-idf",
    "tf-idf:idf=plain,norm=l1,sublinear=yes",
};

#endif
