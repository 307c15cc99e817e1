/** Returns a text with small letters for capitals of ASCII: the locale C knows no others. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns a text with capitals for small letters of ASCII. */
export function upperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
