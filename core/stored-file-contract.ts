import * as v from 'valibot'

/**
 * The kinds of files that can be stored as they were uploaded, besides pictures. Clients choose an icon by the
 * kind.
 */
export const storedFileKinds = [
  'pdf',
  'document',
  'spreadsheet',
  'presentation',
  'text',
  'audio',
  'archive',
  'voice',
] as const
export type StoredFileKind = (typeof storedFileKinds)[number]

/** A file of a message. `path` is where members of the conversation get it, as an attachment. */
export const StoredFile = v.object({
  id: v.number(),
  path: v.string(),
  name: v.string(),
  /** The size in bytes. */
  size: v.number(),
  kind: v.picklist(storedFileKinds),
})
export type StoredFile = v.InferOutput<typeof StoredFile>
