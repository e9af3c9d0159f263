import { MAX_VOICE_MS, MAX_WAVE_VALUES } from '../contract.ts'

/** The preferred one first. */
const formats = [
  { type: 'audio/webm;codecs=opus', extension: 'weba' },
  { type: 'audio/mp4', extension: 'm4a' },
] as const
/** Speech is clear at this rate in Opus and AAC, and ten minutes have 2.4 MB. */
const BITS_PER_SECOND = 32_000
/** In milliseconds. */
const LEVEL_INTERVAL = 100
/** The loudness (root mean square) of a bar at its full height. Speech is mostly below it. */
const FULL_LEVEL = 0.25

const findFormat = () => formats.find(({ type }) => MediaRecorder.isTypeSupported(type))

/** Browsers offer the microphone only to pages with HTTPS and on localhost. */
export const canRecordVoice = () =>
  'mediaDevices' in navigator &&
  'MediaRecorder' in window &&
  'AudioContext' in window &&
  findFormat() !== undefined

export interface VoiceRecording {
  file: File
  /** In milliseconds. */
  duration: number
  /** The loudness from beginning to end: at most `MAX_WAVE_VALUES` numbers from 0 to 100. */
  wave: number[]
}

export interface Recorder {
  /** In milliseconds. */
  elapsed(): number
  /** From 0 to 100. */
  latestLevels(count: number): readonly number[]
  /** `finished` then resolves. */
  stop(): void
  /** `finished` then resolves with null. */
  cancel(): void
  /** Also resolves at the limits; with null if the recording is empty or was dropped. */
  finished: Promise<VoiceRecording | null>
}

/**
 * Ends by itself after ten minutes, shortly before `maxBytes` bytes, and when the microphone is taken away.
 * Rejects with a DOMException if there is no microphone or its use is not allowed.
 */
export async function startRecording(maxBytes: number): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  })
  const { type, extension } = findFormat()!
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  const meter = createLevelMeter(stream)
  const chunks: Blob[] = []
  let bytes = 0
  let isCancelled = false
  const stop = () => recorder.state !== 'inactive' && recorder.stop()
  recorder.ondataavailable = ({ data }) => {
    chunks.push(data)
    bytes += data.size
    // Leaves four seconds: the recorder hands over its data once a second and needs some time to stop.
    if (bytes > maxBytes - BITS_PER_SECOND / 2) stop()
  }
  stream.getAudioTracks()[0]!.onended = stop
  const start = performance.now()
  const elapsed = () => Math.min(performance.now() - start, MAX_VOICE_MS)
  const timeLimit = setTimeout(stop, MAX_VOICE_MS)
  let duration = 0
  const finished = new Promise<VoiceRecording | null>((resolve) => {
    recorder.onstop = () => {
      duration = Math.max(1, Math.round(elapsed()))
      clearTimeout(timeLimit)
      meter.close()
      for (const track of stream.getTracks()) track.stop()
      const name = `voice-${formatFileTime(new Date())}.${extension}`
      const file = new File(chunks, name, { type: type.split(';')[0]! })
      resolve(isCancelled || !file.size ? null : { file, duration, wave: toWaveForm(meter.levels) })
    }
  })
  recorder.start(1000)
  const cancel = () => {
    isCancelled = true
    stop()
  }
  return { elapsed, latestLevels: (count) => meter.levels.slice(-count), stop, cancel, finished }
}

const formatFileTime = (time: Date) =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 19)
    .replaceAll(':', '.')
    .replace('T', '-')

/** Adds the loudness, from 0 to 100, to `levels` ten times a second. */
function createLevelMeter(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 2048
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const levels: number[] = []
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    levels.push(Math.min(100, Math.round((100 * Math.sqrt(power)) / FULL_LEVEL)))
  }, LEVEL_INTERVAL)
  const close = () => {
    clearInterval(timer)
    void context.close()
  }
  return { levels, close }
}

/** The loudest level of each section, at most `MAX_WAVE_VALUES`. */
export function toWaveForm(levels: readonly number[]): number[] {
  const count = Math.min(MAX_WAVE_VALUES, levels.length)
  if (!count) return [0]
  return Array.from({ length: count }, (_, index) =>
    Math.max(
      ...levels.slice(
        Math.floor((index * levels.length) / count),
        Math.ceil(((index + 1) * levels.length) / count),
      ),
    ),
  )
}
