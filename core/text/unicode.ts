/**
 * Returns a text in a form for comparison, without differences of case and width: `Ｂen` and `BEN` become
 * `ben`.
 */
export const foldCaseAndWidth = (text: string) => text.normalize('NFKC').toLowerCase()

/**
 * Returns a password as RFC 8265 (OpaqueString) compares it: with U+0020 for every other space, in NFC. So it
 * is the same from each keyboard and each system.
 */
export const normalizePassword = (password: string) => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

/** Returns the length of a text in Unicode code points. The server and the browser both count this way. */
export const countCodePoints = (text: string) => [...text].length

/** Whether the text is exactly one emoji, as people see it: 👍, 👍🏽, ❤️, 🇯🇵 or 👩‍🚀. */
export const isSingleEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text)

/**
 * Adds the variation selector U+FE0F to a symbol that is an emoji only with it: the text symbol ❤ becomes
 * the emoji ❤️. Returns other texts unchanged.
 */
export const asEmoji = (text: string) =>
  !isSingleEmoji(text) && isSingleEmoji(`${text}\uFE0F`) ? `${text}\uFE0F` : text

/**
 * The pattern for all invisible characters: control characters, format characters (also for direction),
 * private-use characters, noncharacters, and characters that are drawn as nothing. For use inside `[ ]`.
 */
export const INVISIBLE =
  '\\p{Cc}\\p{Cf}\\p{Co}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\u{1d159}'

const visible = new RegExp(`[^\\s${INVISIBLE}]`, 'u')

/** Whether nothing of the text can be seen: it is empty, or has only spaces and invisible characters. */
export const isBlank = (text: string) => !visible.test(text)
