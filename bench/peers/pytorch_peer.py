"""PyTorch without any privacy: forward, backward, update. A way is a layout of pictures, "channels-first" unless asked otherwise."""

import one_thread  # noqa: F401  first of all

import torch
from torch import nn

from serve_training import serve_training
from torch_network import Described


class Training:
    def __init__(self, way, network, weights, rate, units, batch, clip=None, noise=None):
        self.described = Described(network, weights, way)
        self.model = self.described.module
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=rate)
        self.criterion = nn.CrossEntropyLoss()
        self.batch = self.described.batch

    def step(self, batch):
        inputs, labels = batch
        self.optimizer.zero_grad()
        self.criterion(self.model(inputs), labels).backward()
        self.optimizer.step()

    def summed(self, batch):
        """The sum of the gradients of all rows, none of them clipped."""
        self.step(batch)
        return self.described.in_order(lambda parameter: parameter.grad) * len(batch[1])

    def weights(self):
        return self.described.in_order(lambda parameter: parameter)

    def wait(self):
        pass


serve_training(Training)
