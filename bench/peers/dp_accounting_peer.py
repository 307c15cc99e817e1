"""Google's dp_accounting: epsilon and noise of DP-SGD by its PLD accountant, at its own discretization of 1e-4."""

import math

import dp_accounting
from dp_accounting.privacy_accountant import NeighboringRelation as NeighborRel
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


def composed(event, steps, delta, neighbours=NeighborRel.ADD_OR_REMOVE_ONE):
    run = dp_accounting.SelfComposedDpEvent(event, steps)
    return lambda: PLDAccountant(neighboring_relation=neighbours).compose(run).get_epsilon(delta)


def mixture(sigma, moves, weights, steps, delta):
    return composed(dp_accounting.dp_event.MixtureOfGaussiansDpEvent(sigma, moves, weights), steps, delta)


def group(size, rate, sigma, steps, delta):
    """So many units that all come: the number of them in a sample is binomial."""
    weights = [math.comb(size, j) * rate**j * (1 - rate) ** (size - j) for j in range(size + 1)]
    return mixture(sigma, list(range(size + 1)), weights, steps, delta)


def replaced(rate, sigma, steps, delta):
    step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
    return composed(step, steps, delta, NeighborRel.REPLACE_ONE)


def heterogeneous(sampled, laplace, gaussian, delta):
    """Sampled Gaussians of (rate, sigma, steps), and Laplace and Gaussian noise of these scales, all composed."""
    events = [event_of(*run) for run in sampled]
    events += [dp_accounting.LaplaceDpEvent(scale) for scale in laplace]
    events += [dp_accounting.GaussianDpEvent(sigma) for sigma in gaussian]
    return lambda: PLDAccountant().compose(dp_accounting.ComposedDpEvent(events)).get_epsilon(delta)


def truncated(units, rate, limit, sigma, steps, delta):
    """At exactly so many units."""
    step = dp_accounting.dp_event.TruncatedSubsampledGaussianDpEvent(units, rate, limit, sigma)
    return composed(step, steps, delta)


serve(
    {
        "epsilon": epsilon,
        "sigma": sigma,
        "mixture": mixture,
        "group": group,
        "replaced": replaced,
        "truncated": truncated,
        "heterogeneous": heterogeneous,
    }
)
