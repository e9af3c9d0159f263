import { fieldError } from '#core/http/errors.ts'
import type { VoiceDetails } from '#core/media/file-schemas.ts'
import { extensionOf, voiceExtensions } from '#core/media/file-types.ts'
import type { StoredFile } from '#core/media/files.ts'

interface VoiceInput {
  voice_duration?: number | undefined
  voice_wave?: string | undefined
}

/** Null if it is no voice message. 422 if there are other attachments, or the file is no recording. */
export function parseVoice(
  { voice_duration: duration, voice_wave }: VoiceInput,
  { pictures, files }: { pictures: readonly unknown[]; files: readonly StoredFile[] },
): VoiceDetails | null {
  if (duration === undefined || voice_wave === undefined || !(pictures.length || files.length)) return null
  const [recording] = files
  const isRecording = recording && voiceExtensions.includes(extensionOf(recording.file_name))
  if (!isRecording || files.length > 1 || pictures.length) throw fieldError('files', messages.noRecording)
  return { duration, wave: voice_wave.split(',').map(Number) }
}

const messages = {
  noRecording: {
    en: 'A voice message has one recording, in WebM or MP4, and no other files.',
    ja: 'ボイスメッセージで送れるのは、WebMかMP4の録音1つだけです。',
  },
}

export const withVoiceKind = (
  files: readonly StoredFile[],
  voice: VoiceDetails | null | undefined,
): readonly StoredFile[] => (voice ? files.map((file) => ({ ...file, file_kind: 'voice' as const })) : files)

/** Undefined for other attachments. */
export const parseStoredVoice = (stored: string | null) =>
  stored === null ? undefined : (JSON.parse(stored) as VoiceDetails)
