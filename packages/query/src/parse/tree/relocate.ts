/** Rewrites every `location` of a tree in place. Walks with its own stack: the tree may be deep. */
export function relocate(tree: object, indexOf: (byte: number) => number): void {
  const open: object[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const [key, value] of Object.entries(node)) {
      if (key === "location" && typeof value === "number" && value >= 0)
        (node as { location: number }).location = indexOf(value);
      else if (typeof value === "object" && value !== null) open.push(value);
    }
  }
}
