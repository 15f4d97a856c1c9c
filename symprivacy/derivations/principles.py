"""The named general steps that turn "for all mechanisms" into a question about one or two real numbers.

This is the only list of them: nothing prints another name. Each is an object that says what it assumes and concludes;
the rules that apply it check the side conditions every time they are used, and again whenever a derivation is checked.

>>> print(get("two-point-extremal").conditions)
f'' >= 0 on each smooth piece of f (certified); 0 < a < 1 < b (certified)
"""

from __future__ import annotations

from dataclasses import dataclass

from symprivacy.derivations import definitions, joint, secrets  # noqa: F401  register every rule
from symprivacy.derivations.rulebook import RULES
from symprivacy.language.names import no_such
from symprivacy.shown import Shown


@dataclass(frozen=True)
class Principle(Shown):
    """A general step: what it assumes, what it concludes, which side conditions its rules certify."""

    name: str
    assumes: str
    concludes: str
    latex: str
    conditions: str = "none"
    # Why it is true, in a few lines; empty where ``assumes`` and ``concludes`` are a definition or a textbook theorem.
    proof: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of derivations that apply this principle."""
        return tuple(sorted(rule.name for rule in RULES.values() if rule.principle == self.name))

    def __str__(self) -> str:
        return f"{self.name}: if {self.assumes}, then {self.concludes}"


PRINCIPLES = (
    Principle(
        "bayes",
        "a secret has prior p and likelihood ratio A",
        "its posterior is pA/(pA + 1 - p)",
        r"q = \frac{pA}{pA+1-p}",
        "0 < p < 1, A > 0",
    ),
    Principle(
        "events-to-points",
        "a ratio bound holds for every single output",
        "it holds for every event, because a mediant lies between the ratios it is made of",
        r"\frac{\sum_y P(y)}{\sum_y Q(y)} \le \max_y \frac{P(y)}{Q(y)}",
        "countably many outputs",
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
        "group-path",
        "a ratio bound B holds for neighbours",
        "B**c holds for inputs that are c steps apart",
        r"A \le B \Rightarrow A^{(c)} \le B^{c}",
        "the notion compares each pair in both orders; B >= 1 (certified); the chain is one of those listed",
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
        "it holds after any further randomised function of the output; a test and its complement are two outputs",
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
    Principle(
        "power-touching",
        "r^a is bounded in mean by d in both orders, a > 1, and g is r^b, 1 < b < a, or r log r",
        "E g is at most its value at the randomized response for which E r^a is d",
        r"g(r) \le A r^a + B r^{1-a} + T r + C,\ A, B > 0",
        "1 < b <= a (certified)",
        "A combination of r^a, g, r, 1, r^(1-a) has no more zeros on (0, oo), counted with multiplicity, than its "
        "coefficients have changes of sign in this order (Descartes' rule for real exponents, by Rolle's theorem; "
        "r log r is the limit of (r^b - r)/(b - 1), and the rule is shown for it in the same way). So one with "
        "coefficient -1 at g and double zeros at exp(x) and exp(-x) exists, its signs alternate, and it has no "
        "other zeros: it is nonnegative. The mean of r^(1-a) is that of r^a in the other order. Randomized "
        "response of level x has equality.",
    ),
    Principle(
        "renyi-monotone",
        "Renyi divergences are bounded at one order, or their quotient with the order falls",
        "they are bounded at smaller orders; the bound at all orders is the limit at order one",
        r"D_\alpha \le D_\beta,\ \alpha \le \beta",
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
        "azuma",
        "each run's loss, given the earlier outputs, has a mean of at most m_i and lies in an interval of width 2 w_i",
        "its moment generating function is that of a subgaussian variable (Hoeffding), these multiply run by run, and "
        "the sum exceeds its mean by s with probability at most exp(-s^2/(2 sum w_i^2)), which bounds delta",
        r"\Pr\bigl[\sum L_i > \sum m_i + s\bigr] \le e^{-s^2/(2\sum w_i^2)}",
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
        "conversely a bound that is shown for every order is that of ZCDP",
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


def get(name: str) -> Principle:
    """A principle by name.

    >>> get("bayes").rules
    ('bayes', 'belief-ratio', 'quotient')
    """
    known = {principle.name: principle for principle in PRINCIPLES}
    spelled = name.strip().casefold().replace(" ", "-").replace("_", "-")
    if spelled not in known:
        raise no_such("principle", name, known, f"there are {', '.join(known)}")
    return known[spelled]
