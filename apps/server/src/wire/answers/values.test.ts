import { execFileSync, spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endPointHash } from "../sign-in/end-point-hash.ts";
import { decodeParameter } from "./decode-parameter.ts";
import { wireTypes, wireValue } from "./wire-type.ts";

const oid = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  float4: 700,
  float8: 701,
  text: 25,
  date: 1082,
  timestamp: 1114,
};

describe("a value", () => {
  it.each([
    ["bool", true],
    ["bool", false],
    ["int4", -7],
    ["int8", 9_007_199_254_740_991],
    ["float8", 0.1],
    ["text", "é\u{1f600}"],
    ["date", "1999-12-31"],
    ["date", "2024-02-29"],
    ["timestamp", "1999-12-31 23:59:59.000001"],
    ["timestamp", "2024-02-29 12:00:00"],
  ] as const)("of %s is read back as it was written, as text and as bytes: %s", (type, value) => {
    for (const format of ["text", "binary"] as const) {
      const bytes = wireValue(value, type, format);
      const { size } = wireTypes[type];
      if (format === "binary" && size > 0) expect(bytes).toHaveLength(size);
      expect(decodeParameter("$1", bytes && Buffer.from(bytes), format, oid[type], null)).toBe(value);
    }
  });

  it("is what PostgreSQL writes: days and microseconds since 2000", () => {
    expect(wireValue("2000-01-02", "date", "binary")).toEqual(Buffer.from([0, 0, 0, 1]));
    expect(wireValue("2000-01-01 00:00:01", "timestamp", "binary")).toEqual(
      Buffer.from([0, 0, 0, 0, 0, 15, 66, 64]),
    );
    expect(wireValue(true, "bool", "text")).toEqual(Buffer.from("t"));
  });

  it("is NULL where a number or a date cannot say that it stands for several groups", () => {
    for (const mark of ["(all)", "(other)"]) {
      expect(wireValue(mark, "float8", "text")).toBeNull();
      expect(wireValue(mark, "text", "text")).toEqual(Buffer.from(mark));
    }
  });

  it("of float8 keeps every double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const format of ["text", "binary"] as const) {
          const bytes = wireValue(value, "float8", format);
          expect(decodeParameter("$1", bytes && Buffer.from(bytes), format, 701, null)).toBeCloseTo(
            value + 0,
            300,
          );
        }
      }),
      { seed: 21, numRuns: 300 },
    );
  });
});

/** numeric as PostgreSQL's clients send it: groups of four digits, the weight of the first, the sign, the digits behind the point. */
function numeric(groups: readonly number[], weight: number, sign = 0, scale = 0): Buffer {
  const bytes = Buffer.alloc(8 + 2 * groups.length);
  for (const [at, part] of [groups.length, weight, sign, scale, ...groups].entries())
    bytes.writeUInt16BE(part & 0xffff, 2 * at);
  return bytes;
}

describe("a parameter", () => {
  it.each([
    [numeric([1, 2345], 1), 12_345],
    [numeric([12, 3400], 0, 0, 2), 12.34],
    [numeric([12, 3400], 0, 0x4000, 2), -12.34],
    [numeric([5], -1, 0, 4), 0.0005],
    [numeric([7], 2), 700_000_000],
    [numeric([], 0), 0],
  ])("of numeric is read from its bytes", (bytes, value) => {
    expect(decodeParameter("$1", bytes, "binary", 1700, null)).toBe(value);
  });

  it.each([
    ["42", 0, "number", 42],
    ["42", 705, "text", "42"],
    ["42", 25, "number", "42"],
    [" -1.5e2 ", 0, "number", -150],
    ["T", 0, "boolean", true],
    ["off", 16, null, false],
    ["2024-01-02", 0, "date", "2024-01-02"],
  ] as const)("%s of type %i, where a %s is asked for, is %s", (text, type, described, value) => {
    expect(decodeParameter("$1", Buffer.from(text), "text", type, described)).toBe(value);
  });

  it.each([
    [Buffer.from("1e999"), "text", 701],
    [Buffer.from("0x10"), "text", 23],
    [Buffer.from("maybe"), "text", 16],
    [Buffer.from([1]), "binary", 23],
    [Buffer.alloc(0), "binary", 16],
    [numeric([1], 0, 0xc000), "binary", 1700],
    [numeric([9999], 32_767), "binary", 1700],
    [Buffer.from([0x7f, 0xc0, 0, 0]), "binary", 700],
    [Buffer.from([0x7f, 0xf0, 0, 0, 0, 0, 0, 0]), "binary", 701],
    [Buffer.from([1, 2]), "binary", 1700],
    [Buffer.from([0x7f, 255, 255, 255, 255, 255, 255, 255]), "binary", 20],
    [Buffer.from([0x7f, 255, 255, 255]), "binary", 1082],
    [Buffer.from([1, 2, 3]), "binary", 3802],
  ] as const)("that cannot be read is refused by its name", (bytes, format, type) => {
    expect(() => decodeParameter("$3", bytes, format, type, null)).toThrow(
      expect.objectContaining({ code: "query.parameter" }),
    );
  });

  it("that is almost a number is refused about as fast as a number of its length", () => {
    const digits = "1".repeat(40_000);
    const tookMs = (text: string): number => {
      const before = performance.now();
      expect(() => decodeParameter("$1", Buffer.from(text), "text", 701, null)).toThrow(/\$1|2\^53/);
      return performance.now() - before;
    };
    expect(tookMs(`${digits}x`)).toBeLessThan(100 * tookMs(digits) + 100);
  });
});

describe.skipIf(spawnSync("openssl", ["version"]).status !== 0)("what binds a channel", () => {
  it.each([
    ["rsa:2048", "-sha256", "sha256"],
    ["rsa:2048", "-sha384", "sha384"],
    ["rsa:2048", "-sha512", "sha512"],
    ["rsa:2048", "-sha1", "sha256"],
    ["ec -pkeyopt ec_paramgen_curve:prime256v1", "-sha384", "sha384"],
    ["ed25519", "-sha256", null],
  ])("is the hash of the certificate by that of its signature: %s, %s", (key, digest, hash) => {
    const folder = mkdtempSync(join(tmpdir(), "lethe-certificate-"));
    const file = join(folder, "cert.pem");
    const words = `req -x509 -newkey ${key} ${digest} -nodes -days 2 -keyout ${join(folder, "key.pem")} -out ${file} -subj /CN=x`;
    execFileSync("openssl", words.split(" "), { stdio: "ignore" });
    const pem = readFileSync(file, "utf8");
    rmSync(folder, { recursive: true, force: true });
    const { raw } = new X509Certificate(pem);
    const expected = hash && new Uint8Array(createHash(hash).update(raw).digest());
    expect(endPointHash(pem)).toEqual(expected);
  });
});
