import * as v from 'valibot'

/**
 * The kinds of files that are stored as they were uploaded. Pictures are not among them. Clients choose an
 * icon by the kind.
 */
export const fileKinds = [
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'text',
  'audio',
  'video',
  'archive',
  'voice',
] as const
export type FileKind = (typeof fileKinds)[number]

/** The schema of the details of a voice message, which clients show before they load the recording. */
export const voiceDetailsSchema = v.object({
  /** The length of the recording in milliseconds. */
  duration: v.number(),
  /** The loudness of the recording from its beginning to its end: numbers from 0 to 100. */
  wave: v.array(v.number()),
})
export type VoiceDetails = v.InferOutput<typeof voiceDetailsSchema>
