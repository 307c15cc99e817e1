"""PLD_accounting 2.0: an interval for the epsilon of random allocation, from its adaptive search."""

from PLD_accounting import gaussian_allocation_epsilon_range

from serve import serve


def allocation(sigma, steps, selected, epochs, delta):
    return lambda: gaussian_allocation_epsilon_range(
        delta=delta, sigma=sigma, num_steps=steps, num_selected=selected, num_epochs=epochs
    )[0]


serve({"allocation": allocation})
