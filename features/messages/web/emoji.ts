// An emoji as UTS #51 describes possible emoji (Unicode Emoji, section 1.4.9): a flag, or one or more
// emoji, each with a skin tone, keycap or tags, joined by U+200D. The class \p{RGI_Emoji} would be exact, but
// takes 13 ms to compile, and 50 ms on a processor that is four times slower.
const pictograph =
  '(?!\\p{RI}|[0-9#*]\\uFE0F(?!\\u20E3))(?:\\p{Emoji_Presentation}|\\p{Emoji}\\uFE0F|\\p{EBase}(?=\\p{EMod}))\\p{EMod}?\\u20E3?[\\u{E0020}-\\u{E007F}]*'
const emoji = `(?:\\p{RI}{2}|${pictograph}(?:\\u200D${pictograph})*)`
const oneToThreeEmoji = new RegExp(`^(?:${emoji}\\s?){1,3}$`, 'u')

/** Such messages are shown large. Searches for letters first, because that is fast. */
export const isEmojiOnly = (text: string) =>
  text.length < 60 && !/\p{L}/u.test(text) && oneToThreeEmoji.test(text)
