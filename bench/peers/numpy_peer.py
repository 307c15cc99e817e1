"""numpy: one real FFT of 2^n doubles."""

import numpy as np

from serve import serve


def rfft(log2):
    signal = np.sin(np.arange(2**log2) * 0.1)
    return lambda: float(np.abs(np.fft.rfft(signal)[1]))


serve({"rfft": rfft})
