"""Principles about the ratio of two laws: its means, tails, orders and extremal cases."""

from __future__ import annotations

from symprivacy.derivations.principle import Principle

RATIOS = (
    Principle(
        "events-to-points",
        "a ratio bound holds for every single output",
        "it holds for every event, because a mediant lies between the ratios it is made of",
        r"\frac{\sum_y P(y)}{\sum_y Q(y)} \le \max_y \frac{P(y)}{Q(y)}",
        "countably many outputs",
    ),
    Principle(
        "both-orders",
        "a ratio bound B holds for every ordered pair",
        "every ratio lies between 1/B and B",
        r"\frac1B \le \frac{dP}{dQ} \le B",
        "the notion compares each pair in both orders; B > 0 (certified)",
    ),
    Principle(
        "mixture",
        "likelihoods L lie between a and b",
        "so does every mean of them; r = L/E(L) lies between a/b and b/a, and sup r/inf r <= b/a",
        r"a \le L \le b \Rightarrow a \le \mathbb{E}L \le b",
        "a > 0 (certified)",
    ),
    Principle(
        "mean-one",
        "r is a density ratio, or posterior over prior",
        "its mean under the reference law is one",
        r"\mathbb{E}_Q\,\frac{dP}{dQ} = 1",
        "P is absolutely continuous with respect to Q",
    ),
    Principle(
        "two-point-extremal",
        "f is convex and r has mean one and values in [a, b]",
        "E f(r) is at most ((b-1) f(a) + (1-a) f(b))/(b-a), the mean for the law on a and b alone",
        r"\mathbb{E}f(r) \le \frac{(b-1)f(a)+(1-a)f(b)}{b-a}",
        "f'' >= 0 on each smooth piece of f (certified); 0 < a < 1 < b (certified)",
    ),
    Principle(
        "pointwise",
        "f(r) <= M for every possible r",
        "E f(r) <= M",
        r"\mathbb{E}f(r) \le \sup f",
    ),
    Principle(
        "joint-range",
        "two f-divergences are compared over all pairs of laws",
        "their joint range is the convex hull of the range over pairs of laws on two points (Harremoes, Vajda)",
        r"\{(D_f,D_g)\} = \mathrm{conv}\{(D_f,D_g)\text{ on two points}\}",
        "the supporting line lies above the function for every ratio (certified), or touches each of its pieces",
    ),
    Principle(
        "tail",
        "a nonnegative quantity has mean at most d",
        "it exceeds t with probability at most d/t; probabilities of bad events add up",
        r"\Pr[X \ge t] \le \mathbb{E}X/t",
        "the tail lies below a multiple of the bounded function for every ratio (certified)",
    ),
    Principle(
        "unfolding",
        "two statements are the same after the definitions are put in",
        "they are equivalent",
        r"\varphi \Leftrightarrow \varphi",
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
        "width-of-orders",
        "D_alpha(P, Q) and D_alpha(Q, P) are at most rho alpha for every alpha > 1",
        "the centred loss is tau-subgaussian with tau^2/2 = exp(2 rho) - 1",
        r"\log \mathrm{E} e^{s(L-\mathrm{E}L)} \le s^2 (e^{2\rho}-1)",
        proof="Let m = E L, which is between 0 and rho. For s >= 1 the cumulant of L - m is at most rho s (1 + s), "
        "at most 2 rho s^2; for s <= -1 it is at most rho s (s + 1) - m s <= rho s^2, by the other order. For |s| < 1, "
        "exp(s x) - 1 - s x <= s^2 (exp(x) + exp(-x) - 2), so that E exp(s (L - m)) - 1 is at most s^2 times "
        "E exp(L - m) + E exp(m - L) - 2 <= exp(2 rho - m) + exp(m) - 2, convex in m and largest at m = 0.",
    ),
    Principle(
        "layers",
        "the tail of the loss is bounded",
        "the hockey stick is the integral of exp(-x) P[L > eps + x] over x > 0",
        r"\mathrm{E}(1-e^{\varepsilon-L})_+ = \int_0^\infty e^{-x}\Pr[L>\varepsilon+x]\,dx",
    ),
    Principle(
        "convex-duality",
        "a function of the ratio lies below a sum of bounded functions and a line in r",
        "its mean is at most the sum of their bounds and of the value of the line at 1",
        r"g(r) \le \lambda f(r) + \mu (r-1) + \nu \Rightarrow \mathbb{E} g \le \lambda\,\mathbb{E} f + \nu",
        "the multipliers are nonnegative; the inequality is enclosed at the two ratios where both sides touch",
    ),
    Principle(
        "weighted-sums",
        "at every element a quantity is at most a sum of bounded quantities with weights that are not negative and are "
        "the same for all elements summed over",
        "its sum is at most the sum of the bounds with the same weights",
        r"g(y) \le \sum_i \lambda_i f_i(y)\ \forall y \Rightarrow \sum_y g(y) \le \sum_i \lambda_i \sum_y f_i(y)",
        "finitely many elements; the inequality at every element and the signs of the weights are certified",
        "Sum the inequality over the elements and take out the weights, which do not depend on them. A bound on the "
        "sum over every subset is one on the sum with any factors between 0 and 1, because the sum is linear in each "
        "factor and so is largest where all of them are 0 or 1. A term of a sum of terms that are not negative is at "
        "most the sum, and the order of two finite sums does not matter.",
    ),
    Principle(
        "hypothesis-testing",
        "the trade-off between the errors of tests of P against Q is convex",
        "a normal trade-off lies below it as soon as it lies below its corners",
        r"T(P,Q) \ge G_\mu \Leftrightarrow \Phi^{-1}(P(S)) - \Phi^{-1}(Q(S)) \le \mu\ \forall S",
    ),
    Principle(
        "few-corner-laws",
        "a jointly convex function of two likelihoods is averaged over points of a polygon with a given mean",
        "the largest mean is that of a law on at most three corners of the polygon",
        r"\max \mathbb{E} g = \max_{\text{laws on 3 corners}} \mathbb{E} g",
    ),
    Principle(
        "power-touching",
        "the mean of f is bounded in both orders; f is r^a, a > 1, and g is r^b, 1 < b < a, or r log r; or f is r^a, "
        "a > 1, or r log r, and g is -r^b, 0 < b < 1; or f is -r^a, 0 < a < 1, and g is -r^b, b between a and 1 - a",
        "E g is at most its value at the randomized response for which E f is the bound",
        r"g(r) \le A f(r) + B r f(1/r) + T r + C,\ A, B > 0",
        "the ranges of a and b (certified)",
        "A combination of five powers has no more zeros on (0, oo), counted with multiplicity, than its coefficients, "
        "in the order of the powers, have changes of sign (Descartes' rule for real exponents, by Rolle's theorem; "
        "r log r is the limit of (r^b - r)/(b - 1), and the rule is shown for it in the same way). So one of r^a, "
        "r^(1-a), r, 1 and g with coefficient -1 at g and double zeros at exp(x) and exp(-x) exists, its signs "
        "alternate, and it has no other zeros: it is nonnegative. The powers are 1 - a < 0 < 1 < b < a, or 1 - a < 0 < "
        "b < 1 < a, or 0 < 1 - a < b < a < 1 (or a and 1 - a exchanged), and alternating signs give f and r f(1/r) "
        "positive weights. For f = r log r they are limits of those of (r^a - r)/(a - 1), a > 1, so A, B >= 0. The "
        "mean of r f(1/r) is that of f in the other order. Randomized response of level x has equality.",
    ),
    Principle(
        "renyi-monotone",
        "Renyi divergences are bounded at one order, or their quotient with the order falls",
        "they are bounded at smaller orders; the bound at all orders is the limit at order one",
        r"D_\alpha \le D_\beta,\ \alpha \le \beta",
    ),
    Principle(
        "log-convex",
        "moments of the ratio are bounded at two orders, or at one order together with the ratio itself",
        "the logarithm of the moment lies below the chord at orders in between, and below the tangent of a bounded "
        "ratio beyond",
        r"(\alpha-1) D_\alpha \text{ is convex in } \alpha",
    ),
    Principle(
        "skew-symmetry",
        "D_a of (P, Q) has an order 0 < a < 1",
        "it is a/(1 - a) times D_(1-a) of (Q, P)",
        r"D_a(P\,\|\,Q) = \frac{a}{1-a} D_{1-a}(Q\,\|\,P)",
        "0 < a < 1",
        "(a - 1) D_a(P || Q) and -a D_(1-a)(Q || P) are both the logarithm of the sum of p^a q^(1-a).",
    ),
    Principle(
        "counterexample",
        "a mechanism or a family of mechanisms satisfies the premise",
        "no level below those it has, or approaches, follows",
        r"\exists M:\ M \models A,\ M \not\models B",
    ),
    Principle(
        "exact-level",
        "the level of a mechanism is computed from the definition",
        "the mechanism satisfies the notion exactly from that level on",
        r"\ell(M) = \min\{\ell : M \models N(\ell)\}",
    ),
    Principle(
        "identity",
        "premise and conclusion bound the same quantity",
        "the level is that of the premise, rewritten",
        r"\varphi(\ell) \Leftrightarrow \varphi(\ell)",
    ),
    Principle(
        "quadrature",
        "an integrand is analytic and bounded on a strip",
        "the trapezoidal rule has an exponentially small error (Trefethen, Weideman 2014, Theorem 5.1)",
        r"|I - I_h| \le 2M/(e^{2\pi d/h}-1)",
    ),
    Principle(
        "azuma",
        "each run's loss, given the earlier outputs, has a mean of at most m_i and lies in an interval of width 2 w_i",
        "its moment generating function is that of a subgaussian variable (Hoeffding), these multiply run by run, and "
        "the sum exceeds its mean by s with probability at most exp(-s^2/(2 sum w_i^2)), which bounds delta",
        r"\Pr\bigl[\sum L_i > \sum m_i + s\bigr] \le e^{-s^2/(2\sum w_i^2)}",
    ),
    Principle(
        "pinsker",
        "the KL divergence of P from Q is d, in this order",
        "their total variation is at most sqrt(d/2): on an event the divergence of two coins is at least twice the "
        "squared difference, because its second derivative is at least 4",
        r"\mathrm{TV}(P,Q) \le \sqrt{\mathrm{KL}(P\|Q)/2}",
    ),
    Principle(
        "response-mixture",
        "two laws P and Q, and U = |log dP/dQ|",
        "the symmetrised pair is a mixture of randomized responses of levels U: the mean of a divergence over both "
        "orders is the mean of its values at randomized response of level U, U drawn under (P + Q)/2",
        r"\tfrac12(D_f(P,Q)+D_f(Q,P)) = \mathrm{E}\,\varphi_f(U)",
        "a divergence that is the same in both orders is that mean itself",
        "An output y with log dP/dQ = u, |u| = U, adds Q(y) f(e^u) + P(y) f(e^-u) to twice the left side. With "
        "P(y) = e^u Q(y) and P(y) + Q(y) = 2w this is 2w (f(e^u) + e^u f(e^-u))/(1 + e^u), which is 2w times the value "
        "at randomized response of level u, and the same for -u. Where one law is 0 it is the limit.",
    ),
    Principle(
        "rare-output",
        "f is continuous on (0, oo); an output has probability d under one input and K d under the other",
        "the divergence of f tends to 0 in both orders as d tends to 0, while the ratio stays K",
        r"d\,f(K) + (1-d)\,f\!\left(\tfrac{1-Kd}{1-d}\right) \to f(1)",
        "f is defined on (0, oo) (certified)",
        "The two ratios are K with probability d and (1 - K d)/(1 - d), which tends to 1, with probability 1 - d; f is "
        "continuous at 1. In the other order K is replaced by 1/K.",
    ),
    Principle(
        "all-orders",
        "D_alpha <= rho alpha for every order alpha > 1",
        "it holds at each order, and at order one in the limit, where D_alpha is the Kullback-Leibler divergence; "
        "conversely a bound that is shown for every order is that of ZCDP, and one up to an order that of tCDP",
        r"D_\alpha \le \rho\alpha\ \forall\alpha>1,\quad \lim_{\alpha\to1} D_\alpha = D_1",
        "the bound is certified for every alpha > 1",
        "The first is the definition. D_alpha decreases to D_1 as alpha decreases to 1 (van Erven, Harremoes 2014, "
        "Theorem 5, where some D_alpha, alpha > 1, is finite).",
    ),
    Principle(
        "gaussian-moments",
        "X is a standard normal variable and r = exp(mu X - mu^2/2), the ratio of the Gaussian pair",
        "E r^s = exp(s (s - 1) mu^2/2), E r^s log r is its slope in s, P[X > c] = erfc(c/sqrt(2))/2, r has no bound",
        r"\mathrm{E}\,r^s = e^{s(s-1)\mu^2/2}",
        "none",
        "E exp(t X) = exp(t^2/2) at t = s mu; differentiation under the integral; the law of r X is that of X + mu.",
    ),
)
