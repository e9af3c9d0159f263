import * as v from 'valibot'
import { idSchema } from '#core/schemas.ts'
import { MAX_VOICE_MS, MAX_WAVE_VALUES } from './contract.ts'

/** Have an effect only if both are given and the message has an attachment. */
export const voiceFields = {
  /** In milliseconds. */
  voice_duration: v.optional(v.pipe(idSchema, v.maxValue(MAX_VOICE_MS, `max:${MAX_VOICE_MS}`))),
  /** Loudness from beginning to end: numbers from 0 to 100, such as `0,55,12`. */
  voice_wave: v.optional(
    v.pipe(
      v.string('string'),
      v.maxLength(4 * MAX_WAVE_VALUES, 'invalid'),
      v.regex(/^(100|\d{1,2})(,(100|\d{1,2})){0,59}$/, 'invalid'),
    ),
  ),
}
