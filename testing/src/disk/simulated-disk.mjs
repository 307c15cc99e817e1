/**
 * A disk that forgets. It is told what a process did (see record-stories.mjs) and keeps apart what a flush has made
 * durable and what is only pending: bytes written and sizes cut until their file is flushed, names made, moved and
 * removed until their directory is flushed. A power failure may keep or lose each pending effect on its own, whatever
 * their order, and keep a part of a write alone. Bytes that were pending when a flush failed stay doubtful for
 * ever: a later flush that succeeds says nothing about them (the kernel has dropped those pages).
 * Bytes that no pending write covers are assumed to stay as they are.
 */
export class SimulatedDisk {
  /** Everything that happened, in order: { node, durable, doubtful } with { bytes, at }, { size } or { names: [name, child][] }. */
  effects = [];
  #root = newNode(true);
  #settled = new Platter();
  #settledCount = 0;
  #byInode = new Map();

  /** `folder` exists, empty, before the first operation. */
  constructor(folder) {
    this.#root.names.set(folder, newNode(true));
    this.base = this.#root.names.get(folder);
  }

  do(operation) {
    const { op, path, file } = operation;
    switch (op) {
      case "open": {
        if (operation.fresh) this.#enter([[path, newNode(false)]]);
        this.#byInode.set(file, this.#find(path));
        return;
      }
      case "mkdir":
        return this.#enter([[path, newNode(true)]]);
      case "remove":
        return this.#enter([[path, null]], this.#find(path));
      case "rename":
        return this.#enter([
          [operation.to, this.#find(operation.from)],
          [operation.from, null],
        ]);
      case "write":
        return this.#happened({ node: this.#node(file), at: operation.at, bytes: operation.bytes });
      case "truncate":
        return this.#happened({ node: this.#node(file), size: operation.size });
      case "sync":
        return this.#flush(this.#node(file), operation.failed);
      default:
        throw new Error(`an operation that the disk does not know: ${op}`);
    }
  }

  pending() {
    return this.unsettled().filter(({ durable }) => !durable);
  }

  /** Everything before the first effect that is pending. */
  settled() {
    while (this.effects[this.#settledCount]?.durable) {
      this.#settled.apply(this.effects[this.#settledCount]);
      this.#settledCount += 1;
    }
    return this.#settled;
  }

  /** The effects after that. */
  unsettled() {
    this.settled();
    return this.effects.slice(this.#settledCount);
  }

  #flush(node, failed) {
    for (const effect of this.unsettled()) {
      if (effect.node !== node || effect.durable) continue;
      if (!failed) effect.durable = !effect.doubtful;
      else if (!node.isDirectory) effect.doubtful = true;
      if (effect.durable && effect.gone) this.#forget(effect.gone);
    }
  }

  /** Settles the pending effects on a file that is gone, since what becomes of its bytes makes no difference. */
  #forget(gone) {
    for (const effect of this.unsettled()) if (effect.node === gone) effect.durable = true;
  }

  /** Records one change of names that happens as a whole; they lie in one directory. `gone` has no name after it. */
  #enter(changes, gone = null) {
    const directories = changes.map(([path]) => this.#find(parentOf(path)));
    if (new Set(directories).size !== 1) throw new Error("a name that moves between directories");
    const [node] = directories;
    const names = changes.map(([path, child]) => [path.split("/").at(-1), child]);
    for (const [name, child] of names) setName(node.names, name, child);
    this.#happened({ node, names, gone });
  }

  #happened(effect) {
    this.effects.push({ ...effect, durable: false, doubtful: false });
  }

  #node(inode) {
    const node = this.#byInode.get(inode);
    if (!node) throw new Error("an operation on a file that was not opened");
    return node;
  }

  #find(path) {
    let node = this.#root;
    for (const part of path.split("/").filter(Boolean)) node = node?.names.get(part);
    if (!node) throw new Error(`a path that does not exist: ${path}`);
    return node;
  }
}

function newNode(isDirectory) {
  return { isDirectory, names: new Map() };
}

function setName(names, name, child) {
  if (child) names.set(name, child);
  else names.delete(name);
}

function parentOf(path) {
  return path.split("/").slice(0, -1).join("/");
}

/**
 * Returns the contents of the disk after a power failure: [path, bytes | null for a directory][], sorted, below the story's folder. `kept(effect)`
 * says of a pending effect what is left of it: null (nothing), the effect, or a part of its bytes.
 */
export function afterPowerFailure(disk, kept) {
  const platter = disk.settled().copy();
  for (const each of disk.unsettled()) {
    const effect = each.durable ? each : kept(each);
    if (effect) platter.apply(effect);
  }
  return platter.tree(disk.base);
}

/** Bytes and names as they lie on the disk. A copy shares the bytes of its original until either writes. */
class Platter {
  #files;
  #names;

  constructor(files = new Map(), names = new Map()) {
    this.#files = files;
    this.#names = names;
  }

  copy() {
    return new Platter(
      new Map(this.#files),
      new Map([...this.#names].map(([node, names]) => [node, new Map(names)])),
    );
  }

  apply({ node, names, bytes, at, size }) {
    if (names) {
      const known = this.#names.get(node) ?? new Map();
      for (const [name, child] of names) setName(known, name, child);
      this.#names.set(node, known);
      return;
    }
    const file = this.#files.get(node) ?? Buffer.alloc(0);
    // What was never written is zeros.
    const next = Buffer.alloc(bytes ? Math.max(file.length, at + bytes.length) : size);
    file.copy(next, 0, 0, Math.min(next.length, file.length));
    bytes?.copy(next, at);
    this.#files.set(node, next);
  }

  tree(base) {
    const found = [];
    const walk = (node, path) => {
      for (const [name, child] of this.#names.get(node) ?? []) {
        const place = path ? `${path}/${name}` : name;
        found.push([place, child.isDirectory ? null : (this.#files.get(child) ?? Buffer.alloc(0))]);
        if (child.isDirectory) walk(child, place);
      }
    };
    walk(base, "");
    return found.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
