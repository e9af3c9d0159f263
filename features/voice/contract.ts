/** Ten minutes. */
export const MAX_VOICE_MS = 600_000
export const MAX_WAVE_VALUES = 60
