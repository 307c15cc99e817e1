"""OpenDP: its exact samplers on integers, one value at a time and as a vector."""

import opendp.prelude as dp

from serve import serve

dp.enable_features("contrib")


def measurement(law, scale, vector):
    """The measurement as its documentation makes it: domain and metric, then the noise."""
    atom = dp.atom_domain(T=int)
    if law == "laplace":
        space = (dp.vector_domain(atom), dp.l1_distance(T=int)) if vector else (atom, dp.absolute_distance(T=int))
        return dp.m.make_laplace(*space, scale=scale)
    space = (dp.vector_domain(atom), dp.l2_distance(T=int)) if vector else (atom, dp.absolute_distance(T=int))
    return dp.m.make_gaussian(*space, scale=scale)


def single(law, scale, count):
    noisy = measurement(law, scale, vector=False)
    return lambda: [noisy(0) for _ in range(count)]


def batch(law, scale, count):
    noisy = measurement(law, scale, vector=True)
    zeros = [0] * count
    return lambda: noisy(zeros)


def mean_size(values):
    """What the bench compares, so that both sides draw from one law."""
    return sum(abs(value) for value in values) / len(values)


serve({"single": single, "batch": batch}, say=mean_size)
