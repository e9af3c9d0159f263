import { GlobalWorkerOptions, getDocument, version } from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.mjs?worker&url'

// The only module with pdf.js, which is larger than all other scripts together.

GlobalWorkerOptions.workerSrc = workerUrl

/** In pixels. */
const MAX_WIDTH = 1280
const MAX_HEIGHT = 1810
/** The server takes no larger one. */
const MAX_BYTES = 2 ** 20
const MAX_IMAGE_PIXELS = 50_000_000
/** In ms. */
const TIMEOUT = 10_000

/** Of vite.config.ts: for Japanese texts whose fonts are not in the PDF, and for scanned pages. */
const folder = `${location.origin}/assets/pdf-${version}/`

/** Null if it is too large as a picture. Rejects for a PDF that is locked, broken or takes too long. */
export async function drawFirstPage(pdf: File): Promise<File | null> {
  const loading = getDocument({
    data: new Uint8Array(await pdf.arrayBuffer()),
    cMapUrl: folder,
    wasmUrl: folder,
    maxImageSize: MAX_IMAGE_PIXELS,
  })
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('It takes too long.')), TIMEOUT)
  try {
    const blob = await Promise.race([draw(loading), isLate])
    return blob && blob.size <= MAX_BYTES ? new File([blob], 'page.jpg', { type: blob.type }) : null
  } finally {
    clearTimeout(timer)
    void loading.destroy()
  }
}

async function draw(loading: ReturnType<typeof getDocument>) {
  const page = await (await loading.promise).getPage(1)
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  await page.render({ canvas, viewport, background: 'white' }).promise
  return new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
