import { INVISIBLE } from './unicode.ts'

/** Scripts whose letters the joiners ZWJ and ZWNJ connect or separate. */
const joining = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Khmer',
  'Myanmar',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('')

/** Patterns for the invisible characters that are kept, because they change what is shown. */
const meaningful = [
  // Matches a joiner between the pictures of one emoji, such as a family, which makes them one picture.
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
  // Matches a variation selector after an emoji, which selects its coloured or its plain form.
  '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]',
  // Matches a black flag with the invisible letters that name a region, such as gbsct for Scotland.
  '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{3,6}\\u{E007F}',
  // Matches a variation selector after a Chinese character, which selects a variant that names may need.
  '(?<=\\p{Unified_Ideograph})[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
  `(?<=[${joining}])[\\u200C\\u200D](?=[${joining}])`,
].join('|')

const pattern = new RegExp(`${meaningful}|([${INVISIBLE}])`, 'gu')

/**
 * Removes the invisible characters of a text, so that names do not differ in invisible characters alone, and
 * no name changes the direction of the text around it. Keeps emoji sequences, and the joiners that some
 * scripts need.
 */
export const removeInvisible = (text: string) =>
  text.replace(pattern, (found, isInvisible: string | undefined) => (isInvisible === undefined ? found : ''))
