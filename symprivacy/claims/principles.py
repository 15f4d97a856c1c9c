"""Principles that claims use beyond those of the derivations: general steps, each stated with what it assumes."""

from __future__ import annotations

from symprivacy.calculus.principles import Principle

PRINCIPLES = (
    Principle(
        "restriction",
        "a condition holds for every member of a family",
        "it holds for every member of a smaller family",
        r"\forall x\in X\;\varphi(x) \Rightarrow \forall x\in X'\subseteq X\;\varphi(x)",
    ),
    Principle(
        "unfolding",
        "two statements are the same after the definitions are put in",
        "they are equivalent",
        r"\varphi \Leftrightarrow \varphi",
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
        "it holds after any further randomised function of the output",
        r"D(K P\,\|\,K Q)\le D(P\,\|\,Q)",
    ),
    Principle(
        "limit",
        "a closed condition holds along a sequence",
        "it holds in the limit",
        r"a_k \le b_k,\; a_k\to a,\; b_k\to b \Rightarrow a\le b",
    ),
    Principle(
        "independence",
        "two outputs are drawn independently given the input",
        "likelihoods multiply, and logarithmic ratios add",
        r"\Pr[y_1,y_2\mid x]=\Pr[y_1\mid x]\Pr[y_2\mid x]",
    ),
    Principle(
        "dominating-pair",
        "a pair of laws is (eps, delta)-indistinguishable",
        "it is a processing of the pair with disjoint mass delta and randomized response at eps on the rest",
        r"(P,Q)=K(P_{\varepsilon,\delta},Q_{\varepsilon,\delta})",
    ),
    Principle(
        "minkowski",
        "a distance is the square root of a sum of squared distances of coordinates, each with the triangle inequality",
        "it has the triangle inequality",
        r"\sqrt{\sum_k (a_k+b_k)^2}\le\sqrt{\sum_k a_k^2}+\sqrt{\sum_k b_k^2}",
    ),
    Principle(
        "single-peak",
        "the slope of a function on an interval is a decreasing function times a positive one",
        "the function is smallest at an end of the interval",
        r"f' = g\,h,\ g\downarrow,\ h>0 \Rightarrow \min f = \min(f(a), f(b))",
    ),
    Principle(
        "chernoff",
        "X is a sum of independent zero-one variables with mean m",
        "Pr[X >= (1+e)m] <= exp(-m((1+e)log(1+e)-e)) and Pr[X <= (1-e)m] <= exp(-m((1-e)log(1-e)+e))",
        r"\Pr[X\ge(1+e)m]\le e^{-m((1+e)\log(1+e)-e)}",
        "Markov's inequality for exp(tX) with the best t",
    ),
    Principle(
        "choice",
        "for every a there is b in one relation to it, and for every b there is c in another",
        "for every a there is c in the composed relation",
        r"\forall a\,\exists b\; R(a,b),\;\forall b\,\exists c\; S(b,c) \Rightarrow \forall a\,\exists c\;(R S)(a,c)",
    ),
    Principle(
        "best-event",
        "a sum over an event is to be as large as possible",
        "the best event is where the summands are positive, and the sum is that of the positive parts",
        r"\max_S \sum_{y\in S} g(y) = \sum_y \max(0, g(y))",
    ),
    Principle(
        "jensen",
        "f is convex",
        "f of a mean is at most the mean of f; power means increase with their order",
        r"f(\mathrm{E}\,r) \le \mathrm{E} f(r)",
    ),
    Principle(
        "hoeffding",
        "a random variable lies in an interval of width w",
        "centred, its logarithmic moment generating function at s is at most s^2 w^2/8",
        r"\log \mathrm{E} e^{s(L-\mathrm{E}L)} \le s^2 w^2/8",
    ),
    Principle(
        "cumulant",
        "L has mean m, and L - m is tau-subgaussian",
        "log E exp(s L) is at most s m + s^2 tau^2/2 for every real s, and the variance of L is at most tau^2",
        r"\log \mathrm{E} e^{sL} \le s m + s^2\tau^2/2,\; \mathrm{Var} L\le\tau^2",
    ),
    Principle(
        "layers",
        "the tail of the loss is bounded",
        "the hockey stick is the integral of exp(-x) P[L > eps + x] over x > 0",
        r"\mathrm{E}(1-e^{\varepsilon-L})_+ = \int_0^\infty e^{-x}\Pr[L>\varepsilon+x]\,dx",
    ),
)
