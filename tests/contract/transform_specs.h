/* SPDX-License-Identifier: MIT */
/* How the contract tests use each transform on their table (tests/contract/test_transform_contract.c
 * says what is in it). A transform that is not listed is used with its defaults; list it when it
 * needs parameters, or has parameters that make it another thing. A listed transform may appear
 * several times. Sorted by name. */
#ifndef CAIRN_TESTS_TRANSFORM_SPECS_H
#define CAIRN_TESTS_TRANSFORM_SPECS_H

static const char *const transform_specs[] = {
    "bag",
    "bag:columns=\"note,colour\",values=bits,missing=keep",
    "bag:stop=english,stem=english,max-gram=2,unknown=count",
    "bins",
    "bins:3,method=frequency,missing=bin",
    "bins:4,method=frequency,quantile=linear,keep=yes,output=codes",
    "bins:cuts=(<0,<=20),labels=(low,middle,high),columns=y",
    "bins:mean-of=(x,y),cuts=10,into=both",
    "bins:method=mean",
    "bins:method=median",
    "calibrate",
    "calibrate:isotonic,smooth=laplace,output=log-odds,keep=yes",
    "calibrate:output=log-odds,missing=own",
    "discretise",
    "discretise:bins=4,score=chi2,cut=lt,output=codes",
    "discretise:mdl=yes,missing=bin",
    "impute",
    "impute:numbers=median,levels=new",
    "indicators",
    "indicators:reference=yes",
    "merge",
    "merge:bins=3,score=gini,join-pure=no,initial=15",
    "merge:monotone",
    "select",
    "select:direction=backward,by=cv:3,error=brier",
    "standardise",
    "standardise:divisor=n-1",
    "tf-idf",
    "tf-idf:idf=plain,norm=l1,sublinear=yes",
    "threshold",
    "threshold:false-positive=2,false-negative=1,hull=upper",
};

#endif
