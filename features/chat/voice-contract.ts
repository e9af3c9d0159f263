import * as v from 'valibot'
import { idSchema } from '#core/contract.ts'

/** The maximum length of a voice message in milliseconds: ten minutes. */
export const MAX_VOICE_MESSAGE_MILLISECONDS = 600_000
/** The maximum number of values in the wave form of a voice message. */
export const MAX_VOICE_WAVEFORM_VALUES = 60

/**
 * The input fields that make the only file of a new message a voice message. They have an effect only if both
 * are given and the message has an attachment.
 */
export const voiceMessageInputFields = {
  /** The length of the voice message in milliseconds. */
  voice_duration: v.optional(
    v.pipe(idSchema, v.maxValue(MAX_VOICE_MESSAGE_MILLISECONDS, `max:${MAX_VOICE_MESSAGE_MILLISECONDS}`)),
  ),
  /**
   * The loudness of the voice message from its beginning to its end: numbers from 0 to 100, such as
   * `0,55,12`.
   */
  voice_wave: v.optional(
    v.pipe(
      v.string('string'),
      v.maxLength(4 * MAX_VOICE_WAVEFORM_VALUES, 'invalid'),
      v.regex(/^(100|\d{1,2})(,(100|\d{1,2})){0,59}$/, 'invalid'),
    ),
  ),
}
