import { MAX_VOICE_MESSAGE_MILLISECONDS, MAX_VOICE_WAVEFORM_VALUES } from '../voice-contract.ts'

/**
 * The formats in which browsers can record voice messages, the preferred one first, with the extension of the
 * file.
 */
const formats = [
  { type: 'audio/webm;codecs=opus', extension: 'weba' },
  { type: 'audio/mp4', extension: 'm4a' },
] as const
/**
 * The bit rate of voice recordings, in bits per second. With this rate, speech is clear in Opus and AAC, and
 * ten minutes have 2.4 MB.
 */
const BITS_PER_SECOND = 32_000
/** The time between two measurements of the loudness of a recording, in milliseconds. */
const LEVEL_INTERVAL = 100
/**
 * The loudness (as root mean square) at which a bar of the wave form has its full height. Speech is mostly
 * below it.
 */
const FULL_LEVEL = 0.25

/** Returns the format in which this browser can record; undefined if it can record in none. */
const findFormat = () => formats.find(({ type }) => MediaRecorder.isTypeSupported(type))

/**
 * Returns whether this browser can record. Browsers offer the microphone only to pages with HTTPS and on
 * localhost.
 */
export const canRecordVoice = () =>
  'mediaDevices' in navigator &&
  'MediaRecorder' in window &&
  'AudioContext' in window &&
  findFormat() !== undefined

/** A finished recording of a voice message. */
export interface VoiceRecording {
  file: File
  /** The length of the recording in milliseconds. */
  duration: number
  /**
   * The wave form: the loudness from beginning to end, as at most `MAX_VOICE_WAVEFORM_VALUES` numbers from 0
   * to 100.
   */
  wave: number[]
}

/** A running recording of a voice message, with functions that control it. */
export interface RunningVoiceRecordingControls {
  /** Returns the milliseconds since the recording began. */
  elapsed(): number
  /** Returns the latest `count` loudness levels of the recording, from 0 to 100. */
  latestLevels(count: number): readonly number[]
  /** Ends the recording. The promise `finished` then resolves. */
  stop(): void
  /** Ends the recording and drops it. The promise `finished` then resolves with null. */
  cancel(): void
  /**
   * A promise that resolves when the recording has ended, also at its limits: with the recording, or with
   * null if the recording is empty or was dropped.
   */
  finished: Promise<VoiceRecording | null>
}

/**
 * Asks for the microphone and begins to record a voice message. The recording ends by itself after ten
 * minutes, shortly before it has `maxBytes` bytes, and when the microphone is taken away. Rejects with a
 * DOMException if there is no microphone or its use is not allowed.
 */
export async function startVoiceRecording(maxBytes: number): Promise<RunningVoiceRecordingControls> {
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
    // Stops while there is still room for four more seconds, because the recorder hands over its data only
    // once a second and needs some time to stop.
    if (bytes > maxBytes - BITS_PER_SECOND / 2) stop()
  }
  stream.getAudioTracks()[0]!.onended = stop
  const start = performance.now()
  const elapsed = () => Math.min(performance.now() - start, MAX_VOICE_MESSAGE_MILLISECONDS)
  const timeLimit = setTimeout(stop, MAX_VOICE_MESSAGE_MILLISECONDS)
  let duration = 0
  const finished = new Promise<VoiceRecording | null>((resolve) => {
    recorder.onstop = () => {
      duration = Math.max(1, Math.round(elapsed()))
      clearTimeout(timeLimit)
      meter.close()
      for (const track of stream.getTracks()) track.stop()
      const name = `voice-${formatFileTime(new Date())}.${extension}`
      const file = new File(chunks, name, { type: type.split(';')[0]! })
      resolve(
        isCancelled || !file.size
          ? null
          : { file, duration, wave: reduceLevelsToVoiceWaveForm(meter.levels) },
      )
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

/**
 * Begins to measure the loudness of a stream ten times a second. Adds each result, from 0 to 100, to
 * `levels`.
 */
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

/**
 * Reduces the measured loudness levels of a recording to at most `MAX_VOICE_WAVEFORM_VALUES` numbers: the
 * loudest level of each section of the recording.
 */
export function reduceLevelsToVoiceWaveForm(levels: readonly number[]): number[] {
  const count = Math.min(MAX_VOICE_WAVEFORM_VALUES, levels.length)
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
