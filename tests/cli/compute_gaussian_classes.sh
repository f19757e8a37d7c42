# SPDX-License-Identifier: MIT
# Classes whose means, covariances and priors are typed: equations, posteriors, bounds, refusals.
cairn compute gaussian-classes --means '1,1;4,3' --covariance '[2,1;1,2]' --prior 0.6,0.4 --points 'a=2,2;b=3,1' --steps
cairn compute gaussian-classes --means 'ham=0;spam=2' --deviations '1;2' --points 1 --steps
cairn compute gaussian-classes --means 'a=0,0;b=2,0;c=0,3' --covariance '1,0;0,1' --covariance '2,0.5;0.5,1' --covariance '1,0;0,3' --prior 0.5,0.3,0.2 --features length,width --points 1,1
cairn compute gaussian-classes --means '0,0,0;1,1,1' --points 1,0,1
cairn draw gaussian-classes --means 'a=0,0;b=2,0;c=0,3'
for bad in '--covariance 1,0;0,1;1,2' '--covariance 1,2;2,1' '--covariance 1,2;0,1' '--deviations 1,2,3' '--prior 1,0' \
    '--points 1,2,3' '--features a,b,c' '--covariance 1,0;0,1 --deviations 1,1'; do
    cairn compute gaussian-classes --means 'a=0,0;b=2,0' $bad
done
cairn compute gaussian-classes --means 'a=0,0'
cairn draw gaussian-classes --means '0,0,0;1,1,1'
true
