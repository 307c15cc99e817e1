"""A network of bench/learn/networks.mjs as a PyTorch module, and its vectors in Lethe's order and back."""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.set_num_interop_threads(1)


layouts = {"channels-first": torch.contiguous_format, "channels-last": torch.channels_last}


class Described:
    """`module` begins with `weights`. PyTorch has channels first, outputs before inputs, and may lay pictures out in memory either way."""

    def __init__(self, network, weights, layout):
        self.is_picture = len(network["input"]) == 3
        self.layers = []
        shape = tuple(network["input"]) if self.is_picture else (1, 1, network["input"][0])
        modules = []
        for layer in network["layers"]:
            module, windows, shape = made(layer, shape)
            modules.append(module)
            if windows is not None:
                self.layers.append((module, windows))
        self.layout = layouts[layout]
        self.module = nn.Sequential(*modules)
        self._load(weights)
        self.module = self.module.to(memory_format=self.layout)

    def _load(self, weights):
        at = 0
        with torch.no_grad():
            for module, windows in self.layers:
                count = int(np.prod(windows))
                own = weights[at : at + count].reshape(windows).transpose(3, 2, 0, 1)
                module.weight.copy_(torch.from_numpy(own.copy()).view(module.weight.shape))
                outputs = windows[3]
                module.bias.copy_(torch.from_numpy(weights[at + count : at + count + outputs].copy()))
                at += count + outputs
        assert at == len(weights)

    def in_order(self, of):
        """One vector of what `of` gives of each parameter."""
        parts = []
        for module, (height, width, channels, outputs) in self.layers:
            weight = of(module.weight).detach().cpu().numpy()
            parts.append(weight.reshape(outputs, channels, height, width).transpose(2, 3, 1, 0).ravel())
            parts.append(of(module.bias).detach().cpu().numpy())
        return np.concatenate(parts)

    def batch(self, inputs, labels):
        # A copy in numpy: with one channel PyTorch would take a moved axis for either layout, and go on in the other.
        rows = torch.from_numpy(inputs.transpose(0, 3, 1, 2).copy() if self.is_picture else inputs)
        return rows.contiguous(memory_format=self.layout) if self.is_picture else rows, torch.from_numpy(labels)


def made(layer, shape):
    """The module of a layer, its weights' shape as Lethe has it (None without weights), and the shape of what it makes."""
    height, width, channels = shape
    kind = layer["layer"]
    if kind == "linear":
        outputs = layer["outputs"]
        return nn.Linear(height * width * channels, outputs), (*shape, outputs), (1, 1, outputs)
    if kind == "conv2d":
        outputs, kernel, stride = layer["channels"], layer["kernel"], layer["stride"]
        padding = layer.get("padding", 0)
        module = nn.Conv2d(channels, outputs, kernel, stride, padding=padding)
        moved = [(length + 2 * padding - kernel) // stride + 1 for length in (height, width)]
        return module, (kernel, kernel, channels, outputs), (*moved, outputs)
    if kind == "max-pool2d":
        kernel, stride = layer["kernel"], layer["stride"]
        moved = [(length - kernel) // stride + 1 for length in (height, width)]
        return nn.MaxPool2d(kernel, stride), None, (*moved, channels)
    return {"relu": nn.ReLU, "flatten": nn.Flatten}[kind](), None, shape
