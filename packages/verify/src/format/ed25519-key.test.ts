import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ed25519Key } from "./ed25519-key.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");

describe("ed25519Key", () => {
  it("reads the bytes of a key that Node wrote", () => {
    expect(Buffer.from(ed25519Key(pem)!)).toEqual(bytes);
    expect(Buffer.from(ed25519Key(pem.replaceAll("\n", "\r\n"))!)).toEqual(bytes);
    expect(Buffer.from(ed25519Key(`from the owner\n${pem}`)!)).toEqual(bytes);
  });
  it.each([
    ["a private key", privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    ["an X25519 key", pemOf(generateKeyPairSync("x25519").publicKey)],
    ["an RSA key", pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey)],
    ["a key that is cut off", pem.replace(/.{8}\n-----END/, "\n-----END")],
    ["a key with more behind it", pem.replace("\n-----END", "AAAA\n-----END")],
    ["no base64", pem.replace("MCow", "M=ow")],
    ["nothing", ""],
  ])("refuses %s", (_, text) => {
    expect(ed25519Key(text)).toBeNull();
  });
});

function pemOf(key: typeof publicKey): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}
