/** Prints one figure as a JSON line: {"name","value","unit","peer","ratio"}. `ratio` is value over peer where there is a peer. */
export function figure(name, value, unit, peer = null, ratio = peer === null ? null : value / peer) {
  console.log(
    JSON.stringify({ name, value: rounded(value), unit, peer: rounded(peer), ratio: rounded(ratio) }),
  );
}

function rounded(x) {
  return typeof x === "number" && Number.isFinite(x) ? Number(x.toPrecision(5)) : x;
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
