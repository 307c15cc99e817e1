"""JAX-Privacy: its clipped gradients and its Gaussian noise in one compiled step. A way is how many rows it takes at a time: all, or so many."""

import one_thread  # noqa: F401  first of all

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jax_privacy import clipping, noise_addition

from serve_training import serve_training


def relu(_layer, _own, x):
    return jax.nn.relu(x)


def flatten(_layer, _own, x):
    return x.reshape(x.shape[0], -1)


def linear(_layer, own, x):
    weight, bias = own
    return x @ weight.reshape(-1, weight.shape[-1]) + bias


def conv2d(layer, own, x):
    weight, bias = own
    border = (layer.get("padding", 0),) * 2
    strides = (layer["stride"],) * 2
    order = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, weight, strides, (border, border), dimension_numbers=order) + bias


def max_pool2d(layer, _own, x):
    kernel, stride = layer["kernel"], layer["stride"]
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, kernel, kernel, 1), (1, stride, stride, 1), "VALID")


layers = {"relu": relu, "flatten": flatten, "linear": linear, "conv2d": conv2d, "max-pool2d": max_pool2d}


def split(network, weights):
    """A pair of weights and biases for each layer that has them. JAX has Lethe's order."""
    shape, at, parts = tuple(network["input"]), 0, []
    for layer in network["layers"]:
        own = ()
        if layer["layer"] in ("linear", "conv2d"):
            kernel = layer.get("kernel")
            window = (kernel, kernel, shape[-1]) if kernel else (int(np.prod(shape)),)
            outputs = layer.get("outputs") or layer["channels"]
            count = int(np.prod(window)) * outputs
            own = (
                jnp.array(weights[at : at + count].reshape(*window, outputs)),
                jnp.array(weights[at + count : at + count + outputs]),
            )
            at += count + outputs
        parts.append(own)
        shape = jax.eval_shape(lambda x: layers[layer["layer"]](layer, own, x), jnp.zeros((1, *shape))).shape[1:]
    assert at == len(weights)
    return parts


class Training:
    def __init__(self, way, network, weights, clip, rate, noise, units, batch):
        def loss(parameters, inputs, labels):
            x = inputs
            for layer, own in zip(network["layers"], parameters):
                x = layers[layer["layer"]](layer, own, x)
            return optax.softmax_cross_entropy_with_integer_labels(x, labels).mean()

        together = None if way == "all" else int(way)
        gradients = clipping.clipped_grad(
            loss, batch_argnums=(1, 2), l2_clip_norm=clip, microbatch_size=together
        )
        privatizer = noise_addition.gaussian_privatizer(stddev=noise * clip, prng_key=1)

        def step(parameters, state, inputs, labels):
            sums = gradients(parameters, inputs, labels)
            if noise > 0:
                sums, state = privatizer.update(sums, state)
            return jax.tree.map(lambda own, by: own - rate / batch * by, parameters, sums), state

        self.parameters = split(network, weights)
        self.state = privatizer.init(self.parameters)
        self._step = jax.jit(step)
        self._sums = jax.jit(gradients)

    def batch(self, inputs, labels):
        return jnp.array(inputs), jnp.array(labels)

    def step(self, batch):
        self.parameters, self.state = self._step(self.parameters, self.state, *batch)

    def summed(self, batch):
        return in_order(self._sums(self.parameters, *batch))

    def weights(self):
        return in_order(self.parameters)

    def wait(self):
        jax.block_until_ready(self.parameters)


def in_order(parts):
    return np.concatenate([np.asarray(part).ravel() for own in parts for part in own])


serve_training(Training)
