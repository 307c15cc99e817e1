import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededBytes } from "../../testing/seeded-bytes.ts";
import { preparePassword } from "./prepare-password.ts";
import {
  derive,
  makeVerifier,
  mockVerifier,
  proofHolds,
  readVerifier,
  scramKeys,
  serverSignature,
  verifierText,
} from "./scram-verifier.ts";

const base64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

/** The exchange of RFC 7677, section 3: user "user", password "pencil". */
const rfc = {
  salt: base64("W22ZaJ0SNY7soEsUEjb6gQ=="),
  message: [
    "n=user,r=rOprNGfwEbeRWgbNEkqO",
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
  ].join(","),
  proof: base64("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="),
  signature: "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
};

describe("a verifier", () => {
  it("takes the proof of RFC 7677's example, gives its signature, and takes no other proof", async () => {
    const verifier = {
      iterations: 4096,
      salt: rfc.salt,
      ...scramKeys(await derive("pencil", rfc.salt, 4096)),
    };
    expect(proofHolds(verifier, rfc.message, rfc.proof)).toBe(true);
    expect(Buffer.from(serverSignature(verifier, rfc.message)).toString("base64")).toBe(rfc.signature);
    for (let bit = 0; bit < 256; bit += 1) {
      const wrong = rfc.proof.slice();
      wrong[bit >> 3]! ^= 1 << (bit & 7);
      expect(proofHolds(verifier, rfc.message, wrong)).toBe(false);
    }
    expect(proofHolds(verifier, `${rfc.message}.`, rfc.proof)).toBe(false);
    expect(proofHolds(verifier, rfc.message, rfc.proof.slice(0, 31))).toBe(false);
    expect(proofHolds(verifier, rfc.message, new Uint8Array(0))).toBe(false);
  });

  it("is read as PostgreSQL writes it, and written so", async () => {
    const verifier = await makeVerifier("correct horse battery", 4096, seededBytes("a"));
    const text = verifierText(verifier);
    expect(text).toMatch(/^SCRAM-SHA-256\$4096:[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}$/);
    expect(readVerifier(text)).toEqual(verifier);
    for (const wrong of [
      "",
      text.slice(0, -1),
      text.replace("4096", "4095"),
      text.replace("SHA-256", "SHA-1"),
      ` ${text}`,
    ])
      expect(() => readVerifier(wrong)).toThrow(expect.objectContaining({ code: "people.unreadable" }));
  });

  it("has a new salt each time, so that equal passwords are not seen to be", async () => {
    const random = seededBytes("salts");
    const [a, b] = [
      await makeVerifier("same words here", 4096, random),
      await makeVerifier("same words here", 4096, random),
    ];
    expect(a.salt).not.toEqual(b.salt);
    expect(a.storedKey).not.toEqual(b.storedKey);
  });
});

describe("the verifier of a name that nobody has", () => {
  const secret = new Uint8Array(32).fill(7);
  it("is the same each time, differs by name and by secret, and has the form of a real one", async () => {
    const mock = mockVerifier("ada", secret, 4096);
    const real = await makeVerifier("x", 4096, seededBytes("b"));
    expect(mockVerifier("ada", secret, 4096)).toEqual(mock);
    expect(mockVerifier("adb", secret, 4096).salt).not.toEqual(mock.salt);
    expect(mockVerifier("ada", new Uint8Array(32).fill(8), 4096).salt).not.toEqual(mock.salt);
    for (const part of ["salt", "storedKey", "serverKey"] as const)
      expect(mock[part].length).toBe(real[part].length);
    expect(readVerifier(verifierText(mock))).toEqual(mock);
  });

  it("takes no proof that is made from what it shows", () => {
    const mock = mockVerifier("ada", secret, 4096);
    const signature = createHmac("sha256", mock.storedKey).update("m").digest();
    for (const key of [mock.storedKey, mock.serverKey, createHash("sha256").update(mock.salt).digest()])
      expect(
        proofHolds(
          mock,
          "m",
          Uint8Array.from(key, (byte, index) => byte ^ signature[index]!),
        ),
      ).toBe(false);
  });
});

describe("preparePassword", () => {
  it.each([
    ["I\u00adX", "IX"],
    ["user", "user"],
    ["USER", "USER"],
    ["\u00aa", "a"],
    ["\u2168", "IX"],
    ["\u0007", null],
    ["a\u00a0b", "a b"],
    ["e\u0301", "\u00e9"],
    ["\ufeff", null],
    ["", null],
    ["a\ud800", null],
    ["a\u202eb", null],
    ["a\ue000", null],
    ["a\u{e0041}", null],
    ["a\ufffd", null],
  ])("%j is %j, as RFC 4013 has it", (text, prepared) => {
    expect(preparePassword(text)).toBe(prepared);
  });

  it("changes nothing the second time, and gives one form for what Unicode calls equal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const prepared = preparePassword(text);
        if (prepared !== null) expect(preparePassword(prepared)).toBe(prepared);
        expect(preparePassword(text.normalize("NFD"))).toBe(preparePassword(text.normalize("NFC")));
      }),
    );
  });
});
