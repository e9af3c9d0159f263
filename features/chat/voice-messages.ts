import { createInvalidFieldError } from '#core/http/errors.ts'
import type { NonPictureFileMetadata } from '#core/media/files.ts'
import type { VoiceDetails } from '#core/stored-file-contract.ts'
import { getFileExtension, voiceMessageFileExtensions } from '#core/stored-file-extensions.ts'

interface VoiceInput {
  voice_duration?: number | undefined
  voice_wave?: string | undefined
}

/**
 * Returns the length and the wave form of the recording of a new message from the input of the request; null
 * if the message is no voice message. Throws 422 if the message has other attachments too, or if its file is
 * no recording.
 */
export function parseVoiceMessageInput(
  { voice_duration: duration, voice_wave }: VoiceInput,
  { pictures, files }: { pictures: readonly unknown[]; files: readonly NonPictureFileMetadata[] },
): VoiceDetails | null {
  if (duration === undefined || voice_wave === undefined || !(pictures.length || files.length)) return null
  const [recording] = files
  const isRecording = recording && voiceMessageFileExtensions.includes(getFileExtension(recording.file_name))
  if (!isRecording || files.length > 1 || pictures.length)
    throw createInvalidFieldError('files', messages.noRecording)
  return { duration, wave: voice_wave.split(',').map(Number) }
}

const messages = {
  noRecording: {
    en: 'A voice message has one recording, in WebM or MP4, and no other files.',
    ja: 'ボイスメッセージで送れるのは、WebMかMP4の録音1つだけです。',
  },
}

/** Returns the files of a new message. If the message is a voice message, its file gets the kind `voice`. */
export const applyVoiceKindToMessageFiles = (
  files: readonly NonPictureFileMetadata[],
  voice: VoiceDetails | null | undefined,
): readonly NonPictureFileMetadata[] =>
  voice ? files.map((file) => ({ ...file, file_kind: 'voice' as const })) : files

/** Parses the details of a voice message from the database. Returns undefined for other attachments. */
export const parseStoredVoiceDetails = (stored: string | null) =>
  stored === null ? undefined : (JSON.parse(stored) as VoiceDetails)
