"""Trainings of one library, asked step by step. Vectors go through files of 32-bit floats, in Lethe's order: a layer's weights with the
channels of its inputs last, then those of its outputs, then its biases."""

from pathlib import Path

import numpy as np

from serve import serve


def serve_training(open_training):
    """`open_training(way, network, weights, **setting)` gives a training: `batch(inputs, labels)` prepares what `step` takes and
    `summed(batch)` gives the clipped sum of; `weights()`; `wait()` returns when all steps are done."""
    held = {}

    def read(folder, name):
        return np.fromfile(Path(folder) / f"{name}.f32", dtype=np.float32)

    def write(path, vector):
        np.asarray(vector, dtype=np.float32).tofile(path)

    def begin(name, way, network, folder, **setting):
        def run():
            labels = read(folder, "labels").astype(np.int64)
            inputs = read(folder, "inputs").reshape(len(labels), *network["input"])
            held[name] = (open_training(way, network, read(folder, "weights"), **setting), inputs, labels)

        return run

    def batches_of(name, batches):
        training, inputs, labels = held[name]
        return training, [training.batch(inputs[units], labels[units]) for units in batches]

    def steps(name, batches):
        """Batches are laid out before the clock starts, as a loader does beside a training."""
        training, prepared = batches_of(name, batches)

        def run():
            for batch in prepared:
                training.step(batch)
            training.wait()

        return run

    def summed(name, units, to):
        training, [batch] = batches_of(name, [units])
        return lambda: write(to, training.summed(batch))

    def weights(name, to):
        return lambda: write(to, held[name][0].weights())

    def end(name):
        return lambda: held.pop(name, None) and None

    serve({"begin": begin, "steps": steps, "summed": summed, "weights": weights, "end": end})
