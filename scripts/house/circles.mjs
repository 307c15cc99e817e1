/** Groups of files that import each other in a circle: strongly connected components of more than one file (Tarjan 1972). */
export function circles(edges) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];

  const connect = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) {
        connect(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node), index.get(next)));
      }
    }
    if (low.get(node) !== index.get(node)) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1 || (edges.get(node) ?? []).includes(node)) found.push(component.sort());
  };

  for (const node of edges.keys()) if (!index.has(node)) connect(node);
  return found;
}
