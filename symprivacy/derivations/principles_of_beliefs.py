"""Principles about beliefs and secrets: priors, posteriors, games with and without a record."""

from __future__ import annotations

from symprivacy.derivations.principle import Principle

BELIEFS = (
    Principle(
        "bayes",
        "a secret has prior p and likelihood ratio A",
        "its posterior is pA/(pA + 1 - p)",
        r"q = \frac{pA}{pA+1-p}",
        "0 < p < 1, A > 0",
    ),
    Principle(
        "two-point-belief",
        "posteriors with and without a record differ by at most eta in total variation, for all beliefs",
        "for a belief (p, 1-p) on two databases that differ in that record, |q - p| <= eta: without the record "
        "the two are the same database, and the posterior is the prior",
        r"|q - p| \le \eta",
        "0 < p < 1",
    ),
    Principle(
        "worst-prior",
        "A <= G(level, p) for every prior p",
        "A <= G at any prior, and A <= the limit of G at an end of the range",
        r"A \le \inf_p G(\ell, p)",
        "G is defined at the end (certified)",
    ),
    Principle(
        "one-prior",
        "at one prior that is positive everywhere, posterior over prior of every input lies between l and u",
        "the ratio of the likelihoods of any two inputs is at most u/l",
        r"\frac{\Pr[y|x]}{\Pr[y|x']} = \frac{\Pr[x|y]/\Pr[x]}{\Pr[x'|y]/\Pr[x']} \le \frac ul",
        "l > 0 (certified)",
        "By Bayes' rule posterior over prior of x is P[y given x]/P[y]. P[y] does not depend on x, so it cancels in "
        "the quotient for two inputs. It is attained by two inputs and a rare output that is u and l times as likely "
        "given the one and the other as at the prior.",
    ),
    Principle(
        "games",
        "a ratio bound holds for databases that differ in one record",
        "it bounds the likelihood of each database against that of the same database without the record",
        r"L(z)=\frac{\Pr[M(z)=t]}{\Pr[M(z_{-i})=t]} \in [1/B, B]",
        "the notion compares each pair in both orders; B > 0 (certified)",
    ),
    Principle(
        "uniform-secrets",
        "the prior is uniform on m secrets",
        "posterior over prior is m/(1 + S), S the sum of the other likelihoods over this one; the m values sum to m",
        r"r(d) = \frac{m}{1+\sum_{d'\ne d}L(d')/L(d)},\quad \sum_d r(d) = m",
        "m >= 2",
    ),
    Principle(
        "close-prior",
        "the adversary's prior is within a factor exp(t) of the prior in the definition",
        "ratios to it are within a factor exp(t) of ratios to the other",
        r"f^B/f \in [e^{-t}, e^{t}]",
    ),
    Principle(
        "exchangeable-secrets",
        "laws of m secrets satisfy a convex bound pairwise and in both orders",
        "announcing a random permutation of the secrets keeps the bound and the leakage, so that randomized "
        "response over the secrets, one likely and the others alike, has the largest mean of the largest "
        "likelihood",
        r"\sum_y\max_i P_i(y) \le \frac{m e^y}{m-1+e^y}",
        "f is convex (certified); the mean of f at randomized response exceeds f(1) (certified)",
        "At one output let v be the likelihoods over their mean. The mean over ordered pairs of the divergences "
        "is the mean over outputs of F(v), the average of v_j f(v_i/v_j), convex and symmetric. Averaging over "
        "permutations of all but the largest entry a does not raise F, so F(v) >= F(a, b, ..., b), b = (m - a)/(m "
        "- 1), which is convex in a and least at a = 1. The mean of a is exp of the leakage; by Jensen's "
        "inequality the divergence is at least that of randomized response with this a, and grows with a beyond 1 "
        "as soon as it exceeds its least value.",
    ),
    Principle(
        "likely-sets",
        "S_i are the outputs at which secret i is the most likely one of m",
        "exp of the maximal leakage is the sum of P_i(S_i); the means p of P_i(S_i) and q of P_j(S_i), j other "
        "than i, have p + (m - 1) q = 1, and satisfy every concave bound on P_i(S) in terms of P_j(S)",
        r"\sum_y\max_i P_i(y)=\sum_i P_i(S_i)=mp,\quad p+(m-1)q=1",
        "m >= 2",
        "The sets are a partition, ties broken in any way, so each law has total mass one on them, and the sum "
        "over all i and j of P_j(S_i) is m. A mean of points under a concave curve lies under it.",
    ),
    Principle(
        "range-of-sets",
        "M_ij = P_i(S_j) for the sets S_j where secret j is the most likely, and log ratios of two secrets have "
        "range e",
        "with E = exp(-e/2) the sum T of M_ii satisfies ((1 - E)/m + E) T^2 <= T",
        r"T \le \frac{m}{1+(m-1)e^{-\varepsilon/2}}",
        "none",
        "The range over S_i and S_j gives M_ii M_jj <= exp(e) M_ij M_ji, so E M_ii M_jj <= sqrt(M_ii M_ij M_jj "
        "M_ji) <= (M_ii M_ij + M_jj M_ji)/2. Summed over ordered pairs, E (T^2 - sum M_ii^2) <= sum M_ii (1 - "
        "M_ii), as rows sum to one; and sum M_ii^2 >= T^2/m.",
    ),
    Principle(
        "uniform-pair",
        "the prior is uniform on m secrets, and posterior over prior lies between 1/A and A",
        "two likelihoods over the mean of all m are a law of mean (1, 1) on the polygon 1/A <= p, q <= A, m - "
        "(m-2) A <= p + q <= m - (m-2)/A, and every such law belongs to a mechanism",
        r"\mathrm{E}(p,q)=(1,1),\ \tfrac1A\le p,q\le A,\ m-(m-2)A\le p+q\le m-\tfrac{m-2}{A}",
        "m >= 2",
        "Posterior over prior is the likelihood over the mean of all; these m numbers sum to m, and lie in [1/A, "
        "A]. Outputs are weighted by the mean law, under which each has mean one. Conversely let the other m - 2 "
        "be equal, which the two bounds on p + q allow; their mean over the law is one, because all sum to m.",
    ),
)
