import { sha256 } from "@lethe/core/canonical";
import { mostUsed } from "./most-used.ts";

/** What people type by running over a keyboard, an alphabet or the digits. */
const rows = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "yxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
];
const shortestRun = 3;
const serviceName = "lethe";
/** Signs that stand for letters. */
const letters: Readonly<Record<string, string>> = { "@": "a", "0": "o", "3": "e", $: "s" };

const hashLength = 8;
let used: ReadonlySet<string> | null = null;

function isMostUsed(text: string): boolean {
  if (used === null) {
    const hashes = Buffer.from(mostUsed, "base64").toString("hex");
    used = new Set(hashes.match(new RegExp(`.{${hashLength}}`, "g")) ?? []);
  }
  return text.length >= 4 && used.has(sha256(text).slice(0, hashLength));
}

/**
 * Whether attackers try a password first, as NIST SP 800-63B, 5.1.1.2 has a verifier check: one of those that are used most, one part again and again, a run over the keyboard, digits alone, the service's name; and two of these put together. Three words
 * that do not belong together pass, whatever words they are.
 * @param password in lower case
 * @example isKnownPassword("qwertyuiop12345") // => true
 */
export function isKnownPassword(password: string): boolean {
  const bare = password.replace(/[^\p{L}\p{N}]/gu, "");
  const forms = [password, bare, plain(password), plain(bare)];
  return forms.some((each) => isGuessed(each) || twoParts(each));
}

function plain(text: string): string {
  return [...text].map((sign) => letters[sign] ?? sign).join("");
}

function twoParts(text: string): boolean {
  for (let at = 1; at < text.length; at += 1)
    if (isGuessed(text.slice(0, at)) && isGuessed(text.slice(at))) return true;
  return false;
}

function isGuessed(text: string): boolean {
  return (
    text === "" ||
    text === serviceName ||
    /^\d+$/.test(text) ||
    isRepeated(text) ||
    isRun(text) ||
    isMostUsed(text)
  );
}

/** Whether a text is a part of at most half its length again and again; the last time may be cut off. */
function isRepeated(text: string): boolean {
  for (let length = 1; 2 * length <= text.length; length += 1)
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  return false;
}

function isRun(text: string): boolean {
  if (text.length < shortestRun) return false;
  const back = [...text].reverse().join("");
  return rows.some((row) => row.includes(text) || row.includes(back));
}
