/** Runs `total` pieces of work, `clients` at a time; returns how many a second, and the times of the slowest hundredth and of the slowest in ms. */
export async function rate(clients, total, run) {
  const times = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < total) {
        const at = next++;
        const since = performance.now();
        await run(at);
        times.push(performance.now() - since);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  return { rate: total / seconds, p99: times[Math.floor(times.length * 0.99)], slowest: times.at(-1) };
}
