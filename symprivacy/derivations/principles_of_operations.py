"""Principles about what is done to mechanisms: runs, groups, samples, channels, mixtures, restrictions."""

from __future__ import annotations

from symprivacy.derivations.principle import Principle

OPERATIONS = (
    Principle(
        "group-path",
        "a ratio bound B holds for neighbours",
        "B**c holds for inputs that are c steps apart",
        r"A \le B \Rightarrow A^{(c)} \le B^{c}",
        "the notion compares each pair in both orders; B >= 1 (certified); the chain is one of those listed",
    ),
    Principle(
        "restriction",
        "a condition holds for every member of a family",
        "it holds for every member of a smaller family",
        r"\forall x\in X\;\varphi(x) \Rightarrow \forall x\in X'\subseteq X\;\varphi(x)",
    ),
    Principle(
        "convexity-in-mechanism",
        "a condition is linear in the probabilities of the outputs",
        "a mixture of mechanisms that satisfy it satisfies it",
        r"\lambda M_1 + (1-\lambda) M_2",
        "the mixing weight does not depend on the input",
    ),
    Principle(
        "post-processing",
        "a condition holds for every event or is a divergence of the output laws",
        "it holds after any further randomised function of the output; a test and its complement are two outputs",
        r"D(K P\,\|\,K Q)\le D(P\,\|\,Q)",
    ),
    Principle(
        "dominating-pair",
        "a pair of laws is (eps, delta)-indistinguishable",
        "it is a processing of the pair with disjoint mass delta and randomized response at eps on the rest",
        r"(P,Q)=K(P_{\varepsilon,\delta},Q_{\varepsilon,\delta})",
    ),
    Principle(
        "sequential-composition",
        "each run has a guarantee, whatever the outputs of the earlier runs were",
        "likelihood ratios multiply: bounds on the logarithm, KL and Renyi divergences add up (the chain rule, run by "
        "run, the inner mean bounded first), 1 + chi-square and 1 - squared Hellinger multiply, (eps, delta) gives the "
        "sum of eps and the probability that some run fails, normal pairs add up in squares, a range placed anew for "
        "every earlier output counts twice, and so does JS, the information about a fair bit, when earlier outputs "
        "have moved the belief: it is at most 2 max(b, 1-b) times that at b = 1/2",
        r"D(P_1P_2\|Q_1Q_2) \le D(P_1\|Q_1) + \sup_y D(P_2^y\|Q_2^y)",
        "every run has the guarantee for every earlier output",
    ),
    Principle(
        "coupling",
        "two laws have total variation t_i in run i, whatever the earlier outputs were",
        "outputs can be drawn together so that run i agrees with probability 1 - t_i as long as all did before; all "
        "agree with the product of these, and the total variation is at most one minus it",
        r"\mathrm{TV} \le 1-\prod_i(1-t_i)",
    ),
    Principle(
        "group-metric",
        "neighbours on a path of k steps satisfy a notion with a triangle inequality of its own",
        "its ends satisfy it with a larger level: TV, sqrt(HELL2), sqrt(JS), the angle arccos(1 - HELL2) and the mu of "
        "GDP add up; P0 <= e^eps P1 + delta, or the same but for a set of mass delta, along the path sums "
        "delta e^(i eps); Hoelder's inequality D_a(P,R) <= (a - 1/p)/(a - 1) D_pa(P,Q) + D_q(a - 1/p)(Q,R) gives for "
        "RDP, with s = 1 - 1/order, 1/s_2 D_1 + D_2 at the order with s = s_1 s_2, and with p = k/(k-1) by induction "
        "on k the k^2 rho of ZCDP",
        r"\sqrt{D(P,R)} \le \sqrt{D(P,Q)} + \sqrt{D(Q,R)}",
        "both orders of every step are bounded",
    ),
    Principle(
        "subsampling",
        "a record takes part with probability q, and the mechanism has a guarantee with and without it",
        "the new laws are (1-q)R + qP and (1-q)R + qQ, for a Poisson sample with Q = R: joint convexity multiplies "
        "f-divergences by q at most (chi-square by q^2 for a Poisson sample) and leaves Renyi divergences, trade-offs "
        "and ratios no larger; a ratio r becomes 1 - q + q r, and (eps, delta) becomes (log(1 + q(e^eps - 1)), "
        "q delta)",
        r"\varepsilon' = \log(1+q(e^{\varepsilon}-1)),\ \delta'=q\delta",
        "neighbours of samples are neighbours of the mechanism: adding for Poisson, replacing without replacement",
    ),
    Principle(
        "contraction",
        "rows of a channel have ratios of at most e^eps, and its input has one of two laws",
        "the outputs' TV is at most tanh(eps/2) of the inputs' (Dobrushin: the largest TV of two rows); KL, "
        "chi-square, squared Hellinger and JS, whose functions are operator convex, at most tanh(eps/2)^2 of it, the "
        "largest squared correlation of a two-row channel; ratios are those of mixtures: at most 1 + t(e^eps - 1) at "
        "TV t, and (1 + e^(eps+e2))/(e^eps + e^e2) at ratios e^e2",
        r"D_f(KP\|KQ) \le \tanh^2(\varepsilon/2)\, D_f(P\|Q)",
        "the channel is LDP at eps",
    ),
)
