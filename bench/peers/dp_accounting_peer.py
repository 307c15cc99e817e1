"""Google's dp_accounting: epsilon and noise of DP-SGD by its PLD accountant, at its own discretization of 1e-4."""

import dp_accounting
from dp_accounting.pld import PLDAccountant

from serve import serve


def event_of(rate, sigma, steps):
    step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    return dp_accounting.SelfComposedDpEvent(step, steps)


def epsilon(rate, sigma, steps, delta):
    """A fresh accountant each time: nothing is kept between calls."""
    return lambda: PLDAccountant().compose(event_of(rate, sigma, steps)).get_epsilon(delta)


def sigma(rate, steps, epsilon, delta, tolerance):
    """The least noise multiplier, as its own calibration finds it."""
    return lambda: dp_accounting.calibrate_dp_mechanism(
        PLDAccountant,
        lambda noise: event_of(rate, noise, steps),
        epsilon,
        delta,
        dp_accounting.LowerEndpointAndGuess(0.3, 2.0),
        tol=tolerance,
    )


serve({"epsilon": epsilon, "sigma": sigma})
