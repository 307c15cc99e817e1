"""delta(epsilon) of T steps of Poisson-sampled Gaussian noise to about 60 digits, by inversion of the transform of the loss.

    delta(eps) = (1 / 2 pi) * integral of e^(-z eps) M(z)^T / (z (z + 1)) dt,   z = c + i t,  c > 0,   M(z) = E_P[e^(z L)]

Both integrals are trapezoid sums of analytic functions, which converge exponentially. The digits that two pairs of step sizes share are right. The
transform falls slowly where the rate or the noise is small; minutes suffice for rates near 1/2 and a noise of 3 or more.

    python sampled_gaussian_truth.py RATE NOISE STEPS EPSILON add|remove [C] [STEP_OF_X] [STEP_OF_T]

Needs python-flint (0.9.0), which is not one of the peers.
"""

import sys

from flint import acb, arb, ctx

ctx.dps = 80


def nodes(rate, noise, side, step):
    """The loss and the probability under P at each point of the sum over outcomes."""
    q, variance, step = arb(rate), arb(noise) ** 2, arb(step)
    count = int((17.5 * float(arb(noise)) + 1) / float(step)) + 1
    norm = step / (2 * arb.pi() * variance).sqrt()
    for i in range(-count, count + 1):
        x = step * i
        mixture = 1 - q + q * ((2 * x - 1) / (2 * variance)).exp()
        base = norm * (-(x * x) / (2 * variance)).exp()
        yield (mixture.log(), base * mixture) if side == "add" else (-mixture.log(), base)


def delta(rate, noise, steps, epsilon, side, c, step_of_x, step_of_t):
    points = [(loss, mass * (arb(c) * loss).exp()) for loss, mass in nodes(rate, noise, side, step_of_x)]
    epsilon, total, k, small = arb(epsilon), arb(0), 0, 0
    while small < 25:
        t = arb(step_of_t) * k
        real, imaginary = arb(0), arb(0)
        for loss, mass in points:
            sine, cosine = (t * loss).sin_cos()
            real += mass * cosine
            imaginary += mass * sine
        z = acb(arb(c), t)
        term = (-z * epsilon).exp() * acb(real, imaginary) ** steps / (z * (z + 1))
        total += term.real if k == 0 else 2 * term.real
        small = small + 1 if abs(float(abs(term).mid() / abs(total).mid())) < 1e-63 else 0
        k += 1
        if k > 20000:
            raise SystemExit("the transform falls too slowly")
    return total * arb(step_of_t) / (2 * arb.pi())


if __name__ == "__main__":
    rate, noise, steps, epsilon, side = sys.argv[1:6]
    c, step_of_x, step_of_t = [float(word) for word in (sys.argv[6:9] + ["6", "0.04", "0.5"][len(sys.argv[6:9]) :])]
    for finer in (0.5, 0.37):
        found = delta(rate, noise, int(steps), epsilon, side, c, step_of_x * finer, step_of_t * finer)
        print(found.str(66, radius=False), flush=True)
