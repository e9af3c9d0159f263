const surplus = /((?:[\p{Mn}\p{Me}]\p{Cf}*){4})(?:[\p{Mn}\p{Me}]\p{Cf}*)+/gu

/**
 * A text without the marks above and below a letter after the fourth, which would cover other lines. The
 * letters of all languages have at most four; vowel signs with a width of their own, as in Burmese, are none.
 * Comes before `normalize`, which takes quadratic time for many marks.
 */
export const limitMarks = (text: string) => text.replace(surplus, '$1')
