import { createHash } from "node:crypto";
import { afterPowerFailure, SimulatedDisk } from "./simulated-disk.mjs";

const sector = 512;
const most = 32;

/**
 * The states in which a power failure at any moment of a recorded story may leave the disk: { tree, told }, where
 * `told` is how much of what the process was told lay before the failure. At every moment: all that was pending is
 * there; none; each prefix; all but one; one alone; each last write torn at its first byte, at sectors, before its last
 * byte, as zeros and as noise; every subset where there are at most six; and random `mixtures` of all this. A `share`
 * below 1 leaves the others out at random; beyond 32 pending effects some are looked at. States that are the same in
 * bytes and in what was told come once; `seen` may be shared between stories.
 */
export function* crashStates({ name, operations }, { random, mixtures, share = 1, seen = new Set() }) {
  const disk = new SimulatedDisk(name);
  for (let index = 0; index <= operations.length; index += 1) {
    const next = operations[index];
    // What is told between two operations was told before a failure there.
    if (next?.op === "told") continue;
    const told = index;
    for (const kept of choices(disk.pending(), random, mixtures)) {
      if (random() >= share) continue;
      const tree = afterPowerFailure(disk, (effect) => kept.get(effect) ?? null);
      const key = digest(tree, told, name);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { tree, told };
    }
    if (next) disk.do(next);
  }
}

/** Ways in which pending effects survive: maps from an effect to what is left of it; what is missing is lost. */
function* choices(pending, random, mixtures) {
  const only = (effects) => new Map(effects.map((effect) => [effect, effect]));
  if (pending.length <= 6) {
    for (let mask = 0; mask < 2 ** pending.length; mask += 1) {
      yield only(pending.filter((_, i) => (mask >> i) & 1));
    }
  } else {
    for (const [length, one] of some(pending, random)) {
      yield only(pending.slice(0, length));
      yield only([one]);
      yield only(pending.filter((effect) => effect !== one));
    }
    yield only(pending);
  }
  const last = pending.at(-1);
  for (const part of last ? tears(last, random) : []) {
    yield only(pending.slice(0, -1)).set(last, part);
    yield new Map([[last, part]]);
  }
  for (let i = 0; i < mixtures && pending.length > 0; i += 1) {
    // Some failures lose little, some nearly everything.
    const share = random();
    const kept = new Map();
    for (const effect of pending) {
      if (random() > share) continue;
      const parts = random() < 0.3 ? [...tears(effect, random)] : [];
      kept.set(effect, parts[Math.floor(random() * parts.length)] ?? effect);
    }
    yield kept;
  }
}

/** All of them with their places, or `most` at random where there are more. */
function some(pending, random) {
  const all = [...pending.entries()];
  if (all.length <= most) return all;
  return Array.from({ length: most }, () => all[Math.floor(random() * all.length)]);
}

/** Parts of a write: beginnings, ends, every other sector, the size alone, and a block with foreign bytes. */
function* tears(effect, random) {
  const { bytes } = effect;
  if (!bytes || bytes.length < 2) return;
  const part = (from, to) => ({ ...effect, at: effect.at + from, bytes: bytes.subarray(from, to) });
  const middle = sector * Math.ceil(bytes.length / sector / 2);
  const cuts = new Set([1, sector, middle, bytes.length - 1, 1 + Math.floor(random() * (bytes.length - 1))]);
  for (const cut of cuts) {
    if (cut <= 0 || cut >= bytes.length) continue;
    yield part(0, cut);
    yield part(cut, bytes.length);
  }
  yield { ...effect, bytes: Buffer.alloc(bytes.length) };
  yield {
    ...effect,
    bytes: Buffer.from(bytes.map((byte, i) => (Math.floor(i / sector) % 2 ? byte : byte ^ 0xa5))),
  };
}

function digest(tree, told, name) {
  const hash = createHash("sha256").update(`${name} ${told}`);
  for (const [path, bytes] of tree) {
    hash.update(`\0${path}\0${bytes?.length ?? "directory"}\0`);
    if (bytes) hash.update(bytes);
  }
  return hash.digest("base64");
}
