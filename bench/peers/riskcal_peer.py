"""riskcal: advantage and true positives at 1 % false ones, of zCDP alone and of privacy-loss distributions; μ as the most that any of 400 tests takes."""

from dp_accounting.pld import common
from dp_accounting.pld import privacy_loss_distribution as distributions
from riskcal.analysis import conversions

from scipy.stats import norm

from serve import serve

ALPHA = 0.01


def both(pld):
    return [float(conversions.get_advantage_from_pld(pld)), 1 - float(conversions.get_beta_from_pld(pld, alpha=ALPHA))]


def gaussian(sigma):
    return lambda: both(distributions.from_gaussian_mechanism(sigma))


def laplace(scales):
    def composed():
        pld = distributions.from_laplace_mechanism(scales[0])
        for scale in scales[1:]:
            pld = pld.compose(distributions.from_laplace_mechanism(scale))
        return both(pld)

    return composed


def zcdp(rho):
    return lambda: [
        float(conversions.get_advantage_from_zcdp(rho)),
        1 - float(conversions.get_beta_from_zcdp(rho=rho, alpha=ALPHA)),
    ]


# Integer noise of more than so many atoms is that of real numbers.
MOST_ATOMS = 3000
FALSE_ALARMS = [10 ** (-8 + 7.699 * step / 399) for step in range(400)]


def step(kind, scale, size, pessimistic):
    if kind == "gaussian":
        return distributions.from_gaussian_mechanism(
            scale, sensitivity=size, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
        )
    if kind == "laplace" and size <= MOST_ATOMS:
        return distributions.from_discrete_laplace_mechanism(
            1 / scale, sensitivity=int(size), pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
        )
    if kind == "laplace":
        return distributions.from_laplace_mechanism(
            scale, sensitivity=size, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
        )
    told = norm.sf(size / scale) if kind == "tail" else size
    epsilon = 0 if kind == "tail" else scale
    return distributions.from_privacy_parameters(common.DifferentialPrivacyParameters(epsilon, float(told)))


def steps(steps):
    def odds(pessimistic):
        composed = step(*steps[0], pessimistic)
        for one in steps[1:]:
            composed = composed.compose(step(*one, pessimistic))
        advantage, right = both(composed)
        return composed, {"advantage": advantage, "truePositives": right}

    def measured():
        composed, upper = odds(True)
        betas = conversions.get_beta_from_pld(composed, alpha=FALSE_ALARMS)
        pairs = zip(betas, FALSE_ALARMS)
        mu = max(float(norm.ppf(1 - beta) - norm.ppf(alpha)) for beta, alpha in pairs if beta > 0)
        # dp_accounting has no optimistic end of a pair that tells all with some chance.
        lower = odds(False)[1] if all(kind in ("gaussian", "laplace") for kind, _, _ in steps) else None
        return {"upper": {**upper, "mu": mu}, "lower": lower}

    return measured


serve({"steps": steps, "gaussian": gaussian, "laplace": laplace, "zcdp": zcdp})
