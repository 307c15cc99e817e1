import { corrupt } from "../records/corrupt.ts";
import { sha256 } from "../records/record-hash.ts";

/**
 * A map of texts in a tree of hashes, so that one hash, the root, stands for all of them. A key's place follows from sha256 of the key: each
 * digit of it chooses one of sixteen branches, down to where the key is alone. The same map has the same tree, however it came about. To read or
 * write one key touches as many nodes as the logarithm of the number of keys, and each is checked against the hash that its parent has of it.
 *
 * A node is a text at a path of digits: "L" and the canonical [key, text] of a leaf, or "B" and sixteen hashes, each empty where nothing is.
 */
export interface HashTree {
  /** sha256 of the node at the empty path; {@link emptyRoot} where there is no key. */
  readonly root: string;
  /** Returns the stored text of a path. */
  readonly node: (path: string) => string | null;
}

export const emptyRoot: string = "0".repeat(64);

/** Nodes that replace those at their paths. */
export type ChangedNodes = ReadonlyMap<string, string>;

type Leaf = { readonly key: string; readonly text: string };

const digits = "0123456789abcdef";
const none: readonly string[] = Array.from(digits, () => "");

/** Returns the text under a key, or null where the tree shows that there is none. Errors: ledger.corrupt where a node is not the one that its parent has. */
export function readKey(tree: HashTree, key: string): string | null {
  const place = sha256(key);
  let [path, hash] = ["", tree.root === emptyRoot ? "" : tree.root];
  while (hash !== "") {
    const node = checked(tree, path, hash);
    if (node[0] === "L") {
      const leaf = readLeaf(node);
      return leaf.key === key ? leaf.text : null;
    }
    const digit = place.charAt(path.length);
    hash = readBranch(node)[digits.indexOf(digit)] ?? "";
    path += digit;
  }
  return null;
}

/** Returns every text, each node checked. Errors: as readKey. */
export function* readAll(tree: HashTree): Generator<string> {
  const open = tree.root === emptyRoot ? [] : [{ path: "", hash: tree.root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const node = checked(tree, next.path, next.hash);
    if (node[0] === "L") {
      yield readLeaf(node).text;
      continue;
    }
    for (const [at, hash] of readBranch(node).entries())
      if (hash !== "") open.push({ path: next.path + digits.charAt(at), hash });
  }
}

/** Puts texts under keys. Returns the root afterwards, and the nodes that change. Errors: as readKey. */
export function writeKeys(
  tree: HashTree,
  texts: ReadonlyMap<string, string>,
): { readonly root: string; readonly nodes: ChangedNodes } {
  if (texts.size === 0) return { root: tree.root, nodes: new Map() };
  const nodes = new Map<string, string>();
  const leaves = [...texts].map(([key, text]) => ({ key, text, place: sha256(key) }));
  const put = (path: string, hash: string, added: readonly (Leaf & { readonly place: string })[]): string => {
    const node = hash === "" ? null : checked(tree, path, hash);
    let hashes = none;
    let leavesHere = added;
    if (node?.[0] === "L") {
      const held = readLeaf(node);
      if (!added.some(({ key }) => key === held.key))
        leavesHere = [...added, { ...held, place: sha256(held.key) }];
    } else if (node) hashes = readBranch(node);
    if (node?.[0] !== "B" && leavesHere.length === 1)
      return keep(nodes, path, leafText(leavesHere[0] as Leaf));
    const after = Array.from(digits, (digit, at) => {
      const below = leavesHere.filter(({ place }) => place.charAt(path.length) === digit);
      const before = hashes[at] ?? "";
      return below.length === 0 ? before : put(path + digit, before, below);
    });
    return keep(nodes, path, `B${after.join(",")}`);
  };
  const root = put("", tree.root === emptyRoot ? "" : tree.root, leaves);
  return { root, nodes };
}

function keep(nodes: Map<string, string>, path: string, node: string): string {
  nodes.set(path, node);
  return sha256(node);
}

function checked({ node }: HashTree, path: string, hash: string): string {
  const text = node(path);
  if (text === null || sha256(text) !== hash)
    throw corrupt("the caps and the spending of a scope are not those of the last record");
  return text;
}

function leafText({ key, text }: Leaf): string {
  return `L${JSON.stringify([key, text])}`;
}

function readLeaf(node: string): Leaf {
  const [key, text]: [string, string] = JSON.parse(node.slice(1));
  return { key, text };
}

function readBranch(node: string): readonly string[] {
  return node.slice(1).split(",");
}
