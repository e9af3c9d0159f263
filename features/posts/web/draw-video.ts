/** In pixels, of the longer side. */
const MAX_SIDE = 1280
/** The server takes no larger one. */
const MAX_BYTES = 2 ** 20
/** In seconds: the first frame of many videos is black. */
const MOMENT = 0.5
/** In ms. */
const TIMEOUT = 10_000

/** Null if it is too large as a picture. Rejects for a video that this browser cannot play. */
export async function drawMoment(file: File): Promise<File | null> {
  const video = document.createElement('video')
  const src = URL.createObjectURL(file)
  Object.assign(video, { src, muted: true, playsInline: true, preload: 'auto' })
  try {
    await heard(video, 'loadedmetadata')
    video.currentTime = Math.min(MOMENT, video.duration / 2)
    await heard(video, 'seeked')
    const blob = await draw(video)
    return blob && blob.size <= MAX_BYTES ? new File([blob], 'moment.jpg', { type: blob.type }) : null
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(src)
  }
}

function heard(video: HTMLVideoElement, event: 'loadedmetadata' | 'seeked') {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  video.addEventListener(event, resolve, { once: true })
  video.addEventListener('error', () => reject(video.error), { once: true })
  const timer = setTimeout(() => reject(new Error('It takes too long.')), TIMEOUT)
  return promise.finally(() => clearTimeout(timer))
}

function draw(video: HTMLVideoElement) {
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, MAX_SIDE / Math.max(videoWidth, videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(videoWidth * scale)
  canvas.height = Math.round(videoHeight * scale)
  canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
