import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roundedStart } from "./our-side.mjs";

/** Rows and first weights in files of 32-bit floats, which the peers read and beside which they answer. */
export function writeSource(source) {
  const folder = mkdtempSync(join(tmpdir(), "lethe-learn-peers-"));
  const { inputs, labels } = source.rows;
  const weights = Float32Array.from(roundedStart(source));
  for (const [name, values] of Object.entries({ inputs, labels, weights }))
    writeFileSync(join(folder, `${name}.f32`), values);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** The same training in the process of a peer, in one of the peer's ways. */
export async function peerSide(peer, way, source, folder, setting) {
  const name = JSON.stringify([way, setting]);
  const units = source.rows.labels.length;
  const begin = () => peer.ask("begin", { name, way, network: source.network, folder, units, ...setting });
  const vector = async (action, words = {}) => {
    const to = join(folder, "answer.f32");
    await peer.ask(action, { name, to, ...words });
    const bytes = readFileSync(to);
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  };
  await begin();
  return {
    async steps(batches) {
      const lists = batches.map((batch) => [...batch]);
      const { seconds, processor } = await peer.ask("steps", { name, batches: lists });
      return { clock: (1000 * seconds) / batches.length, processor: (1000 * processor) / batches.length };
    },
    /** The clipped sum at the first weights, at which the training then stands again. */
    async summed(batch) {
      const sums = await vector("summed", { units: [...batch] });
      await begin();
      return sums;
    },
    weights: () => vector("weights"),
    end: () => peer.ask("end", { name }),
  };
}
