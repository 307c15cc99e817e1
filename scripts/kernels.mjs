// Compiles packages/learn/assembly to WebAssembly, and writes it as a module that needs no file beside it: in Node, in a browser, in a bundle. What
// is made is not committed. Does nothing where the module was made of the very sources; runs before a build, a typecheck and the tests.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "packages/learn/assembly");
const made = join(root, "packages/learn/src/kernels/wasm/kernels.generated.ts");
const options = [
  ...["--enable", "simd", "--runtime", "stub", "--importMemory", "--memoryBase", "1024", "--noAssert"],
  ...["--optimizeLevel", "3", "--shrinkLevel", "0", "--disableWarning", "112"],
];

const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .sort();
/** Functions of vectors are for other sources alone: no vector passes between wasm and its caller. */
const entries = sources.filter((name) => name !== "exponential.ts");

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
  const compiler = createRequire(import.meta.url).resolve("assemblyscript/package.json");
  return hash.update(JSON.parse(readFileSync(compiler, "utf8")).version).digest("hex");
}

async function compile() {
  const { default: asc } = await import("assemblyscript/asc");
  const files = new Map();
  const { error, stderr } = await asc.main([...entries, ...options, "--outFile", "kernels.wasm"], {
    readFile: (name) =>
      existsSync(join(folder, name)) && name.endsWith(".ts")
        ? readFileSync(join(folder, name), "utf8")
        : null,
    writeFile: (name, contents) => files.set(name, contents),
    listFiles: () => [],
  });
  if (error) throw new Error(`packages/learn/assembly does not compile:\n${stderr.toString()}`);
  return files.get("kernels.wasm");
}

/** Makes the module where it is not there or its sources changed. Two processes at once write the same bytes. */
export default async function makeKernels() {
  const mark = `// ${fingerprint()}\n`;
  if (existsSync(made) && readFileSync(made, "utf8").startsWith(mark)) return;
  const text = Buffer.from(await compile()).toString("base64");
  const part = `${made}.${process.pid}`;
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(
    part,
    `${mark}/** The compiled kernels, in base64. */\nexport const kernels: string = "${text}";\n`,
  );
  renameSync(part, made);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeKernels();
