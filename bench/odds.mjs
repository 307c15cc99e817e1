// odds.<what>.worst: the largest of our bound over riskcal's, of the advantage and of true positives at 1 % false ones (target ≤ 1.02).
import { odds } from "@lethe/core/accounting";
import { figure } from "./figure.mjs";
import { startPeer } from "./peers/peer.mjs";

const seeded = (state) => () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

export default async function bench(options) {
  const at = options.indexOf("--settings");
  const settings = at < 0 ? 20 : Number(options[at + 1]);
  const peer = startPeer("riskcal", ".venv-riskcal");
  const random = seeded(57);
  const between = (low, high) => Number((low * (high / low) ** random()).toPrecision(4));
  const noise = (scale) => ({
    kind: "continuous-laplace",
    version: 1,
    scale: String(scale),
    sensitivity: "1",
  });
  const kinds = {
    gaussian: () => {
      const sigma = between(0.5, 30);
      return [{ kind: "gaussian", version: 1, sigma: String(sigma), sensitivity: "1" }, { sigma }];
    },
    laplace: () => {
      const scales = Array.from({ length: 1 + Math.floor(random() * 4) }, () => between(0.5, 20));
      return [{ kind: "compose", version: 1, events: scales.map(noise) }, { scales }];
    },
    zcdp: () => {
      const rho = between(0.001, 2);
      return [{ kind: "zcdp", version: 1, rho: String(rho) }, { rho }];
    },
  };
  for (const [kind, draw] of Object.entries(kinds)) {
    let [advantage, right] = [0, 0];
    for (let setting = 0; setting < settings; setting += 1) {
      const [event, words] = draw();
      const ours = odds(event);
      if (peer === null) continue;
      const { value } = await peer.ask(kind, words);
      advantage = Math.max(advantage, ours.advantage / value[0]);
      right = Math.max(right, ours.truePositives / value[1]);
    }
    figure(`odds.${kind}.advantage.worst`, peer && advantage, "ratio", peer && 1);
    figure(`odds.${kind}.true-positives.worst`, peer && right, "ratio", peer && 1);
  }
  peer?.stop();
}
