import { median } from "../figure.mjs";

export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Both sides once to warm them, then in turns. The median of our time over the plain one's, and of both in milliseconds. */
export async function inTurns(rounds, plain, ours) {
  await ours();
  await plain();
  const times = [];
  for (let round = 0; round < rounds; round++)
    times.push({ peer: await timed(plain), ours: await timed(ours) });
  return {
    ratio: median(times.map((time) => time.ours / time.peer)),
    peer: median(times.map(({ peer }) => peer)),
    ours: median(times.map((time) => time.ours)),
  };
}
