import { foldName } from "@lethe/serve";
import fc from "fast-check";

/** A text that a page must show, and do nothing else with. Where a browser runs it, it calls `ran`, which {@link watch} hears. */
export type Payload = string;

/** Texts that are names too: at most 63 bytes, and nothing in them that is not seen. */
const names: readonly Payload[] = [
  "<script>ran()</script>",
  "<img src=x onerror=ran()>",
  '"><svg onload=ran()>',
  "' autofocus onfocus=ran() tabindex=0 x='",
  "javascript:ran()",
  "</title></textarea><iframe src=javascript:ran()>",
  "<iframe srcdoc='<script>parent.ran()</script>'>",
  "</style><style>@import 'https://evil.example/x'</style>",
  "x;background:url(https://evil.example/y)",
  "<link rel=stylesheet href=//evil.example/z>",
  "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content=0;url=//evil.example>",
  "{{constructor.constructor('ran()')()}}",
  "$" + "{ran()}`$" + "{ran()}`",
  "--><details open ontoggle=ran()>",
  "<math><mtext><img src=x onerror=ran()>",
  "data:text#html,<script>ran()<script>",
  "constructor",
  "../../v1/session?x#y&z=%2e%2e%2f",
  "x".repeat(63),
  "שלום <b onmouseover=ran()>עולם</b>",
];

/** Marks that a browser does not show, or by which it shows others in another order. */
const marks = [
  "\u202e",
  "\u202d",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u202a",
  "\u202c",
  "\u200e",
  "\u200b",
  "\u2028",
  "\ufeff",
  "\u0007",
  "\u001b[31m",
];

const atoms = [
  ...names.slice(0, 16),
  ...marks,
  "'",
  '"',
  "`",
  "<",
  ">",
  "&lt;",
  "&#x3c;",
  "\\",
  "\n",
  "%3Cscript%3E",
];

/** Texts of any length and any characters. The last are drawn, the same in each run. */
export const payloads: readonly Payload[] = [
  ...names,
  `paid \u202eorez yllautca\u202c and \u2066isolated\u2069, a\u200bb\u00adc`,
  `<img src=x onerror=ran()>${"long ".repeat(300)}`,
  ...fc
    .sample(fc.array(fc.constantFrom(...atoms), { minLength: 2, maxLength: 6 }), { numRuns: 12, seed: 17 })
    .map((parts) => parts.join("")),
];

/** Whether a text can name something of a policy or a person. */
export function isNameable(text: Payload): boolean {
  return (
    names.includes(text) &&
    text === text.trim() &&
    text === text.normalize("NFKC") &&
    foldName(text) !== "owner"
  );
}

/** A text as a constant of SQL. */
export function constant(text: Payload): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A text as a quoted name of SQL. */
export function quoted(text: Payload): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Returns a text as a page must show it: each character that would not be seen, or would show others in another order, by its code. */
export function asShown(text: Payload): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isSeen =
        "\n\t".includes(character) || !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(character);
      return isSeen ? character : `‹${code.toString(16)}›`;
    })
    .join("");
}
