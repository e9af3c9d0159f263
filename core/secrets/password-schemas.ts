import * as v from 'valibot'
import { countCodePoints, normalizePassword } from '#core/text/unicode.ts'

const isTooLongPassword = (text: string) => text.length > 2000 || countCodePoints(text) > 1000

/** Creates the schema of a password of `min` to 1000 characters, which is never trimmed. */
export const passwordSchema = (min: number) =>
  v.pipe(
    v.string('string'),
    v.nonEmpty('required'),
    v.check((text) => !isTooLongPassword(text), 'max:1000'),
    v.check(
      (text) => isTooLongPassword(text) || countCodePoints(normalizePassword(text)) >= min,
      `min:${min}`,
    ),
  )

/** Whether the repetition of a new password is the same password. */
export const isPasswordRepeated = (given: { password: string; password_confirmation: string }) =>
  normalizePassword(given.password) === normalizePassword(given.password_confirmation)
