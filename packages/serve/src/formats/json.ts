import { type Rational, toText } from "@lethe/core";

/**
 * JSON for programs that is safe on a terminal too: whatever a terminal may obey is written as \uXXXX, which reads back
 * as the same text. Exact numbers become texts such as "1/3".
 */
export function renderJson(value: unknown): string {
  const json = JSON.stringify(value, exactText, 2);
  return json.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

function exactText(_key: string, value: unknown): unknown {
  if (isRational(value)) return toText(value);
  return typeof value === "bigint" ? value.toString() : value;
}

function isRational(value: unknown): value is Rational {
  return (
    typeof value === "object" &&
    value !== null &&
    "num" in value &&
    "den" in value &&
    typeof value.num === "bigint" &&
    typeof value.den === "bigint"
  );
}
