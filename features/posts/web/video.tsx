import {
  BlobSource,
  BufferTarget,
  Conversion,
  type ConversionVideoOptions,
  Input,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  Quality,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import type { Language } from '#core/contract.ts'
import { maxVideoMb } from '#web/file-limit.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { createStore, useStore } from '#web/store.ts'
import { showToast } from '#web/ui/Toasts.tsx'

// The only module with mediabunny. A phone writes into a video where it was made. So pictures and sound are
// copied into a new file, which tells nothing else and plays before it has arrived. A video above the limit
// becomes smaller.

const MAX_BYTES = maxVideoMb * 2 ** 20
/** Of the limit, because encoders do not keep a bit rate exactly. */
const AIM = 0.85
/** Bits in a second. */
const SOUND = 128_000
const LEAST = 300_000
const MOST = 2_500_000
/** Ms of work that is not announced. */
const SHORT = 500
/** Pixels of the shorter side. */
const SMALLER_SIDE = 720

type Refusal = 'unreadable' | 'too large' | 'cancelled'

/** One after the other: each takes much memory, and all show the same progress. */
let queue: Promise<unknown> = Promise.resolve()

/** Runs before the video is sent. `lang` is that of the button that cancels it. */
export function prepareVideo(file: File, lang: Language) {
  const prepared = queue.then(() => prepare(file, lang))
  queue = prepared
  return prepared
}

async function prepare(file: File, lang: Language): Promise<File | Refusal> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM] })
  let conversion: Conversion | undefined
  let isCancelled = false
  const hideProgress = showProgress(texts[lang].cancel, () => {
    isCancelled = true
    void conversion?.cancel()
  })
  try {
    const prepared = await copy(input, file, (begun) => {
      conversion = begun
      if (isCancelled) throw new Error('It was cancelled.')
    })
    return typeof prepared !== 'string' && prepared.size > MAX_BYTES ? 'too large' : prepared
  } catch {
    // Otherwise: damaged, or too large for the memory of the device. The text of the error is for developers.
    return isCancelled ? 'cancelled' : 'unreadable'
  } finally {
    input.dispose()
    hideProgress()
  }
}

/** Once it takes a while. Returns a function that hides it. */
function showProgress(label: string, cancel: () => void) {
  progress.set(0)
  let hide = () => {}
  const timer = setTimeout(() => {
    hide = showToast(<PreparingNote />, { key: 'video', action: { label, run: cancel } })
  }, SHORT)
  return () => {
    clearTimeout(timer)
    hide()
  }
}

async function copy(input: Input, file: File, onBegin: (conversion: Conversion) => void) {
  const track = await input.getPrimaryVideoTrack()
  if (!track) return 'unreadable'
  const smaller = file.size > MAX_BYTES ? await shrunk(input, track) : {}
  if (!smaller) return 'too large'
  const isWebm = (await input.getFormat()) === WEBM
  const format = isWebm ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' })
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input,
    output: new Output({ format, target }),
    tracks: 'primary',
    tags: {},
    video: smaller,
    showWarnings: false,
  })
  // Some browsers can copy a video that they cannot make smaller.
  if (!conversion.utilizedTracks.includes(track)) return smaller.forceTranscode ? 'too large' : 'unreadable'
  conversion.onProgress = (done) => progress.set(done)
  onBegin(conversion)
  await conversion.execute()
  const name = file.name.replace(/\.\w+$/, '') + format.fileExtension
  return new File([target.buffer!], name, { type: format.mimeType })
}

/** Null if it is too long for the limit. */
async function shrunk(input: Input, track: InputVideoTrack): Promise<ConversionVideoOptions | null> {
  const bitrate = (MAX_BYTES * 8 * AIM) / (await input.computeDuration()) - SOUND
  if (bitrate < LEAST) return null
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  return {
    forceTranscode: true,
    quality: new Quality({ bitrate: Math.min(MOST, bitrate) }),
    ...(Math.min(width, height) > SMALLER_SIDE &&
      (width < height ? { width: SMALLER_SIDE } : { height: SMALLER_SIDE })),
  }
}

const texts = defineTexts({
  en: { preparing: (percent: number) => `Preparing the video… ${percent} %`, cancel: 'Cancel' },
  ja: { preparing: (percent: number) => `動画を準備しています… ${percent}%`, cancel: 'やめる' },
})

/** From 0 to 1. */
const progress = createStore(0)

function PreparingNote() {
  const done = useStore(progress)
  // Screen readers read each step.
  return useText(texts).preparing(Math.floor(done * 10) * 10)
}
