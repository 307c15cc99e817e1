"""riskcal: advantage and true positives at 1 % false ones, of zCDP alone and of privacy-loss distributions."""

from dp_accounting.pld import privacy_loss_distribution as distributions
from riskcal.analysis import conversions

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


serve({"gaussian": gaussian, "laplace": laplace, "zcdp": zcdp})
