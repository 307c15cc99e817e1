const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON, its numbers as the texts that were written: an integer of 64 bits is more than a number of JavaScript holds. Errors: SyntaxError.
 * @example numbersAsTexts('[9007199254740993, "7"]') // => ["9007199254740993", "7"]
 */
export function numbersAsTexts(json: string): unknown {
  const parts: string[] = [];
  let at = 0;
  while (at < json.length) {
    const begin = json.indexOf('"', at);
    const end = begin < 0 ? json.length : begin;
    parts.push(json.slice(at, end).replace(number, '"$&"'));
    if (begin < 0) break;
    at = endOfText(json, begin);
    parts.push(json.slice(begin, at));
  }
  return JSON.parse(parts.join(""));
}

/** Returns where the text ends that begins at a quotation mark. */
function endOfText(json: string, begin: number): number {
  for (let at = begin + 1; ; ) {
    const quote = json.indexOf('"', at);
    if (quote < 0) throw new SyntaxError("a text does not end");
    let slashes = 0;
    while (json[quote - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}
