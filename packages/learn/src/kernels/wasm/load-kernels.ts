import type { KernelExports } from "./kernel-exports.ts";
import { kernels } from "./kernels.generated.ts";

/** Just what is used of the interface that Node and browsers share. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  instantiate(
    bytes: Uint8Array,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Promise<{ readonly instance: { readonly exports: unknown } }>;
};

const pageBytes = 65536;

/** The kernels over a memory of their own, which never grows: what they need follows from the network alone. */
export interface LoadedKernels {
  readonly functions: KernelExports;
  readonly memory: ArrayBuffer;
}

/** Compiles the kernels. A page needs 'wasm-unsafe-eval' in its script-src. */
export async function loadKernels(bytes: number): Promise<LoadedKernels> {
  const pages = Math.ceil(bytes / pageBytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const code = Uint8Array.from(atob(kernels), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  // What packages/learn/assembly exports: the tests call every function of it.
  return { functions: instance.exports as KernelExports, memory: memory.buffer };
}
