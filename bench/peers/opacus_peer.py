"""Opacus: one private step. A way is one of its modes and a layout of pictures: "hooks, channels-first" is what it does unless asked otherwise;
"ghost" is its fast gradient clipping."""

import one_thread  # noqa: F401  first of all

import logging
import warnings

import torch
from opacus import PrivacyEngine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from serve_training import serve_training
from torch_network import Described

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


class Training:
    """Made as its documentation makes it, but that batches come from outside; so they are not sampled by its loader."""

    def __init__(self, way, network, weights, clip, rate, noise, units, batch):
        mode, layout = way.split(", ")
        self.described = Described(network, weights, layout)
        self.expected = batch
        rows = TensorDataset(torch.zeros(units, 1), torch.zeros(units))
        private = PrivacyEngine().make_private(
            module=self.described.module,
            optimizer=torch.optim.SGD(self.described.module.parameters(), lr=rate),
            criterion=nn.CrossEntropyLoss(),
            data_loader=DataLoader(rows, batch_size=batch),
            noise_multiplier=noise,
            max_grad_norm=clip,
            poisson_sampling=False,
            grad_sample_mode=mode,
        )
        self.model, self.optimizer = private[:2]
        self.criterion = private[2] if mode == "ghost" else nn.CrossEntropyLoss()
        self.batch = self.described.batch

    def step(self, batch):
        inputs, labels = batch
        self.optimizer.zero_grad()
        self.criterion(self.model(inputs), labels).backward()
        self.optimizer.step()

    def summed(self, batch):
        """What a step without noise divides by the expected batch."""
        self.step(batch)
        return self.described.in_order(lambda parameter: parameter.grad) * self.expected

    def weights(self):
        return self.described.in_order(lambda parameter: parameter)

    def wait(self):
        pass


serve_training(Training)
