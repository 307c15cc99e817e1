"""Microsoft's prv_accountant: an interval for the epsilon of DP-SGD, certified to eps_error on each side."""

from prv_accountant.dpsgd import DPSGDAccountant

from serve import serve


def epsilon(rate, sigma, steps, delta, error):
    def answer():
        accountant = DPSGDAccountant(
            noise_multiplier=sigma,
            sampling_probability=rate,
            max_steps=steps,
            eps_error=error,
            delta_error=delta / 1000,
        )
        return accountant.compute_epsilon(delta=delta, num_steps=steps)[2]

    return answer


serve({"epsilon": epsilon})
