import { createCipheriv, createHash } from "node:crypto";
import type { BitSource } from "@lethe/core";

const blockBytes = 1 << 16;

/**
 * The coins that rows are drawn with, and those that codes become values with: the key stream of AES-256 in counter mode from 0, as words of 32 bits, lowest byte first. Its key is
 * the SHA-256 of "lethe synthetic rows 1" or "lethe synthetic values 1", a line end, and the hash of the released result in hex, so that whoever holds the release draws the
 * same rows. It is public, and no noise is ever drawn from it.
 */
export function rowStream(resultHash: string, use: "rows" | "values"): BitSource {
  const key = createHash("sha256").update(`lethe synthetic ${use} 1\n${resultHash}`).digest();
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  const zeros = Buffer.alloc(blockBytes);
  let [block, next] = [Buffer.alloc(0), 0];
  return {
    word() {
      if (next >= block.length) [block, next] = [cipher.update(zeros), 0];
      next += 4;
      return block.readUInt32LE(next - 4);
    },
  };
}
