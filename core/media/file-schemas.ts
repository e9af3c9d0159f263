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

/**
 * The schema of a file of a message. `path` is the path of the URL at which members of the conversation get
 * the file, as an attachment.
 */
export const attachedFileSchema = v.object({
  id: v.number(),
  path: v.string(),
  name: v.string(),
  /** The size in bytes. */
  size: v.number(),
  kind: v.picklist(fileKinds),
  /** The details of the voice message. The field is present only if the file is a voice message. */
  voice: v.exactOptional(voiceDetailsSchema),
})
export type AttachedFile = v.InferOutput<typeof attachedFileSchema>
