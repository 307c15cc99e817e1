// random-dpsgd.narrow: share of random DP-SGD settings whose ε interval is within max(1e-4·ε, 1e-6), at the default accuracy; the
//   others must say that it was missed. Rate 1e-5 … 1, noise 0.4 … 20, steps 1 … 10⁶, δ 1e-30 … 1e-3, log-uniform, from one seed.
// random-dpsgd.seconds: seconds for one setting, the median and the longest (.longest).
// random-dpsgd.peer: settings where dp_accounting's own interval was compared. Peer: its PLD accountant, with --peer.
// Every ε(δ) is held against δ(ε) at both of its ends, and against the Gaussian that each composition of a rate of 1 is.
// Options: --settings N (1000), --seed S (1), --peer N: the first N of up to 5,000 steps and a δ above 1e-12 are asked of dp_accounting too.
import { account, dpSgdEvent } from "@lethe/core";
import { figure, median } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";
import { randomSettings } from "./random-settings.mjs";

export default async function bench(options) {
  const number = (name, otherwise) =>
    options.includes(name) ? Number(options[options.indexOf(name) + 1]) : otherwise;
  const settings = randomSettings(number("--settings", 1000), number("--seed", 1));
  const peers = number("--peer", 0);
  const google = peers > 0 ? startPeer("dp_accounting") : null;
  const times = [];
  let [narrow, asked] = [0, 0];
  try {
    for (const { rate, sigma, steps, delta } of settings) {
      const start = performance.now();
      const curve = account(dpSgdEvent({ rate, noiseMultiplier: sigma, steps }));
      const found = curve.epsilon(delta);
      times.push((performance.now() - start) / 1000);
      const what = `rate ${rate}, noise ${sigma}, ${steps} steps, δ ${delta}: [${found.lower}, ${found.upper}]`;
      const isNarrow = found.upper - found.lower <= Math.max(1e-4 * found.upper, 1e-6);
      if (isNarrow) narrow++;
      else console.error(what);
      if (isNarrow !== (found.missed === undefined)) throw new Error(`${what} says missed: ${found.missed}`);
      if (curve.delta(found.upper * (1 + 1e-12)).lower > delta)
        throw new Error(`${what}: δ at its upper end`);
      if (found.lower > 0 && curve.delta(found.lower * (1 - 1e-12)).upper < delta)
        throw new Error(`${what}: δ at its lower end`);
      if (rate === 1) {
        const one = {
          kind: "gaussian",
          version: 1,
          sigma: String(sigma / Math.sqrt(steps)),
          sensitivity: "1",
        };
        const whole = account(one).epsilon(delta);
        // The noise of one is rounded to a double.
        if (found.upper * (1 + 1e-12) < whole.lower || found.lower > whole.upper * (1 + 1e-12))
          throw new Error(`${what}: one Gaussian`);
      }
      if (google === null || asked >= peers || steps > 5000 || delta < 1e-12) continue;
      asked++;
      const { value } = await google.ask("epsilon", { rate, sigma, steps, delta });
      // Pessimistic to its grid of 1e-4 and its tails: no smaller than the truth but for its rounding.
      if (found.lower > value * (1 + 1e-6) + 1e-6) throw new Error(`${what}: dp_accounting has ${value}`);
    }
  } finally {
    google?.stop();
  }
  figure("random-dpsgd.narrow", narrow / settings.length, "share");
  figure("random-dpsgd.seconds", median(times), "s");
  figure("random-dpsgd.seconds.longest", Math.max(...times), "s");
  if (google !== null) figure("random-dpsgd.peer", asked, "settings");
}
